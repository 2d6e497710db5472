// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/cpu/jit/row_kernel.hpp"

#ifdef TROUPE_HAS_ASMJIT
#include <asmjit/asmjit.h>
#endif

namespace troupe::cpu_kernels::jit {

class code_memory {
 public:
#ifdef TROUPE_HAS_ASMJIT
  code_memory() : runtime_(&twofold()) {}

  const asmjit::Environment& environment() const noexcept { return runtime_.environment(); }
  /// Returns where the code can be called; null if memory for it is refused.
  row_function place(asmjit::CodeHolder& code) {
    row_function out = nullptr;
    return runtime_.add(&out, &code) == asmjit::kErrorOk ? out : nullptr;
  }
  void release(row_function code) noexcept { runtime_.release(code); }

 private:
  /// Code is written at one address and runs at another, where it cannot be written.
  static const asmjit::JitAllocator::CreateParams& twofold() {
    static const auto params = [] {
      asmjit::JitAllocator::CreateParams p{};
      p.options = asmjit::JitAllocatorOptions::kUseDualMapping;
      return p;
    }();
    return params;
  }

  asmjit::JitRuntime runtime_;
#else
  void release(row_function) noexcept {}
#endif
};

}  // namespace troupe::cpu_kernels::jit
