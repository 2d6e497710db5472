// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/workspace.hpp"

#include <memory>
#include <new>

namespace troupe::cpu_kernels {

namespace {

constexpr std::size_t most_kept = std::size_t{4} << 20;
constexpr std::align_val_t alignment{64};

struct deleter {
  void operator()(std::byte* memory) const noexcept { ::operator delete(memory, alignment); }
};

struct room {
  std::unique_ptr<std::byte, deleter> memory;
  std::size_t size = 0;
};

thread_local constinit room mine;

}  // namespace

void* workspace(std::size_t bytes) {
  if (mine.size < bytes || (mine.size > most_kept && bytes <= most_kept)) {
    mine.memory.reset();
    mine.size = 0;
    mine.memory.reset(static_cast<std::byte*>(::operator new(bytes, alignment)));
    mine.size = bytes;
  }
  return mine.memory.get();
}

}  // namespace troupe::cpu_kernels
