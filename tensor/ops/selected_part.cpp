// SPDX-License-Identifier: MIT
#include <algorithm>

#include "troupe/tensor/ops/selection.hpp"

namespace troupe {

namespace {

std::span<const index* const> given_of(const index* const (&all)[8]) {
  const auto end =
      std::ranges::find_if(all, [](const index* i) { return i->type() == index::kind::absent; });
  return {std::begin(all), end};
}

}  // namespace

index::index(const tensor& positions, source where)
    : array_(std::make_shared<const tensor>(positions)), call_site_(where), kind_(kind::array) {}

selected_part::selected_part(const tensor& x, std::span<const index* const> indices) : x_(x) {
  for (const auto* i : indices) indices_.push_back(*i);
}

tensor selected_part::put(put_op op, const tensor_or_scalar& v, caller where) const {
  std::vector<const index*> all;
  for (const auto& i : indices_) all.push_back(&i);
  return put_at(op, x_, all, v, where);
}

tensor selected_part::get() const {
  std::vector<const index*> all;
  for (const auto& i : indices_) all.push_back(&i);
  return at(x_, all, where());
}

tensor selected_part::set(const tensor_or_scalar& v, caller where) const {
  return put(put_op::set, v, where);
}
tensor selected_part::add(const tensor_or_scalar& v, caller where) const {
  return put(put_op::add, v, where);
}
tensor selected_part::mul(const tensor_or_scalar& v, caller where) const {
  return put(put_op::multiply, v, where);
}
tensor selected_part::min(const tensor_or_scalar& v, caller where) const {
  return put(put_op::minimum, v, where);
}
tensor selected_part::max(const tensor_or_scalar& v, caller where) const {
  return put(put_op::maximum, v, where);
}

void assignable_part::operator+=(const tensor_or_scalar& v) && {
  of_ = set(elementwise(elementwise_op::add, {{get(), v}}, where()), where());
}
void assignable_part::operator-=(const tensor_or_scalar& v) && {
  of_ = set(elementwise(elementwise_op::subtract, {{get(), v}}, where()), where());
}
void assignable_part::operator*=(const tensor_or_scalar& v) && {
  of_ = set(elementwise(elementwise_op::multiply, {{get(), v}}, where()), where());
}
void assignable_part::operator/=(const tensor_or_scalar& v) && {
  of_ = set(elementwise(elementwise_op::divide, {{get(), v}}, where()), where());
}

tensor tensor::operator[](const index& i) const {
  const index* const indices[] = {&i};
  return troupe::at(*this, indices, i.where());
}

tensor tensor::operator()(const index& a, const index& b, const index& c, const index& d,
                          const index& e, const index& f, const index& g, const index& h) const {
  const index* const indices[] = {&a, &b, &c, &d, &e, &f, &g, &h};
  return troupe::at(*this, given_of(indices), a.where());
}

selected_part tensor::at(const index& a, const index& b, const index& c, const index& d,
                         const index& e, const index& f, const index& g, const index& h) const& {
  const index* const indices[] = {&a, &b, &c, &d, &e, &f, &g, &h};
  return {*this, given_of(indices)};
}

assignable_part tensor::at(const index& a, const index& b, const index& c, const index& d,
                           const index& e, const index& f, const index& g, const index& h) & {
  const index* const indices[] = {&a, &b, &c, &d, &e, &f, &g, &h};
  return {*this, given_of(indices)};
}

}  // namespace troupe
