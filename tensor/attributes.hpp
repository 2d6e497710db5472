// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

namespace troupe {

/// An operation's parameters that are no tensors: one small struct, whose type the operation knows.
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
      move_ = [](void* to, void* from) noexcept {
        auto* source = std::launder(static_cast<type*>(from));
        if (to) ::new (to) type(std::move(*source));
        source->~type();
      };
  }
  attributes(attributes&& other) noexcept { take(other); }
  attributes& operator=(attributes&& other) noexcept {
    if (this != &other) {
      if (move_) move_(nullptr, storage_);
      take(other);
    }
    return *this;
  }
  ~attributes() {
    if (move_) move_(nullptr, storage_);
  }

  template <class T>
  const T& as() const noexcept {
    return *std::launder(reinterpret_cast<const T*>(storage_));
  }
  const void* data() const noexcept { return storage_; }

 private:
  void take(attributes& other) noexcept {
    move_ = std::exchange(other.move_, nullptr);
    if (move_) move_(storage_, other.storage_);
    else __builtin_memcpy(storage_, other.storage_, sizeof storage_);
  }

  // Null: plain bytes. With `to` null it only destroys.
  void (*move_)(void* to, void* from) noexcept = nullptr;
  alignas(std::max_align_t) std::byte storage_[64];
};

}  // namespace troupe
