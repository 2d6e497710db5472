// SPDX-License-Identifier: MIT
#include "troupe/devices/attributes.hpp"
#include "troupe/onnx/steps/step_rule.hpp"
#include "troupe/onnx/written_step.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/dtypes.hpp"
#include "troupe/tensor/ops/indexing.hpp"

namespace troupe {

namespace {

/// Lets an input, perhaps as another dtype, be the result.
void write_copy(const written_step& s) { s.out(s.in()); }

void write_concatenate(const written_step& s) {
  graph_writer::values parts;
  for (std::size_t i = 0; i < s.inputs(); ++i)
    parts.push_back(s.to().cast(s.in(i), s.result().element));
  s.out(s.to().add("Concat", parts, s.result().element, s.result().dims,
                   {{"axis", std::int64_t{s.given<axis_attributes>().axis}}}));
}

}  // namespace

std::vector<step_rule> copying_step_rules() {
  return {{&copy_operation, write_copy},
          {&transfer_operation, write_copy},
          {&astype_operation, write_copy},
          {&concatenate_operation, write_concatenate}};
}

}  // namespace troupe
