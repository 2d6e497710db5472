// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tasks/operation.hpp"
#include "troupe/tensor/scalar.hpp"
#include "troupe/tensor/tensor.hpp"

/// Random numbers. Which ones a call gets is settled when it is made, by the seed and by how many
/// were asked for before it; not by when or where they are computed. Every function also takes a
/// dtype in place of the options.

namespace troupe {

/// Starts this thread's engine's random numbers anew: the same seed and the same calls give the
/// same numbers.
void seed(std::uint64_t key, caller where = caller::current());

/// Real numbers spread evenly over [low, high); float32 where nothing else is said.
tensor uniform(const shape& sizes, double low = 0, double high = 1,
               const tensor_options& options = {}, caller where = caller::current());
/// Real numbers with a normal distribution; float32 where nothing else is said. Throws for a
/// negative deviation.
tensor normal(const shape& sizes, double mean = 0, double standard_deviation = 1,
              const tensor_options& options = {}, caller where = caller::current());
/// Integers spread evenly over [low, high); int64 where nothing else is said. Throws if there are
/// none.
tensor randint(const shape& sizes, std::int64_t low, std::int64_t high,
               const tensor_options& options = {}, caller where = caller::current());

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
