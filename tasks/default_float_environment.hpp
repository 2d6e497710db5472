// SPDX-License-Identifier: MIT
#pragma once

#include <cfenv>
#include <cstdint>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace troupe {

/// Scope in which the calling thread computes as a new thread does: rounding, traps and tiny
/// numbers as usual. At its end a thread with other settings has those, and its flags, again.
class default_float_environment {
 public:
  default_float_environment() noexcept {
#if defined(__x86_64__)
    // Exchanging all of the x87's state takes as long as a small operation, and rarely is it
    // needed. Setting SSE's takes longer than looking at it.
    if (x87_control() == usual_x87_control) {
      control_ = _mm_getcsr();
      if (is_usual(control_)) return;
      changed_ = changed::sse;
      _mm_setcsr(usual_control);
      return;
    }
#endif
    changed_ = changed::all;
    std::fegetenv(&own_);
    std::fesetenv(FE_DFL_ENV);
  }
  default_float_environment(const default_float_environment&) = delete;
  default_float_environment& operator=(const default_float_environment&) = delete;
  ~default_float_environment() {
    if (changed_ == changed::all) std::fesetenv(&own_);
#if defined(__x86_64__)
    else if (changed_ == changed::sse) _mm_setcsr(control_);
#endif
  }

  /// Makes the calling thread compute as usual again, after code that is not ours.
  static void renew() noexcept {
#if defined(__x86_64__)
    if (x87_control() == usual_x87_control && is_usual(_mm_getcsr())) return;
#endif
    std::fesetenv(FE_DFL_ENV);
  }

 private:
  enum class changed : std::uint8_t { nothing, sse, all };

#if defined(__x86_64__)
  // All exceptions masked, to nearest; of the x87 64 bits of precision.
  static constexpr std::uint32_t usual_control = 0x1f80, flags = 0x3f;
  static constexpr std::uint16_t usual_x87_control = 0x037f;

  static bool is_usual(std::uint32_t control) noexcept {
    return (control & ~flags) == usual_control;
  }
  static std::uint16_t x87_control() noexcept {
    std::uint16_t control = 0;
    asm("fnstcw %0" : "=m"(control));
    return control;
  }

  std::uint32_t control_ = 0;
#endif
  changed changed_ = changed::nothing;
  std::fenv_t own_;
};

}  // namespace troupe
