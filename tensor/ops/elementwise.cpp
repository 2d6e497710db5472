// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/elementwise.hpp"

#include <array>

#include "troupe/tensor/launch.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/complex.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise_types.hpp"

namespace troupe {

namespace {

using op_t = elementwise_op;

// A mistake is found out again from the start, away from the path that every call takes.

template <std::size_t N>
using argument_pointers = std::array<const tensor_or_scalar*, N>;

/// Returns the engine of inputs that are not all of one. Throws if there is none.
template <std::size_t N>
[[gnu::cold, gnu::noinline]] engine& mixed_home(op_t op, const argument_pointers<N>& in,
                                                caller where) {
  std::vector<const tensor*> arrays;
  for (const auto* a : in) {
    if (a->array()) arrays.push_back(a->array());
  }
  if (arrays.empty()) throw error(std::string(info(op).name) + ": no input is a tensor", where);
  return common_home(info(op).name, arrays, where).runtime;
}

template <std::size_t N>
[[noreturn, gnu::cold, gnu::noinline]] void refuse_home(op_t op, const argument_pointers<N>& in,
                                                        caller where) {
  mixed_home(op, in, where);
  throw error(std::string(info(op).name) + ": no input is a tensor", where);
}

template <std::size_t N>
[[noreturn, gnu::cold, gnu::noinline]] void refuse_types(op_t op, const argument_pointers<N>& in,
                                                         std::string_view facts, caller where) {
  std::string text;
  for (std::size_t i = 0; i < N; ++i) {
    if (i > 0) text += i + 1 == N ? " and " : ", ";
    text += in[i]->array() ? to_string(in[i]->array()->type()) : to_string(in[i]->number());
  }
  throw error(std::string(info(op).name) + ": " + std::string(facts) + " " + text, where);
}

/// The dtype that the inputs from number `First` on promote to.
template <std::size_t First, std::size_t N>
dtype promoted(const argument_pointers<N>& in) noexcept {
  dtype out = dtype::boolean;
  bool arrays = false, numbers = false;
  for (std::size_t i = First; i < N; ++i) {
    if (const auto* x = in[i]->array()) {
      out = promote(out, x->source()->element);
      arrays = true;
    } else {
      numbers = true;
    }
  }
  if (!numbers) return out;
  for (std::size_t i = First; i < N; ++i) {
    if (!in[i]->array())
      out = arrays ? in[i]->number().with(out) : promote(out, in[i]->number().own_dtype());
  }
  return out;
}

/// Arrays among the arguments of an operation, and what they broadcast to.
struct joined_arrays {
  const value* first = nullptr;
  engine* mixed = nullptr;  ///< null if all have the home of the first
  const shape* dims = nullptr;
  shape joined;  ///< what `dims` points to if the shapes differ
};

/// Throws unless there are arrays, which have one home and broadcast.
template <std::size_t N>
void join(op_t op, const argument_pointers<N>& in, joined_arrays& out, caller where) {
  auto& [first, mixed, dims, joined] = out;
  for (const auto* a : in) {
    const auto* x = a->array();
    if (!x) continue;
    const auto* v = x->source().get();
    if (!v) refuse_home(op, in, where);
    if (!first) {
      first = v;
      dims = &x->shape();
      continue;
    }
    if (v->engine != first->engine || v->device != first->device)
      mixed = &mixed_home(op, in, where);
    if (*dims == x->shape()) continue;
    const auto both = broadcast(*dims, x->shape());
    if (!both) refuse_types(op, in, "shapes do not broadcast:", where);
    joined = *both;
    dims = &joined;
  }
  if (!first) refuse_home(op, in, where);
}

template <std::size_t First, std::size_t N>
tensor run(op_t op, const argument_pointers<N>& in, caller where) {
  joined_arrays arrays;
  join(op, in, arrays, where);
  const auto& [first, mixed, dims, joined] = arrays;
  auto& e = mixed ? *mixed : engine::of(*first, info(op).name, where);
  const auto input = promoted<First>(in);
  const auto types = checked_types(op, input);
  if (!types.possible) refuse_types(op, in, "not possible for", where);

  task_ptr t(new task(record(op), first->device, where));
  for (const auto* a : in) {
    if (const auto* x = a->array()) {
      add_input(*t, *x, *dims);
      continue;
    }
    if (a->number().is_complex()) {
      const use_engine same(first->engine);
      const auto one =
          full({}, a->number(), {.dtype = types.compute, .device = first->device}, where);
      add_input(*t, one, *dims);
      continue;
    }
    if (is_complex(types.compute)) {
      add_input(*t, real_of(types.compute), a->number().bytes(real_of(types.compute)));
      continue;
    }
    // Comparisons take any number: it is compared as it is.
    detail::check_fits(a->number(), types.result == input ? input : types.compute, info(op).name,
                       where);
    add_input(*t, types.compute, a->number().bytes(types.compute));
  }
  return launch(e, std::move(t), *dims, types.result);
}

/// True for what changes no number of the dtype.
bool is_identity(op_t op, dtype element) noexcept {
  return (op == op_t::real || op == op_t::conj) && !is_complex(element);
}

tensor run(op_t op, const tensor_or_scalar& x, caller where) {
  if (x.array() && x.array()->defined()) {
    const auto element = x.array()->source()->element;
    if (is_identity(op, element)) return *x.array();
    if (op == op_t::sign && is_complex(element)) return detail::complex_sign(*x.array(), where);
  }
  return run<0, 1>(op, {&x}, where);
}

/// Computes a power with a number as something else that is far quicker, as PyTorch does; nothing
/// if there is no such thing.
std::optional<tensor> quick_power(const tensor_or_scalar& x, const tensor_or_scalar& y,
                                  caller where) {
  if (y.array() || !x.array() || !x.array()->defined() || y.number().is_complex()) return {};
  const auto element = x.array()->source()->element;
  if (element == boolean || y.number().with(element) != element) return {};
  const double exponent = y.number().real();
  if (exponent == 2) return square(*x.array(), where);
  if (exponent == 3) return multiply(square(*x.array(), where), *x.array(), where);
  if (!is_inexact(element)) return {};
  if (exponent == 0.5) return sqrt(*x.array(), where);
  if (exponent == -0.5) return rsqrt(*x.array(), where);
  if (exponent == -1) return reciprocal(*x.array(), where);
  return {};
}

tensor run(op_t op, const tensor_or_scalar& x, const tensor_or_scalar& y, caller where) {
  if (op == op_t::power) {
    if (auto quicker = quick_power(x, y, where)) return std::move(*quicker);
  }
  return run<0, 2>(op, {&x, &y}, where);
}

bool has_complex(const tensor_or_scalar& x) {
  if (const auto* a = x.array()) return a->defined() && is_complex(a->source()->element);
  return x.number().is_complex();
}

tensor run(op_t op, const tensor_or_scalar& x, const tensor_or_scalar& y, const tensor_or_scalar& w,
           caller where) {
  if (op == op_t::lerp && (has_complex(x) || has_complex(y) || has_complex(w))) {
    joined_arrays arrays;
    join<3>(op, {&x, &y, &w}, arrays, where);
    return detail::complex_lerp(x, y, w, *arrays.first, where);
  }
  if (info(op).domain != elementwise_domain::selection) return run<0, 3>(op, {&x, &y, &w}, where);
  if (!x.array()) {
    const auto* const other = y.array() ? y.array() : w.array();
    if (!other || !other->defined())
      throw error(std::string(info(op).name) + ": its condition is no tensor", where);
    const auto condition =
        full({}, x.number(), {.dtype = dtype::boolean, .device = other->device()}, where);
    const tensor_or_scalar chosen(condition);
    return run<1, 3>(op, {&chosen, &y, &w}, where);
  }
  if (!x.array()->defined() || x.array()->dtype() == dtype::boolean)
    return run<1, 3>(op, {&x, &y, &w}, where);
  const auto condition = not_equal(*x.array(), 0, where);
  const tensor_or_scalar chosen(condition);
  return run<1, 3>(op, {&chosen, &y, &w}, where);
}

}  // namespace

#define TROUPE_UNARY(name, domain, forward, dx, doc) \
  tensor name(const tensor& x, caller where) { return run(op_t::name, x, where); }
#define TROUPE_BINARY(name, domain, forward, dx, dy, doc)                                       \
  tensor name(const tensor& x, const tensor& y, caller where) {                                 \
    return run(op_t::name, x, y, where);                                                        \
  }                                                                                             \
  tensor name(const tensor& x, scalar y, caller where) { return run(op_t::name, x, y, where); } \
  tensor name(scalar x, const tensor& y, caller where) { return run(op_t::name, x, y, where); }
#define TROUPE_TERNARY(name, domain, forward, dx, dy, dw, doc)                       \
  tensor name(const tensor& x, const tensor_or_scalar& y, const tensor_or_scalar& w, \
              caller where) {                                                        \
    return run(op_t::name, x, y, w, where);                                          \
  }
#include "troupe/devices/elementwise.def"

tensor elementwise(op_t op, std::span<const tensor_or_scalar> in, caller where) {
  const auto wanted = static_cast<std::size_t>(info(op).arity);
  if (in.size() != wanted)
    throw error(std::string(info(op).name) + ": takes " + std::to_string(wanted) +
                    (wanted == 1 ? " input, not " : " inputs, not ") + std::to_string(in.size()),
                where);
  if (wanted == 1) return run(op, in[0], where);
  if (wanted == 2) return run(op, in[0], in[1], where);
  return run(op, in[0], in[1], in[2], where);
}

}  // namespace troupe
