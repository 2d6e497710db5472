// SPDX-License-Identifier: MIT
#include "troupe/tensor/io/stored_type.hpp"

#include <bit>
#include <cstdint>
#include <cstring>

namespace troupe {

namespace {

static_assert(std::endian::native == std::endian::little, "files are written as memory has them");

template <class From, class To>
void widen(const std::byte* from, void* to, std::size_t count) {
  auto* out = static_cast<To*>(to);
  for (std::size_t i = 0; i < count; ++i) {
    From one;
    std::memcpy(&one, from + i * sizeof one, sizeof one);
    out[i] = static_cast<To>(one);
  }
}

/// Any byte but 0 is true, as in NumPy.
void read_bool(const std::byte* from, void* to, std::size_t count) {
  auto* out = static_cast<bool*>(to);
  for (std::size_t i = 0; i < count; ++i) out[i] = from[i] != std::byte{0};
}

constexpr stored_type stored_types[] = {
    {"b1", "BOOL", 0, 1, boolean, read_bool},
    {"i1", "I8", 0x09, 1, int32, widen<std::int8_t, std::int32_t>},
    {"u1", "U8", 0x08, 1, int32, widen<std::uint8_t, std::int32_t>},
    {"i2", "I16", 0x0b, 2, int32, widen<std::int16_t, std::int32_t>},
    {"u2", "U16", 0, 2, int32, widen<std::uint16_t, std::int32_t>},
    {"i4", "I32", 0x0c, 4, int32},
    {"u4", "U32", 0, 4, int64, widen<std::uint32_t, std::int64_t>},
    {"i8", "I64", 0, 8, int64},
    {"f2", "F16", 0, 2, float16},
    {"", "BF16", 0, 2, bfloat16},
    {"f4", "F32", 0x0d, 4, float32},
    {"f8", "F64", 0x0e, 8, float64},
};

template <class Match>
const stored_type* find(Match&& matches) noexcept {
  for (const auto& t : stored_types)
    if (matches(t)) return &t;
  return nullptr;
}

}  // namespace

const stored_type* find_npy_type(std::string_view code) noexcept {
  return code.empty() ? nullptr : find([&](const auto& t) { return t.npy == code; });
}

const stored_type* find_safetensors_type(std::string_view name) noexcept {
  return find([&](const auto& t) { return t.safetensors == name; });
}

const stored_type* find_idx_type(int code) noexcept {
  return code == 0 ? nullptr : find([&](const auto& t) { return t.idx == code; });
}

const stored_type& stored_type_of(dtype t) noexcept {
  return *find([&](const auto& s) { return s.as == t && s.bytes == size_of(t); });
}

}  // namespace troupe
