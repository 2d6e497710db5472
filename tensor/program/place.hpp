// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// Something outside a program that holds an array, such as a layer's weights: read at each call of
/// the program, and changed at its end if the program changes it.
class place {
 public:
  place() noexcept;
  place(const place&) = delete;
  place& operator=(const place&) = delete;
  virtual ~place() = default;

  virtual const tensor& read() const = 0;
  virtual void write(const tensor& x) = 0;
  /// Replaces the sum of its gradients; by none if the tensor names no array.
  virtual void write_gradient(const tensor& sum) = 0;
};

namespace detail {

/// Number of times that something has changed on which the course of functions may depend, such as
/// a layer's mode: programs captured before are captured anew.
inline constinit std::atomic<std::uint64_t> changes_of_course = 0;

/// Number of times that something was made or changed through which functions may go another way:
/// at their next call, programs are compared with them.
inline constinit std::atomic<std::uint64_t> other_ways = 0;

/// True once a captured function has read numbers of an array from outside.
inline constinit std::atomic<bool> arrays_were_read = false;

/// Scope in which the calling thread's captured functions may do that: whoever has others take
/// their place counts `other_ways` from then on.
class notices_other_arrays {
 public:
  notices_other_arrays() noexcept : before_(std::exchange(here_, true)) {}
  notices_other_arrays(const notices_other_arrays&) = delete;
  notices_other_arrays& operator=(const notices_other_arrays&) = delete;
  ~notices_other_arrays() { here_ = before_; }

  static bool active() noexcept { return here_; }

 private:
  static inline thread_local constinit bool here_ = false;
  const bool before_;
};

}  // namespace detail

inline place::place() noexcept { ++detail::other_ways; }

}  // namespace troupe
