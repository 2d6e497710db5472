// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "troupe/links/lent_memory.hpp"
#include "troupe/tasks/byte_stream.hpp"

namespace troupe {

/// Content of a frame. The bytes of a value, with which it ends, may still lie in the memory of
/// the process that lends them; they are copied once, to where they are needed.
class frame_body {
 public:
  frame_body(std::span<const std::byte> all) noexcept : here_(all) {}
  frame_body(const std::vector<std::byte>& all) noexcept : frame_body(std::span(all)) {}
  /// Behind what is here come bytes that another process lends.
  frame_body(std::span<const std::byte> here, const lender& whose, std::uint64_t place,
             std::size_t lent) noexcept
      : here_(here), whose_(&whose), place_(place), lent_(lent) {}

  /// Reads what is here.
  byte_reader& here() noexcept { return here_; }
  /// The number of bytes that were not read.
  std::size_t left() const noexcept { return here_.left() + lent_; }
  /// Copies all of them to where there is just room for them. Throws what `lender::read` throws.
  void copy_to(std::span<std::byte> to) {
    const auto near = here_.get_bytes(here_.left());
    if (!near.empty()) std::memcpy(to.data(), near.data(), near.size());
    if (lent_ > 0) whose_->read(place_, to.subspan(near.size()));
  }

 private:
  byte_reader here_;
  const lender* whose_ = nullptr;
  std::uint64_t place_ = 0;
  std::size_t lent_ = 0;
};

}  // namespace troupe
