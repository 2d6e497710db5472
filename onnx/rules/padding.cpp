// SPDX-License-Identifier: MIT
#include "troupe/onnx/rules/padding.hpp"

namespace troupe {

std::string padded(graph_node& n, std::string x, shape dims,
                   const std::vector<std::int64_t>& before, const std::vector<std::int64_t>& behind,
                   const std::string& number, dtype element) {
  for (int i = 0; i < dims.rank(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    n.refuse_if(before[at] > most_positions || behind[at] > most_positions,
                "so large pads: not supported");
    const auto filled = [&](std::int64_t count) {
      auto part = dims;
      part[i] = count;
      return "broadcast_to(astype(" + number + ", " + std::string(name(element)) + "), " +
             text_of(part) + ')';
    };
    std::string all;
    if (before[at] > 0) all = filled(before[at]) + ", ";
    all += x;
    if (behind[at] > 0) all += ", " + filled(behind[at]);
    if (before[at] > 0 || behind[at] > 0)
      x = n.line("concatenate([" + all + "], axis=" + std::to_string(i) + ')');
    dims[i] += before[at] + behind[at];
  }
  return x;
}

}  // namespace troupe
