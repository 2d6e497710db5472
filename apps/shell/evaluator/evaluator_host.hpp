// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <exception>
#include <string>

#include "troupe/actors/runtime.hpp"
#include "troupe/apps/shell/evaluator/shell_value.hpp"
#include "troupe/apps/shell/language/symbols.hpp"

namespace troupe::shell {

/// What `time { … }` has measured; times are in seconds.
struct block_timing {
  double submitted = 0;  ///< until all of it was submitted
  double finished = 0;   ///< until all of it had run
  overlap_report overlap;
};

/// An input that ends here because the user has had enough, with Ctrl-C; what it submitted goes on.
class stopped final : public std::exception {
 public:
  const char* what() const noexcept override { return "stopped"; }
};

/// What an evaluator needs of whoever runs it.
class evaluator_host {
 public:
  virtual ~evaluator_host() = default;

  virtual runtime& engine() = 0;
  /// A name has been given a value, by a statement on its own.
  virtual void assigned(symbol name, const shell_value& value) = 0;
  /// A statement on its own has this value. `quiet`: it is not to be shown.
  virtual void result(const shell_value& value, bool quiet, caller where) = 0;
  /// A value is to be shown, wherever the statement stands.
  virtual void print(const shell_value& value, caller where) = 0;
  virtual void timed(const block_timing& t) = 0;
  /// The value of an output; the last one for 0. Throws if there is none.
  virtual shell_value output(std::uint64_t number, caller where) = 0;
  /// Wait until it is there, or all is. Throw what made it fail, or stopped.
  virtual void wait(const tensor& x, caller where) = 0;
  virtual void wait_all() = 0;
  /// Throws stopped if the user has had enough.
  virtual void look_up() = 0;
};

}  // namespace troupe::shell
