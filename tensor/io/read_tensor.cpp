// SPDX-License-Identifier: MIT
#include "troupe/tensor/io/read_tensor.hpp"

#include <algorithm>
#include <array>

#include "troupe/tensor/io/convert.hpp"
#include "troupe/tensor/tensor_builder.hpp"

namespace troupe {

namespace {

constexpr std::size_t part_elements = 4096;
constexpr std::size_t greatest_element = 8;

void reverse_bytes(std::byte* data, std::size_t element_bytes, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i, data += element_bytes)
    std::reverse(data, data + element_bytes);
}

/// Element by element, through memory that stays in the cache.
void read_in_parts(byte_source& from, const stored_array& a, dtype wanted, std::byte* to) {
  alignas(64) std::array<std::byte, part_elements * greatest_element> stored, decoded;
  const auto& type = *a.type;
  for (auto left = static_cast<std::size_t>(a.sizes.size()); left > 0;) {
    const auto part = std::min(left, part_elements);
    from.read(stored.data(), part * type.bytes);
    if (a.swapped) reverse_bytes(stored.data(), type.bytes, part);
    auto* elements = stored.data();
    if (type.decode) {
      elements = type.as == wanted ? to : decoded.data();
      type.decode(stored.data(), elements, part);
    }
    if (type.as != wanted) {
      const auto count = static_cast<std::int64_t>(part), step = std::int64_t{1};
      convert({elements, type.as, 1, &count, &step}, to, wanted);
    }
    to += part * size_of(wanted);
    left -= part;
  }
}

}  // namespace

std::uint64_t bytes_of(const stored_array& a, const file_call& call) {
  if (!a.sizes.countable())
    call.fail(to_string(a.sizes) + " has more elements than can be counted");
  return static_cast<std::uint64_t>(a.sizes.size()) * a.type->bytes;
}

tensor read_tensor(byte_source& from, const stored_array& a, const tensor_options& options,
                   const file_call& call) {
  const auto bytes = bytes_of(a, call);
  from.expect(bytes);
  const tensor_type wanted{a.sizes, options.dtype.value_or(a.type->as),
                           options.device.value_or(default_device())};
  tensor_builder out(call.what, wanted, call.call_site);
  auto* to = static_cast<std::byte*>(out.data());
  const bool as_stored = !a.type->decode && a.type->as == wanted.element;
  if (as_stored) from.read(to, static_cast<std::size_t>(bytes));
  else read_in_parts(from, a, wanted.element, to);
  if (as_stored && a.swapped)
    reverse_bytes(to, a.type->bytes, static_cast<std::size_t>(a.sizes.size()));
  return std::move(out).finish();
}

}  // namespace troupe
