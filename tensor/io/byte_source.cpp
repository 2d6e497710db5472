// SPDX-License-Identifier: MIT
#include "troupe/tensor/io/byte_source.hpp"

#include <algorithm>
#include <memory>

namespace troupe {

void byte_source::skip(std::uint64_t count) {
  constexpr std::size_t most = std::size_t{1} << 16;
  const auto bytes = std::make_unique_for_overwrite<std::byte[]>(most);
  while (count > 0) {
    const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(count, most));
    read(bytes.get(), part);
    count -= part;
  }
}

void file_section::read(void* to, std::size_t count) {
  expect(count);
  file_.read(position_, to, count);
  position_ += count;
}

void file_section::expect(std::uint64_t count) {
  if (count > end_ - position_)
    call_.fail("truncated: " + count_text(count, "byte") + " should follow, and there " +
               (end_ - position_ == 1 ? "is " : "are ") + std::to_string(end_ - position_));
}

void file_section::finish() {
  if (position_ != end_)
    call_.fail(count_text(end_ - position_, "byte") + " more than the array has");
}

}  // namespace troupe
