// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "troupe/tensor/program/graph.hpp"

namespace troupe {
class program;
}

namespace troupe::detail {

/// Returns true while this thread records, or captures another function: a compiled function is
/// then called as it is.
bool runs_as_it_is() noexcept;

/// Programs of one function, one for each kind of arguments it was called with. May be called from
/// several threads.
class compiled_function {
 public:
  using body = std::function<std::vector<tensor>(std::span<const tensor>)>;

  explicit compiled_function(caller where) noexcept : where_(where) {}

  caller where() const noexcept { return where_; }

  /// Returns what `f` returns for these arguments. `others` tells apart calls with other arguments
  /// that are no tensors.
  std::vector<tensor> call(std::span<const tensor> in, const std::string& others, const body& f);
  /// Returns what `f` does with such arguments as a program of its own. Throws if it has no text,
  /// or if layers in it have no sizes yet.
  troupe::program as_program(std::span<const tensor> in, const body& f) const;
  /// Says in a few lines what was captured and how it runs.
  std::string explain() const;

 private:
  struct known {
    graph runs;
    graph captured;  ///< without what changed it
    std::string told;
    std::size_t bytes = 0;  ///< that it keeps: constants, steps
    std::atomic<std::uint64_t> calls = 0;
  };
  using by_kind = std::list<std::pair<std::string, std::shared_ptr<known>>>;

  std::shared_ptr<known> find(const std::string& kind);
  std::shared_ptr<known> add(const std::string& kind, engine& on, std::span<const tensor> in,
                             const body& f, bool fold_constants = true);
  void forget(const std::string& kind);
  void check(known& one, engine& on, std::span<const tensor> in, const body& f) const;
  graph captured(engine& on, std::span<const tensor> in, const body& f) const;
  void drop_what_is_too_much();
  void warn_of_many() const;

  caller where_;
  mutable std::mutex mutex_;
  by_kind latest_first_;
  std::unordered_map<std::string, by_kind::iterator> places_;
  std::uint64_t captures_ = 0;
};

}  // namespace troupe::detail
