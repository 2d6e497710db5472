// SPDX-License-Identifier: MIT
#include "troupe/tensor/batching/vmap.hpp"

#include <algorithm>
#include <string>

#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/batching/batching.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/slice.hpp"

namespace troupe {

std::vector<std::optional<int>> batch_axes::each(std::size_t arguments, caller where) const {
  if (all_) return std::vector<std::optional<int>>(arguments, all_);
  if (each_.size() != arguments)
    throw error("vmap: " + std::to_string(each_.size()) + " axes for " + std::to_string(arguments) +
                    " arguments",
                where);
  return each_;
}

namespace {

/// Arguments of a mapped function, batches with the batch as first axis.
struct batch {
  std::vector<tensor> arguments;
  std::vector<bool> mapped;
  std::int64_t count = 0;
};

batch batch_of(const std::vector<tensor>& xs, const batch_axes& in_axes, caller where) {
  const auto axes = in_axes.each(xs.size(), where);
  batch out;
  const tensor* first = nullptr;
  for (std::size_t i = 0; i < xs.size(); ++i) {
    const auto& x = xs[i];
    if (!x.defined())
      throw error("vmap: argument " + std::to_string(i) + " names no array yet", where);
    out.mapped.push_back(axes[i].has_value());
    out.arguments.push_back(x);
    if (!axes[i]) continue;
    if (*axes[i] < -x.rank() || *axes[i] >= x.rank())
      throw error("vmap: argument " + std::to_string(i) + ", " + to_string(x.type()) +
                      ", has no axis " + std::to_string(*axes[i]),
                  where);
    auto& moved = out.arguments.back();
    moved = moveaxis(x, *axes[i], 0, where);
    const auto count = moved.shape()[0];
    if (first && count != out.count)
      throw error("vmap: batches of " + std::to_string(out.count) + " and of " +
                      std::to_string(count) + ": " + to_string(first->type()) + " and " +
                      to_string(x.type()),
                  where);
    if (!first) out.count = count;
    first = first ? first : &x;
  }
  if (!first) throw error("vmap: no argument is a batch", where);
  return out;
}

/// Runs the function once, each of its operations for the whole batch.
std::vector<tensor> at_once(const detail::tensor_function& f, const batch& given, caller where) {
  std::vector<const tensor*> pointers;
  for (const auto& x : given.arguments) pointers.push_back(&x);
  const auto at = common_home("vmap", pointers, where);
  const bool record = recording::active();
  batching mapping(at.runtime, given.count, where);
  std::vector<tensor> in;
  for (std::size_t i = 0; i < given.arguments.size(); ++i) {
    const auto x = record ? given.arguments[i] : given.arguments[i].detach();
    in.push_back(given.mapped[i] ? mapping.argument(x) : x);
  }
  std::vector<tensor> out;
  {
    const batching::scope inside(mapping);
    out = f(in);
  }
  for (auto& one : out) {
    one = mapping.result(one, where);
    if (!record) one = one.detach();
  }
  return out;
}

void check_alike(const tensor& first, const tensor& other, caller where) {
  if (!first.defined() || !other.defined())
    throw error("vmap: the function gives a tensor that names no array", where);
  if (first.type() != other.type())
    throw error("vmap: the function gives " + to_string(first.type()) + " for one element and " +
                    to_string(other.type()) + " for another",
                where);
}

/// Returns an element that an empty batch could have.
tensor element_like(const tensor& batch, caller where) {
  shape dims;
  for (int i = 1; i < batch.rank(); ++i) dims.push_back(batch.shape()[i]);
  return zeros(dims, {.dtype = batch.dtype(where), .device = batch.device(where)}, where);
}

/// Calls the function for one element after the other.
std::vector<tensor> in_a_loop(const detail::tensor_function& f, const batch& given, caller where) {
  std::vector<std::vector<tensor>> parts(given.arguments.size()), found;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto& x = given.arguments[i];
    if (!given.mapped[i]) continue;
    if (given.count > 0) parts[i] = unstack(x, 0, where);
    else parts[i].push_back(element_like(x, where));
  }
  const auto calls = std::max<std::int64_t>(given.count, 1);
  for (std::int64_t k = 0; k < calls; ++k) {
    std::vector<tensor> in;
    for (std::size_t i = 0; i < parts.size(); ++i)
      in.push_back(given.mapped[i] ? parts[i][static_cast<std::size_t>(k)] : given.arguments[i]);
    const auto out = f(in);
    if (k == 0) found.resize(out.size());
    if (out.size() != found.size())
      throw error("vmap: the function gives " + std::to_string(found.size()) +
                      " results for one element and " + std::to_string(out.size()) + " for another",
                  where);
    for (std::size_t i = 0; i < out.size(); ++i) {
      check_alike(k == 0 ? out[i] : found[i][0], out[i], where);
      found[i].push_back(out[i]);
    }
  }
  std::vector<tensor> out;
  for (const auto& each : found) {
    if (each[0].rank() == max_rank)
      throw error("vmap: the function gives " + to_string(each[0].type()) +
                      ", which has as many axes as are possible, and a batch one more",
                  where);
    const auto all = stack(each, 0, where);
    out.push_back(given.count > 0 ? all : slice(all, 0, 0, 0, 1, where));
  }
  return out;
}

}  // namespace

std::vector<tensor> detail::map_over_batch(const tensor_function& f, const std::vector<tensor>& xs,
                                           const batch_axes& in_axes, int out_axis, caller where) {
  const auto given = batch_of(xs, in_axes, where);
  std::vector<tensor> out;
  try {
    out = at_once(f, given, where);
  } catch (const needs_loop&) { out = in_a_loop(f, given, where); }
  for (auto& one : out) {
    if (out_axis < -one.rank() || out_axis >= one.rank())
      throw error("vmap: the results, " + to_string(one.type()) + ", have no axis " +
                      std::to_string(out_axis),
                  where);
    one = moveaxis(one, 0, out_axis, where);
  }
  return out;
}

}  // namespace troupe
