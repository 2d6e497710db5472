// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "troupe/tensor/tensor.hpp"

namespace troupe {
class program;
}

namespace troupe::detail {

/// Returns true while this thread records, or captures another function: a compiled function is
/// then called as it is.
bool runs_as_it_is() noexcept;

class program_cache;

/// Programs of one function, one for each kind of arguments it was called with. May be called from
/// several threads.
class compiled_function {
 public:
  using body = std::function<std::vector<tensor>(std::span<const tensor>)>;

  explicit compiled_function(caller where);
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
  caller where_;
  std::unique_ptr<program_cache> programs_;
};

}  // namespace troupe::detail
