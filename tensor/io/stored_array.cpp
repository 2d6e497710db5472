// SPDX-License-Identifier: MIT
#include "troupe/tensor/io/stored_array.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "troupe/tensor/io/host_elements.hpp"
#include "troupe/tensor/tensor_builder.hpp"

namespace troupe {

namespace {

static_assert(std::endian::native == std::endian::little, "files are written as memory has them");

/// Takes any byte but 0 as true, as NumPy does.
void read_bool(const std::byte* from, void* to, std::size_t count) {
  auto* out = static_cast<bool*>(to);
  for (std::size_t i = 0; i < count; ++i) out[i] = from[i] != std::byte{0};
}

constexpr stored_type stored_types[] = {
    {"b1", "BOOL", 0, 1, boolean, read_bool},
    {"i1", "I8", 0x09, 1, int8},
    {"u1", "U8", 0x08, 1, uint8},
    {"i2", "I16", 0x0b, 2, int16},
    {"u2", "U16", 0, 2, uint16},
    {"i4", "I32", 0x0c, 4, int32},
    {"u4", "U32", 0, 4, uint32},
    {"i8", "I64", 0, 8, int64},
    {"u8", "U64", 0, 8, uint64},
    {"f2", "F16", 0, 2, float16},
    {"", "BF16", 0, 2, bfloat16},
    {"f4", "F32", 0x0d, 4, float32},
    {"f8", "F64", 0x0e, 8, float64},
    {"c8", "C64", 0, 8, complex64},
    {"c16", "", 0, 16, complex128},
};

template <class Match>
const stored_type* find(Match&& matches) noexcept {
  for (const auto& t : stored_types) {
    if (matches(t)) return &t;
  }
  return nullptr;
}

constexpr std::size_t part_elements = 4096;

/// Turns the bytes of each number round, of a complex one those of each part.
void reverse_bytes(std::byte* data, const stored_type& type, std::size_t count) {
  const auto element_bytes = size_of(real_of(type.as));
  count *= type.bytes / element_bytes;
  for (std::size_t i = 0; i < count; ++i, data += element_bytes)
    std::reverse(data, data + element_bytes);
}

/// Reads and converts a few thousand elements at a time, through memory that stays in the cache.
void read_in_parts(byte_source& from, const stored_array& a, dtype wanted, std::byte* to) {
  alignas(64) std::array<std::byte, part_elements * largest_element> stored, decoded;
  const auto& type = *a.type;
  for (auto left = static_cast<std::size_t>(a.sizes.size()); left > 0;) {
    const auto part = std::min(left, part_elements);
    from.read(stored.data(), part * type.bytes);
    if (a.swapped) reverse_bytes(stored.data(), type, part);
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

const stored_type* find_npy_type(std::string_view code) noexcept {
  return code.empty() ? nullptr : find([&](const auto& t) { return t.npy == code; });
}

const stored_type* find_safetensors_type(std::string_view name) noexcept {
  return name.empty() ? nullptr : find([&](const auto& t) { return t.safetensors == name; });
}

const stored_type* find_idx_type(int code) noexcept {
  return code == 0 ? nullptr : find([&](const auto& t) { return t.idx == code; });
}

const stored_type& stored_type_of(dtype t) noexcept {
  return *find([&](const auto& s) { return s.as == t; });
}

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
  if (is_complex(a.type->as) && !is_complex(wanted.element) && wanted.element != boolean)
    call.fail("holds complex numbers, which are none of " + std::string(name(wanted.element)));
  tensor_builder out(call.function, wanted, call.call_site);
  auto* to = static_cast<std::byte*>(out.data());
  const bool as_stored = !a.type->decode && a.type->as == wanted.element;
  if (as_stored) from.read(to, static_cast<std::size_t>(bytes));
  else read_in_parts(from, a, wanted.element, to);
  if (as_stored && a.swapped) reverse_bytes(to, *a.type, static_cast<std::size_t>(a.sizes.size()));
  return std::move(out).finish();
}

}  // namespace troupe
