// SPDX-License-Identifier: MIT
#include <array>
#include <utility>

#include "troupe/onnx/graph_node.hpp"
#include "troupe/onnx/rules/rule.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/text/quoted.hpp"

// Images read at places between their elements.

namespace troupe {

namespace {

/// Neighbour of places along an axis: its position, and its weight.
struct neighbour {
  std::string position, weight;
};

/// Sums the elements at all pairs of neighbours, times their weights, which broadcast to the shape
/// of the places, [n, height, width]. `batch` are the images' numbers. Returns
/// [n, height, width, channels].
std::string weighed(graph_node& n, const std::string& batch, const std::vector<neighbour>& rows,
                    const std::vector<neighbour>& columns) {
  const auto d = n.dims();
  const auto pixels = n.line("reshape(transpose(" + n.in(0) + ", [0, 2, 3, 1]), " +
                             text_of(std::vector{d[0] * d[2] * d[3], d[1]}) + ')');
  std::string sum;
  for (const auto& row : rows) {
    const auto first = n.line('(' + batch + " * " + std::to_string(d[2]) + " + astype(" +
                              row.position + ", int64)) * " + std::to_string(d[3]));
    for (const auto& column : columns) {
      const auto place = n.line(first + " + astype(" + column.position + ", int64)");
      const auto part = n.line("take(" + pixels + ", " + place + ", axis=0) * expand_dims(" +
                               row.weight + " * " + column.weight + ", -1)");
      sum = sum.empty() ? part : n.line(sum + " + " + part);
    }
  }
  return sum;
}

/// Way of GridSample to read one axis.
struct grid_axis {
  std::string mode, padding;
  bool aligned;
  std::int64_t size;

  /// Returns a neighbour's position within the axis, and its weight.
  neighbour inside(graph_node& n, const std::string& position, const std::string& weight) const {
    const auto last = std::to_string(size - 1);
    if (padding == "zeros")
      return {n.line("clip(" + position + ", 0, " + last + ')'),
              n.line("where(logical_and(" + position + " >= 0, " + position + " <= " + last +
                     "), " + weight + ", 0)")};
    auto at = position;
    if (padding == "reflection" && !aligned) {
      const auto period = std::to_string(2 * size);
      at = n.line("remainder(" + at + " + 0.5, " + period + ')');
      at = n.line("minimum(" + at + ", " + period + " - " + at + ") - 0.5");
    } else if (padding == "reflection" && size > 1) {
      const auto period = std::to_string(2 * (size - 1));
      at = n.line("remainder(" + at + ", " + period + ')');
      at = n.line("minimum(" + at + ", " + period + " - " + at + ')');
    }
    return {n.line("clip(" + at + ", 0, " + last + ')'), weight};
  }

  /// Returns the neighbours of places that run from -1 to 1 along the axis.
  std::vector<neighbour> neighbours(graph_node& n, const std::string& given) const {
    const auto at = aligned
                        ? n.line('(' + given + " + 1) * " + std::to_string(size - 1) + " / 2")
                        : n.line("((" + given + " + 1) * " + std::to_string(size) + " - 1) / 2");
    if (mode == "nearest") {
      const auto nearest = n.line("round(" + at + ')');
      return {inside(n, nearest, n.line("ones_like(" + nearest + ')'))};
    }
    const auto first = n.line("floor(" + at + ')'), behind = n.line(at + " - " + first);
    std::vector<std::pair<std::string, std::string>> all = {{" + 0", n.line("1 - " + behind)},
                                                            {" + 1", behind}};
    if (mode == "bicubic") {
      const auto near = [&](const std::string& x) {
        return n.line("(1.25 * " + x + " - 2.25) * " + x + " * " + x + " + 1");
      };
      const auto far = [&](const std::string& x) {
        const auto y = n.line(x + " + 1");
        return n.line("((-0.75 * " + y + " + 3.75) * " + y + " - 6) * " + y + " + 3");
      };
      const auto ahead = all[0].second;
      all = {{" - 1", far(behind)},
             {" + 0", near(behind)},
             {" + 1", near(ahead)},
             {" + 2", far(ahead)}};
    }
    std::vector<neighbour> out;
    for (const auto& [offset, weight] : all)
      out.push_back(inside(n, n.line(first + offset), weight));
    return out;
  }
};

void grid_sample(graph_node& n) {
  const auto d = n.dims(), of = n.dims(1);
  n.refuse_if(d.rank() != 4 || of.rank() != 4 || of[3] != 2 || of[0] != d[0],
              "not of images and of pairs of places: not supported");
  n.refuse_if(d.size() == 0 || !is_floating(n.element()),
              "of integers, or of nothing: not supported");
  grid_axis axis{n.text_attribute("mode", "bilinear"), n.text_attribute("padding_mode", "zeros"),
                 n.attribute("align_corners", 0) != 0, d[3]};
  n.refuse_if(axis.mode != "bilinear" && axis.mode != "nearest" && axis.mode != "bicubic",
              "attribute mode " + quoted(axis.mode) + ": not supported");
  n.refuse_if(axis.padding != "zeros" && axis.padding != "border" && axis.padding != "reflection",
              "attribute padding_mode " + quoted(axis.padding) + ": not supported");
  const auto columns = axis.neighbours(n, n.line(n.in(1) + "[..., 0]"));
  axis.size = d[2];
  const auto rows = axis.neighbours(n, n.line(n.in(1) + "[..., 1]"));
  const auto batch = n.line("reshape(arange(" + std::to_string(d[0]) + "), [-1, 1, 1])");
  n.out(0, "transpose(" + weighed(n, batch, rows, columns) + ", [0, 3, 1, 2])");
}

/// Way of RoiAlign along one axis: so many samples in each of so many bins.
struct region_axis {
  std::int64_t size, bins, samples;
  bool half_pixel;
  std::string scale;

