// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <vector>

namespace troupe {

/// Bytes of another process that are not what they should be.
class bytes_error final : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline void append_bytes(std::vector<std::byte>& to, std::span<const std::byte> more) {
  const auto before = to.size();
  to.resize(before + more.size());  // GCC 12 sees ghosts in `insert`
  if (!more.empty()) std::memcpy(to.data() + before, more.data(), more.size());
}

/// Numbers and texts as bytes for another process of the same byte order.
class byte_writer {
 public:
  explicit byte_writer(std::vector<std::byte>& to) noexcept : to_(&to) {}

  template <class T>
  requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void put(T number) { put_bytes({reinterpret_cast<const std::byte*>(&number), sizeof number}); }
  void put_bytes(std::span<const std::byte> all) { append_bytes(*to_, all); }
  /// A text of up to 65,535 bytes; a longer one is cut.
  void put_text(std::string_view text) {
    text = text.substr(0, UINT16_MAX);
    put(static_cast<std::uint16_t>(text.size()));
    put_bytes(std::as_bytes(std::span(text)));
  }

 private:
  std::vector<std::byte>* to_;
};

/// Reads what a `byte_writer` wrote. Throws bytes_error where there are too few bytes, or others
/// than their type has.
class byte_reader {
 public:
  explicit byte_reader(std::span<const std::byte> from) noexcept : from_(from) {}

  template <class T>
  requires std::is_arithmetic_v<T> T get() {
    T number;
    const auto bytes = get_bytes(sizeof number);
    if constexpr (std::is_same_v<T, bool>) {
      if (bytes[0] > std::byte{1}) throw bytes_error("neither true nor false");
      number = bytes[0] == std::byte{1};
    } else {
      std::memcpy(&number, bytes.data(), sizeof number);
    }
    return number;
  }
  /// A number of an enumeration that ends with `last`.
  template <class T>
  requires std::is_enum_v<T> T get(T last) {
    const auto number = get<std::underlying_type_t<T>>();
    if (number > static_cast<std::underlying_type_t<T>>(last))
      throw bytes_error("no such enumerator");
    return static_cast<T>(number);
  }
  std::span<const std::byte> get_bytes(std::size_t count) {
    if (count > from_.size()) throw bytes_error("too few bytes");
    const auto all = from_.first(count);
    from_ = from_.subspan(count);
    return all;
  }
  std::string_view get_text() {
    const auto bytes = get_bytes(get<std::uint16_t>());
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  std::size_t left() const noexcept { return from_.size(); }

 private:
  std::span<const std::byte> from_;
};

}  // namespace troupe
