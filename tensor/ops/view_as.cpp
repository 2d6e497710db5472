// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/view_as.hpp"

#include <algorithm>

#include "troupe/devices/driver.hpp"
#include "troupe/devices/layout/copy_bytes.hpp"
#include "troupe/tasks/parameter_codec.hpp"
#include "troupe/tasks/task.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/complex.hpp"
#include "troupe/tensor/ops/copy.hpp"

namespace troupe {

namespace {

struct view_as_attributes {
  dtype to;

  bool operator==(const view_as_attributes&) const = default;
};

constexpr std::int64_t chunk = 1 << 18;  // bytes

std::int64_t bytes_of(const kernel_args& args) noexcept {
  const auto& out = args.outputs[0];
  return out.size() * static_cast<std::int64_t>(size_of(out.type));
}

void copy_part(const kernel_args& args, std::int64_t first, std::int64_t last) {
  const auto begin = first * chunk, end = std::min(last * chunk, bytes_of(args));
  copy_bytes(static_cast<std::byte*>(args.outputs[0].data) + begin,
             static_cast<const std::byte*>(args.inputs[0].data) + begin,
             static_cast<std::size_t>(end - begin));
}

constexpr kernel of_bytes = {
    .run = copy_part,
    .chunks = [](const kernel_args& args) { return (bytes_of(args) + chunk - 1) / chunk; },
    .launch =
        [](const kernel_args& args, stream& on) {
          on.copy(args.outputs[0].data, args.inputs[0].data,
                  static_cast<std::size_t>(bytes_of(args)));
        }};

tensor_types view_as_type(std::span<const tensor_type> in, const attributes& given,
                          caller call_site) {
  const auto to = given.as<view_as_attributes>().to;
  const auto& from = in[0];
  const auto refuse_with = [&](const std::string& reason) {
    throw error("view_as: " + to_string(from) + " as " + std::string(name(to)) + ": " + reason,
                call_site);
  };
  if (to == boolean) refuse_with("not every byte is a bool");
  auto dims = from.dims;
  const auto had = static_cast<std::int64_t>(size_of(from.element));
  const auto has = static_cast<std::int64_t>(size_of(to));
  if (had != has) {
    if (dims.rank() == 0) refuse_with("a scalar keeps the size of its element");
    auto& length = dims[-1];
    if (had < has) {
      if (length % (has / had) != 0) refuse_with("the last axis cannot be divided so");
      length /= has / had;
    } else if (__builtin_mul_overflow(length, had / has, &length)) {
      refuse_with("more elements than can be counted");
    }
  }
  tensor_types out;
  out.emplace_back(tensor_type{dims, to, from.device});
  return out;
}

/// Real and imaginary parts are those of complex numbers; other bits are no numbers any more.
bool is_same_part(dtype from, dtype to) {
  return is_inexact(from) && is_inexact(to) && real_of(from) == real_of(to);
}

tensor view_as_gradient(const gradient_terms& t) {
  // The conjugate of their gradient arrives at complex numbers.
  return conj(view_as(conj(t.arriving), t.types[0].element));
}

std::vector<sample> view_as_samples() {
  return {
      {{{{2, 3}, int32, {}}}, [](std::span<const tensor> in) { return view_as(in[0], float32); }},
      {{{{2, 4}, int32, {}}}, [](std::span<const tensor> in) { return view_as(in[0], int64); }},
      {{{{}, int64, {}}}, [](std::span<const tensor> in) { return view_as(in[0], uint64); }},
      {{{{0, 4}, boolean, {}}}, [](std::span<const tensor> in) { return view_as(in[0], uint8); }},
      {{{{3, 4}, float64, {}}},
       [](std::span<const tensor> in) { return real(view_as(in[0], complex128)); }},
      {{{{2, 3}, complex64, {}}},
       [](std::span<const tensor> in) { return view_as(in[0], float32); }}};
}

}  // namespace

constinit const operation view_as_operation = {
    .name = "view_as",
    .doc = "The same bytes as elements of another dtype.",
    .infer = view_as_type,
    .kernel = [](const task&, const kernel_table&) { return &of_bytes; },
    .flops_per_element = 0,
    .narrow = narrow_dtypes::taken,
    .gradient = differentiability::available,
    .gradients = {{view_as_gradient}},
    .flows = is_same_part,
    .linear = linearity::together,
    .samples = view_as_samples,
    .parameters = &sends<view_as_attributes>};

tensor view_as(const tensor& x, dtype element, caller where) {
  check_defined("view_as", x, where);
  if (x.dtype() == element) return x;
  return apply(view_as_operation, contiguous(x, where), view_as_attributes{element}, where);
}

}  // namespace troupe
