// SPDX-License-Identifier: MIT
#include <algorithm>

#include "troupe/language/evaluator/items_of.hpp"
#include "troupe/language/evaluator/word.hpp"
#include "troupe/tensor/ops/activations.hpp"
#include "troupe/tensor/ops/arithmetic.hpp"
#include "troupe/tensor/ops/complex.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/special_numbers.hpp"

namespace troupe::language {

namespace {

std::string_view signature_of(std::string_view name, std::size_t operands) {
  if (name == "where") return "condition: operand, x: operand, y: operand";
  if (operands == 1) return "x";
  return operands == 2 ? "x: operand, y: operand" : "x: operand, y: operand, w: operand";
}

dynamic_value run(const arguments& given) {
  std::vector<tensor_or_scalar> operands;
  bool only_numbers = true;
  tensor first;
  for (std::size_t i = 0; i < given.count(); ++i) {
    if (given.of().parameters[i].kind == parameter_kind::array)
      operands.emplace_back(given.array(i));
    else operands.push_back(given.operand(i));
    only_numbers = only_numbers && !operands.back().array();
  }
  if (only_numbers) {  // the library needs an array among them
    first = to_array(given.any(0), std::string(given.of().name), given.where());
    operands[0] = first;
  }
  return elementwise(static_cast<elementwise_op>(given.of().operation), operands, given.where());
}

std::optional<double> real_or_nothing(const arguments& a, std::size_t i) {
  if (!a.has(i)) return {};
  return a.real(i);
}

dynamic_value round_to(const arguments& a) {
  return a.has(1) ? round(a.array(0), a.integer(1), a.where()) : round(a.array(0), a.where());
}

/// Between two ends a number yields to their dtype, as in every row; with one end it is an array.
dynamic_value clip_to(const arguments& a) {
  if (a.has(1) && a.has(2)) return run(a);
  const auto x = to_array(a.any(0), "clip", a.where());
  if (a.has(1)) return clip(x, a.operand(1), std::nullopt, a.where());
  if (a.has(2)) return clip(x, std::nullopt, a.operand(2), a.where());
  return x;
}

template <tensor (*usual)(const tensor&, caller)>
dynamic_value with_usual_slope(const arguments& a) {
  if (a.has(1)) return run(a);
  return usual(to_array(a.any(0), std::string(a.of().name), a.where()), a.where());
}

template <auto function>
dynamic_value activate(const arguments& a) {
  return function(a.array(0), a.where());
}

/// Adds what is made of rows, and what rows with more parameters than the table has.
void add_made_of_rows(std::vector<word>& all) {
  const auto word_of = [&](std::string_view name) {
    return std::find_if(all.begin(), all.end(), [&](const word& w) { return w.name == name; });
  };
  const auto rounding = word_of("round");
  rounding->signature = "x, decimals: integer = 0";
  rounding->doc = "Rounded to so many decimals, to the even one of two as near; -2: to hundreds.";
  rounding->call = round_to;
  const auto clipping = word_of("clip");
  clipping->signature = "x: operand, low: operand = none, high: operand = none";
  clipping->doc = "The number, but at least the second and at most the third, if they are given.";
  clipping->call = clip_to;
  const auto leaking = word_of("leaky_relu"), curved = word_of("elu");
  leaking->signature = "x: operand, y: operand = 0.01";
  leaking->call = with_usual_slope<leaky_relu>;
  curved->signature = "x: operand, y: operand = 1";
  curved->call = with_usual_slope<elu>;
  all.insert(
      all.end(),
      {{"selu", "elementwise", "x",
        "The number, or what is like exp(x) - 1, so that variances stay.", activate<selu>},
       {"relu6", "elementwise", "x", "The number, but at least 0 and at most 6.", activate<relu6>},
       {"log_sigmoid", "elementwise", "x", "log(sigmoid(x)).", activate<log_sigmoid>},
       {"hard_sigmoid", "elementwise", "x", "x + 3, at least 0 and at most 6, divided by 6.",
        activate<hard_sigmoid>},
       {"hard_swish", "elementwise", "x", "x times its hard_sigmoid.", activate<hard_swish>},
       {"gelu_tanh", "elementwise", "x", "gelu by a hyperbolic tangent, as GPT-2 has it.",
        activate<gelu_tanh>},
       {"mish", "elementwise", "x", "x * tanh(softplus(x)).", activate<mish>},
       {"softsign", "elementwise", "x", "x / (1 + |x|).", activate<softsign>},
       {"positive", "elementwise", "x", "The number as it is.",
        [](const arguments& a) -> dynamic_value { return positive(a.array(0), a.where()); }},
       {"divmod", "elementwise", "x, y", "The list [floor_divide(x, y), remainder(x, y)].",
        [](const arguments& a) -> dynamic_value {
          const auto both = divmod(a.array(0), a.array(1), a.where());
          return as_list({both.quotient, both.remainder});
        }},
       {"angle", "elementwise", "x", "The angle in the complex plane, from -pi to pi.",
        [](const arguments& a) -> dynamic_value { return angle(a.array(0), a.where()); }},
       {"isposinf", "elementwise", "x", "Whether it is infinity.",
        [](const arguments& a) -> dynamic_value { return isposinf(a.array(0), a.where()); }},
       {"isneginf", "elementwise", "x", "Whether it is minus infinity.",
        [](const arguments& a) -> dynamic_value { return isneginf(a.array(0), a.where()); }},
       {"nan_to_num", "elementwise",
        "x, nan: number = 0, posinf: number = none, neginf: number = none",
        "Other numbers in place of NaN and the infinities, by default 0 and the dtype's ends.",
        [](const arguments& a) -> dynamic_value {
          return nan_to_num(a.array(0), a.real(1), real_or_nothing(a, 2), real_or_nothing(a, 3),
                            a.where());
        }}});
}

}  // namespace

std::vector<word> elementwise_words() {
  struct row {
    std::string_view name;
    std::size_t operands;
    std::string_view doc;
  };
  static constexpr row rows[] = {
#define TROUPE_UNARY(name, domain, forward, dx, doc) {#name, 1, doc},
#define TROUPE_BINARY(name, domain, forward, dx, dy, doc) {#name, 2, doc},
#define TROUPE_TERNARY(name, domain, forward, dx, dy, dw, doc) {#name, 3, doc},
#include "troupe/devices/elementwise.def"
  };
  std::vector<word> all;
  for (int i = 0; const auto& r : rows)
    all.push_back({r.name, "elementwise", signature_of(r.name, r.operands), r.doc, run, {}, i++});
  add_made_of_rows(all);
  return all;
}

}  // namespace troupe::language
