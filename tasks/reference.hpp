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
  /// Does the same while no other thread knows the object: without a locked instruction.
  void retain_new() const noexcept {
    references_.store(references_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  /// Does one or the other: what nobody refers to is new.
  void retain_first() const noexcept {
    if (references_.load(std::memory_order_relaxed) == 0) retain_new();
    else retain();
  }
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
    if (object_) object_->retain_first();
  }
  reference(const reference& other) noexcept : object_(other.object_) {
    if (object_) object_->retain();
  }
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

  /// Returns another reference to an object that no other thread knows yet.
  reference twin() const noexcept {
    reference out;
    out.object_ = object_;
    object_->retain_new();
    return out;
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
