// SPDX-License-Identifier: MIT
#include "troupe/onnx/rules/padding.hpp"
#include "troupe/onnx/rules/rule.hpp"
#include "troupe/onnx/rules/volume.hpp"
#include "troupe/onnx/rules/window.hpp"

namespace troupe {

namespace {

std::vector<std::int64_t> kernel_of(graph_node& n) {
  const auto w = n.dims(1);
  n.refuse_if(w.rank() != n.rank() || w.rank() < 3, "a kernel with another number of axes");
  return {w.begin() + 2, w.end()};
}

std::string options_of(graph_node& n, const window& w) {
  return ", stride=" + text_of(w.stride) + ", dilation=" + text_of(w.dilation) +
         ", groups=" + std::to_string(n.attribute("group", 1));
}

/// Images with zeros around them, as images [n, channels, h, w].
std::string with_zeros(graph_node& n, const window& w, const std::string& x) {
  const auto d = n.dims();
  const auto image = window::image_of(d);
  return padded(n, x, {d[0], d[1], image[0], image[1]}, {0, 0, w.before[0], w.before[1]},
                {0, 0, w.behind[0], w.behind[1]}, "0", n.element());
}

void convolve(graph_node& n) {
  const auto d = n.dims();
  if (d.rank() == 5) return convolve_volumes(n);
  window w(n, d.rank(), kernel_of(n));
  w.fit(n, window::image_of(d));
  auto x = w.one_axis ? n.line(w.lifted(n.in(0))) : n.in(0);
  if (!w.symmetric()) x = with_zeros(n, w, x);
  auto text = "conv2d(" + x + ", " + w.lifted(n.in(1)) + options_of(n, w);
  if (w.symmetric()) text += ", padding=" + text_of(w.before);
  if (n.has(2)) text += ", bias=" + n.in(2);
  n.out(0, w.lowered(text + ')'));
}

/// All that the kernels reach, of which the padding is cut off.
void convolve_transposed(graph_node& n) {
  const auto d = n.dims();
  if (d.rank() == 5) return convolve_volumes_transposed(n);
  window w(n, d.rank(), kernel_of(n));
  const auto image = window::image_of(d);
  const auto pair_of = [&](const char* name) -> std::optional<window::pair> {
    const auto given = n.list_attribute(name);
    if (!given) return {};
    n.refuse_if(std::cmp_not_equal(given->size(), d.rank() - 2),
                std::string("attribute ") + name + ": not supported");
    for (const auto x : *given)
      n.refuse_if(x < 0 || x > most_positions,
                  std::string("attribute ") + name + ": not supported");
    return w.one_axis ? window::pair{0, (*given)[0]} : window::pair{(*given)[0], (*given)[1]};
  };
  auto more = pair_of("output_padding").value_or(window::pair{0, 0});
  const auto wanted = pair_of("output_shape");
  window::pair whole, cut = w.before, size;
  for (int i = 0; i < 2; ++i) {
    const auto own = i == 0 && w.one_axis;
    n.refuse_if(more[i] >= std::max(w.stride[i], w.dilation[i]),
                "attribute output_padding: not supported");
    const auto all = w.stride[i] * (image[i] - 1) + w.reach(i);
    whole[i] = all;
    size[i] = all + more[i] - w.before[i] - w.behind[i];
    if (!own && (wanted || !w.fits.empty())) {
      size[i] = wanted ? (*wanted)[i] : image[i] * w.stride[i];
      // Zeros at the end stand where the kernels do not reach.
      more[i] = std::max(more[i], size[i] - all);
      const auto gone = all + more[i] - size[i];
      cut[i] = w.fits == "SAME_UPPER" ? gone / 2 : gone - gone / 2;
    }
    n.refuse_if(size[i] < 1, "an output without elements: not supported");
  }
  const auto channels = n.dims(1)[1] * n.attribute("group", 1);
  auto x = n.line("conv2d_input_gradient(" + w.lifted(n.in(0)) + ", " + w.lifted(n.in(1)) +
                  ", size=" + text_of(whole) + options_of(n, w) + ')');
  // The elements of output_padding lie beyond the kernels.
  x = padded(n, x, {d[0], channels, whole[0], whole[1]}, {0, 0, 0, 0}, {0, 0, more[0], more[1]},
             "0", n.element());
  for (int i = 0; i < 2; ++i) {
    if (cut[i] == 0 && size[i] == whole[i] + more[i]) continue;
    x = n.line("slice(" + x + ", " + std::to_string(i + 2) + ", " + std::to_string(cut[i]) + ", " +
               std::to_string(cut[i] + size[i]) + ')');
  }
  if (n.has(2)) x = n.line(x + " + reshape(" + n.in(2) + ", [-1, 1, 1])");
  n.out(0, w.lowered(x));
}

}  // namespace

std::vector<rule> convolution_rules() {
  return {{"Conv", convolve}, {"ConvTranspose", convolve_transposed}};
}

}  // namespace troupe
