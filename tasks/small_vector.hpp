// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace troupe {

/// Vector that stores its first `N` elements in itself.
template <class T, std::size_t N>
class small_vector {
 public:
  small_vector() noexcept = default;
  small_vector(small_vector&& other) noexcept { take(other); }
  small_vector& operator=(small_vector&& other) noexcept {
    if (this != &other) {
      clear();
      take(other);
    }
    return *this;
  }
  small_vector(const small_vector&) = delete;
  small_vector& operator=(const small_vector&) = delete;
  ~small_vector() { clear(); }

  T* begin() noexcept { return data(); }
  T* end() noexcept { return data() + size_; }
  const T* begin() const noexcept { return data(); }
  const T* end() const noexcept { return data() + size_; }
  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  T& operator[](std::size_t i) noexcept { return data()[i]; }
  const T& operator[](std::size_t i) const noexcept { return data()[i]; }
  operator std::span<const T>() const noexcept { return {data(), size()}; }

  void reserve(std::size_t capacity) {
    if (capacity <= capacity_) return;
    auto* fresh = std::allocator<T>().allocate(capacity);
    std::uninitialized_move_n(data(), size_, fresh);
    std::destroy_n(data(), size_);
    give_back();
    ::new (storage_) T*(fresh);
    capacity_ = static_cast<std::uint32_t>(capacity);
  }

  template <class... Args>
  T& emplace_back(Args&&... args) {
    if (size_ == capacity_) {
      T fresh(std::forward<Args>(args)...);  // the arguments may refer to elements
      reserve(2 * size());
      return *::new (data() + size_++) T(std::move(fresh));
    }
    return *::new (data() + size_++) T(std::forward<Args>(args)...);
  }

  /// Adds `n` elements that are left uninitialised, and returns the first.
  T* append(std::size_t n) requires std::is_trivially_default_constructible_v<T> {
    const auto first = size();
    if (first + n > capacity_) reserve(std::max(first + n, 2 * first));
    size_ += static_cast<std::uint32_t>(n);
    return data() + first;
  }

  void clear() noexcept {
    std::destroy_n(data(), size_);
    size_ = 0;
    give_back();
  }

 private:
  // NOLINTNEXTLINE(bugprone-sizeof-expression): elements may be pointers
  static_assert(N > 0 && sizeof(T) * N >= sizeof(T*));

  T* data() noexcept { return const_cast<T*>(std::as_const(*this).data()); }
  const T* data() const noexcept {
    if (capacity_ == N) [[likely]]
      return std::launder(reinterpret_cast<const T*>(storage_));
    return *std::launder(reinterpret_cast<T* const*>(storage_));
  }

  void give_back() noexcept {
    if (capacity_ > N) std::allocator<T>().deallocate(data(), capacity_);
    capacity_ = N;
  }

  void take(small_vector& other) noexcept {
    if (other.capacity_ > N) {
      ::new (storage_) T*(other.data());
      capacity_ = std::exchange(other.capacity_, N);
      size_ = std::exchange(other.size_, 0);
      return;
    }
    std::uninitialized_move_n(other.data(), other.size_, data());
    size_ = other.size_;
    other.clear();
  }

  // The elements, or a pointer to them if there are more than N.
  alignas(T) alignas(T*) std::byte storage_[N * sizeof(T)];  // NOLINT(bugprone-sizeof-expression)
  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = N;
};

}  // namespace troupe
