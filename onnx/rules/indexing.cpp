// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "troupe/onnx/node.hpp"
#include "troupe/onnx/rules/rule.hpp"
#include "troupe/tensor/ops/from_data.hpp"

namespace troupe {

namespace {

using sizes = std::vector<std::int64_t>;

void gather(node& n) {
  n.out(0, "take(" + n.in(0) + ", " + n.in(1) +
               ", axis=" + std::to_string(n.axis_attribute(0, n.rank())) + ')');
}

/// Cuts the other axes of the data to the sizes of the indices.
void gather_elements(node& n) {
  const auto d = n.dims(0), of = n.dims(1);
  n.refuse_if(d.rank() != of.rank(), "indices with another number of axes");
  const auto axis = n.axis_attribute(0, d.rank());
  auto x = n.in(0);
  for (int i = 0; i < d.rank(); ++i) {
    n.refuse_if(i != axis && of[i] > d[i], "indices of a larger shape");
    if (i != axis && of[i] < d[i])
      x = n.line("slice(" + x + ", " + std::to_string(i) + ", 0, " + std::to_string(of[i]) + ')');
  }
  n.out(0, "take_along_axis(" + x + ", " + n.in(1) + ", " + std::to_string(axis) + ')');
}

/// The indices of one element each become its number in row-major order.
void gather_nd(node& n) {
  const auto d = n.dims(0), of = n.dims(1);
  const auto batch = n.attribute("batch_dims", 0);
  n.refuse_if(d.rank() < 1 || of.rank() < 1 || batch < 0 || batch >= std::min(d.rank(), of.rank()),
              "attribute batch_dims, or too few axes: not supported");
  const auto depth = of[of.rank() - 1];
  n.refuse_if(depth < 1 || batch + depth > d.rank(), "more indices than axes");
  const auto last = static_cast<int>(batch + depth);
  sizes flat = {1}, result(of.begin(), of.end() - 1);
  std::int64_t batches = 1;
  for (int i = 0; i < last; ++i) flat[0] *= d[i];
  for (int i = 0; i < batch; ++i) {
    n.refuse_if(d[i] != of[i], "shapes that do not fit");
    batches *= d[i];
  }
  for (int i = last; i < d.rank(); ++i) {
    flat.push_back(d[i]);
    result.push_back(d[i]);
  }
  std::string number;
  std::int64_t stride = 1;
  for (auto i = depth - 1; i >= 0; --i) {
    const auto size = d[static_cast<int>(batch + i)];
    const auto index = n.line(n.in(1) + "[..., " + std::to_string(i) + ']');
    const auto from_0 =
        "where(" + index + " < 0, " + index + " + " + std::to_string(size) + ", " + index + ')';
    // One that is out of bounds stays so, and is not taken for one of the next row.
    const auto safe =
        n.line("where(logical_and(" + from_0 + " >= 0, " + from_0 + " < " + std::to_string(size) +
               "), " + from_0 + ", " + std::to_string(std::int64_t{1} << 40) + ')');
    number += (number.empty() ? "" : " + ") + safe + " * " + std::to_string(stride);
    stride *= size;
  }
  if (batch > 0) {
    sizes by(static_cast<std::size_t>(of.rank() - 1), 1);
    for (int i = 0; i < batch; ++i) by[static_cast<std::size_t>(i)] = d[i];
    number += " + reshape(arange(" + std::to_string(batches) + "), " + text_of(by) + ") * " +
              std::to_string(stride);
  }
  n.out(0, "reshape(take(reshape(" + n.in(0) + ", " + text_of(flat) + "), " + n.line(number) +
               ", axis=0), " + text_of(result) + ')');
}

void one_hot(node& n) {
  const auto of = n.dims(0);
  const auto depth = static_cast<std::int64_t>(n.real(1));
  n.refuse_if(depth < 1, "a depth below 1");
  n.refuse_if(n.dims(2) != shape{2}, "values that are not two");
  const auto rank = of.rank() + 1;
  n.refuse_if(rank > max_rank, "more than 8 axes: not supported");
  const auto axis = n.axis_attribute(-1, rank);
  sizes along(static_cast<std::size_t>(rank), 1);
  along[static_cast<std::size_t>(axis)] = depth;
  auto labels = n.line(is_floating(n.element()) ? "astype(" + n.in(0) + ", int64)" : n.in(0));
  labels = n.line("expand_dims(where(" + labels + " < 0, " + labels + " + " +
                  std::to_string(depth) + ", " + labels + "), " + std::to_string(axis) + ')');
  const auto values = n.in(2);
  n.out(0, "where(equal(" + labels + ", reshape(arange(" + std::to_string(depth) + "), " +
               text_of(along) + ")), " + values + "[1], " + values + "[0])");
}

/// Positions in an axis that are nearest to those of a resized one.
sizes nearest_positions(node& n, std::int64_t from, std::int64_t to, double scale,
                        const std::string& transformation, const std::string& rounding) {
  sizes out;
  for (std::int64_t i = 0; i < to; ++i) {
    const auto at = static_cast<double>(i);
    double x = at / scale;
    if (transformation == "half_pixel") x = (at + 0.5) / scale - 0.5;
    else if (transformation == "pytorch_half_pixel") x = to > 1 ? (at + 0.5) / scale - 0.5 : 0;
    else if (transformation == "tf_half_pixel_for_nn") x = (at + 0.5) / scale;
    else if (transformation == "align_corners")
      x = to > 1 ? at * static_cast<double>(from - 1) / static_cast<double>(to - 1) : 0;
    else if (transformation != "asymmetric")
      n.refuse("attribute coordinate_transformation_mode " + quoted(transformation) +
               ": not supported");
    if (rounding == "round_prefer_floor") x = std::ceil(x - 0.5);
    else if (rounding == "round_prefer_ceil") x = std::floor(x + 0.5);
    else if (rounding == "floor") x = std::floor(x);
    else if (rounding == "ceil") x = std::ceil(x);
    else n.refuse("attribute nearest_mode " + quoted(rounding) + ": not supported");
    out.push_back(std::clamp(static_cast<std::int64_t>(x), std::int64_t{0}, from - 1));
  }
  return out;
}

void resize(node& n) {
  const auto d = n.dims();
  const bool old = n.op() == "Upsample";
  n.refuse_if(!old && n.opset() < 11,
              "of version " + std::to_string(n.opset()) + ": not supported");
  n.refuse_if(n.text_attribute("mode", "nearest") != "nearest",
              "attribute mode " + quoted(n.text_attribute("mode", "")) + ": not supported");
  std::string transformation = "asymmetric", rounding = "floor";
  if (!old) {
    transformation = n.text_attribute("coordinate_transformation_mode", "half_pixel");
    rounding = n.text_attribute("nearest_mode", "round_prefer_floor");
    // These are for other modes.
    n.ignore(1);
    n.ignore(2);
    n.has_attribute("cubic_coeff_a");
    n.has_attribute("exclude_outside");
    n.has_attribute("extrapolation_value");
  }
  const int scales_at = old ? 1 : 2;
  const bool by_sizes = !old && n.has(3) && n.dims(3).size() > 0;
  std::vector<double> scales;
  sizes wanted;
  if (by_sizes) {
    wanted = n.integers(3);
  } else if (old && n.opset() < 9) {
    const auto* given = n.raw_attribute("scales");
    n.refuse_if(!given, "attribute scales is missing");
    scales.assign(given->floats().begin(), given->floats().end());
  } else {
    const auto& x = n.constant_input(scales_at);
    n.refuse_if(x.size() > max_rank, "scales that are not one for each axis");
    scales = x.to_vector<double>(n.where());
  }
  n.refuse_if(std::cmp_not_equal(by_sizes ? wanted.size() : scales.size(), d.rank()),
              "not one scale or size for each axis");
  auto x = n.in(0);
  for (int i = 0; i < d.rank(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const auto to = by_sizes ? static_cast<double>(wanted[at])
                             : std::floor(static_cast<double>(d[i]) * scales[at]);
    n.refuse_if(!(to >= 1 && to <= 1e6) || d[i] < 1, "such a size: not supported");
    const auto scale = by_sizes ? to / static_cast<double>(d[i]) : scales[at];
    if (to == static_cast<double>(d[i]) && scale == 1) continue;
    const auto from =
        nearest_positions(n, d[i], static_cast<std::int64_t>(to), scale, transformation, rounding);
    x = n.line("take(" + x + ", " + n.constant(from_data(from)) + ", axis=" + std::to_string(i) +
               ')');
  }
  n.out_is(0, x);
}

}  // namespace

std::vector<rule> indexing_rules() {
  return {{"Gather", gather},      {"GatherElements", gather_elements},
          {"GatherND", gather_nd}, {"OneHot", one_hot},
          {"Resize", resize},      {"Upsample", resize}};
}

}  // namespace troupe
