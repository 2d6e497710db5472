// SPDX-License-Identifier: MIT
#include "troupe/tensor/fft/records.hpp"

#include <algorithm>
#include <cmath>

#include "troupe/devices/kernel_table.hpp"
#include "troupe/tasks/parameter_codec.hpp"
#include "troupe/tasks/task.hpp"
#include "troupe/tensor/fft/transforms.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/slice.hpp"

namespace troupe {

namespace {

using op_t = fft_op;

template <op_t Op>
tensor_types infer(std::span<const tensor_type> in, const attributes& given, caller) {
  const auto length = given.as<fft_attributes>().length;
  tensor_types out;
  out.emplace_back(in[0]);
  auto& size = out[0].dims[in[0].dims.rank() - 1];
  if constexpr (Op == op_t::rfft) {
    size = length / 2 + 1;
    out[0].element = complex_of(in[0].element);
  }
  if constexpr (Op == op_t::irfft) {
    size = length;
    out[0].element = real_of(in[0].element);
  }
  return out;
}

/// 5 n log n additions and multiplications for n complex numbers, as FFTW's authors count them.
template <op_t Op>
work cost(const task& t) {
  const auto length = t.attributes.as<fft_attributes>().length;
  const auto out = t.outputs[0]->type();
  const auto& in = t.inputs[0];
  const auto lines = static_cast<double>(out.dims.size()) /
                     static_cast<double>(std::max<std::int64_t>(1, out.dims[out.dims.rank() - 1]));
  const auto n = static_cast<double>(length);
  work w;
  w.flops = lines * n * std::log2(n + 1) * (Op == op_t::fft ? 5 : 2.5);
  w.bytes = static_cast<double>(out.bytes()) +
            static_cast<double>(in.view().dims.size()) * static_cast<double>(size_of(in.element));
  return w;
}

// A transform is a symmetric matrix: what arrives is transformed in the same direction.
template <op_t Op>
tensor gradient(const gradient_terms& t) {
  const auto& given = t.attributes.as<fft_attributes>();
  const auto& g = t.arriving;
  if constexpr (Op == op_t::fft) return fft::detail::submit(Op, g, given, {});
  if constexpr (Op == op_t::rfft) {
    const auto whole = fft::detail::fitted(g, given.length, {});
    return real(fft::detail::submit(op_t::fft, whole, given, {}));
  }
  // All but the first element, and the last one of an even length, stand for their conjugates, too.
  auto half = given;
  half.inverse = false;
  const auto spectrum = conj(fft::detail::submit(op_t::rfft, g, half, {}));
  const auto doubled = (given.length + 1) / 2;
  auto twice = spectrum * 2.;
  const auto ends = [&](const tensor& of, std::int64_t from, std::optional<std::int64_t> to) {
    return slice(of, -1, from, to);
  };
  std::vector<tensor> parts = {ends(spectrum, 0, 1), ends(twice, 1, doubled)};
  if (given.length % 2 == 0) parts.push_back(ends(spectrum, doubled, {}));
  return concatenate(parts, -1);
}

template <op_t Op>
std::vector<sample> samples() {
  constexpr auto call = [](std::span<const tensor> in) {
    const auto given = in[0].shape()[in[0].rank() - 1];
    const auto n = Op == op_t::irfft ? 2 * given - 1 : given;
    return fft::detail::submit(Op, in[0], {Op == op_t::irfft, 1 / static_cast<double>(n), n}, {});
  };
  std::vector<sample> out;
  for (const auto element : {float32, float64}) {
    const auto given = Op == op_t::rfft ? element : complex_of(element);
    for (const auto& dims : {shape{4}, shape{2, 3, 6}, shape{3, 5}, shape{2, 1}, shape{0, 4}})
      out.push_back({{{dims, given, {}}}, call});
  }
  return out;
}

template <op_t Op>
constexpr operation make_record(std::string_view name, std::string_view doc) {
  operation r{.name = name, .doc = doc};
  r.infer = infer<Op>;
  r.kernel = [](const task& t, const kernel_table& from) {
    return from.fft(Op, t.inputs[0].element);
  };
  r.cost = cost<Op>;
  r.gradient = differentiability::available;
  r.gradients[0] = {gradient<Op>};
  r.linear = linearity::together;
  r.samples = samples<Op>;
  r.parameters = &sends<fft_attributes>;
  return r;
}

constinit const operation records[] = {
    make_record<op_t::fft>("fft", "The discrete Fourier transform along the last axis."),
    make_record<op_t::rfft>("rfft", "The first half of the transform of real numbers."),
    make_record<op_t::irfft>("irfft", "The real numbers that half a transform belongs to."),
};

}  // namespace

std::span<const operation> fft_operations() noexcept { return records; }

}  // namespace troupe
