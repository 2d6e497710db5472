// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "troupe/devices/cuda/expression_source.hpp"
#include "troupe/devices/cuda/nvrtc_library.hpp"
#include "troupe/devices/trace_elementwise.hpp"

// Compiling for a GPU needs none.

namespace troupe::testing {

namespace {

constexpr int hopper = 90;

/// Expressions of all elementwise operations, computed in a dtype.
std::vector<element_expression> of_all_operations(dtype compute) {
  std::vector<element_expression> out;
  for (int i = 0; i < elementwise_op_count; ++i) {
    const auto op = static_cast<elementwise_op>(i);
    const auto types = types_of(op, compute);
    if (!types || types->compute != compute) continue;
    element_expression e;
    const bool chosen = info(op).domain == elementwise_domain::selection;
    const std::int16_t operands[] = {e.add({primitive::input, chosen ? boolean : compute, {}, 0}),
                                     e.add({primitive::uniform, compute, {}, 1}),
                                     e.add({primitive::number, compute, {}, 0})};
    const auto result = trace(e, op, compute, operands);
    if (e.refused()) continue;
    e.outputs = {result};
    out.push_back(std::move(e));
  }
  return out;
}

}  // namespace

TEST_CASE("NVRTC compiles the source of every elementwise operation for every dtype") {
  if (cuda::machine_code_of("", hopper).empty()) {
    WARN("NVRTC is not installed");
    return;
  }
  for (const auto compute : {boolean, int32, int64, float32, float64}) {
    // All in one source, each in a namespace of its own: compiling takes long to begin with. Of
    // the four kernels of each one becomes machine code, which takes longest.
    std::string all;
    const auto expressions = of_all_operations(compute);
    REQUIRE(expressions.size() >= 15);
    for (std::size_t i = 0; i < expressions.size(); ++i) {
      auto one = cuda::source_of(expressions[i]);
      CAPTURE(name(compute), i);
      REQUIRE(!one.empty());
      const auto number = std::to_string(i);
      const std::string entries[] = {cuda::entry::packs, cuda::entry::row_packs, cuda::entry::rows,
                                     cuda::entry::long_rows};
      for (const auto& entry : entries) {
        const auto at = one.find(") " + entry + "(");
        REQUIRE(at != std::string::npos);
        one.insert(at + 2 + entry.size(), "_" + number);
        if (entry == entries[i % std::size(entries)]) continue;
        const std::string_view kernel = "extern \"C\" __global__ void __launch_bounds__(threads)";
        const auto begin = one.rfind(kernel, at);
        REQUIRE(begin != std::string::npos);
        one.replace(begin, kernel.size(), "static __device__ void");
      }
      all += "namespace part_" + number + " {" + one + "}\n";
    }
    CAPTURE(name(compute));
    CHECK(!cuda::machine_code_of(all, hopper).empty());
  }
}

TEST_CASE("NVRTC compiles conversions of everything that programs convert on GPUs") {
  if (cuda::machine_code_of("", hopper).empty()) return;
  element_expression e;  // all in one: compiling takes long to begin with
  std::uint64_t position = 0;
  for (const auto from : {boolean, int8, uint8, int16, uint16, int32, float32, float64}) {
    for (const auto where : {primitive::input, primitive::uniform}) {
      const auto x = e.add({where, from, {}, position++});
      for (const auto to : {int32, int64, float32, float64}) {
        if (!is_floating(from) || is_floating(to))
          e.outputs.push_back(e.add({primitive::convert, to, {x}}));
      }
    }
  }
  CHECK(!cuda::machine_code_of(cuda::source_of(e), hopper).empty());
}

TEST_CASE("NVRTC's refusal is no machine code") {
  CHECK(cuda::machine_code_of("this is no C++", hopper).empty());
  CHECK(cuda::machine_code_of("", 1).empty());
}

TEST_CASE("an expression that GPUs compute differently has no source") {
  element_expression e;
  const auto x = e.add({primitive::input, float32, {}, 0});
  e.outputs = {e.add({primitive::convert, int32, {x}})};
  CHECK(cuda::source_of(e).empty());
  element_expression none;
  CHECK(cuda::source_of(none).empty());
  element_expression narrow;
  narrow.outputs = {narrow.add({primitive::input, float16, {}, 0})};
  CHECK(cuda::source_of(narrow).empty());
}

}  // namespace troupe::testing
