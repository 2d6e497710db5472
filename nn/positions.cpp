// SPDX-License-Identifier: MIT
#include "troupe/nn/positions.hpp"

#include <cmath>

#include "troupe/nn/initialiser.hpp"
#include "troupe/tasks/engine.hpp"
#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/number_text.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/slice.hpp"

namespace troupe::nn {

namespace {

/// Returns the angles [steps, features / 2], in float64.
tensor angles_of(std::int64_t first, std::int64_t steps, std::int64_t features, double base,
                 std::optional<device> place) {
  const tensor_options whole{.dtype = float64, .device = place};
  const auto positions = arange(first, first + steps, 1, whole);
  const auto exponents = multiply(arange(features / 2, whole), -2. / static_cast<double>(features));
  return multiply(expand_dims(positions, 1), exp(multiply(exponents, std::log(base))));
}

/// Returns the first or the second features of all pairs: 2 i and 2 i + 1, or i and i + features /
/// 2.
tensor of_pairs(const tensor& x, std::int64_t which, bool interleaved) {
  const auto features = x.shape()[x.rank() - 1], half = features / 2;
  if (interleaved) return slice(x, -1, which, features, 2);
  return slice(x, -1, which * half, (which + 1) * half);
}

}  // namespace

tensor sinusoidal_positions(std::int64_t steps, std::int64_t features, std::int64_t first,
                            const tensor_options& options, caller where) {
  if (steps < 0)
    throw error("sinusoidal_positions: negative steps " + std::to_string(steps), where);
  if (features < 2 || features % 2 != 0)
    throw error("sinusoidal_positions: " + std::to_string(features) +
                    " features: there must be an even number of them, two at least",
                where);
  const auto element = options.dtype.value_or(float32);
  if (!is_floating(element))
    throw error("sinusoidal_positions: positions have no dtype " + std::string(name(element)),
                where);
  const troupe::detail::on_behalf_of user(where);
  const auto angles = angles_of(first, steps, features, 10'000, options.device);
  const auto both = stack({sin(angles), cos(angles)}, 2);
  return astype(reshape(both, {steps, features}), element);
}

tensor rotary(const tensor& x, const rotary_options& options, caller where) {
  detail::check_layer_input("rotary", x, 2, where);
  const auto steps = x.shape()[x.rank() - 2], features = x.shape()[x.rank() - 1];
  if (features < 2 || features % 2 != 0)
    throw error("rotary: x is " + to_string(x.type()) +
                    ", but must have an even number of features, two at least",
                where);
  if (!(options.base > 0))
    throw error("rotary: the base is " + real_text(options.base) + " and must be above 0", where);
  const use_engine same(x.source()->engine);
  const troupe::detail::on_behalf_of user(where);
  const auto angles = angles_of(options.first, steps, features, options.base, x.device());
  const auto c = astype(cos(angles), x.dtype()), s = astype(sin(angles), x.dtype());
  const auto a = of_pairs(x, 0, options.interleaved), b = of_pairs(x, 1, options.interleaved);
  const auto turned_a = subtract(multiply(a, c), multiply(b, s)),
             turned_b = add(multiply(a, s), multiply(b, c));
  if (!options.interleaved) return concatenate({turned_a, turned_b}, -1);
  return reshape(stack({turned_a, turned_b}, -1), x.shape());
}

}  // namespace troupe::nn