  /// Returns the neighbours of all samples, in an array [regions, 1, samples] or
  /// [regions, samples, 1], from two columns of the regions.
  std::vector<neighbour> neighbours(graph_node& n, int low, const std::string& shaped) const {
    const auto end = [&](int column) {
      return n.line(n.in(1) + "[:, " + std::to_string(column) + "] * " + scale +
                    (half_pixel ? " - 0.5" : ""));
    };
    const auto begin = end(low);
    auto length = n.line(end(low + 2) + " - " + begin);
    if (!half_pixel) length = n.line("maximum(" + length + ", 1)");
    std::vector<double> shares;
    for (std::int64_t i = 0; i < bins * samples; ++i)
      shares.push_back((static_cast<double>(i) + 0.5) / static_cast<double>(bins * samples));
    const auto at =
        n.line("reshape(expand_dims(" + begin + ", 1) + expand_dims(" + length + ", 1) * " +
               n.constant(astype(from_data(shares), n.element(1))) + ", " + shaped + ')');
    const auto last = std::to_string(size - 1);
    const auto inside = n.line("clip(" + at + ", 0, " + last + ')');
    const auto first = n.line("floor(" + inside + ')');
    const auto second = n.line("minimum(" + first + " + 1, " + last + ')');
    const auto counts =
        n.line("astype(logical_and(" + at + " >= (-1), " + at + " <= " + std::to_string(size) +
               "), " + std::string(name(n.element())) + ')');
    const auto behind = n.line(inside + " - " + first);
    return {{first, n.line(counts + " * (1 - " + behind + ')')},
            {second, n.line(counts + " * " + behind)}};
  }
};

/// Means of samples in the bins of regions.
void region_align(graph_node& n) {
  const auto d = n.dims();
  const auto regions = n.dims(1)[0];
  n.refuse_if(d.rank() != 4 || n.dims(1) != shape{regions, 4} || n.dims(2) != shape{regions} ||
                  d.size() == 0,
              "shapes that do not fit");
  const auto corners = n.text_attribute("coordinate_transformation_mode",
                                        n.opset() < 16 ? "output_half_pixel" : "half_pixel");
  n.refuse_if(corners != "half_pixel" && corners != "output_half_pixel",
              "attribute coordinate_transformation_mode " + quoted(corners) + ": not supported");
  n.refuse_if(n.text_attribute("mode", "avg") != "avg", "attribute mode: not supported");
  const auto height = n.attribute("output_height", 1), width = n.attribute("output_width", 1);
  const auto samples = n.attribute("sampling_ratio", 0);
  n.refuse_if(samples < 1, "attribute sampling_ratio: not supported unless it is given");
  n.refuse_if(height < 1 || width < 1 || height > 1000 || width > 1000 || samples > 1000,
              "such sizes: not supported");
  region_axis axis{d[3], width, samples, corners == "half_pixel", n.literal("spatial_scale", 1)};
  const auto columns = axis.neighbours(n, 0, text_of(std::vector<std::int64_t>{regions, 1, -1}));
  axis.size = d[2];
  axis.bins = height;
  const auto rows = axis.neighbours(n, 1, text_of(std::vector<std::int64_t>{regions, -1, 1}));
  const auto batch = n.line("reshape(" + n.in(2) + ", [-1, 1, 1])");
  const auto all = weighed(n, batch, rows, columns);
  const std::vector<std::int64_t> apart = {regions, height, samples, width, samples, d[1]};
  n.out(0,
        "transpose(mean(reshape(" + all + ", " + text_of(apart) + "), axis=[2, 4]), [0, 3, 1, 2])");
}

}  // namespace

std::vector<rule> sampling_rules() {
  return {{"GridSample", grid_sample}, {"RoiAlign", region_align}};
}

}  // namespace troupe
