// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "troupe/tensor/tensor.hpp"

namespace troupe {

class engine;
class program;

struct compile_options {
  /// Calls the function itself at each call, too, and compares every value to the bit: slow, waits,
  /// and keeps all intermediate results. A difference is an error.
  bool check = false;
};

}  // namespace troupe

namespace troupe::detail {

/// Returns true while this thread records, or captures another function: a compiled function is
/// then called as it is.
bool runs_as_it_is() noexcept;

struct captured_program;
class program_cache;

/// Programs of one function, one for each kind of arguments it was called with. May be called from
/// several threads.
class compiled_function {
 public:
  using body = std::function<std::vector<tensor>(std::span<const tensor>)>;

  /// A `fixed` function always does what it did when it was captured.
  explicit compiled_function(caller where, compile_options options = {}, bool fixed = false);
  ~compiled_function();

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
  bool goes_another_way(captured_program& one, engine& on, std::span<const tensor> in,
                        const body& f) const;
  std::vector<tensor> checked_call(engine& on, const captured_program& one,
                                   std::span<const tensor> in, const body& f) const;

  caller where_;
  compile_options options_;
  bool fixed_;
  std::unique_ptr<program_cache> programs_;
};

}  // namespace troupe::detail
