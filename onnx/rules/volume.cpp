// SPDX-License-Identifier: MIT
#include "troupe/onnx/rules/volume.hpp"

#include <numeric>

#include "troupe/onnx/rules/padding.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/text/quoted.hpp"

namespace troupe {

namespace {

using sizes = std::vector<std::int64_t>;

/// Most elements of a window along one axis: each is a line.
constexpr std::int64_t most_elements = 1000;

/// Returns the padding that lets a window take as many places as an image has strides.
void fit(axis_window& w, std::int64_t positions, bool upper) {
  const auto count = (positions + w.stride - 1) / w.stride;
  const auto all = std::max<std::int64_t>((count - 1) * w.stride + w.reach() - positions, 0);
  w.before = upper ? all / 2 : all - all / 2;
  w.behind = all - w.before;
}

/// The images of a volume side by side, [n * depth, channels, height, width].
std::string as_images(graph_node& n, const std::string& x, const sizes& dims) {
  return n.line("reshape(swapaxes(" + x + ", 1, 2), " +
                text_of(sizes{dims[0] * dims[2], dims[1], dims[3], dims[4]}) + ')');
}

std::string with_zeros(graph_node& n, const std::string& x, const shape& dims,
                       const std::vector<axis_window>& windows, const std::string& number) {
  sizes before = {0, 0}, behind = {0, 0};
  for (const auto& w : windows) {
    before.push_back(w.before);
    behind.push_back(w.behind);
  }
  return padded(n, x, dims, before, behind, number, n.element());
}

std::string pair_text(const axis_window& a, const axis_window& b,
                      std::int64_t axis_window::*member) {
  return text_of(sizes{a.*member, b.*member});
}

std::string options_of(const std::vector<axis_window>& w, std::int64_t groups) {
  return ", stride=" + pair_text(w[1], w[2], &axis_window::stride) +
         ", dilation=" + pair_text(w[1], w[2], &axis_window::dilation) +
         ", groups=" + std::to_string(groups) + ')';
}

/// Returns a kernel's images at one depth.
std::string kernel_at(graph_node& n, std::int64_t depth) {
  return n.line(n.in(1) + "[:, :, " + std::to_string(depth) + ']');
}

std::vector<axis_window> kernel_windows(graph_node& n) {
  const auto w = n.dims(1);
  n.refuse_if(w.rank() != 5, "a kernel with another number of axes");
  return windows_of(n, {w.begin() + 2, w.end()});
}

}  // namespace

std::string axis_window::part(std::int64_t element, std::int64_t positions) const {
  const auto from = element * dilation;
  return std::to_string(from) + ", " + std::to_string(from + (places(positions) - 1) * stride + 1) +
         ", " + std::to_string(stride);
}

std::vector<axis_window> windows_of(graph_node& n, const sizes& kernel) {
  const auto dims = n.dims();
  n.refuse_if(dims.rank() < 3, "of less than three axes: not supported");
  const auto count = static_cast<std::size_t>(dims.rank() - 2);
  const auto read = [&](const char* name, std::size_t length, sizes otherwise, std::int64_t least) {
    const auto given = n.list_attribute(name).value_or(std::move(otherwise));
    n.refuse_if(given.size() != length, std::string("attribute ") + name + " has another length");
    for (const auto x : given)
      n.refuse_if(x < least || x > 1'000'000, std::string("attribute ") + name + ": not supported");
    return given;
  };
  const auto size = read("kernel_shape", count, kernel, 1);
  n.refuse_if(!kernel.empty() && size != kernel,
              "attribute kernel_shape is not that of the kernel");
  const auto strides = read("strides", count, sizes(count, 1), 1);
  const auto dilations = read("dilations", count, sizes(count, 1), 1);
  const auto pads = read("pads", 2 * count, sizes(2 * count, 0), 0);
  const auto automatic = n.text_attribute("auto_pad", "NOTSET");
  const bool fits = automatic == "SAME_UPPER" || automatic == "SAME_LOWER";
  n.refuse_if(!fits && automatic != "NOTSET" && automatic != "VALID",
              "attribute auto_pad " + quoted(automatic) + ": not supported");
  std::vector<axis_window> out;
  for (std::size_t i = 0; i < count; ++i) {
    axis_window w{size[i], strides[i], dilations[i], pads[i], pads[count + i]};
    const auto positions = dims[static_cast<int>(i) + 2];
    n.refuse_if(positions > most_positions, "so large an axis: not supported");
    if (fits) fit(w, positions, automatic == "SAME_UPPER");
    n.refuse_if(w.size > most_elements, "so large a window: not supported");
    out.push_back(w);
  }
  return out;
}

void convolve_volumes(graph_node& n) {
  const auto d = n.dims();
  const auto windows = kernel_windows(n);
  const auto groups = n.attribute("group", 1);
  sizes all(d.begin(), d.end());
  for (std::size_t i = 0; i < 3; ++i) {
    all[i + 2] += windows[i].before + windows[i].behind;
    n.refuse_if(all[i + 2] < windows[i].reach(), "a window that is larger than the volume");
  }
  const auto x = with_zeros(n, n.in(0), d, windows, "0");
  const auto depth = windows[0].places(d[2]);
  std::string sum;
  for (std::int64_t k = 0; k < windows[0].size; ++k) {
    const auto part = n.line("slice(" + x + ", 2, " + windows[0].part(k, d[2]) + ')');
    const auto images = as_images(n, part, {all[0], all[1], depth, all[3], all[4]});
    const auto found =
        n.line("conv2d(" + images + ", " + kernel_at(n, k) + options_of(windows, groups));
    sum = sum.empty() ? found : n.line(sum + " + " + found);
  }
  const sizes result = {d[0], depth, n.dims(1)[0], windows[1].places(d[3]),
                        windows[2].places(d[4])};
  const auto y = n.line("swapaxes(reshape(" + sum + ", " + text_of(result) + "), 1, 2)");
  n.out(0, n.has(2) ? y + " + reshape(" + n.in(2) + ", [-1, 1, 1, 1])" : y);
}

/// Adds what the kernel's images at each depth reach to a volume whose depth is the first axis.
void convolve_volumes_transposed(graph_node& n) {
  const auto d = n.dims();
  const auto windows = kernel_windows(n);
  const auto groups = n.attribute("group", 1);
  const auto more = n.list_attribute("output_padding").value_or(sizes{0, 0, 0});
  n.refuse_if(more != sizes{0, 0, 0} || n.has_attribute("output_shape") ||
                  n.text_attribute("auto_pad", "NOTSET") != "NOTSET",
              "of volumes, whose output has another size: not supported");
  sizes whole;
  for (std::size_t i = 0; i < 3; ++i)
    whole.push_back(windows[i].stride * (d[static_cast<int>(i) + 2] - 1) + windows[i].reach());
  const auto channels = n.dims(1)[1] * groups;
  const auto images = as_images(n, n.in(0), {d.begin(), d.end()});
  auto sum = n.line("zeros(" + text_of(sizes{whole[0], d[0], channels, whole[1], whole[2]}) +
                    ", dtype=" + std::string(name(n.element())) + ')');
  for (std::int64_t k = 0; k < windows[0].size; ++k) {
    const auto found =
        n.line("conv2d_input_gradient(" + images + ", " + kernel_at(n, k) +
               ", size=" + text_of(sizes{whole[1], whole[2]}) + options_of(windows, groups));
    const auto parts =
        n.line("swapaxes(reshape(" + found + ", " +
               text_of(sizes{d[0], d[2], channels, whole[1], whole[2]}) + "), 0, 1)");
    sizes places;
    for (std::int64_t i = 0; i < d[2]; ++i)
      places.push_back(i * windows[0].stride + k * windows[0].dilation);
    sum = n.line("put_add(" + sum + ", " + n.constant(from_data(places)) + ", " + parts + ", 0)");
  }
  auto y = n.line("transpose(" + sum + ", [1, 2, 0, 3, 4])");
  for (std::size_t i = 0; i < 3; ++i) {
    const auto to = whole[i] - windows[i].behind;
    n.refuse_if(to <= windows[i].before, "an output without elements: not supported");
    y = n.line("slice(" + y + ", " + std::to_string(i + 2) + ", " +
               std::to_string(windows[i].before) + ", " + std::to_string(to) + ')');
  }
  n.out(0, n.has(2) ? y + " + reshape(" + n.in(2) + ", [-1, 1, 1, 1])" : y);
}

namespace {

/// Writes a word between all that a window meets, along each axis.
std::string reduced(graph_node& n, std::string x, shape dims,
                    const std::vector<axis_window>& windows, const char* word,
                    const std::string& number) {
  x = with_zeros(n, x, dims, windows, number);
  for (int i = 2; i < dims.rank(); ++i) {
    const auto& w = windows[static_cast<std::size_t>(i - 2)];
    std::string all;
    for (std::int64_t k = 0; k < w.size; ++k) {
      const auto part =
          n.line("slice(" + x + ", " + std::to_string(i) + ", " + w.part(k, dims[i]) + ')');
      all = all.empty() ? part : n.line(word + all + ", " + part + ')');
    }
    x = all;
  }
  return x;
}

}  // namespace

void pool_by_axes(graph_node& n) {
  const auto dims = n.dims();
  auto windows = windows_of(n, {});
  n.refuse_if(!is_floating(n.element()), "of integers: not supported");
  const bool rounds_up = n.attribute("ceil_mode", 0) != 0;
  bool pads = false;
  std::int64_t elements = 1;
  for (std::size_t i = 0; i < windows.size(); ++i) {
    const auto& w = windows[i];
    const auto room = dims[static_cast<int>(i) + 2] + w.before + w.behind - w.reach();
    n.refuse_if(room < 0, "a window that is larger than the image");
    n.refuse_if(rounds_up && room % w.stride != 0, "attribute ceil_mode: not supported");
    n.refuse_if(w.before >= w.reach() || w.behind >= w.reach(), "pads as large as the window");
    pads = pads || w.before > 0 || w.behind > 0;
    elements *= w.size;
  }
  if (n.op() == "MaxPool") {
    n.attribute("storage_order", 0);
    return n.out_is(0, reduced(n, n.in(0), dims, windows, "maximum(", "(-inf)"));
  }
  const auto sum = reduced(n, n.in(0), dims, windows, "add(", "0");
  if (!pads || n.attribute("count_include_pad", 0) != 0)
    return n.out(0, sum + " / " + std::to_string(elements));
  auto one = dims;
  one[0] = one[1] = 1;
  const auto ones =
      n.line("ones(" + text_of(one) + ", dtype=" + std::string(name(n.element())) + ')');
  n.out(0, sum + " / " + reduced(n, ones, one, windows, "add(", "0"));
}

}  // namespace troupe
