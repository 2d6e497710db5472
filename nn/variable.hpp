// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "troupe/tensor/tensor.hpp"

namespace troupe::nn {

/// A place for an array that changes over time, such as a running mean. Copies are the same place:
/// layers, optimisers and checkpoints see each other's changes. What already computes with the
/// array before goes on with that one.
class variable {
 public:
  /// Without an array until the first `assign`.
  variable() : state_(std::make_shared<state>()) {}
  explicit variable(const tensor& initial) : variable() { assign(initial); }

  bool defined() const noexcept { return state_->value.defined(); }
  /// Throws if it has no array yet.
  const tensor& value(caller where = caller::current()) const;
  operator const tensor&() const { return value(); }
  /// The array, or a copy of it on another device, through which gradients come back.
  tensor on(device place, caller where = caller::current()) const;
  /// Has it name an array: any at first, then those of the same shape, dtype and device. Throws if
  /// it does not fit.
  void assign(const tensor& x, caller where = caller::current());
  /// The same array in a place of its own.
  variable clone() const;

  /// Whether both are the same place.
  friend bool operator==(const variable& a, const variable& b) noexcept {
    return a.state_ == b.state_;
  }

 protected:
  struct state {
    tensor value;
    bool trained = false;
  };
  std::shared_ptr<state> state_;
};

/// A variable that training changes: a layer's weights. Its gradients are collected.
class parameter : public variable {
 public:
  /// Without an array until the first `assign`: a layer learns the size of its input at first use.
  parameter() { state_->trained = true; }
  explicit parameter(const tensor& initial) : parameter() { assign(initial); }

  /// The sum of the gradients since `zero_grad`; names no array if none came.
  tensor grad() const;
  void zero_grad() const;
  /// Has it be this one, of its shape and dtype and on its device, instead of what came. Throws if
  /// it does not fit, or if no gradients are collected.
  void set_grad(const tensor& gradient, caller where = caller::current()) const;
  /// Whether gradients are collected for it; at first they are. A frozen one is a constant, which
  /// optimisers pass by.
  bool trained() const noexcept { return state_->trained; }
  void freeze();
  void unfreeze();
  parameter clone() const;
};

}  // namespace troupe::nn
