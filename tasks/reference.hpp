// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace troupe {

/// Base of objects that count the references to themselves.
template <class T>
class counted {
 public:
  counted() noexcept = default;
  counted(const counted&) = delete;
  counted& operator=(const counted&) = delete;

  void retain() const noexcept { references_.fetch_add(1, std::memory_order_relaxed); }
  void release() const noexcept {
    // The last holder need not write: no other thread can see the count.
    if (references_.load(std::memory_order_acquire) == 1 ||
        references_.fetch_sub(1, std::memory_order_acq_rel) == 1)
      destroy();
  }
  /// Returns true if the caller's reference is the only one, apart from one that is being released.
  bool unique() const noexcept {
    return references_.load(std::memory_order_acquire) % parting_ == 1;
  }

  /// Returns the number of references, apart from one that is being released. Others may come and
  /// go, unless all are the caller's.
  std::uint32_t references() const noexcept {
    return references_.load(std::memory_order_acquire) % parting_;
  }

  // Releases in two steps: after the first, the reference no longer counts for `unique`, but the
  // object still exists.
  void begin_release() const noexcept {
    references_.fetch_add(parting_ - 1, std::memory_order_relaxed);
  }
  void end_release() const noexcept {
    if (references_.fetch_sub(parting_, std::memory_order_acq_rel) == parting_) destroy();
  }

 private:
  void destroy() const noexcept {
#if !defined(__clang_analyzer__)  // it does not count, and would see uses of what is destroyed
    delete static_cast<const T*>(this);
#endif
  }

  /// Held by one reference at most.
  static constexpr std::uint32_t parting_ = std::uint32_t{1} << 31;

  mutable std::atomic<std::uint32_t> references_ = 0;
};

/// Shared ownership of a `counted` object.
template <class T>
class reference {
 public:
  reference() noexcept = default;
  reference(std::nullptr_t) noexcept {}
  explicit reference(T* object) noexcept : object_(object) {
    if (object_) object_->retain();
  }
  reference(const reference& other) noexcept : reference(other.object_) {}
  reference(reference&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  reference& operator=(reference other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~reference() {
    if (object_) object_->release();
  }

  /// Releases the object after one more action on it: a thread that the action wakes may find its
  /// own reference `unique` at once.
  template <class Act>
  void let_go(Act&& last_act) noexcept {
    auto* object = std::exchange(object_, nullptr);
    object->begin_release();
    last_act(*object);
    object->end_release();
  }

  T* get() const noexcept { return object_; }
  T* operator->() const noexcept { return object_; }
  T& operator*() const noexcept { return *object_; }
  explicit operator bool() const noexcept { return object_ != nullptr; }
  friend bool operator==(const reference& a, const reference& b) noexcept {
    return a.object_ == b.object_;
  }

 private:
  T* object_ = nullptr;
};

}  // namespace troupe
