// SPDX-License-Identifier: MIT
#include "troupe/tensor/autograd/jacobian.hpp"

#include <string>

#include "troupe/tasks/engine.hpp"
#include "troupe/tensor/autograd/backward.hpp"
#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/autograd/tangents.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/slice.hpp"

namespace troupe {

namespace {

/// One run of a function, with its arguments as variables.
struct recorded_run {
  std::vector<tensor> in;
  tensor value;
};

recorded_run record_run(const char* what, const detail::tensor_function& f,
                        const std::vector<tensor>& xs, caller where) {
  const auto check = [&](const tensor& x, const char* of) {
    if (!x.defined()) throw error(std::string(what) + ": " + of + " names no array", where);
    if (!is_floating(x.dtype(where)))
      throw error(std::string(what) + ": " + of + " is " + to_string(x.type(where)) +
                      ": only floats have derivatives",
                  where);
  };
  if (xs.empty()) throw error(std::string(what) + ": no arguments", where);
  recorded_run out;
  const recording on;
  for (const auto& x : xs) {
    check(x, "an argument");
    out.in.push_back(detail::argument(x, where));
  }
  out.value = f(out.in)[0];
  check(out.value, "the result");
  return out;
}

/// Returns the shape of the derivatives of one array with respect to another.
shape derivatives_shape(const char* what, const tensor& of, const tensor& by, caller where) {
  if (of.rank() + by.rank() > max_rank)
    throw error(std::string(what) + ": the derivatives of " + to_string(of.type()) +
                    " with respect to " + to_string(by.type()) + " would have more than " +
                    std::to_string(max_rank) + " axes",
                where);
  auto out = of.shape();
  for (int i = 0; i < by.rank(); ++i) out.push_back(by.shape()[i]);
  return out;
}

/// Calls `take` with each array like `x` that is 1 in one place and 0 elsewhere.
template <class Take>
void each_unit(const tensor& x, caller where, Take&& take) {
  if (x.size() == 0) return;
  const auto all =
      eye(x.size(), {}, 0, {.dtype = x.dtype(where), .device = x.device(where)}, where);
  for (const auto& row : unstack(all, 0, where)) take(reshape(row, x.shape(), where));
}

/// Returns the derivatives that have these parts along the first axes, or along the last ones.
tensor assembled(const std::vector<tensor>& parts, bool first, const shape& dims,
                 const tensor& like, caller where) {
  if (parts.empty() || dims.size() == 0)
    return zeros(dims, {.dtype = like.dtype(where), .device = like.device(where)}, where);
  return reshape(stack(parts, first ? 0 : -1, where), dims, where);
}

/// Returns the derivatives of each of `of` (first index) with respect to each of `in`, from a
/// forward pass for each element of `in`.
std::vector<std::vector<tensor>> in_columns(const char* what, const std::vector<tensor>& of,
                                            const std::vector<tensor>& in, caller where) {
  const bool record = recording::active();
  std::vector<std::vector<tensor>> out(of.size());
  for (std::size_t j = 0; j < in.size(); ++j) {
    std::vector<std::vector<tensor>> columns(of.size());
    each_unit(in[j], where, [&](const tensor& unit) {
      std::vector<tensor> changes(in.size());
      changes[j] = unit;
      const auto found = tangents(of, in, changes, record, where);
      for (std::size_t i = 0; i < of.size(); ++i) columns[i].push_back(found[i]);
    });
    for (std::size_t i = 0; i < of.size(); ++i)
      out[i].push_back(
          assembled(columns[i], false, derivatives_shape(what, of[i], in[j], where), of[i], where));
  }
  return out;
}

/// Returns the derivatives of the value with respect to each argument, from a backward pass for
/// each of the value's elements.
std::vector<tensor> in_rows(const recorded_run& run, caller where) {
  const bool record = recording::active();
  std::vector<std::vector<tensor>> rows(run.in.size());
  if (run.value.node()) {
    each_unit(run.value, where, [&](const tensor& unit) {
      const auto found =
          gradients(run.value, run.in, {.seed = unit, .keep = true, .record = record}, where);
      for (std::size_t i = 0; i < rows.size(); ++i) rows[i].push_back(found[i]);
    });
  }
  std::vector<tensor> out;
  for (std::size_t i = 0; i < rows.size(); ++i)
    out.push_back(assembled(rows[i], true,
                            derivatives_shape("jacobian", run.value, run.in[i], where), run.in[i],
                            where));
  return out;
}

}  // namespace

std::vector<tensor> detail::jacobians(const tensor_function& f, const std::vector<tensor>& xs,
                                      caller where) {
  const auto run = record_run("jacobian", f, xs, where);
  const use_engine same(run.value.source()->engine);
  std::int64_t elements = 0;
  for (const auto& x : run.in) {
    derivatives_shape("jacobian", run.value, x, where);
    elements += x.size();
  }
  if (run.value.size() > elements) return in_columns("jacobian", {run.value}, run.in, where)[0];
  return in_rows(run, where);
}

std::vector<std::vector<tensor>> detail::hessians(const tensor_function& f,
                                                  const std::vector<tensor>& xs, caller where) {
  const auto run = record_run("hessian", f, xs, where);
  if (run.value.size() != 1)
    throw error("hessian: the function gives " + to_string(run.value.type(where)) +
                    ", not one number: sum it, for instance",
                where);
  const use_engine same(run.value.source()->engine);
  for (const auto& a : run.in) {
    for (const auto& b : run.in) derivatives_shape("hessian", a, b, where);
  }
  std::vector<tensor> slopes;
  if (run.value.node()) {
    slopes = gradients(run.value, run.in, {.record = true}, where);
  } else {
    for (const auto& x : run.in)
      slopes.push_back(zeros(x.shape(), {.dtype = x.dtype(where), .device = x.device(where)}));
  }
  return in_columns("hessian", slopes, run.in, where);
}

}  // namespace troupe
