// SPDX-License-Identifier: MIT
#include <numeric>

#include "troupe/onnx/rules/padding.hpp"
#include "troupe/onnx/rules/rule.hpp"
#include "troupe/onnx/rules/window.hpp"

namespace troupe {

namespace {

std::string surrounded(node& n, const std::string& x, const std::string& number,
                       const window::pair& before, const window::pair& behind, bool one = false) {
  const auto d = n.dims();
  const auto image = window::image_of(d);
  const shape all = one ? shape{1, 1, image[0], image[1]} : shape{d[0], d[1], image[0], image[1]};
  return padded(n, x, all, {0, 0, before[0], before[1]}, {0, 0, behind[0], behind[1]}, number,
                n.element());
}

std::string pooled(const window& w, const char* word, const std::string& x) {
  return std::string(word) + x + ", " + text_of(w.size) + ", stride=" + text_of(w.stride) + ')';
}

window window_of(node& n) {
  const auto d = n.dims();
  window w(n, d.rank(), {});
  n.refuse_if(!is_floating(n.element()), "of integers: not supported");
  n.refuse_if(w.dilation != window::pair{1, 1}, "attribute dilations: not supported");
  for (int i = 0; i < 2; ++i)
    n.refuse_if(w.before[i] >= w.size[i] || w.behind[i] >= w.size[i],
                "pads as large as the window");
  return w;
}

void max_pool(node& n) {
  auto w = window_of(n);
  // It orders the indices, which are not given.
  n.attribute("storage_order", 0);
  w.fit(n, window::image_of(n.dims()));
  const auto x = n.line(w.lifted(n.in(0)));
  n.out(0, w.lowered(pooled(w, "max_pool2d(", surrounded(n, x, "(-inf)", w.before, w.behind))));
}

/// Unless what pads counts, each sum is divided by the part of the window that lies in the image.
void average_pool(node& n) {
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

void global_pool(node& n) {
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
          {"AveragePool", average_pool},
          {"GlobalMaxPool", global_pool},
          {"GlobalAveragePool", global_pool}};
}

}  // namespace troupe
