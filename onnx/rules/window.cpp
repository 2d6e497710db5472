// SPDX-License-Identifier: MIT
#include "troupe/onnx/rules/window.hpp"

#include "troupe/text/quoted.hpp"

namespace troupe {

window::window(graph_node& n, int rank, const std::vector<std::int64_t>& kernel) {
  n.refuse_if(rank != 3 && rank != 4, "with " + std::to_string(rank - 2) + " axes: not supported");
  one_axis = rank == 3;
  const auto axes = static_cast<std::size_t>(rank - 2);
  const auto read = [&](const char* name, std::size_t count,
                        std::int64_t least) -> std::optional<std::vector<std::int64_t>> {
    const auto given = n.list_attribute(name);
    if (!given) return {};
    n.refuse_if(given->size() != count, std::string("attribute ") + name + " has another length");
    for (const auto x : *given)
      n.refuse_if(x < least || x > 1'000'000, std::string("attribute ") + name + ": not supported");
    return given;
  };
  const auto set = [&](pair& to, const std::vector<std::int64_t>& from, std::int64_t missing) {
    if (one_axis) to = {missing, from[0]};
    else to = {from[0], from[1]};
  };
  const auto given = read("kernel_shape", axes, 1);
  n.refuse_if(given && !kernel.empty() && *given != kernel,
              "attribute kernel_shape is not that of the kernel");
  const auto sizes = kernel.empty() ? given : kernel;
  n.refuse_if(!sizes, "has no attribute kernel_shape");
  set(size, *sizes, 1);
  if (const auto x = read("strides", axes, 1)) set(stride, *x, 1);
  if (const auto x = read("dilations", axes, 1)) set(dilation, *x, 1);
  const auto pads = read("pads", 2 * axes, 0);
  if (pads) {
    set(before, {pads->begin(), pads->begin() + axes}, 0);
    set(behind, {pads->begin() + axes, pads->end()}, 0);
  }
  const auto automatic = n.text_attribute("auto_pad", "NOTSET");
  n.refuse_if(automatic != "NOTSET" && automatic != "VALID" && automatic != "SAME_UPPER" &&
                  automatic != "SAME_LOWER",
              "attribute auto_pad " + quoted(automatic) + ": not supported");
  n.refuse_if(automatic != "NOTSET" && pads && (before != pair{} || behind != pair{}),
              "attributes auto_pad and pads");
  if (automatic.starts_with("SAME")) fits = automatic;
  rounds_up = n.attribute("ceil_mode", 0) != 0;
}

void window::fit(graph_node& n, const pair& image) {
  for (int i = 0; i < 2; ++i) {
    if (!fits.empty()) {
      const auto count = (image[i] + stride[i] - 1) / stride[i];
      const auto all = std::max<std::int64_t>((count - 1) * stride[i] + reach(i) - image[i], 0);
      before[i] = fits == "SAME_UPPER" ? all / 2 : all - all / 2;
      behind[i] = all - before[i];
    }
    const auto room = image[i] + before[i] + behind[i] - reach(i);
    n.refuse_if(room < 0, "a window that is larger than the image");
    if (rounds_up && room % stride[i] != 0) {
      behind[i] += stride[i] - room % stride[i];
      // Versions differ in counting such a window.
      n.refuse_if((room / stride[i] + 1) * stride[i] >= image[i] + before[i],
                  "a window that lies outside of the image: not supported");
    }
  }
}

window::pair window::image_of(const shape& dims) {
  if (dims.rank() == 3) return {1, dims[2]};
  return {dims[2], dims[3]};
}

std::string window::lifted(const std::string& x) const {
  return one_axis ? "expand_dims(" + x + ", 2)" : x;
}

std::string window::lowered(const std::string& x) const {
  return one_axis ? "squeeze(" + x + ", 2)" : x;
}

std::string text_of(const window::pair& numbers) {
  return text_of(std::vector<std::int64_t>(numbers.begin(), numbers.end()));
}

}  // namespace troupe
