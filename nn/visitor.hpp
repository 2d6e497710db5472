// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "troupe/nn/variable.hpp"

namespace troupe::nn {

/// Mode of a layer, training or evaluation, where that makes a difference: see `train` and `eval`.
struct mode {
  mode() = default;
  // Not trivial, so that a class that holds one is not trivial either: that is how `visit` finds
  // it.
  mode(const mode& other) noexcept : training(other.training) {}
  mode& operator=(const mode& other) noexcept {
    training = other.training;
    ++troupe::detail::changes_of_course;
    return *this;
  }

  bool training = true;
};

/// Visitor of the parts of a network, at any depth: see `visit`.
class visitor {
 public:
  virtual ~visitor() = default;

  virtual void at(parameter&) {}
  /// Visits a variable that is no parameter.
  virtual void at(variable&) {}
  virtual void at(mode&) {}

  /// Returns the current place in the network: "2.weight".
  const std::string& path() const noexcept { return path_; }

  /// Scope in which the visitor is in a part of this name.
  class step {
   public:
    step(visitor& v, std::string_view name) : path_(v.path_), length_(path_.size()) {
      if (length_ != 0) path_ += '.';
      path_ += name;
    }
    step(const step&) = delete;
    step& operator=(const step&) = delete;
    ~step() { path_.resize(length_); }

   private:
    std::string& path_;
    std::size_t length_;
  };

 private:
  std::string path_;
};

}  // namespace troupe::nn
