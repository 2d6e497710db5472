// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "troupe/tasks/task.hpp"

namespace troupe {

/// Search for a use of results that are not computed yet: a way from reader to reader within one
/// ordering, none of them *held up*, to a task whose results nobody reads, or for which somebody
/// waits. Results that another ordering reads have no use until it wants them.
///
/// A reader is held up if it needs something that is neither computed nor ready to be and
/// - comes before the results in the program; of other orderings' results, only for a task here;
/// - or was wanted from another ordering.
/// Nor have results of a task here a use if each of its readers needs something else here that is
/// not even ready, wherever it comes in the program.
///
/// So tasks that have a use never wait for each other. Let U be one of them none of whose missing
/// ancestors has a use by itself. Among what is held back before U is something of which not all
/// readers need something else here: otherwise one could follow what they need from ancestor to
/// ancestor without end. On the way from the lowest of these to U nothing holds a reader up but
/// what is in flight or under way. Where memory is lacking, the order of the program decides
/// (`ordering::may_run_ahead`).
///
/// A search takes at most a few hundred steps. Where there is more to look at, such as more than 64
/// readers, or 16 beyond the first ones, it counts as successful.
class use_search {
 public:
  explicit use_search(int home) noexcept : home_(home) {}

  /// Searches for a use of the results of a task of the ordering with the number `home`. Returns
  /// true if there is one.
  bool find(const task& of);
  /// Does the same for a result of another ordering, which these tasks here read.
  bool find(const value& of, const operand* readers);

  // Of the last search, which was without success.

  /// Returns true if something holds a reader up.
  bool held_up() const noexcept { return holding_up_count_ + elsewhere_count_ > 0; }
  /// Returns true if, on some way, a reader is held up by results of other orderings alone, or by
  /// tasks here that wait for nothing else.
  bool held_up_elsewhere() const noexcept { return elsewhere_count_ > 0 || by_waiting_; }

  struct reader_asked {
    task* reader;
    bool held_up;
  };
  // Another search has no success either until one of these happens.

  /// One of these, which hold readers up, is ready or ends.
  std::span<task* const> holding_up() const noexcept {
    return {holding_up_.data(), holding_up_count_};
  }
  /// One of these, of other orderings and given by their sequence numbers, is there.
  std::span<const std::uint64_t> elsewhere() const noexcept {
    return {elsewhere_.data(), elsewhere_count_};
  }
  /// One of these ends without having run, or the results of one that is not held up get another
  /// reader.
  std::span<const reader_asked> readers() const noexcept {
    return {readers_.data(), readers_count_};
  }

 private:
  static constexpr std::size_t most_first_readers = 64, most_further_readers = 16;
  static constexpr int most_inputs = 32;  // that are looked at to tell whether a task only waits
  static constexpr int most_steps = 512, most_further_steps = 128;
  static constexpr std::size_t most_noted = 2 * (most_first_readers + most_further_readers);

  void begin(std::uint64_t sequence, bool from_elsewhere) noexcept;
  bool search();
  bool ask(const operand* readers);
  bool ask_readers_of(const task& t);
  bool all_need_more();
  bool is_held_up(const task& reader);
  bool waits_for_others(const task& t, int& inputs_left) const noexcept;
  void note(task& holding_up) noexcept;
  void note(const value& from_elsewhere) noexcept;

  int home_;
  std::uint64_t sequence_ = 0;
  bool from_elsewhere_ = false;  ///< the results are another ordering's
  int steps_left_ = 0;
  std::size_t readers_left_ = 0;
  std::size_t readers_count_ = 0, answered_ = 0;
  std::size_t holding_up_count_ = 0, elsewhere_count_ = 0;
  bool by_waiting_ = false;  ///< one of `holding_up` waits for other orderings alone
  std::array<reader_asked, most_first_readers + most_further_readers> readers_;
  std::array<task*, most_noted> holding_up_;
  std::array<std::uint64_t, most_noted> elsewhere_;
};

}  // namespace troupe
