// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "troupe/tasks/operation.hpp"
#include "troupe/tensor/ops/random_key.hpp"
#include "troupe/tensor/scalar.hpp"
#include "troupe/tensor/tensor.hpp"

/// Random numbers. Which ones a call gets is settled when it is made, by the seed and by how many
/// were asked for before it, or by a key; not by when or where they are computed. Every function
/// also takes a dtype in place of the options.

namespace troupe {

/// Dtype and device of random numbers, and the key that they are drawn with: `uniform({3}, 0, 1,
/// {.key = random_key(7)})`.
struct random_options {
  std::optional<troupe::dtype> dtype = {};    ///< absent: the function's default
  std::optional<troupe::device> device = {};  ///< absent: the thread's default device
  std::optional<random_key> key = {};         ///< absent: the next ones of the runtime
};

/// Starts this thread's engine's random numbers anew: the same seed and the same calls give the
/// same numbers.
void seed(std::uint64_t key, caller where = caller::current());

/// Real numbers spread evenly over [low, high), or `low` if both are equal; float32 where nothing
/// else is said. Throws for bounds that the dtype does not hold as finite numbers, a low above
/// high, and a range high - low that overflows.
tensor uniform(const shape& sizes, double low = 0, double high = 1,
               const random_options& options = {}, caller where = caller::current());
/// Real numbers with a normal distribution; float32 where nothing else is said. Throws for a
/// negative deviation, and for numbers that the dtype does not hold as finite ones.
tensor normal(const shape& sizes, double mean = 0, double standard_deviation = 1,
              const random_options& options = {}, caller where = caller::current());
/// Integers spread evenly over [low, high); int64 where nothing else is said. Throws if there are
/// none.
tensor randint(const shape& sizes, std::int64_t low, std::int64_t high,
               const random_options& options = {}, caller where = caller::current());

inline tensor uniform(const shape& sizes, given_dtype element, caller where = caller::current()) {
  return uniform(sizes, 0, 1, {.dtype = element}, where);
}
inline tensor uniform(const shape& sizes, double low, double high, given_dtype element,
                      caller where = caller::current()) {
  return uniform(sizes, low, high, {.dtype = element}, where);
}
inline tensor normal(const shape& sizes, given_dtype element, caller where = caller::current()) {
  return normal(sizes, 0, 1, {.dtype = element}, where);
}
inline tensor normal(const shape& sizes, double mean, double standard_deviation,
                     given_dtype element, caller where = caller::current()) {
  return normal(sizes, mean, standard_deviation, {.dtype = element}, where);
}
inline tensor randint(const shape& sizes, std::int64_t low, std::int64_t high, given_dtype element,
                      caller where = caller::current()) {
  return randint(sizes, low, high, {.dtype = element}, where);
}

extern const operation uniform_operation, normal_operation, randint_operation;

}  // namespace troupe
