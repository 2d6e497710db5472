// SPDX-License-Identifier: MIT
#include <set>

#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/list.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tests/near.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

/// Returns numbers from -3 to 3 in the dtype of a sample's input.
tensor numbers_for(const tensor_type& t, int seed) {
  std::vector<double> out;
  for (std::int64_t i = 0; i < t.dims.size(); ++i)
    out.push_back(static_cast<double>((i * 5 + seed * 3) % 7 - 3));
  return from_data(out, t.dims, {.dtype = t.element});
}

std::vector<tensor> inputs_for(const sample& s) {
  std::vector<tensor> out;
  for (const auto& t : s.inputs) out.push_back(numbers_for(t, static_cast<int>(out.size())));
  return out;
}

/// Returns the same elements in another memory order.
tensor scattered(const tensor& x) { return x.size() == 0 ? x : transpose(copy(transpose(x))); }

/// Returns true if numbers are equal up to the last bits, which may depend on the order of a sum.
bool equal(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!near(a[i], b[i], 1e-6, 0)) return false;
  }
  return true;
}

}  // namespace

TEST_CASE(
    "every operation has a unique name, a line of documentation, samples and a declared gradient") {
  std::set<std::string_view> names;
  for (const auto* op : all_operations()) {
    CAPTURE(op->name);
    CHECK(names.insert(op->name).second);
    CHECK_FALSE(op->doc.empty());
    CHECK(op->doc.find('\n') == std::string_view::npos);
    REQUIRE(op->samples != nullptr);
    CHECK_FALSE(op->samples().empty());
    CHECK((op->kernel != nullptr || op->transfer));
    CHECK((op->gradient == differentiability::available) ==
          (op->gradients[0].function || op->gradients[1].function || op->gradients[2].function));
    CHECK((op->gradient != differentiability::unknown || op->name == "trigamma"));
    CHECK(find_operation(op->name) == op);
  }
  CHECK(find_operation("no such operation") == nullptr);
}

TEST_CASE("every kernel family has the name of an operation, or serves a table of them") {
  const std::set<std::string_view> tables = {"cumulative", "elementwise", "linalg",
                                             "reduction",  "update",      "variate"};
#define TROUPE_KERNEL_FAMILY(name, ...) CHECK((find_operation(#name) || tables.count(#name)));
#include "troupe/devices/kernel_families.def"
}

TEST_CASE(
    "every operation runs on its samples, and strides of the inputs do not change the result") {
  test_engine e;
  for (const auto* op : all_operations()) {
    int number = 0;
    for (const auto& s : op->samples()) {
      CAPTURE(op->name, number++);
      auto in = inputs_for(s);
      const auto out = s.call(in);
      REQUIRE_NOTHROW(out.wait());
      if (op->random) continue;
      for (auto& x : in) x = scattered(x);
      const auto again = s.call(in);
      REQUIRE(again.type() == out.type());
      REQUIRE(equal(numbers(again), numbers(out)));
    }
  }
}

TEST_CASE("operations on floats agree between float32 and float64") {
  test_engine e;
  for (const auto* op : all_operations()) {
    int number = 0;
    for (const auto& s : op->samples()) {
      CAPTURE(op->name, number++);
      auto in = inputs_for(s);
      bool singles = !in.empty();
      for (const auto& x : in)
        singles = singles && x.dtype() != float64 && x.dtype() != int32 && x.dtype() != int64;
      if (!singles) continue;
      const auto narrow = numbers(s.call(in));
      for (auto& x : in) {
        if (x.dtype() == float32) x = x.astype(float64);
      }
      const auto wide = numbers(s.call(in));
      REQUIRE(narrow.size() == wide.size());
      for (std::size_t i = 0; i < wide.size(); ++i) {
        if (near(narrow[i], wide[i], 1e-5, 0.1)) continue;
        CAPTURE(i, narrow[i], wide[i]);
        FAIL("differs");
      }
    }
  }
}

}  // namespace troupe::testing
