// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <utility>

namespace troupe {

/// A vector that keeps its first `N` elements in itself.
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

  T* begin() noexcept { return data_; }
  T* end() noexcept { return data_ + size_; }
  const T* begin() const noexcept { return data_; }
  const T* end() const noexcept { return data_ + size_; }
  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  T& operator[](std::size_t i) noexcept { return data_[i]; }
  const T& operator[](std::size_t i) const noexcept { return data_[i]; }
  operator std::span<const T>() const noexcept { return {data_, size_}; }

  void reserve(std::size_t capacity) {
    if (capacity <= capacity_) return;
    auto* fresh = std::allocator<T>().allocate(capacity);
    std::uninitialized_move_n(data_, size_, fresh);
    std::destroy_n(data_, size_);
    give_back();
    data_ = fresh;
    capacity_ = capacity;
  }

  template <class... Args>
  T& emplace_back(Args&&... args) {
    if (size_ == capacity_) {
      T fresh(std::forward<Args>(args)...);  // the arguments may be elements
      reserve(2 * capacity_);
      return *::new (data_ + size_++) T(std::move(fresh));
    }
    return *::new (data_ + size_++) T(std::forward<Args>(args)...);
  }

  void clear() noexcept {
    std::destroy_n(data_, size_);
    size_ = 0;
    give_back();
  }

 private:
  T* local() noexcept { return std::launder(reinterpret_cast<T*>(storage_)); }

  void give_back() noexcept {
    if (capacity_ > N) std::allocator<T>().deallocate(data_, capacity_);
    data_ = local();
    capacity_ = N;
  }

  void take(small_vector& other) noexcept {
    if (other.capacity_ > N) {
      data_ = std::exchange(other.data_, other.local());
      capacity_ = std::exchange(other.capacity_, N);
      size_ = std::exchange(other.size_, 0);
      return;
    }
    std::uninitialized_move_n(other.data_, other.size_, data_);
    size_ = other.size_;
    other.clear();
  }

  alignas(T) std::byte storage_[N * sizeof(T)];
  T* data_ = local();
  std::size_t size_ = 0;
  std::size_t capacity_ = N;
};

}  // namespace troupe
