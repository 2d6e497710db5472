// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "troupe/tasks/pool_allocator.hpp"
#include "troupe/tasks/small_vector.hpp"

namespace troupe {

class origin;
struct task_record;

/// A value on another machine: how to have it again if that machine is lost.
struct value_record {
  value_record() = default;
  value_record(const value_record&) = delete;
  value_record& operator=(const value_record&) = delete;
  ~value_record();

  std::uint64_t number = 0;
  std::size_t bytes = 0;
  std::uint8_t device = 0;
  std::shared_ptr<task_record> made_by;  ///< the task that computes it again; or else:
  std::shared_ptr<const void> holds;     ///< what holds a copy of its bytes here
  const std::byte* copy = nullptr;
  std::shared_ptr<origin> elsewhere;  ///< or else: its bytes on another machine
  std::uint64_t order = 0;            ///< among all of these: they may need earlier ones
  std::uint64_t brought_on = 0;       ///< the connection on which they are brought from there

  // Of all that would be computed again, as far as is known when it was computed.
  int depth = 0;           ///< tasks, one behind the other
  float nanoseconds = 0;   ///< their estimates
  std::size_t behind = 0;  ///< bytes held here for them
  bool fetching = false;   ///< a copy is on its way

  /// It takes no other value to have it again.
  bool is_first() const noexcept { return !made_by; }
  /// There is no way to have it again.
  bool forgotten() const noexcept { return !made_by && !elsewhere && !copy && bytes > 0; }
};

/// Bytes of a command, which mostly are few.
class command_bytes {
 public:
  void assign(std::span<const std::byte> all);
  operator std::span<const std::byte>() const noexcept {
    return {few() ? few_.data() : many_.data(), size_};
  }

 private:
  bool few() const noexcept { return size_ <= few_.size(); }

  std::size_t size_ = 0;
  std::array<std::byte, 128> few_;
  std::vector<std::byte> many_;
};

/// A task on another machine, as it was sent.
struct task_record {
  std::uint64_t number = 0;  ///< in the order in which tasks were sent
  float nanoseconds = 0;
  bool cancelled = false;  ///< while it was unfinished: nobody asks for it any more
  command_bytes command;
  small_vector<std::shared_ptr<value_record>, 2> inputs;
  small_vector<std::uint64_t, 1> outputs;
  small_vector<std::weak_ptr<value_record>, 1> made;
};

/// The values of a machine that are needed, and all that it takes to have them again. A value that
/// would take too much is to be copied home: then nothing before it is kept for it. If there is no
/// room for that, it goes on, until it would take far too much.
class lineage {
 public:
  static std::shared_ptr<task_record> new_task() {
    return std::allocate_shared<task_record>(pool_allocator<task_record>());
  }
  std::shared_ptr<value_record> add_value(std::uint64_t number, std::size_t bytes,
                                          std::uint8_t device);
  void drop(std::uint64_t number) noexcept { values_.erase(number); }
  /// The value with this number; null if it is not needed any more.
  std::shared_ptr<value_record> find(std::uint64_t number) const;
  /// The value that a place lies in.
  std::shared_ptr<value_record> find_around(std::uint64_t place) const;

  /// Notes that a task was computed. Returns those of its values that are to be copied home.
  static std::vector<std::shared_ptr<value_record>> computed(const task_record& t);
  /// Forgets how to have a value again that could not be copied home, if that has become too long.
  static void no_room_for(value_record& v) noexcept;
  static void came_home(value_record& v, std::shared_ptr<const void> holds, const std::byte* copy);

  /// All that a machine has to be given to have the needed values, and those that `more` tasks
  /// read.
  struct plan {
    std::vector<std::shared_ptr<value_record>> stores;
    std::vector<std::shared_ptr<value_record>> elsewhere;  ///< to be brought from there
    std::vector<std::shared_ptr<value_record>> forgotten;
    std::vector<std::shared_ptr<task_record>> tasks;  ///< in their order
    std::vector<std::uint64_t> drops;                 ///< values that come of these, not needed
  };
  plan everything(const std::vector<std::shared_ptr<task_record>>& more) const;

 private:
  using entry = std::pair<const std::uint64_t, std::shared_ptr<value_record>>;

  std::map<std::uint64_t, std::shared_ptr<value_record>, std::less<>, pool_allocator<entry>>
      values_;
};

}  // namespace troupe
