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

/// IEEE 754 binary16: 1 bit of sign, 5 of exponent, 10 of fraction.
float half_to_float(std::uint16_t half) noexcept {
  const std::uint32_t sign = std::uint32_t{half & 0x8000u} << 16;
  const std::uint32_t exponent = half >> 10 & 31u, fraction = half & 1023u;
  if (exponent == 0) {
    const auto size = static_cast<float>(fraction) * 0x1p-24f;
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(size) | sign);
  }
  const std::uint32_t wide = exponent == 31 ? 255 : exponent + (127 - 15);
  return std::bit_cast<float>(sign | wide << 23 | fraction << 13);
}

void read_half(const std::byte* from, void* to, std::size_t count) {
  auto* out = static_cast<float*>(to);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint16_t half;
    std::memcpy(&half, from + i * sizeof half, sizeof half);
    out[i] = half_to_float(half);
  }
}

/// The upper half of a float32.
void read_bfloat16(const std::byte* from, void* to, std::size_t count) {
  auto* out = static_cast<float*>(to);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint16_t half;
    std::memcpy(&half, from + i * sizeof half, sizeof half);
    out[i] = std::bit_cast<float>(std::uint32_t{half} << 16);
  }
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
    {"f2", "F16", 0, 2, float32, read_half},
    {"", "BF16", 0, 2, float32, read_bfloat16},
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
