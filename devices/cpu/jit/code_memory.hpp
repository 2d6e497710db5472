// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/cpu/jit/row_kernel.hpp"
#include "troupe/devices/made_once.hpp"

#ifdef TROUPE_HAS_ASMJIT
#include <asmjit/asmjit.h>
#endif

namespace troupe::cpu_kernels::jit {

class code_memory {
 public:
#ifdef TROUPE_HAS_ASMJIT
  code_memory() : allocator_(&twofold()) {}

  /// Returns where the code can be called; null if memory for it is refused.
  row_function place(asmjit::CodeHolder& code) {
    using asmjit::kErrorOk;
    if (code.flatten() != kErrorOk || code.resolveUnresolvedLinks() != kErrorOk) return nullptr;
    const auto most = code.codeSize();
    void* runs = nullptr;
    void* written = nullptr;
    if (most == 0 || allocator_.alloc(&runs, &written, most) != kErrorOk) return nullptr;
    if (code.relocateToBase(reinterpret_cast<std::uintptr_t>(runs)) != kErrorOk ||
        code.copyFlattenedData(written, most) != kErrorOk) {
      allocator_.release(runs);
      return nullptr;
    }
    allocator_.shrink(runs, code.codeSize());
    return reinterpret_cast<row_function>(runs);
  }
  void release(row_function code) noexcept { allocator_.release(reinterpret_cast<void*>(code)); }

 private:
  /// Code is written at one address and runs at another, where it cannot be written.
  static const asmjit::JitAllocator::CreateParams& twofold() {
    static constinit made_once<const asmjit::JitAllocator::CreateParams> params;
    return params.get([] {
      asmjit::JitAllocator::CreateParams p{};
      p.options = asmjit::JitAllocatorOptions::kUseDualMapping;
      return p;
    });
  }

  asmjit::JitAllocator allocator_;
#else
  void release(row_function) noexcept {}
#endif
};

}  // namespace troupe::cpu_kernels::jit
