// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "troupe/devices/driver.hpp"
#include "troupe/devices/kernel.hpp"
#include "troupe/tasks/task.hpp"

namespace troupe {

/// Values on a stream whose memory tasks behind them there may take over.
class spent_values {
 public:
  /// Returns one that has as much memory as an output needs; null if there is none.
  virtual value* spent_like(const value& output) noexcept = 0;

 protected:
  ~spent_values() = default;
};

/// A task's operands as its kernel sees them, and the memory that the kernel needs beside them.
class binding {
 public:
  binding() = default;
  binding(const binding&) = delete;
  binding& operator=(const binding&) = delete;

  /// Takes the memory for the outputs and for scratch. If there is none, fails the task and returns
  /// false.
  bool take(task& t, driver& where) noexcept;
  /// Does the same for a launch on a stream; outputs may take over the memory of `spent` values.
  /// Unless it is the last try, the task does not fail, and this may be called again.
  bool take(task& t, driver& where, stream& on, spent_values* spent, bool last_try) noexcept;
  /// Gives the kernel a place to note a fault of its data. Throws std::bad_alloc.
  void take_fault(driver& where);
  const kernel_args& args() const noexcept { return args_; }
  void drop_scratch() noexcept { scratch_ = {}; }

 private:
  template <class ScratchBytes>
  bool take_memory(task& t, driver& where, const ScratchBytes& scratch_bytes,
                   spent_values* on_stream, bool last_try) noexcept;

  small_vector<array, 2> inputs_;
  small_vector<array, 1> outputs_;
  kernel_args args_;
  buffer scratch_, fault_;
};

// Steps that all ways to run a task have in common.

/// Settles a task that has a failed input, or that is to fail on purpose.
bool fails_from_the_start(task& t) noexcept;
/// Returns the bytes of a task's outputs that can lie where inputs are that nobody else needs, or
/// only somebody who has one reference beside the task's.
std::size_t bytes_to_take_over(const task& t, bool named_once_more = false) noexcept;
/// Allocates an output on the device `place`. Throws std::bad_alloc.
void allocate(task& t, value& out, driver& place);
/// Returns the address of the first element of an input that is a value.
std::byte* first_element(const operand& in) noexcept;
/// Returns the same if the elements of the whole value begin at `data`.
std::byte* first_element(const operand& in, void* data) noexcept;
/// Returns the bytes of scratch memory that a task's kernel will ask for on a device that computes
/// on the threads of its lanes. Reads no elements, so the inputs may be pending.
std::size_t scratch_of(const task& t) noexcept;
/// Fails a task for want of so many bytes.
void fail_without_memory(task& t, std::size_t bytes) noexcept;
/// Returns the text of the exception at hand, never empty, on one line and cut after 10,000 bytes;
/// "out of memory" if there is none left for the text.
std::string text_of_current_exception() noexcept;
/// Returns the place of the step that has failed, if the exception at hand names one.
std::source_location place_of_failed_step(std::source_location otherwise) noexcept;
/// Fails a task for the reason that the exception at hand gives.
void fail_with_current_exception(task& t) noexcept;

}  // namespace troupe
