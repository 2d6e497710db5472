// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <exception>
#include <string>

#include "troupe/actors/runtime.hpp"
#include "troupe/apps/shell/evaluator/shell_value.hpp"
#include "troupe/apps/shell/language/syntax.hpp"

namespace troupe::shell {

/// Measurements of `time { … }`; times are in seconds.
struct block_timing {
  double submitted = 0;  ///< until all of it was submitted
  double finished = 0;   ///< until all of it had run
  overlap_report overlap;
};

/// Exception that ends an input when the user pressed Ctrl-C; its submitted tasks go on.
class stopped final : public std::exception {
 public:
  const char* what() const noexcept override { return "stopped"; }
};

/// Owner of an evaluator, which provides the engine and takes the results.
class evaluator_host {
 public:
  virtual ~evaluator_host() = default;

  virtual runtime& engine() = 0;
  /// Takes note of an assignment by an outermost statement.
  virtual void assigned(symbol name, const shell_value& value) = 0;
  /// Takes the value of an outermost statement. `quiet`: it is not to be shown.
  virtual void result(const shell_value& value, bool quiet, caller where) = 0;
  /// Shows a value, wherever the statement stands.
  virtual void print(const shell_value& value, caller where) = 0;
  virtual void timed(const block_timing& t) = 0;
  /// Returns the value of an output; the last one for 0. Throws if there is none.
  virtual shell_value output(std::uint64_t number, caller where) = 0;
  /// Waits until an array, or everything, is ready. Throws the reason of a failure, or `stopped`.
  virtual void wait(const tensor& x, caller where) = 0;
  virtual void wait_all() = 0;
  /// Throws `stopped` if the user pressed Ctrl-C.
  virtual void look_up() = 0;
};

}  // namespace troupe::shell
