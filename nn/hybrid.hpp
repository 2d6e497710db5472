// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "troupe/tensor/program/compile.hpp"

namespace troupe::nn::detail {

/// Programs of a layer, if it runs as programs. A copy has programs of its own.
class hybrid {
 public:
  hybrid() = default;
  hybrid(const hybrid& other) { set(other.programs_ != nullptr, other.where_); }
  hybrid(hybrid&&) noexcept = default;
  hybrid& operator=(hybrid other) noexcept {
    std::swap(programs_, other.programs_);
    where_ = other.where_;
    return *this;
  }

  void set(bool on, caller where) {
    programs_ = on ? std::make_unique<troupe::detail::compiled_function>(where) : nullptr;
    where_ = where;
  }
  std::string explain() const { return programs_ ? programs_->explain() : "not hybridized\n"; }

  /// Returns `f(x)`, which it may run as a program.
  template <class F>
  tensor call(const tensor& x, const F& f) const {
    if (!programs_ || troupe::detail::runs_as_it_is()) return f(x);
    const tensor in[] = {x};
    const auto all = [&](std::span<const tensor> given) { return std::vector{f(given[0])}; };
    return std::move(programs_->call(in, {}, all)[0]);
  }

 private:
  std::unique_ptr<troupe::detail::compiled_function> programs_;
  caller where_;
};

}  // namespace troupe::nn::detail
