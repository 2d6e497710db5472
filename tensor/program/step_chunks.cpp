// SPDX-License-Identifier: MIT
#include "troupe/tensor/program/step_chunks.hpp"

#include <exception>
#include <span>

#include "troupe/tensor/program/row_joining.hpp"

namespace troupe {

namespace {

constexpr std::int64_t enough = 4;  // for few lanes

std::int64_t chunks_of(const program_step& s, const graph& of) {
  const auto& out = of.types[static_cast<std::size_t>(s.outputs[0])];
  std::vector<layout> views;
  for (const auto& in : s.inputs) views.push_back(view_of(of, in));
  views.emplace_back(out.dims);
  std::vector<array> arrays;
  for (std::size_t i = 0; i < views.size(); ++i)
    arrays.push_back({nullptr, i < s.inputs.size() ? s.inputs[i].element : out.element,
                      views[i].dims.rank(), views[i].dims.data(), views[i].strides});
  const std::span all(arrays);
  const auto in = s.inputs.size();
  return s.kernel->chunks ? s.kernel->chunks({all.first(in), all.subspan(in), s.given.data()}) : 1;
}

}  // namespace

bool is_shared(const program_step& s, const graph& of) {
  try {
    return chunks_of(s, of) >= enough;
  } catch (const std::exception&) { return false; }  // which it will tell when it runs
}

}  // namespace troupe
