// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/creation.hpp"

#include <cmath>

#include "troupe/devices/kernel_table.hpp"
#include "troupe/tasks/parameter_codec.hpp"
#include "troupe/tasks/task.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/elementwise.hpp"

namespace troupe {

namespace {

// Creation has no inputs, so nothing flows.
template <auto Family, class Parameters>
constexpr operation record(std::string_view name, std::string_view doc,
                           std::vector<sample> (*samples)(),
                           narrow_dtypes narrow = narrow_dtypes::converted) {
  operation r{.name = name, .doc = doc};
  r.narrow = narrow;
  r.kernel = of_output<Family>;
  r.gradient = differentiability::none;
  r.samples = samples;
  r.parameters = &sends<Parameters>;
  return r;
}

tensor_type type_for(const shape& sizes, dtype usual, const tensor_options& options) {
  return {sizes, options.dtype.value_or(usual), options.device.value_or(default_device())};
}

tensor fill(const operation& with, const tensor_type& out, scalar number, std::string_view what,
            caller where) {
  detail::check_fits(number, out.element, what, where);
  return make(what, with, out, full_attributes{number.attribute(out.element)}, where);
}

/// The number of elements of arange, as NumPy counts them.
std::int64_t count_steps(scalar start, scalar stop, scalar step, caller where) {
  if (step.real() == 0) throw error("arange: the step is 0", where);
  const auto too_many = [&] {
    return error("arange: " + to_string(start) + " to " + to_string(stop) + " in steps of " +
                     to_string(step) + " has more elements than can be counted",
                 where);
  };
  if (start.is_real() || stop.is_real() || step.is_real()) {
    const double count = std::ceil((stop.real() - start.real()) / step.real());
    if (!(count < 0x1p59)) throw too_many();
    return count > 0 ? static_cast<std::int64_t>(count) : 0;
  }
  const auto from = start.attribute(int64).integer, to = stop.attribute(int64).integer,
             by = step.attribute(int64).integer;
  if (from == to || by == 0 || (to < from) != (by < 0)) return 0;
  const auto distance = [](std::int64_t low, std::int64_t high) {
    return static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  };
  const auto all = from < to ? distance(from, to) : distance(to, from);
  const auto pace = by > 0 ? distance(0, by) : distance(by, 0);
  const auto count = all / pace + (all % pace != 0);
  if (count >> 59) throw too_many();
  return static_cast<std::int64_t>(count);
}

/// The last number of a range. Of integers it lies between the ends, so it is exact though its
/// parts may wrap around.
scalar last_of(scalar start, scalar step, std::int64_t count) noexcept {
  if (start.is_real() || step.is_real())
    return start.real() + static_cast<double>(count - 1) * step.real();
  const auto bits = [](scalar x) { return static_cast<std::uint64_t>(x.attribute(int64).integer); };
  return static_cast<std::int64_t>(bits(start) +
                                   static_cast<std::uint64_t>(count - 1) * bits(step));
}

}  // namespace

constinit const operation full_operation = record<&kernel_table::full, full_attributes>(
    "full", "A tensor filled with one number.",
    [] {
      return std::vector<sample>{{{}, [](std::span<const tensor>) { return full({2, 3}, 1.5); }}};
    },
    narrow_dtypes::taken);
constinit const operation zeros_operation = record<&kernel_table::full, full_attributes>(
    "zeros", "Zeros.",
    [] {
      return std::vector<sample>{{{}, [](std::span<const tensor>) { return zeros({}); }}};
    },
    narrow_dtypes::taken);
constinit const operation ones_operation = record<&kernel_table::full, full_attributes>(
    "ones", "Ones.",
    [] {
      return std::vector<sample>{{{}, [](std::span<const tensor>) { return ones({0, 2}, int64); }}};
    },
    narrow_dtypes::taken);
constinit const operation eye_operation =
    record<&kernel_table::eye, eye_attributes>("eye", "Ones on a diagonal, zeros elsewhere.", [] {
      return std::vector<sample>{
          {{}, [](std::span<const tensor>) { return eye(3); }},
          {{}, [](std::span<const tensor>) { return eye(2, 4, 1, {.dtype = int32}); }}};
    });
constinit const operation arange_operation = record<&kernel_table::arange, arange_attributes>(
    "arange", "Evenly spaced numbers from a start, a step apart.", [] {
      return std::vector<sample>{
          {{}, [](std::span<const tensor>) { return arange(5); }},
          {{}, [](std::span<const tensor>) { return arange(1.0, 2.0, 0.25); }}};
    });
constinit const operation linspace_operation = record<&kernel_table::linspace, linspace_attributes>(
    "linspace", "A count of evenly spaced numbers between two ends.", [] {
      return std::vector<sample>{
          {{}, [](std::span<const tensor>) { return linspace(0, 1, 5); }},
          {{}, [](std::span<const tensor>) { return linspace(0, 1, 5, {.endpoint = false}); }}};
    });

tensor zeros(const shape& sizes, const tensor_options& options, caller where) {
  return fill(zeros_operation, type_for(sizes, float32, options), 0, "zeros", where);
}

tensor ones(const shape& sizes, const tensor_options& options, caller where) {
  return fill(ones_operation, type_for(sizes, float32, options), 1, "ones", where);
}

tensor full(const shape& sizes, scalar number, const tensor_options& options, caller where) {
  return fill(full_operation,
              type_for(sizes, number.is_real() ? float32 : number.own_dtype(), options), number,
              "full", where);
}

namespace {

tensor like(const operation& with, const tensor& x, scalar number, const tensor_options& options,
            std::string_view what, caller where) {
  check_defined(what, x, where);
  const tensor_type out{x.shape(), options.dtype.value_or(x.dtype()),
                        options.device.value_or(x.device())};
  return fill(with, out, number, what, where);
}

tensor diagonal_ones(std::string_view what, std::int64_t rows, std::int64_t columns,
                     std::int64_t diagonal, const tensor_options& options, caller where) {
  const std::int64_t sizes[] = {rows, columns};
  if (rows < 0 || columns < 0)
    throw error(std::string(what) + ": negative size " + std::to_string(std::min(rows, columns)),
                where);
  const auto out = type_for(shape(sizes, where), float32, options);
  auto parts = out;
  parts.element = real_of(out.element);
  return astype(make(what, eye_operation, parts, eye_attributes{diagonal}, where), out.element,
                where);
}

}  // namespace

tensor eye(std::int64_t rows, std::optional<std::int64_t> columns, std::int64_t diagonal,
           const tensor_options& options, caller where) {
  return diagonal_ones("eye", rows, columns.value_or(rows), diagonal, options, where);
}

tensor identity(std::int64_t size, const tensor_options& options, caller where) {
  return diagonal_ones("identity", size, size, 0, options, where);
}

tensor zeros_like(const tensor& x, const tensor_options& options, caller where) {
  return like(zeros_operation, x, 0, options, "zeros_like", where);
}

tensor ones_like(const tensor& x, const tensor_options& options, caller where) {
  return like(ones_operation, x, 1, options, "ones_like", where);
}

tensor full_like(const tensor& x, scalar number, const tensor_options& options, caller where) {
  return like(full_operation, x, number, options, "full_like", where);
}

tensor arange(scalar start, scalar stop, scalar step, const tensor_options& options, caller where) {
  if (start.is_complex() || stop.is_complex() || step.is_complex())
    throw error("arange: complex numbers have no order", where);
  const bool whole = !start.is_real() && !stop.is_real() && !step.is_real();
  const auto count = count_steps(start, stop, step, where);
  const auto out = type_for(shape({count}, where), whole ? int64 : float32, options);
  if (out.element == boolean) throw error("arange: there is no range of bool", where);
  detail::check_fits(start, out.element, "arange", where);
  if (count > 0) detail::check_fits(last_of(start, step, count), out.element, "arange", where);
  if (is_unsigned(out.element) && out.element != uint64 && step.real() < 0)
    return astype(arange(start, stop, step, {.dtype = int64, .device = out.device}, where),
                  out.element, where);
  detail::check_fits(step, out.element, "arange", where);
  return make("arange", arange_operation, out,
              arange_attributes{start.attribute(out.element), step.attribute(out.element)}, where);
}

tensor arange(scalar stop, const tensor_options& options, caller where) {
  return arange(0, stop, 1, options, where);
}

tensor linspace(double start, double stop, std::int64_t count, const linspace_options& options,
                caller where) {
  if (count < 0) throw error("linspace: negative count " + std::to_string(count), where);
  const auto steps = options.endpoint ? count - 1 : count;
  const double step = steps > 0 ? (stop - start) / static_cast<double>(steps) : 0;
  const auto out =
      type_for(shape({count}, where), float32, {.dtype = options.dtype, .device = options.device});
  if (is_complex(out.element)) {
    auto of_reals = options;
    of_reals.dtype = real_of(out.element);
    return astype(linspace(start, stop, count, of_reals, where), out.element, where);
  }
  if (out.element == boolean) throw error("linspace: there is no range of bool", where);
  return make("linspace", linspace_operation, out,
              linspace_attributes{start, steps > 0 ? stop : start, step, options.endpoint}, where);
}

namespace {

/// Numbers of an option's dtype, made of float64.
tensor rounded(const tensor& x, const linspace_options& options, caller where) {
  return astype(x, options.dtype.value_or(float32), where);
}

linspace_options in_float64(linspace_options options) {
  options.dtype = float64;
  return options;
}

}  // namespace

tensor logspace(double start, double stop, std::int64_t count, double base,
                const linspace_options& options, caller where) {
  if (count < 0) throw error("logspace: negative count " + std::to_string(count), where);
  const auto exponents = linspace(start, stop, count, in_float64(options), where);
  return rounded(power(base, exponents, where), options, where);
}

tensor geomspace(double start, double stop, std::int64_t count, const linspace_options& options,
                 caller where) {
  if (count < 0) throw error("geomspace: negative count " + std::to_string(count), where);
  if (!(start * stop != 0) || (start < 0) != (stop < 0))
    throw error("geomspace: no multiples lead from " + to_string(scalar(start)) + " to " +
                    to_string(scalar(stop)),
                where);
  const auto exponents = linspace(std::log10(std::abs(start)), std::log10(std::abs(stop)), count,
                                  in_float64(options), where);
  auto all = multiply(power(10., exponents, where), start < 0 ? -1. : 1., where);
  const auto number = arange(count, {.device = all.device()}, where);
  if (options.endpoint) all = troupe::where(equal(number, count - 1, where), stop, all, where);
  return rounded(troupe::where(equal(number, 0, where), start, all, where), options, where);
}

}  // namespace troupe
