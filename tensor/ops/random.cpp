// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/random.hpp"

#include <cmath>

#include "troupe/devices/kernel_table.hpp"
#include "troupe/devices/philox.hpp"
#include "troupe/tasks/parameter_codec.hpp"
#include "troupe/tasks/task.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/random_numbers.hpp"
#include "troupe/tensor/program/capture.hpp"

namespace troupe {

namespace {

// There are no inputs that anything could flow to.
template <auto Family, class Parameters>
constexpr operation record(std::string_view name, std::string_view doc,
                           std::vector<sample> (*samples)()) {
  operation r{.name = name, .doc = doc};
  r.kernel = of_output<Family>;
  r.flops_per_element = 20;
  r.gradient = differentiability::none;
  r.random = true;
  r.samples = samples;
  r.parameters = &sends<Parameters>;
  return r;
}

tensor_type type_for(const shape& sizes, dtype usual, const random_options& options) {
  return {sizes, options.dtype.value_or(usual), options.device.value_or(default_device())};
}

random_source take_numbers(const tensor_type& out, std::string_view what, caller where) {
  return draw(engine::current(what, where),
              philox::counters(static_cast<std::uint64_t>(out.dims.size())));
}

void check_real(const tensor_type& out, std::string_view what, caller where) {
  if (!is_floating(out.element))
    throw error(
        std::string(what) + ": real numbers have no dtype " + std::string(name(out.element)),
        where);
}

bool is_finite_as(dtype element, double x) {
  return visit(element, [x]<class T>(T) {
    if constexpr (is_floating(dtype_of<T>()))
      return std::isfinite(static_cast<double>(static_cast<T>(x)));
    else return false;
  });
}

void check_finite(std::string_view parameter, double x, dtype element, std::string_view what,
                  caller where) {
  if (is_finite_as(element, x)) return;
  throw error(std::string(what) + ": the " + std::string(parameter) + " is " +
                  to_string(scalar(x)) + ", not a finite " + std::string(name(element)),
              where);
}

/// Throws unless there are numbers from `low` to `high` and the distance can be computed.
void check_bounds(double low, double high, dtype element, caller where) {
  check_finite("lower bound", low, element, "uniform", where);
  check_finite("upper bound", high, element, "uniform", where);
  const auto range = " from " + to_string(scalar(low)) + " to " + to_string(scalar(high));
  if (low > high) throw error("uniform: there are no numbers" + range, where);
  if (!is_finite_as(computed(element), high - low))
    throw error("uniform: the range" + range + " is too wide for " + std::string(name(element)),
                where);
}

/// The narrow float next to `limit` that is not below it, or with `under` that is below it.
template <class T>
double beside(double limit, bool under) noexcept {
  T x(limit);
  const auto fits = [&] { return under ? x < limit : x >= limit; };
  // The bits of floats of one sign are in the order of their sizes.
  while (!fits() && std::isfinite(limit)) {
    const bool away = under == (x <= 0);
    x.bits =
        x == 0 ? (under ? 0x8001 : 0x0001) : static_cast<std::uint16_t>(x.bits + (away ? 1 : -1));
  }
  return x;
}

/// Numbers that rounding took out of [low, high) are put back.
template <class T>
tensor within(const tensor& x, double low, double high, caller where) {
  const auto first = beside<T>(low, false), last = beside<T>(high, true);
  return first <= last ? clip(x, first, last, where) : x;
}

}  // namespace

constinit const operation uniform_operation = record<&kernel_table::uniform, uniform_attributes>(
    "uniform", "Random real numbers spread evenly over an interval.", [] {
      return std::vector<sample>{
          {{},
           [](std::span<const tensor>) {
             return uniform({3, 5});
           }},
          {{}, [](std::span<const tensor>) { return uniform({}, -1, 1, float64); }}};
    });
constinit const operation normal_operation = record<&kernel_table::normal, normal_attributes>(
    "normal", "Random real numbers with a normal distribution.", [] {
      return std::vector<sample>{
          {{},
           [](std::span<const tensor>) {
             return normal({3, 5});
           }},
          {{}, [](std::span<const tensor>) { return normal({0}, 1, 2, float64); }}};
    });
constinit const operation randint_operation = record<&kernel_table::randint, randint_attributes>(
    "randint", "Random integers spread evenly over a range.", [] {
      return std::vector<sample>{
          {{},
           [](std::span<const tensor>) {
             return randint({3, 5}, -2, 7);
           }},
          {{}, [](std::span<const tensor>) { return randint({4}, 0, 2, int32); }}};
    });

void seed(std::uint64_t key, caller where) {
  if (capture::active())
    throw error(
        "seed: not possible in a compiled function, whose calls it would not seed; give its "
        "random numbers a key",
        where);
  engine::current("seed", where).seed(key);
}

tensor uniform(const shape& sizes, double low, double high, const random_options& options,
               caller where) {
  const numbers_of_key from(options.key);
  const auto out = type_for(sizes, float32, options);
  check_real(out, "uniform", where);
  check_bounds(low, high, out.element, where);
  if (is_narrow(out.element)) {
    const auto exact = uniform(sizes, low, high, {.dtype = float32, .device = out.device}, where);
    const auto x = astype(exact, out.element, where);
    return out.element == float16 ? within<float16_t>(x, low, high, where)
                                  : within<bfloat16_t>(x, low, high, where);
  }
  return make("uniform", uniform_operation, out,
              uniform_attributes{take_numbers(out, "uniform", where), low, high}, where);
}

tensor normal(const shape& sizes, double mean, double standard_deviation,
              const random_options& options, caller where) {
  const numbers_of_key from(options.key);
  const auto out = type_for(sizes, float32, options);
  check_real(out, "normal", where);
  if (standard_deviation < 0)
    throw error("normal: negative standard deviation " + to_string(scalar(standard_deviation)),
                where);
  check_finite("mean", mean, out.element, "normal", where);
  check_finite("standard deviation", standard_deviation, out.element, "normal", where);
  return make("normal", normal_operation, out,
              normal_attributes{take_numbers(out, "normal", where), mean, standard_deviation},
              where);
}

tensor randint(const shape& sizes, std::int64_t low, std::int64_t high,
               const random_options& options, caller where) {
  const numbers_of_key from(options.key);
  const auto out = type_for(sizes, int64, options);
  if (out.element == boolean && low >= 0 && high <= 2) {
    auto small = options;
    small.dtype = uint8;
    return astype(randint(sizes, low, high, small, where), boolean, where);
  }
  if (!is_integer(out.element))
    throw error("randint: integers have no dtype " + std::string(name(out.element)), where);
  if (high <= low)
    throw error("randint: there are no integers from " + std::to_string(low) + " up to " +
                    std::to_string(high),
                where);
  detail::check_fits(low, out.element, "randint", where);
  detail::check_fits(high - 1, out.element, "randint", where);
  return make("randint", randint_operation, out,
              randint_attributes{take_numbers(out, "randint", where), low, high}, where);
}

}  // namespace troupe
