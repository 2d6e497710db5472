// SPDX-License-Identifier: MIT
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "troupe/onnx/graph_node.hpp"
#include "troupe/onnx/rules/rule.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/text/quoted.hpp"

namespace troupe {

namespace {

using sizes = std::vector<std::int64_t>;

/// One axis that is resized.
struct resized_axis {
  std::int64_t from, to;
  double scale;
  double begin = 0, end = 1;  ///< of the part that is cut out, as shares of the axis

  bool stays() const { return from == to && scale == 1 && begin == 0 && end == 1; }
};

struct resize_options {
  explicit resize_options(graph_node& n) {
    mode = n.text_attribute("mode", "nearest");
    n.refuse_if(mode != "nearest" && mode != "linear" && mode != "cubic",
                "attribute mode " + quoted(mode) + ": not supported");
    if (n.op() == "Upsample") {
      n.refuse_if(mode != "nearest", "attribute mode " + quoted(mode) + ": not supported");
      return;
    }
    transformation = n.text_attribute("coordinate_transformation_mode", "half_pixel");
    rounding = n.text_attribute("nearest_mode", "round_prefer_floor");
    cubic = n.real_attribute("cubic_coeff_a", -0.75F);
    only_inside = n.attribute("exclude_outside", 0) != 0;
    // These are for cutting.
    outside = n.literal("extrapolation_value", 0);
    if (!cuts()) n.ignore(1);
  }

  bool cuts() const { return transformation == "tf_crop_and_resize"; }

