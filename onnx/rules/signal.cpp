// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numbers>

#include "troupe/onnx/graph_node.hpp"
#include "troupe/onnx/rules/rule.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/from_data.hpp"

// Windows, Fourier transforms, and the filters of speech recognition. What does not depend on the
// signal becomes a constant.

namespace troupe {

namespace {

using sizes = std::vector<std::int64_t>;

/// Most elements of a constant that is computed for a node.
constexpr std::int64_t most_computed = 10'000'000;

constexpr double circle = 2 * std::numbers::pi;

void window_of_cosines(graph_node& n) {
  const auto size = n.integer(0);
  n.refuse_if(size < 1 || size > most_computed, "such a size: not supported");
  const bool periodic = n.attribute("periodic", 1) != 0;
  const auto element = n.dtype_attribute("output_datatype", float32);
  const auto period = static_cast<double>(periodic ? size : std::max<std::int64_t>(size - 1, 1));
  std::vector<double> all;
  for (std::int64_t i = 0; i < size; ++i) {
    const auto angle = circle * static_cast<double>(i) / period;
    if (n.op() == "HannWindow") all.push_back(0.5 - 0.5 * std::cos(angle));
    else if (n.op() == "HammingWindow") all.push_back(25. / 46 - 21. / 46 * std::cos(angle));
    else all.push_back(0.42 - 0.5 * std::cos(angle) + 0.08 * std::cos(2 * angle));
  }
  n.out_known(0, astype(from_data(all), element));
}

/// Matrices that a real and an imaginary part, rows of `length` numbers, are multiplied with.
struct fourier {
  std::string cosines, sines;
  std::int64_t bins;

  fourier(graph_node& n, std::int64_t length, bool one_sided, dtype element)
      : bins(one_sided ? length / 2 + 1 : length) {
    n.refuse_if(length < 1 || length > most_computed / bins, "such a length: not supported");
    std::vector<double> across, along;
    for (std::int64_t i = 0; i < length; ++i) {
      for (std::int64_t k = 0; k < bins; ++k) {
        const auto angle =
            circle * static_cast<double>(i * k % length) / static_cast<double>(length);
        across.push_back(std::cos(angle));
        along.push_back(std::sin(angle));
      }
    }
    const tensor_options options{.dtype = element};
    cosines = n.constant(from_data(across, {length, bins}, options));
    sines = n.constant(from_data(along, {length, bins}, options));
  }

