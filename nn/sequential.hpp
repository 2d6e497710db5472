// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/nn/module.hpp"

namespace troupe::nn {

namespace detail {

/// Number of a layer, and the place in the user's program that asks for it.
struct place_in_list {
  place_in_list(std::size_t n, caller at = caller::current()) noexcept : number(n), call_site(at) {}

  std::size_t number;
  caller call_site;
};

}  // namespace detail

/// Chain of layers:
///
///     nn::sequential net{nn::dense(128, relu), nn::dropout(0.5), nn::dense(10)};
class sequential {
 public:
  sequential() = default;
  // The order of the conditions matters: checking that a sequential is a layer checks that it can
  // be copied.
  template <class... L>
  requires(sizeof...(L) > 0 &&
           (sizeof...(L) > 1 || (... && !std::same_as<std::decay_t<L>, sequential>)) &&
           (... && layer<L>)) sequential(L&&... layers) {
    layers_.reserve(sizeof...(L));
    (layers_.emplace_back(std::forward<L>(layers)), ...);
  }

  sequential(const sequential&) = default;
  sequential(sequential&&) noexcept = default;
  sequential& operator=(sequential other) noexcept {
    layers_ = std::move(other.layers_);
    hybrid_ = std::move(other.hybrid_);
    ++troupe::detail::changes_of_course;
    return *this;
  }

  void add(module m) {
    layers_.push_back(std::move(m));
    ++troupe::detail::changes_of_course;
  }
  std::size_t size() const noexcept { return layers_.size(); }
  /// Returns a layer. Throws if there is no such layer.
  module& operator[](detail::place_in_list i) {
    if (i.number >= layers_.size())
      throw error("sequential: no layer " + std::to_string(i.number) + " among " +
                      std::to_string(layers_.size()),
                  i.call_site);
    return layers_[i.number];
  }

  tensor operator()(const tensor& x, caller where = caller::current()) const {
    return hybrid_.call(x, [&](const tensor& first) {
      tensor y = first;
      for (const auto& l : layers_) y = l(y, where);
      return y;
    });
  }
  /// Lets the chain run as a program that is captured at the first call for each type of x, as
  /// functions of `compile` do; while recording, layer by layer as before.
  void hybridize(bool on = true, caller where = caller::current()) { hybrid_.set(on, where); }
  /// Says what was captured and how it runs.
  std::string explain() const { return hybrid_.explain(); }
  void visit(visitor& to) { nn::visit(layers_, to); }

 private:
  std::vector<module> layers_;
  detail::hybrid hybrid_;
};

}  // namespace troupe::nn
