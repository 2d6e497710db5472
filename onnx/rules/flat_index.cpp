// SPDX-License-Identifier: MIT
#include "troupe/onnx/rules/flat_index.hpp"

namespace troupe {

std::string flat_index::write(graph_node& n) const {
  std::string sum, inside;
  std::int64_t stride = 1;
  for (std::size_t i = axes.size(); i-- > 0;) {
    const auto size = std::to_string(sizes[i]);
    std::string position;
    if (axes[i].empty()) {
      std::vector<std::int64_t> along(static_cast<std::size_t>(places.rank()), 1);
      along[i] = places[static_cast<int>(i)];
      position =
          n.line("reshape(arange(" + std::to_string(along[i]) + "), " + text_of(along) + ')');
    } else {
      const auto given = n.line("astype(" + axes[i] + ", int64)");
      position = n.line("where(" + given + " < 0, " + given + " + " + size + ", " + given + ')');
      inside = n.line((inside.empty() ? "" : inside + " * ") + "logical_and(" + position +
                      " >= 0, " + position + " < " + size + ')');
    }
    sum = n.line((sum.empty() ? "" : sum + " + ") + position + " * " + std::to_string(stride));
    stride *= sizes[i];
  }
  return inside.empty()
             ? sum
             : n.line("where(" + inside + ", " + sum + ", " + std::to_string(stride) + ')');
}

}  // namespace troupe
