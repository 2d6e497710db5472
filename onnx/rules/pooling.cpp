// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>

#include "troupe/onnx/rules/padding.hpp"
#include "troupe/onnx/rules/rule.hpp"
#include "troupe/onnx/rules/volume.hpp"
#include "troupe/onnx/rules/window.hpp"

namespace troupe {

namespace {

std::string surrounded(graph_node& n, const std::string& x, const std::string& number,
                       const window::pair& before, const window::pair& behind, bool one = false,
                       std::optional<dtype> element = {}) {
  const auto d = n.dims();
  const auto image = window::image_of(d);
  const shape all = one ? shape{1, 1, image[0], image[1]} : shape{d[0], d[1], image[0], image[1]};
  return padded(n, x, all, {0, 0, before[0], before[1]}, {0, 0, behind[0], behind[1]}, number,
                element.value_or(n.element()));
}

std::string pooled(const window& w, const char* word, const std::string& x) {
  return std::string(word) + x + ", " + text_of(w.size) + ", stride=" + text_of(w.stride) + ')';
}

window window_of(graph_node& n) {
  const auto d = n.dims();
  window w(n, d.rank(), {});
  n.refuse_if(!is_floating(n.element()), "of integers: not supported");
  n.refuse_if(w.dilation != window::pair{1, 1}, "attribute dilations: not supported");
  for (int i = 0; i < 2; ++i)
    n.refuse_if(w.before[i] >= w.size[i] || w.behind[i] >= w.size[i],
                "pads as large as the window");
  return w;
}

/// Returns true for windows that reach over more axes than images have, or leave elements out.
bool goes_by_axes(graph_node& n) {
  const auto dilations = n.list_attribute("dilations").value_or(std::vector<std::int64_t>{});
  return n.rank() > 4 || std::ranges::any_of(dilations, [](auto one) { return one != 1; });
}

/// Writes the places of the greatest elements among all of the array. Those within an image count
/// row by row, or column by column.
void write_places(graph_node& n, const window& w, const std::string& x) {
  const auto d = n.dims();
  const auto image = window::image_of(d);
  const std::vector<std::int64_t> rows = {d[0], d[1], image[0], image[1]},
                                  columns = {d[0], d[1], image[1], image[0]};
  const bool by_columns = n.attribute("storage_order", 0) != 0;
  auto places = n.line("reshape(arange(" + std::to_string(d.size()) + ", dtype=float64), " +
                       text_of(by_columns ? columns : rows) + ')');
  if (by_columns) places = n.line("swapaxes(" + places + ", 2, 3)");
  const auto around = surrounded(n, places, "0", w.before, w.behind, false, float64);
  n.out(1, w.lowered("astype(max_pool2d_pick(astype(" + x + ", float64), " + around + ", " +
                     text_of(w.size) + ", stride=" + text_of(w.stride) + "), int64)"));
}

void max_pool(graph_node& n) {
  if (goes_by_axes(n)) return pool_by_axes(n);
  auto w = window_of(n);
  n.attribute("storage_order", 0);
  w.fit(n, window::image_of(n.dims()));
  const auto x = n.line(w.lifted(n.in(0)));
  const auto around = surrounded(n, x, "(-inf)", w.before, w.behind);
  n.out(0, w.lowered(pooled(w, "max_pool2d(", around)));
  if (n.wants(1)) write_places(n, w, around);
}

/// Zeros, but elements at the places that a pool of such windows took them from.
void max_unpool(graph_node& n) {
  const auto d = n.dims();
  const auto windows = windows_of(n, {});
  n.refuse_if(n.dims(1) != d, "shapes that do not fit");
  std::vector<std::int64_t> own = {d[0], d[1]}, before(static_cast<std::size_t>(d.rank())),
                            behind = before;
  auto count = shape{d[0], d[1]}.size();
  for (int i = 2; i < d.rank(); ++i) {
    const auto& w = windows[static_cast<std::size_t>(i - 2)];
    own.push_back((d[i] - 1) * w.stride - w.before - w.behind + w.size);
    n.refuse_if(own.back() < 1 || own.back() > 1'000'000 || count > most_positions,
                "such sizes: not supported");
    count *= own.back();
  }
  const auto all =
      n.line("put(zeros([" + std::to_string(count) + "], dtype=" + std::string(name(n.element())) +
             "), flatten(" + n.in(1) + "), flatten(" + n.in(0) + "), 0)");
  const auto shaped = n.line("reshape(" + all + ", " + text_of(own) + ')');
  if (!n.has(2)) return n.out_is(0, shaped);
  const auto wanted = n.integers(2);
  n.refuse_if(wanted.size() != own.size(), "its output_shape does not fit");
  shape dims;
  for (std::size_t i = 0; i < own.size(); ++i) {
    n.refuse_if(wanted[i] < own[i], "its output_shape is too small");
    behind[i] = wanted[i] - own[i];
    dims.push_back(own[i]);
  }
  n.out_is(0, padded(n, shaped, dims, before, behind, "0", n.element()));
}

/// Unless what pads counts, each sum is divided by the part of the window that lies in the image.
void average_pool(graph_node& n) {
  if (goes_by_axes(n)) return pool_by_axes(n);
  auto w = window_of(n);
  const bool counts = n.attribute("count_include_pad", 0) != 0;
  const auto declared = w.behind;
  w.fit(n, window::image_of(n.dims()));
  n.refuse_if(counts && w.fits.empty() && w.behind != declared,
              "attributes ceil_mode and count_include_pad: not supported");
  const auto x = n.line(w.lifted(n.in(0)));
  const auto means = pooled(w, "avg_pool2d(", surrounded(n, x, "0", w.before, w.behind));
  const bool pads = w.before != window::pair{} || w.behind != window::pair{};
  if (counts || !pads) return n.out(0, w.lowered(means));
  const auto image = window::image_of(n.dims());
  const auto ones = n.line("ones(" + text_of(shape{1, 1, image[0], image[1]}) +
                           ", dtype=" + std::string(name(n.element())) + ')');
  const auto shares = pooled(w, "avg_pool2d(", surrounded(n, ones, "0", w.before, w.behind, true));
  n.out(0, w.lowered('(' + means + " / " + shares + ')'));
}

void global_pool(graph_node& n) {
  const auto rank = n.rank();
  n.refuse_if(rank < 3, "of less than three axes: not supported");
  std::vector<std::int64_t> axes(static_cast<std::size_t>(rank - 2));
  std::iota(axes.begin(), axes.end(), 2);
  n.out(0, std::string(n.op() == "GlobalMaxPool" ? "max(" : "mean(") + n.in(0) +
               ", axis=" + text_of(axes) + ", keepdims=true)");
}

}  // namespace

std::vector<rule> pooling_rules() {
  return {{"MaxPool", max_pool},
          {"MaxUnpool", max_unpool},
          {"AveragePool", average_pool},
          {"GlobalMaxPool", global_pool},
          {"GlobalAveragePool", global_pool}};
}

}  // namespace troupe
