// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <map>

#include "troupe/devices/elementwise.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/list.hpp"
#include "troupe/tensor/ops/update.hpp"
#include "troupe/tests/onnx/written_model.hpp"
#include "troupe/troupe.hpp"

// All operations, as models and back.

namespace troupe::testing {

namespace {

using samples_of_one = std::vector<sample>;

/// Returns numbers for a sample's input: from 0.5 to 2.5, or integers from -3 to 3.
tensor written_numbers(const tensor_type& t, int seed) {
  std::vector<double> out;
  for (std::int64_t i = 0; i < t.dims.size(); ++i) {
    const auto place = (i * 5 + seed * 3) % 7;
    out.push_back(is_floating(t.element) ? 0.5 + static_cast<double>(place) / 3
                                         : static_cast<double>(place - 3));
  }
  return from_data(out, t.dims, {.dtype = t.element});
}

/// Calls of all samples, as one program.
struct sampled_program {
  explicit sampled_program(const samples_of_one& all) {
    for (const auto& s : all) {
      for (const auto& type : s.inputs)
        in.push_back(written_numbers(type, static_cast<int>(in.size())));
    }
    const auto run = [all](const std::vector<tensor>& given) {
      std::vector<tensor> out;
      std::size_t next = 0;
      for (const auto& s : all) {
        out.push_back(s.call(std::span(given).subspan(next, s.inputs.size())));
        next += s.inputs.size();
      }
      return out;
    };
    p = compile(run).program(in);
  }

