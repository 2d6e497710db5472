// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "troupe/devices/fork_lock.hpp"
#include "troupe/tasks/forks.hpp"
#include "troupe/tensor/program/graph.hpp"

namespace troupe::detail {

/// Program of a function for arguments of one kind.
struct captured_program {
  graph runs;
  graph captured;  ///< without what changed it
  std::string told;
  std::size_t bytes = 0;  ///< that it keeps: constants, steps
  std::atomic<std::uint64_t> calls = 0;
  std::atomic<std::uint64_t> compared_at = 0;  ///< sign when the function did what this does

  /// Returns another number when its function may go another way than before, as far as can be
  /// told: when places were made, or its own are referred to by more or fewer.
  std::uint64_t sign() const noexcept;
};

/// The latest programs of one function, by the kind of their arguments: at most 64, and of at most
/// 256 MiB together, though the latest one stays however large it is. Thread-safe.
class program_cache {
 public:
  /// Returns the program for a kind of arguments, or null.
  std::shared_ptr<captured_program> find(std::string_view kind);
  /// Keeps a program unless there is one for its kind. Returns the number of programs kept so far,
  /// or 0 if this one was not.
  std::uint64_t add(std::string_view kind, std::shared_ptr<captured_program> one);
  void forget(std::string_view kind);
  /// Says for each program what was captured, how it runs and how often it was called.
  std::string explain() const;

  /// Returns the turn of a call that changes variables, or may, from reading them until they are
  /// written: others wait for its end. A child that was forked meanwhile has turns of its own,
  /// since the thread whose turn it is may not be there.
  std::unique_lock<std::mutex> turn();

 private:
  using by_kind = std::list<std::pair<std::string, std::shared_ptr<captured_program>>>;

  void take_what_is_too_much(by_kind& into);

  mutable fork_lock mutex_;
  std::unique_ptr<std::mutex> turns_ = std::make_unique<std::mutex>();
  std::uint32_t forks_ = forks::count();  ///< when they began
  by_kind latest_first_;
  std::unordered_map<std::string_view, by_kind::iterator> positions_;  ///< by kinds in the list
  std::uint64_t kept_ = 0;
};

}  // namespace troupe::detail
