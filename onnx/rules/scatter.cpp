// SPDX-License-Identifier: MIT
#include <algorithm>

#include "troupe/onnx/rules/flat_index.hpp"
#include "troupe/onnx/rules/rule.hpp"
#include "troupe/text/quoted.hpp"

namespace troupe {

namespace {

using sizes = std::vector<std::int64_t>;

/// Brings so many updates, rows of a size, to rows of the data. Of two for one row the sum counts;
/// ONNX leaves it open, unless they are to be added.
void bring(node& n, const std::string& positions, std::int64_t count, std::int64_t rows,
           std::int64_t row, const std::string& reduction) {
  const auto type = n.element();
  n.refuse_if(!is_floating(type), "of integers: not supported");
  n.refuse_if(reduction != "none" && reduction != "add",
              "attribute reduction " + quoted(reduction) + ": not supported");
  const auto flat = n.line("flatten(" + positions + ')');
  const auto updates = n.line("reshape(" + n.in(2) + ", " + text_of(sizes{-1, row}) + ')');
  const auto data = n.line("reshape(" + n.in(0) + ", " + text_of(sizes{rows, row}) + ')');
  const auto to = ", " + flat + ", 0, " + std::to_string(rows) + ')';
  const auto sums = n.line("index_add(" + updates + to);
  const auto shaped = ", " + text_of(n.dims()) + ')';
  if (reduction == "add") return n.out(0, "reshape(" + data + " + " + sums + shaped);
  const auto times = n.line("index_add(ones(" + text_of(sizes{count, 1}) +
                            ", dtype=" + std::string(name(type)) + ')' + to);
  n.out(0, "reshape(where(" + times + " > 0, " + sums + ", " + data + ')' + shaped);
}

void scatter_elements(node& n) {
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
  bring(n, index.write(n), at.size(), d.size(), 1, n.text_attribute("reduction", "none"));
}

void scatter_nd(node& n) {
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
  bring(n, index.write(n), at.size() / depth, rows, row, n.text_attribute("reduction", "none"));
}

}  // namespace

std::vector<rule> scatter_rules() {
  return {{"Scatter", scatter_elements},
          {"ScatterElements", scatter_elements},
          {"ScatterND", scatter_nd}};
}

}  // namespace troupe