  std::vector<tensor> in;
  std::optional<program> p;
};

bool is_complex_sample(const sample& s) {
  return std::ranges::any_of(s.inputs, [](const auto& t) { return is_complex(t.element); });
}

bool is_large(const sample& s) {
  return std::ranges::any_of(s.inputs, [](const auto& type) { return type.dims.size() > 4096; });
}

/// Returns the difference that models of these samples make, or the reason for a refusal.
std::string outcome_of(const samples_of_one& all, double times = 0) {
  std::string found;
  const auto refusal = error_of([&] {
    const sampled_program s(all);
    found = difference_when_read(*s.p, s.in, times);
  });
  if (refusal == "no error") return found;
  const auto begin = refusal.rfind(": ") + 2;
  return refusal.substr(begin, refusal.rfind(" (") - begin);
}

/// Operations that have no counterpart in ONNX, some for some dtypes only, and the reasons.
std::map<std::string_view, std::string> expected_refusals() {
  std::map<std::string_view, std::string> out;
  const std::string none = "has no counterpart in ONNX", before = none + " before version 18";
  for (const auto* op : {"erfinv",    "lgamma",   "digamma", "trigamma",
                         "nextafter", "cholesky", "solve",   "solve_triangular",
                         "inv",       "slogdet",  "lu",      "qr",
                         "svd",       "svdvals",  "eigh",    "eigvalsh",
                         "eig",       "eigvals",  "expm",    "imag",
                         "view_as"})
    out[op] = none;
  for (const auto* op : {"complex", "eig", "eigvals", "fft", "rfft", "irfft"})
    out[op] = "not supported";
  for (const auto* op : {"put_minimum", "put_maximum"}) out[op] = before;
  for (const auto* op : {"bitwise_and", "bitwise_or", "bitwise_xor"})
    out[op] = "of integers " + before;
  for (const auto& op : update_operations())
    out[op.name] = "has the numbers of one step, so the program has no text";
  out["power"] = "ONNX has no powers of uint64";
  return out;
}

/// Operations some of whose samples are no programs: one reads an array, the others go over some
/// axes together.
const std::set<std::string_view> without_text = {"true_positions", "argmax", "argmin"};

/// Functions that are written as formulas, whose last bits may be others; of some the tail is not
/// exact: they are differences from 1.
const std::set<std::string_view> composed = {"cbrt", "elu",     "expm1", "log1p",
                                             "log2", "log10",   "exp2",  "gelu",
                                             "erfc", "arctan2", "hypot", "logaddexp"};
const std::set<std::string_view> without_tail = {"gelu", "erfc"};
/// Operations whose sums and products are formed in another order.
const std::set<std::string_view> in_other_order = {"conv2d_weight_gradient", "avg_pool2d_gradient",
                                                   "var", "cumprod", "logcumsumexp"};

}  // namespace

TEST_CASE("every operation means the same in a model, on its samples, or is refused by name") {
  runtime engine;
  auto expected = expected_refusals();
  for (const auto* op : all_operations()) {
    if (op->transfer) continue;  // its samples are copied to a second device
    auto all = op->samples();
    std::erase_if(all, is_large);
    if (op->name != "fft" && op->name != "irfft") std::erase_if(all, is_complex_sample);
    CAPTURE(op->name);
    if (op->random) {
      CHECK(outcome_of({all[0]}) == "random numbers have no counterpart in ONNX");
      continue;
    }
    if (!expected.contains(op->name) && !without_text.contains(op->name)) {
      const bool exact = !composed.contains(op->name) && !in_other_order.contains(op->name);
      const auto found = outcome_of(all, exact ? 0 : 4);
      INFO(found);
      CHECK(found.empty());
      continue;
    }
    std::set<std::string> outcomes;
    for (const auto& s : all) {
      const auto one = outcome_of({s});
      if (op->name == "view_as" && one == "not supported") {
        CHECK(s.inputs[0].element == float64);  // viewed as complex numbers
        continue;
      }
      if (!one.empty() && !without_text.contains(op->name)) outcomes.insert(one);
    }
    const auto reason = expected[op->name];
    CHECK(outcomes == (reason.empty() ? std::set<std::string>() : std::set{reason}));
  }
}

TEST_CASE("elementwise operations mean the same in a model, for special numbers") {
  runtime engine;
  const auto element = GENERATE(float32, float64, int32, int64, uint64, uint8);
  constexpr auto infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> reals = {0,    -0.,  1,        -1,        0.5,  -0.5, 1.5,  2.5,
                                     -2.5, 1e-9, 3.,       -3.,       1e30, 89,   -120, 0.3,
                                     7.,   -7.,  infinity, -infinity, NAN,  1e-30};
  const std::vector<double> integers = {0, 1, -1, 2, -2, 7, -7, 3, -3, 63, 64, 127, -128, 100};
  const auto& all = is_floating(element) ? reals : integers;
  const auto n = static_cast<std::int64_t>(all.size());
  auto x = is_floating(element) ? from_data(all, {n}, {.dtype = element})
                                : astype(from_data(all, {n}, {.dtype = int64}), element);
  if (element == int32 || element == int64) {
    const auto bounds = iinfo(element);
    x = concatenate(
        {x, full({1}, bounds.min, {.dtype = element}), full({1}, bounds.max, {.dtype = element})});
  }
  const auto down = expand_dims(x, 1), third = flip(x, 0);
  for (int i = 0; i < elementwise_op_count; ++i) {
    const auto op = static_cast<elementwise_op>(i);
    const auto& row = info(op);
    if (expected_refusals().contains(row.name) || !types_of(op, element)) continue;
    CAPTURE(row.name, name(element));
    const bool selects = row.domain == elementwise_domain::selection;
    const auto run = compile([&](const tensor& a, const tensor& b, const tensor& c) {
      const auto first = selects ? greater(a, b) : a;
      const tensor_or_scalar in[] = {first, b, c};
      return elementwise(op, std::span(in).first(static_cast<std::size_t>(row.arity)));
    });
    const double times = composed.contains(row.name) ? 4 : 0;
    const double scale = without_tail.contains(row.name) ? 1 : 0;
    const auto found =
        difference_when_read(run.program(down, x, third), {down, x, third}, times, scale);
    INFO(found);
    CHECK(found.empty());
  }
}

}  // namespace troupe::testing
