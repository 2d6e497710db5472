// SPDX-License-Identifier: MIT
#pragma once

#include <cfenv>
#include <cstdint>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace troupe {

/// Scope in which the calling thread computes as a new thread does: rounding, traps and tiny
/// numbers as usual. At its end the thread has its own settings and flags again.
class default_float_environment {
 public:
  default_float_environment() noexcept {
#if defined(__x86_64__)
    // Exchanging all of the x87's state takes as long as a small operation, and rarely is it
    // needed. Setting SSE's takes longer than looking at it.
    std::uint16_t x87_control = 0;
    asm("fnstcw %0" : "=m"(x87_control));
    if (x87_control == usual_x87_control) {
      control_ = _mm_getcsr();
      if ((control_ & ~flags) != usual_control) _mm_setcsr(usual_control);
      return;
    }
#endif
    whole_ = true;
    std::fegetenv(&own_);
    std::fesetenv(FE_DFL_ENV);
  }
  default_float_environment(const default_float_environment&) = delete;
  default_float_environment& operator=(const default_float_environment&) = delete;
  ~default_float_environment() {
    if (whole_) std::fesetenv(&own_);
#if defined(__x86_64__)
    else if (_mm_getcsr() != control_) _mm_setcsr(control_);
#endif
  }

 private:
  // All exceptions masked, to nearest; of the x87 64 bits of precision.
  static constexpr std::uint32_t usual_control = 0x1f80, flags = 0x3f;
  static constexpr std::uint16_t usual_x87_control = 0x037f;

  bool whole_ = false;
  std::uint32_t control_ = 0;
  std::fenv_t own_;
};

}  // namespace troupe