  /// Writes the transform of the last axis, with the real and the imaginary part on a new one.
  /// Without an imaginary part, that is 0. `turn` is "-" for the way back, else "+".
  std::string write(graph_node& n, const std::string& real, const std::string& imaginary,
                    const char* turn) const {
    const auto back = turn[0] == '-' ? "+" : "-";
    auto out_real = n.line("matmul(" + real + ", " + cosines + ')');
    auto out_imaginary = n.line("matmul(" + real + ", " + sines + ')');
    if (back[0] == '-') out_imaginary = n.line("negative(" + out_imaginary + ')');
    if (!imaginary.empty()) {
      out_real = n.line(out_real + ' ' + turn + " matmul(" + imaginary + ", " + sines + ')');
      out_imaginary = n.line(out_imaginary + " + matmul(" + imaginary + ", " + cosines + ')');
    }
    return n.line("stack([" + out_real + ", " + out_imaginary + "], axis=-1)");
  }
};

/// Returns one of the parts, 0 the real one and 1 the imaginary one, on the last axis of an array.
std::string part(graph_node& n, const std::string& x, int which) {
  return n.line(x + "[..., " + std::to_string(which) + ']');
}

/// Throws unless the last axis has a real part, or a real and an imaginary one; returns true for
/// the latter.
bool is_complex(const graph_node& n, const shape& dims, int least) {
  const auto parts = dims.rank() < least ? 0 : dims[dims.rank() - 1];
  n.refuse_if(parts != 1 && parts != 2, "a last axis that is not of size 1 or 2");
  return parts == 2;
}

void transform(graph_node& n) {
  const auto dims = n.dims();
  const bool complex = is_complex(n, dims, 2);
  n.refuse_if(!is_floating(n.element()), "of integers: not supported");
  const auto axis = n.axis_attribute(1, dims.rank());
  n.refuse_if(axis == dims.rank() - 1, "its axis is that of the parts");
  const bool inverse = n.attribute("inverse", 0) != 0, one_sided = n.attribute("onesided", 0) != 0;
  n.refuse_if(one_sided && (inverse || complex), "attribute onesided: not supported");
  const auto length = n.has(1) ? n.integer(1) : dims[axis];
  const fourier f(n, length, one_sided, n.element());
  const auto prepared = [&](int which) {
    auto x = n.line("swapaxes(" + part(n, n.in(0), which) + ", " + std::to_string(axis) + ", -1)");
    if (length < dims[axis]) x = n.line(x + "[..., 0:" + std::to_string(length) + ']');
    if (length <= dims[axis]) return x;
    std::string widths;
    for (int i = 0; i < dims.rank() - 2; ++i) widths += "[0, 0], ";
    return n.line("pad(" + x + ", [" + widths + "[0, " + std::to_string(length - dims[axis]) +
                  "]])");
  };
  const auto real = prepared(0), imaginary = complex ? prepared(1) : "";
  auto y = f.write(n, real, imaginary, inverse ? "-" : "+");
  if (inverse) y = n.line(y + " / " + std::to_string(length));
  n.out(0, "swapaxes(" + y + ", " + std::to_string(axis) + ", -2)");
}

/// Stretches of a signal, each of them transformed.
void transform_short_times(graph_node& n) {
  const auto dims = n.dims();
  n.refuse_if(dims.rank() != 3, "a signal that has not three axes");
  const bool complex = is_complex(n, dims, 3);
  const auto step = n.integer(1);
  const bool one_sided = n.attribute("onesided", 1) != 0;
  n.refuse_if(one_sided && complex, "attribute onesided: not supported");
  n.refuse_if(!n.has(2) && !n.has(3), "neither a window nor a length");
  const auto length = n.has(3) ? n.integer(3) : n.dims(2).size();
  n.refuse_if(step < 1 || length < 1 || length > dims[1], "such stretches: not supported");
  const auto frames = (dims[1] - length) / step + 1;
  n.refuse_if(frames > most_computed / length, "so many stretches: not supported");
  sizes positions;
  for (std::int64_t i = 0; i < frames * length; ++i)
    positions.push_back(i / length * step + i % length);
  const auto places = n.constant(from_data(positions, {frames, length}));
  const auto prepared = [&](int which) {
    const auto x = n.line("take(" + part(n, n.in(0), which) + ", " + places + ", axis=1)");
    return n.has(2) ? n.line(x + " * " + n.in(2)) : x;
  };
  const fourier f(n, length, one_sided, n.element());
  const auto real = prepared(0), imaginary = complex ? prepared(1) : "";
  n.out_is(0, f.write(n, real, imaginary, "+"));
}

/// Triangles that lie side by side on the mel scale, 2595 log10(1 + f / 700).
void mel_weights(graph_node& n) {
  const auto filters = n.integer(0), length = n.integer(1), rate = n.integer(2);
  n.refuse_if(filters < 1 || length < 1 || rate < 1, "a size below 1");
  const auto bins = length / 2 + 1;
  n.refuse_if(filters > most_computed / bins, "so many filters: not supported");
  const auto mel = [](double f) { return 2595 * std::log10(1 + f / 700); };
  const auto lowest = mel(n.real(3));
  const auto distance = (mel(n.real(4)) - lowest) / static_cast<double>(filters + 2);
  const auto edge = [&](std::int64_t i) {
    const auto frequency =
        700 * (std::pow(10, (static_cast<double>(i) * distance + lowest) / 2595) - 1);
    const auto bin =
        std::floor(static_cast<double>(length + 1) * frequency / static_cast<double>(rate));
    n.refuse_if(!(bin >= 0 && bin < static_cast<double>(bins)), "a frequency out of range");
    return static_cast<std::int64_t>(bin);
  };
  std::vector<double> all(static_cast<std::size_t>(bins * filters));
  for (std::int64_t i = 0; i < filters; ++i) {
    const auto low = edge(i), centre = edge(i + 1), high = edge(i + 2);
    const auto at = [&](std::int64_t bin) -> double& {
      return all[static_cast<std::size_t>(bin * filters + i)];
    };
    for (auto k = low; k <= centre; ++k)
      at(k) = low == centre ? 1 : static_cast<double>(k - low) / static_cast<double>(centre - low);
    for (auto k = centre; k < high; ++k)
      at(k) = static_cast<double>(high - k) / static_cast<double>(high - centre);
  }
  const auto element = n.dtype_attribute("output_datatype", float32);
  n.out_known(0, from_data(all, {bins, filters}, {.dtype = element}));
}

}  // namespace

std::vector<rule> signal_rules() {
  return {{"BlackmanWindow", window_of_cosines}, {"DFT", transform},
          {"HammingWindow", window_of_cosines},  {"HannWindow", window_of_cosines},
          {"MelWeightMatrix", mel_weights},      {"STFT", transform_short_times}};
}

}  // namespace troupe
