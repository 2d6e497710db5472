// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace troupe {

/// Memory for what stays inside joined steps while they compute a block, 64-byte aligned.
class block_scratch {
 public:
  static constexpr std::size_t alignment = 64;

  explicit block_scratch(std::size_t bytes)
      : data_(static_cast<std::byte*>(::operator new(bytes, std::align_val_t(alignment)))) {}

  std::byte* data() const noexcept { return data_.get(); }

 private:
  struct freed {
    void operator()(std::byte* p) const noexcept {
      ::operator delete(p, std::align_val_t(alignment));
    }
  };

  std::unique_ptr<std::byte, freed> data_;
};

}  // namespace troupe