  std::string mode, transformation = "asymmetric", rounding = "floor", outside;
  double cubic = 0;
  bool only_inside = false;
};

/// Returns the place in the axis as it was that a position belongs to.
double origin(graph_node& n, const resize_options& o, const resized_axis& axis,
              std::int64_t position) {
  const auto at = static_cast<double>(position);
  const auto& how = o.transformation;
  if (how == "asymmetric") return at / axis.scale;
  if (how == "half_pixel") return (at + 0.5) / axis.scale - 0.5;
  if (how == "pytorch_half_pixel") return axis.to > 1 ? (at + 0.5) / axis.scale - 0.5 : 0;
  if (how == "tf_half_pixel_for_nn") return (at + 0.5) / axis.scale;
  const auto last = static_cast<double>(axis.from - 1);
  if (how == "tf_crop_and_resize") {
    if (axis.to == 1) return 0.5 * (axis.begin + axis.end) * last;
    return axis.begin * last +
           at * (axis.end - axis.begin) * last / static_cast<double>(axis.to - 1);
  }
  if (how != "align_corners")
    n.refuse("attribute coordinate_transformation_mode " + quoted(how) + ": not supported");
  // Of a scale that gives no whole size, the last corner is where it would be, as in ONNX's cases.
  const auto size = static_cast<double>(axis.from) * axis.scale;
  return size > 1 ? at * last / (size - 1) : 0;
}

double rounded(graph_node& n, const std::string& how, double x) {
  if (how == "round_prefer_floor") return std::ceil(x - 0.5);
  if (how == "round_prefer_ceil") return std::floor(x + 0.5);
  if (how == "floor") return std::floor(x);
  if (how != "ceil") n.refuse("attribute nearest_mode " + quoted(how) + ": not supported");
  return std::ceil(x);
}

std::int64_t inside(double x, std::int64_t size) {
  return static_cast<std::int64_t>(std::clamp(x, 0., static_cast<double>(size - 1)));
}

/// Weights of the four neighbours of a place that lies so far behind the second of them: those of a
/// cubic convolution, or, of the two in the middle, linear ones.
std::array<double, 4> weights_of(const resize_options& o, double behind) {
  if (o.mode == "linear") return {0, 1 - behind, behind, 0};
  const auto a = o.cubic;
  const auto near = [&](double x) { return ((a + 2) * x - (a + 3)) * x * x + 1; };
  const auto far = [&](double x) { return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a; };
  return {far(behind + 1), near(behind), near(1 - behind), far(2 - behind)};
}

/// Positions in the axis as it was, one for each of the resized one.
std::string nearest(graph_node& n, const resize_options& o, const resized_axis& axis) {
  sizes out;
  for (std::int64_t i = 0; i < axis.to; ++i)
    out.push_back(inside(rounded(n, o.rounding, origin(n, o, axis, i)), axis.from));
  return n.constant(from_data(out));
}

/// Matrix with which the axis is multiplied.
std::string interpolation(graph_node& n, const resize_options& o, const resized_axis& axis) {
  n.refuse_if(axis.from * axis.to > 10'000'000, "so large an axis: not supported");
  n.refuse_if(!is_floating(n.element()), "of integers: not supported");
  std::vector<double> all(static_cast<std::size_t>(axis.from * axis.to));
  for (std::int64_t i = 0; i < axis.to; ++i) {
    const auto at = origin(n, o, axis, i), before = std::floor(at);
    auto weights = weights_of(o, at - before);
    const auto is_inside = [&](double x) { return x >= 0 && x < static_cast<double>(axis.from); };
    double sum = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      if (o.only_inside && !is_inside(before + static_cast<double>(k) - 1)) weights[k] = 0;
      sum += weights[k];
    }
    for (std::size_t k = 0; k < 4; ++k) {
      const auto row = inside(before + static_cast<double>(k) - 1, axis.from);
      all[static_cast<std::size_t>(row * axis.to + i)] += weights[k] / (o.only_inside ? sum : 1);
    }
  }
  return n.constant(from_data(all, {axis.from, axis.to}, {.dtype = computed(n.element())}));
}

/// Puts the number for what lies outside of the image where an axis leads there.
std::string with_outside(graph_node& n, const resize_options& o, const resized_axis& axis, int rank,
                         int number, const std::string& x) {
  const auto all = std::make_unique<bool[]>(static_cast<std::size_t>(axis.to));
  bool any = false;
  for (std::int64_t i = 0; i < axis.to; ++i) {
    const auto at = origin(n, o, axis, i);
    all[static_cast<std::size_t>(i)] = at < 0 || at > static_cast<double>(axis.from - 1);
    any = any || all[static_cast<std::size_t>(i)];
  }
  if (!any) return x;
  sizes along(static_cast<std::size_t>(rank), 1);
  along[static_cast<std::size_t>(number)] = axis.to;
  const auto mask = n.constant(from_data(all.get(), shape{axis.to}));
  return n.line("where(reshape(" + mask + ", " + text_of(along) + "), " + o.outside + ", " + x +
                ')');
}

/// Returns the axes as they are to be.
std::vector<resized_axis> resized_axes(graph_node& n, const resize_options& o) {
  const auto d = n.dims();
  const bool upsample = n.op() == "Upsample";
  const bool by_sizes = !upsample && n.has(3) && n.dims(3).size() > 0;
  std::vector<float> scales;
  sizes wanted;
  if (by_sizes) {
    wanted = n.integers(3);
    n.ignore(2);
  } else if (upsample && n.opset() < 9) {
    const auto* given = n.raw_attribute("scales");
    n.refuse_if(!given, "has no attribute scales");
    scales.assign(given->floats().begin(), given->floats().end());
  } else {
    const auto& x = n.constant_input(upsample ? 1 : 2);
    n.refuse_if(x.size() > max_rank, "not one scale for each axis");
    scales = x.to_vector<float>(n.where());
  }
  n.refuse_if(std::cmp_not_equal(by_sizes ? wanted.size() : scales.size(), d.rank()),
              "not one scale or size for each axis");
  std::vector<resized_axis> out;
  for (int i = 0; i < d.rank(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const auto to = by_sizes ? static_cast<double>(wanted[at])
                             : std::floor(static_cast<float>(d[i]) * scales[at]);
    n.refuse_if(!(to >= 1 && to <= 1e6) || d[i] < 1, "such a size: not supported");
    const auto scale = by_sizes ? to / static_cast<double>(d[i]) : static_cast<double>(scales[at]);
    out.push_back({d[i], static_cast<std::int64_t>(to), scale});
  }
  if (!o.cuts()) return out;
  const auto part = n.constant_input(1).to_vector<double>(n.where());
  n.refuse_if(part.size() != 2 * out.size(), "not a beginning and an end for each axis");
  for (const auto one : part) n.refuse_if(!(std::abs(one) <= 1e6), "such a part: not supported");
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i].begin = part[i];
    out[i].end = part[out.size() + i];
  }
  return out;
}

void resize(graph_node& n) {
  n.refuse_if(n.op() == "Resize" && n.opset() < 11,
              "of version " + std::to_string(n.opset()) + ": not supported");
  const resize_options o(n);
  auto x = n.in(0);
  const auto type = n.element();
  const auto axes = resized_axes(n, o);
  for (int i = 0; const auto& axis : axes) {
    const auto number = std::to_string(i++);
    if (axis.stays()) continue;
    if (o.mode == "nearest") {
      x = n.line("take(" + x + ", " + nearest(n, o, axis) + ", axis=" + number + ')');
      continue;
    }
    x = n.line("swapaxes(matmul(swapaxes(" + x + ", " + number + ", -1), " +
               interpolation(n, o, axis) + "), " + number + ", -1)");
  }
  for (int i = 0; o.cuts() && i < n.rank(); ++i)
    x = with_outside(n, o, axes[static_cast<std::size_t>(i)], n.rank(), i, x);
  n.out_is(0, is_narrow(type) ? n.line("astype(" + x + ", " + std::string(name(type)) + ')') : x);
}

}  // namespace

std::vector<rule> resize_rules() { return {{"Resize", resize}, {"Upsample", resize}}; }

}  // namespace troupe
