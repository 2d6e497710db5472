// SPDX-License-Identifier: MIT
#include "troupe/devices/attributes.hpp"
#include "troupe/onnx/steps/step_rule.hpp"
#include "troupe/onnx/term.hpp"
#include "troupe/onnx/written_step.hpp"
#include "troupe/tensor/ops/searching.hpp"
#include "troupe/tensor/ops/sorting.hpp"

namespace troupe {

namespace {

/// Returns the greatest or least elements of the rows in order, and their places.
graph_writer::values in_order(const written_step& s, std::int64_t count, bool descending) {
  auto& to = s.to();
  const auto rows = s.in();
  const auto x = to.cast(rows, rows.element == boolean ? int32 : computed(rows.element));
  const auto& dims = s.result().dims;
  return to.add("TopK", {x, to.list(std::vector{count})},
                {{"", x.element, dims}, {"", int64, dims}},
                {{"axis", std::int64_t{-1}}, {"largest", std::int64_t{descending}}});
}

graph_writer::values all_in_order(const written_step& s) {
  const auto& dims = s.result().dims;
  return in_order(s, dims[dims.rank() - 1], s.given<sort_attributes>().descending);
}

void write_sort(const written_step& s) { s.out(all_in_order(s)[0]); }
void write_argsort(const written_step& s) { s.out(all_in_order(s)[1]); }
void write_argtopk(const written_step& s) {
  s.out(in_order(s, s.given<topk_attributes>().count, true)[1]);
}

/// Counts the elements before each value. NaN comes last.
void write_search(const written_step& s) {
  auto& to = s.to();
  const auto own = promote(s.element(0), s.element(1));
  const auto element = own == boolean ? int32 : computed(own);
  auto dims = s.result().dims;
  dims.push_back(1);
  const term sorted(to, to.cast(s.in(0), element)),
      values(to, to.reshape(to.cast(s.in(1), element), dims));
  const bool right = s.given<search_attributes>().right;
  auto before = right ? compare("LessOrEqual", sorted, values) : sorted < values;
  if (is_floating(element)) {
    const auto behind_all = test("IsNaN", values);
    before = before | (right ? behind_all : behind_all & !test("IsNaN", sorted));
  }
  const std::int64_t last[] = {s.result().dims.rank()};
  s.out(to.add("ReduceSum", {before.cast(int64).value(), to.list(last)}, int64, s.result().dims,
               {{"keepdims", std::int64_t{0}}}));
}

}  // namespace

std::vector<step_rule> sorting_step_rules() {
  return {{&sort_operation, write_sort},
          {&argsort_operation, write_argsort},
          {&argtopk_operation, write_argtopk},
          {&searchsorted_operation, write_search}};
}

}  // namespace troupe
