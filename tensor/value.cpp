// SPDX-License-Identifier: MIT
#include "troupe/tensor/value.hpp"

#include <utility>

namespace troupe {

std::string to_string(const tensor_type& t) {
  return std::string(name(t.element)) + to_string(t.dims);
}

void value::allocate(const std::shared_ptr<memory>& from) {
  if (fits_inline()) {
    data_ = inline_;
    return;
  }
  buffer_ = buffer(from, bytes());
  data_ = buffer_.data();
}

void value::reuse(value& other) noexcept {
  buffer_ = std::move(other.buffer_);
  data_ = std::exchange(other.data_, nullptr);
}

void value::fail(failure_ptr why) noexcept {
  failure_ = std::move(why);
  state_.store(state::failed, std::memory_order_release);
}

}  // namespace troupe
