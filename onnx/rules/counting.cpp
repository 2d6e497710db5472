// SPDX-License-Identifier: MIT
#include <onnx/onnx_pb.h>

#include <algorithm>

#include "troupe/onnx/graph_node.hpp"
#include "troupe/onnx/rules/rule.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/text/quoted.hpp"

namespace troupe {

namespace {

using sizes = std::vector<std::int64_t>;

/// Writes how often sequences of a length stand in rows [n, count], where neighbours lie so far
/// apart: [n, sequences].
std::string occurrences(graph_node& n, const std::string& rows, std::int64_t count,
                        const std::string& sequences, std::int64_t length, std::int64_t distance) {
  const auto starts = count - (length - 1) * distance;
  std::string all;
  for (std::int64_t i = 0; i < length; ++i) {
    const auto from = std::to_string(i * distance);
    const auto to = std::to_string(i * distance + starts);
    all += (i > 0 ? ", " : "") + rows + "[:, " + from + ':' + to + ']';
  }
  const auto windows = n.line("expand_dims(stack([" + all + "], axis=2), 2)");
  return n.line("sum(all(equal(" + windows + ", " + sequences + "), axis=-1), axis=1)");
}

/// Counts each of some sequences of numbers in the rows, also with numbers between.
void count_sequences(graph_node& n) {
  const auto d = n.dims();
  n.refuse_if(d.rank() != 1 && d.rank() != 2, "not of rows: not supported");
  const auto pool = n.list_attribute("pool_int64s").value_or(sizes{});
  const auto begins = n.list_attribute("ngram_counts").value_or(sizes{});
  const auto places = n.list_attribute("ngram_indexes").value_or(sizes{});
  const auto least = n.attribute("min_gram_length", 1), most = n.attribute("max_gram_length", 1);
  const auto skips = n.attribute("max_skip_count", 0);
  const auto mode = n.text_attribute("mode", "");
  n.refuse_if(pool.empty() || places.empty(), "has no attribute pool_int64s or ngram_indexes");
  n.refuse_if(mode != "TF" && mode != "IDF" && mode != "TFIDF",
              "attribute mode " + quoted(mode) + ": not supported");
  n.refuse_if(least < 1 || most < least || most > 100 || skips < 0 || skips > 1000,
              "such lengths: not supported");
  const auto width = *std::ranges::max_element(places) + 1;
  n.refuse_if(std::ranges::min(places) < 0 || width > 1'000'000, "such places: not supported");
  const auto count = d[d.rank() - 1], lines = d.rank() == 2 ? d[0] : 1;
  const auto rows =
      n.line("reshape(astype(" + n.in(0) + ", int64), " + text_of(sizes{lines, count}) + ')');
  auto total = n.line("zeros(" + text_of(sizes{lines, width}) + ')');
  std::size_t number = 0;
  for (std::int64_t length = 1; std::cmp_less_equal(length, begins.size()); ++length) {
    const auto at = static_cast<std::size_t>(length);
    const auto from = begins[at - 1];
    const auto to = at < begins.size() ? begins[at] : static_cast<std::int64_t>(pool.size());
    n.refuse_if(
        from < 0 || to < from || std::cmp_greater(to, pool.size()) || (to - from) % length != 0,
        "attribute ngram_counts: not supported");
    const auto own = static_cast<std::size_t>((to - from) / length);
    n.refuse_if(number + own > places.size(), "attribute ngram_indexes is too short");
    const auto first = places.begin() + static_cast<std::ptrdiff_t>(number);
    number += own;
    if (own == 0 || length < least || length > most) continue;
    const auto sequences = n.constant(from_data(sizes(pool.begin() + from, pool.begin() + to),
                                                {static_cast<std::int64_t>(own), length}));
    const auto columns =
        n.constant(from_data(sizes(first, first + static_cast<std::ptrdiff_t>(own))));
    for (std::int64_t distance = 1; distance <= (length == 1 ? 1 : skips + 1); ++distance) {
      if ((length - 1) * distance >= count) break;
      const auto found = occurrences(n, rows, count, sequences, length, distance);
      total = n.line("put_add(" + total + ", " + columns + ", astype(" + found + ", float32), 1)");
    }
  }
  std::string weights = "1";
  if (const auto* given = n.raw_attribute("weights")) {
    std::vector<float> all(static_cast<std::size_t>(width), 1);
    n.refuse_if(std::cmp_not_equal(given->floats_size(), places.size()),
                "attribute weights has another length");
    for (int i = 0; i < given->floats_size(); ++i)
      all[static_cast<std::size_t>(places[static_cast<std::size_t>(i)])] = given->floats(i);
    weights = n.constant(from_data(all));
  }
  if (mode == "IDF") total = n.line("astype(" + total + " > 0, float32) * " + weights);
  else if (mode == "TFIDF") total = n.line(total + " * " + weights);
  n.out(0, d.rank() == 2 ? total : total + "[0]");
}

}  // namespace

std::vector<rule> counting_rules() { return {{"TfIdfVectorizer", count_sequences}}; }

}  // namespace troupe
