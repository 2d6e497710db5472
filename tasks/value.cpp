// SPDX-License-Identifier: MIT
#include "troupe/tasks/value.hpp"

#include <utility>

#include "troupe/tasks/stream_transfer.hpp"
#include "troupe/tasks/watching_thread.hpp"

namespace troupe {

std::string to_string(const tensor_type& t) {
  return std::string(name(t.element)) + to_string(t.dims);
}

void value::wait() const { wait(wait_limit{}); }

bool value::wait(const wait_limit& limit) const {
  if (!pending()) return true;
  watching_thread self(this, limit.stop);
  auto expected = state::pending;
  state_.compare_exchange_strong(expected, state::watched, std::memory_order_acq_rel);
  return self.sleep([this] { return !pending(); }, limit.deadline);
}

void value::allocate(const std::shared_ptr<memory>& from) {
  if (fits_inline()) data_ = inline_;
  else keep(buffer(from, bytes()));
}

void value::reuse(value& other) noexcept {
  keep(std::move(other.buffer_));
  other.data_ = nullptr;
}

void value::adopt(buffer lent) noexcept {
  keep(std::move(lent));
  kept_ = kept::lent;
}

void value::set_point(std::shared_ptr<const event> behind) {
  point_ = std::make_unique<stream_position>(std::move(behind), data_).release();
}

void value::drop_point() noexcept { std::unique_ptr<stream_position>{point_}.reset(); }

void value::fail(failure_ptr why) noexcept {
  if (made_on_stream() && point_ && kept_ == kept::buffer) point_->left = std::move(buffer_);
  forget();
  std::construct_at(&failure_, std::move(why));
  kept_ = kept::failure;
  settle(state::failed);
}

void value::keep(buffer b) noexcept {
  forget();
  std::construct_at(&buffer_, std::move(b));
  kept_ = kept::buffer;
  data_ = buffer_.data();
}

void value::forget() noexcept {
  if (kept_ == kept::buffer || kept_ == kept::lent) std::destroy_at(&buffer_);
  if (kept_ == kept::failure) std::destroy_at(&failure_);
  kept_ = kept::nothing;
  data_ = nullptr;
}

}  // namespace troupe
