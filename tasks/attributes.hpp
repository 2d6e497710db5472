// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

namespace troupe {

/// Parameters of an operation that are not tensors: one small struct, whose type the operation
/// knows.
class attributes {
 public:
  attributes() noexcept = default;
  template <class T>
  requires(!std::is_same_v<std::remove_cvref_t<T>, attributes>) attributes(T&& object) {
    using type = std::remove_cvref_t<T>;
    static_assert(sizeof(type) <= sizeof storage_ && alignof(type) <= alignof(std::max_align_t));
    static_assert(std::is_nothrow_move_constructible_v<type>);
    ::new (storage_) type(std::forward<T>(object));
    if constexpr (!std::is_trivially_copyable_v<type>)
      manage_ = [](action what, void* to, void* from) {
        auto* source = std::launder(static_cast<type*>(from));
        if constexpr (std::is_copy_constructible_v<type>) {
          if (what == action::copy) ::new (to) type(*source);
        }
        if (what == action::move) ::new (to) type(std::move(*source));
        if (what != action::copy) source->~type();
      };
  }
  attributes(attributes&& other) noexcept { take(other); }
  attributes& operator=(attributes&& other) noexcept {
    if (this != &other) {
      destroy();
      take(other);
    }
    return *this;
  }
  ~attributes() { destroy(); }

  /// Returns true if destroying the parameters runs code, such as that of what a lambda captured.
  bool own_something() const noexcept { return manage_ != nullptr; }
  /// Destroys the parameters, unless they are plain bytes.
  void reset() noexcept {
    destroy();
    manage_ = nullptr;
  }

  /// Returns a copy of the parameters. Not for move-only types.
  attributes copy() const {
    attributes out;
    if (manage_) manage_(action::copy, out.storage_, const_cast<std::byte*>(storage_));
    else __builtin_memcpy(out.storage_, storage_, sizeof storage_);
    out.manage_ = manage_;
    return out;
  }

  template <class T>
  const T& as() const noexcept {
    return *std::launder(reinterpret_cast<const T*>(storage_));
  }
  const void* data() const noexcept { return storage_; }

 private:
  enum class action : unsigned char { copy, move, destroy };

  void take(attributes& other) noexcept {
    manage_ = std::exchange(other.manage_, nullptr);
    if (manage_) manage_(action::move, storage_, other.storage_);
    else __builtin_memcpy(storage_, other.storage_, sizeof storage_);
  }
  void destroy() noexcept {
    if (manage_) manage_(action::destroy, nullptr, storage_);
  }

  alignas(std::max_align_t) std::byte storage_[64];
  // Null for plain bytes. Moved-from objects are destroyed.
  void (*manage_)(action what, void* to, void* from) = nullptr;
};

}  // namespace troupe
