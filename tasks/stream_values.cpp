// SPDX-License-Identifier: MIT
#include "troupe/tasks/stream_values.hpp"

#include <algorithm>
#include <new>

namespace troupe {

namespace {

constexpr std::size_t worth_looking = std::size_t{64} << 10;  // bytes
constexpr int most_looked_at = 32;

bool is_large(const value& v) noexcept { return v.bytes() >= worth_looking; }

}  // namespace

void stream_values::add(const task& t) noexcept {
  count_references(t, 1);
  try {
    for (const auto& out : t.outputs) {
      if (is_large(*out) && out->lies_in(*home_)) large_.push_back(out.get());
    }
  } catch (const std::bad_alloc&) {}  // its memory is not passed on
}

void stream_values::remove(const task& t) noexcept {
  count_references(t, ~std::uint32_t{0});
  for (const auto& out : t.outputs) {
    if (!is_large(*out)) continue;
    const auto found = std::ranges::find(large_, out.get());
    if (found != large_.end()) large_.erase(found);
  }
}

/// Looks at the latest ones, and forgets those whose memory others have already.
value* stream_values::spent_like(const value& output) noexcept {
  if (!is_large(output)) return nullptr;
  auto left = most_looked_at;
  for (auto i = large_.size(); i-- > 0 && left-- > 0;) {
    auto* const v = large_[i];
    const bool spent = v->spent_on_stream(0) && v->bytes() == output.bytes();
    if (spent || !v->owns_buffer()) large_.erase(large_.begin() + static_cast<std::ptrdiff_t>(i));
    if (spent) return v;
  }
  return nullptr;
}

void stream_values::count_references(const task& t, std::uint32_t each) noexcept {
  for (const auto& in : t.inputs) {
    if (in.source) in.source->on_stream += each;
  }
  for (const auto& out : t.outputs) out->on_stream += each;
}

}  // namespace troupe
