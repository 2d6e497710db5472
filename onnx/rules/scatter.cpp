// SPDX-License-Identifier: MIT
#include <map>

#include "troupe/onnx/rules/flat_index.hpp"
#include "troupe/onnx/rules/rule.hpp"
#include "troupe/text/quoted.hpp"

namespace troupe {

namespace {

using sizes = std::vector<std::int64_t>;

/// Brings updates, rows of a size, to rows of the data. Of two for one row the last counts, unless
/// they are to be reduced.
void bring(graph_node& n, const std::string& positions, std::int64_t rows, std::int64_t row) {
  const std::map<std::string_view, std::string> words = {{"none", "put("},
                                                         {"add", "put_add("},
                                                         {"mul", "put_multiply("},
                                                         {"min", "put_minimum("},
                                                         {"max", "put_maximum("}};
  const auto reduction = n.text_attribute("reduction", "none");
  const auto word = words.find(reduction);
  n.refuse_if(word == words.end(), "attribute reduction " + quoted(reduction) + ": not supported");
  const auto flat = n.line("flatten(" + positions + ')');
  const auto updates = n.line("reshape(" + n.in(2) + ", " + text_of(sizes{-1, row}) + ')');
  const auto data = n.line("reshape(" + n.in(0) + ", " + text_of(sizes{rows, row}) + ')');
  n.out(0, "reshape(" + word->second + data + ", " + flat + ", " + updates + ", 0), " +
               text_of(n.dims()) + ')');
}

void scatter_elements(graph_node& n) {
  const auto d = n.dims(0), at = n.dims(1);
  const auto axis = n.axis_attribute(0, d.rank());
  n.refuse_if(at.rank() != d.rank() || n.dims(2) != at || at.size() == 0, "shapes that do not fit");
  flat_index index;
  for (int i = 0; i < d.rank(); ++i) {
    n.refuse_if(i != axis && at[i] > d[i], "indices of a larger shape");
    index.axes.push_back(i == axis ? n.in(1) : "");
    index.sizes.push_back(d[i]);
  }
  index.places = at;
  bring(n, index.write(n), d.size(), 1);
}

void scatter_nd(graph_node& n) {
  const auto d = n.dims(0), at = n.dims(1);
  n.refuse_if(d.rank() < 1 || at.rank() < 1 || at.size() == 0, "shapes that do not fit");
  const auto depth = at[at.rank() - 1];
  n.refuse_if(depth < 1 || depth > d.rank(), "more indices than axes");
  flat_index index;
  std::int64_t rows = 1, row = 1;
  for (int i = 0; i < d.rank(); ++i) {
    (i < depth ? rows : row) *= d[i];
    if (i >= depth) continue;
    index.axes.push_back(n.line(n.in(1) + "[..., " + std::to_string(i) + ']'));
    index.sizes.push_back(d[i]);
  }
  bring(n, index.write(n), rows, row);
}

}  // namespace

std::vector<rule> scatter_rules() {
  return {{"Scatter", scatter_elements},
          {"ScatterElements", scatter_elements},
          {"ScatterND", scatter_nd}};
}

}  // namespace troupe
