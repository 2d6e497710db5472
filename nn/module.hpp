// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "troupe/nn/hybrid.hpp"
#include "troupe/nn/visit.hpp"

namespace troupe::nn {

/// Any object that computes a tensor from a tensor: a layer of the library, a user's struct, a
/// function such as `relu`, a lambda.
template <class L>
concept layer = std::copy_constructible<std::decay_t<L>> &&(
    requires(std::decay_t<L>& l, const tensor& x, caller where) {
      { l(x, where) } -> std::convertible_to<tensor>;
    } ||
    requires(std::decay_t<L> & l, const tensor& x) {
      { l(x) } -> std::convertible_to<tensor>;
    });

/// Wrapper of any layer. A copy shares the parameters, but has its own mode (training or
/// evaluation).
class module {
 public:
  // The order of the conditions matters: checking that a module is a layer checks that it can be
  // copied.
  template <class L>
  requires(!std::same_as<std::decay_t<L>, module>) && layer<L> module(L&& l)
      : layer_(std::make_unique<holder<std::decay_t<L>>>(std::forward<L>(l))) {}
  module(const module& other) :layer_(other.layer_ ? other.layer_->clone() : nullptr),
      hybrid_(other.hybrid_) {}
  module(module&&) noexcept = default;
  module& operator=(module other) noexcept {
    layer_ = std::move(other.layer_);
    hybrid_ = std::move(other.hybrid_);
    ++troupe::detail::changes_of_course;
    return *this;
  }

  tensor operator()(const tensor& x, caller where = caller::current()) const {
    if (!layer_) throw error("module: its layer has been moved away", where);
    return hybrid_.call(x, [&](const tensor& in) { return layer_->call(in, where); });
  }
  /// Lets the layer run as a program that is captured at the first call for each type of x, as
  /// functions of `compile` do; while recording, it runs as before.
  void hybridize(bool on = true, caller where = caller::current()) { hybrid_.set(on, where); }
  /// Says what was captured and how it runs.
  std::string explain() const { return hybrid_.explain(); }
  void visit(visitor& to) {
    if (layer_) layer_->visit(to);
  }

 private:
  struct any_layer {
    virtual ~any_layer() = default;
    virtual tensor call(const tensor& x, caller where) = 0;
    virtual void visit(visitor& to) = 0;
    virtual std::unique_ptr<any_layer> clone() const = 0;
  };
  template <class L>
  struct holder final : any_layer {
    template <class From>
    explicit holder(From&& l) : held(std::forward<From>(l)) {}
    tensor call(const tensor& x, caller where) override {
      if constexpr (requires { held(x, where); }) return held(x, where);
      else return held(x);
    }
    void visit(visitor& to) override { nn::visit(held, to); }
    std::unique_ptr<any_layer> clone() const override { return std::make_unique<holder>(held); }
    L held;
  };

  std::unique_ptr<any_layer> layer_;
  detail::hybrid hybrid_;
};

/// A parameter and its place in a network: "0.weight".
struct named_parameter {
  std::string name;
  parameter value;
};

namespace detail {

std::vector<named_parameter> parameters_seen_by(void (*show)(void* net, visitor& to), void* net);
void set_mode(void (*show)(void* net, visitor& to), void* net, bool training);

}  // namespace detail

/// Returns the parameters of a network with their names, as they are saved, each once, in the order
/// of its members:
///
///     for (auto& [name, p] : nn::named_parameters(net)) {
///       if (name.ends_with("bias")) biases.push_back(p);
///     }
template <class Net>
std::vector<named_parameter> named_parameters(Net& net) {
  return detail::parameters_seen_by(
      [](void* n, visitor& to) { nn::visit(*static_cast<Net*>(n), to); }, &net);
}
/// Returns the parameters of a network, each once, in the order of its members.
template <class Net>
std::vector<parameter> parameters(Net& net) {
  std::vector<parameter> all;
  for (auto& one : named_parameters(net)) all.push_back(std::move(one.value));
  return all;
}

/// Switches every layer of a network to training (the default) or evaluation: dropout then drops
/// nothing, and batch_norm uses the statistics it has gathered.
template <class Net>
void train(Net& net, bool training = true) {
  detail::set_mode([](void* n, visitor& to) { nn::visit(*static_cast<Net*>(n), to); }, &net,
                   training);
}
template <class Net>
void eval(Net& net) {
  train(net, false);
}

}  // namespace troupe::nn
