// SPDX-License-Identifier: MIT
#include "troupe/nn/optimisers/clip.hpp"

#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/number_text.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/reduction.hpp"

namespace troupe::nn {

namespace {

std::vector<tensor> gradients_of(const std::vector<parameter>& parameters) {
  std::vector<tensor> out;
  for (const auto& p : parameters) {
    if (auto g = p.grad(); g.defined()) out.push_back(std::move(g));
  }
  return out;
}

void check_limit(const char* who, double limit, caller where) {
  if (limit > 0) return;
  throw error(std::string(who) + ": the limit is " + real_text(limit) + " and must be above 0",
              where);
}

/// Replaces each gradient by `f` of it.
template <class F>
void replace(const std::vector<parameter>& parameters, F f, caller where) {
  for (const auto& p : parameters) {
    if (const auto g = p.grad(); g.defined()) p.set_grad(f(g), where);
  }
}

}  // namespace

tensor norm_of_all(std::span<const tensor> arrays, caller where) {
  std::vector<tensor> norms;
  for (const auto& x : arrays) {
    const auto wide = astype(x, computed(x.dtype()), where);
    norms.push_back(to(norm(wide, {}, false, where), arrays[0].device()));
  }
  return norms.size() == 1 ? norms[0] : norm(stack(norms, 0, where), {}, false, where);
}

tensor clip_factor(const tensor& norm, double most, caller where) {
  return minimum(divide(most, add(norm, 1e-6, where), where), 1., where);
}

tensor grad_norm(const std::vector<parameter>& parameters, caller where) {
  const no_grad off;
  const troupe::detail::on_behalf_of user(where);
  const auto all = gradients_of(parameters);
  if (all.empty()) throw error("grad_norm: none of the parameters has a gradient", where);
  return norm_of_all(all, where);
}

tensor clip_by_norm(const std::vector<parameter>& parameters, double most, caller where) {
  check_limit("clip_by_norm", most, where);
  const no_grad off;
  const troupe::detail::on_behalf_of user(where);
  const auto all = gradients_of(parameters);
  if (all.empty()) return {};
  const auto norm = norm_of_all(all, where);
  const auto factor = clip_factor(norm, most, where);
  replace(
      parameters,
      [&](const tensor& g) {
        const auto by = astype(to(factor, g.device(), where), computed(g.dtype()), where);
        return astype(multiply(g, by, where), g.dtype(), where);
      },
      where);
  return norm;
}

void clip_by_value(const std::vector<parameter>& parameters, double limit, caller where) {
  check_limit("clip_by_value", limit, where);
  const no_grad off;
  const troupe::detail::on_behalf_of user(where);
  replace(
      parameters, [&](const tensor& g) { return clip(g, -limit, limit, where); }, where);
}

}  // namespace troupe::nn
