// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>

#include "troupe/tensor/program/place.hpp"

namespace troupe::nn {

/// Mutable place for an array, such as a running mean. Copies refer to the same place: layers,
/// optimisers and checkpoints see each other's changes. Tasks submitted earlier keep the previous
/// array. Several threads may read it, and give it its first array; who changes it afterwards must
/// be alone.
class variable {
 public:
  /// Creates a place without an array until the first `assign`.
  variable() : state_(std::make_shared<state>()) {}
  explicit variable(const tensor& initial, caller where = caller::current()) : variable() {
    assign(initial, where);
  }
  variable(const variable&) = default;
  variable(variable&&) noexcept = default;
  variable& operator=(variable other) noexcept {
    state_ = std::move(other.state_);
    ++troupe::detail::changes_of_course;
    return *this;
  }

  bool defined() const noexcept { return state_->defined.load(std::memory_order_acquire); }
  /// Returns the array. Throws if there is none yet.
  const tensor& value(caller where = caller::current()) const;
  operator const tensor&() const { return value(); }
  /// Returns the array, or a copy of it on another device that gradients flow back through.
  tensor on(device place, caller where = caller::current()) const;
  /// Replaces the array: any at first, then of the same shape, dtype and device. Throws if it does
  /// not fit.
  void assign(const tensor& x, caller where = caller::current());
  /// Replaces the array by what `change` makes of it. Several threads may do so at once, and read
  /// it by `current` meanwhile: of one that comes too late `change` is called again.
  void update(const std::function<tensor(const tensor& now)>& change,
              caller where = caller::current()) const;
  /// Returns the array, which other threads may `update`. Throws if there is none yet.
  tensor current(caller where = caller::current()) const;
  /// Gives it the array that `make` returns, unless it has one. Threads that do so at once get the
  /// same.
  void assign_first(const std::function<tensor()>& make, caller where = caller::current()) const;
  /// Returns a new place with the same array.
  variable clone() const;
  /// Returns the place that programs read and write.
  std::shared_ptr<place> as_place() const noexcept { return state_; }

  /// Returns true if both are the same place.
  friend bool operator==(const variable& a, const variable& b) noexcept {
    return a.state_ == b.state_;
  }

 protected:
  struct state final : place {
    const tensor& read() const override { return value; }
    void write(const tensor& x) override;
    void write_gradient(const tensor& sum) override;

    tensor value;
    std::atomic<bool> defined = false;
    std::mutex changing;  ///< held while the first array is made, or another one comes
    bool trained = false;
  };
  std::shared_ptr<state> state_;
};

/// Variable that training changes: a layer's weights. Its gradients are collected.
class parameter : public variable {
 public:
  /// Creates a parameter without an array until the first `assign`: a layer learns the size of its
  /// input at first use.
  parameter() { state_->trained = true; }
  explicit parameter(const tensor& initial, caller where = caller::current()) : parameter() {
    assign(initial, where);
  }

  /// Returns the sum of the gradients since `zero_grad`; names no array if there were none.
  tensor grad() const;
  void zero_grad() const;
  /// Replaces the gradient by one of its shape, dtype and device. Throws if it does not fit, or if
  /// no gradients are collected.
  void set_grad(const tensor& gradient, caller where = caller::current()) const;
  /// Returns true if gradients are collected for it, as at first. A frozen parameter is a constant,
  /// which optimisers skip.
  bool trained() const noexcept { return state_->trained; }
  void freeze();
  void unfreeze();
  parameter clone() const;
};

}  // namespace troupe::nn
