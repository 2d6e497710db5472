// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>

#include "troupe/language/evaluator/dynamic_value.hpp"
#include "troupe/language/syntax/syntax_tree.hpp"
#include "troupe/tasks/clock.hpp"
#include "troupe/tasks/engine.hpp"

namespace troupe::language {

/// Moments of `time { … }`.
struct timed_block {
  ticks start;
  ticks submitted;  ///< when all of it was submitted
  ticks finished;   ///< when all of it had run
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

  /// Returns the engine that computes.
  virtual engine& home() = 0;
  /// Takes an array that the text says it was given. Throws if it was not.
  virtual void declared(const declaration& s) = 0;
  /// Takes note of an assignment by an outermost statement.
  virtual void assigned(symbol name, const dynamic_value& value) = 0;
  /// Takes the value of an outermost statement. `quiet`: it is not to be shown.
  virtual void result(const dynamic_value& value, bool quiet, caller where) = 0;
  /// Shows a value, wherever the statement stands.
  virtual void print(const dynamic_value& value, caller where) = 0;
  virtual void timed(const timed_block& t) = 0;
  /// Returns the value of an output; the last one for 0. Throws if there is none.
  virtual dynamic_value output(std::uint64_t number, caller where) = 0;
  /// Waits until an array, or everything, is ready. Throws the reason of a failure, or `stopped`.
  virtual void wait(const tensor& x, caller where) = 0;
  virtual void wait_all() = 0;
  /// Throws `stopped` if the user pressed Ctrl-C.
  virtual void look_up() = 0;
  /// Returns what a list of so many items holds as long as it lives. Throws if they are too many.
  virtual std::shared_ptr<void> room_for(std::size_t, caller) { return {}; }
};

}  // namespace troupe::language
