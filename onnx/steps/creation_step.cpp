// SPDX-License-Identifier: MIT
#include <bit>

#include "troupe/devices/attributes.hpp"
#include "troupe/onnx/steps/step_rule.hpp"
#include "troupe/onnx/tensor_proto.hpp"
#include "troupe/onnx/term.hpp"
#include "troupe/onnx/written_step.hpp"
#include "troupe/tensor/ops/creation.hpp"

namespace troupe {

namespace {

void write_full(const written_step& s) {
  const auto element = s.result().element;
  const auto& value = s.given<full_attributes>().value;
  auto number = is_floating(element)
                    ? element_of(element, value.real)
                    : onnx_number{element, static_cast<std::uint64_t>(value.integer)};
  if (s.result().dims.rank() == 0) return s.out(s.to().number(number));
  s.out(s.to().full(s.result().dims, number));
}

void write_eye(const written_step& s) {
  const auto& dims = s.result().dims;
  const auto element = s.result().element == bfloat16 ? float32 : s.result().element;
  s.out(s.to().add(
      "EyeLike", {s.to().full(dims, {float32, 0})}, element, dims,
      {{"dtype", std::int64_t{onnx_type_of(element)}}, {"k", s.given<eye_attributes>().diagonal}}));
}

term counted(const written_step& s) {
  auto& to = s.to();
  const auto n = s.result().dims.size();
  const auto number = [&](std::int64_t x) {
    return to.number(onnx_number{int64, static_cast<std::uint64_t>(x)});
  };
  return {to, to.add("Range", {number(0), number(n), number(1)}, int64, {n})};
}

/// Returns start + i * step, in double precision.
term spaced(const written_step& s, double start, double step) {
  const auto places = counted(s).cast(float64);
  const auto steps = step == 1 ? places : places * step;
  return std::bit_cast<std::uint64_t>(start) == 0 ? steps : steps + start;
}

void write_arange(const written_step& s) {
  const auto& [start, step] = s.given<arange_attributes>();
  if (is_floating(s.result().element)) return s.out(spaced(s, start.real, step.real).value());
  const auto number = [&](std::int64_t x) {
    return term(s.to(), s.to().number(onnx_number{int64, static_cast<std::uint64_t>(x)}));
  };
  auto out = counted(s);
  if (step.integer != 1) out = out * number(step.integer);
  if (start.integer != 0) out = out + number(start.integer);
  s.out(out.value());
}

void write_linspace(const written_step& s) {
  const auto& given = s.given<linspace_attributes>();
  const auto n = s.result().dims.size();
  auto out = spaced(s, given.start, given.step);
  if (n > 1 && given.with_stop) {
    const auto is_last = counted(s) == static_cast<double>(n - 1);
    out = choose(is_last, given.stop, out);
  }
  if (is_floating(s.result().element)) return s.out(out.value());
  s.out(call("Floor", out).cast(int64).value());
}

}  // namespace

std::vector<step_rule> creation_step_rules() {
  return {{&full_operation, write_full},     {&zeros_operation, write_full},
          {&ones_operation, write_full},     {&eye_operation, write_eye},
          {&arange_operation, write_arange}, {&linspace_operation, write_linspace}};
}

}  // namespace troupe
