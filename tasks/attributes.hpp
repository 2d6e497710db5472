// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
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
    kind_ = &kind_of<type>;
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

  bool empty() const noexcept { return !kind_; }
  /// Returns true if destroying the parameters runs code, such as that of what a lambda captured.
  bool own_something() const noexcept { return kind_ && kind_->manage; }
  /// Destroys the parameters, unless they are plain bytes.
  void reset() noexcept {
    destroy();
    kind_ = nullptr;
  }

  /// Returns a copy of the parameters. Not for move-only types.
  attributes copy() const {
    attributes out;
    if (own_something())
      kind_->manage(action::copy, out.storage_, const_cast<std::byte*>(storage_));
    else __builtin_memcpy(out.storage_, storage_, sizeof storage_);
    out.kind_ = kind_;
    return out;
  }

  /// Returns true if `equal` can tell: there are none, or their type has an operator ==.
  bool comparable() const noexcept { return !kind_ || kind_->equal; }
  /// Returns true if both are none, or of one type and equal. What cannot be compared equals
  /// nothing.
  bool equal(const attributes& other) const noexcept {
    return kind_ == other.kind_ && (!kind_ || (kind_->equal && kind_->equal(data(), other.data())));
  }

  template <class T>
  const T& as() const noexcept {
    return *std::launder(reinterpret_cast<const T*>(storage_));
  }
  const void* data() const noexcept { return storage_; }

 private:
  enum class action : unsigned char { copy, move, destroy };

  /// Facts about a type.
  struct kind {
    void (*manage)(action what, void* to, void* from);  ///< null for plain bytes
    bool (*equal)(const void* a, const void* b);        ///< null if they cannot be compared
  };

  template <class T>
  static constexpr kind make_kind() noexcept {
    kind out{};
    if constexpr (!std::is_trivially_copyable_v<T>)
      out.manage = [](action what, void* to, void* from) {
        auto* source = std::launder(static_cast<T*>(from));
        if constexpr (std::is_copy_constructible_v<T>) {
          if (what == action::copy) ::new (to) T(*source);
        }
        if (what == action::move) ::new (to) T(std::move(*source));
        if (what != action::copy) source->~T();
      };
    if constexpr (std::equality_comparable<T>)
      out.equal = [](const void* a, const void* b) {
        return *std::launder(static_cast<const T*>(a)) == *std::launder(static_cast<const T*>(b));
      };
    return out;
  }
  template <class T>
  static constexpr kind kind_of = make_kind<T>();

  void take(attributes& other) noexcept {
    kind_ = std::exchange(other.kind_, nullptr);
    if (own_something()) kind_->manage(action::move, storage_, other.storage_);
    else __builtin_memcpy(storage_, other.storage_, sizeof storage_);
  }
  void destroy() noexcept {
    if (own_something()) kind_->manage(action::destroy, nullptr, storage_);
  }

  alignas(std::max_align_t) std::byte storage_[64];
  const kind* kind_ = nullptr;  ///< null for none. Moved-from objects hold none.
};

}  // namespace troupe
