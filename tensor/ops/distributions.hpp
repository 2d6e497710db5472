// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tasks/operation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/random.hpp"

/// Random numbers of other distributions than those in random.hpp, of a shape. Parameters are
/// numbers, or tensors that broadcast to the shape. The dtype is the one in the options; where
/// nothing is said the one that tensors among the parameters promote to if that is a float, and
/// float32 else (int64 for poisson, bool for bernoulli). The device is that of such tensors, or the
/// default one. Numbers are computed in float64 and then converted.
///
/// Throws for dtypes that do not hold the numbers, tensors that do not broadcast to the shape or
/// lie on different devices, and numbers out of a parameter's range. Elements of tensors are not
/// waited for; what happens to those that are out of range is said at each function.
///
/// Gradients flow to the parameters of exponential, laplace, gumbel and multivariate_normal, and to
/// gamma's scale: their numbers are functions of others that do not depend on these parameters.
/// gamma's concentration and the parameters of beta and truncated_normal may have no gradient while
/// operations are recorded. To those of bernoulli and poisson nothing flows.

namespace troupe {

/// True with probability p, else false; or 1 and 0, of another dtype. From 0 to 1: of a tensor's
/// elements, those below count as 0, those above as 1, and NaN as 0.
tensor bernoulli(const shape& sizes, const tensor_or_scalar& p = 0.5,
                 const random_options& options = {}, caller where = caller::current());
/// The density exp(-x / scale) / scale from 0 up; by inversion, -scale log(1 - u). The scale is not
/// negative; a negative element gives negative numbers.
tensor exponential(const shape& sizes, const tensor_or_scalar& scale = 1,
                   const random_options& options = {}, caller where = caller::current());
/// The density exp(-abs(x - mean) / scale) / (2 scale); by inversion. The scale is not negative;
/// the sign of an element does not matter.
tensor laplace(const shape& sizes, const tensor_or_scalar& mean = 0,
               const tensor_or_scalar& scale = 1, const random_options& options = {},
               caller where = caller::current());
/// The distribution function exp(-exp(-(x - mode) / scale)); by inversion, mode - scale log(e) with
/// e exponential. The scale is not negative; a negative element turns the numbers around the mode.
tensor gumbel(const shape& sizes, const tensor_or_scalar& mode = 0,
              const tensor_or_scalar& scale = 1, const random_options& options = {},
              caller where = caller::current());
/// Normal numbers between low and high, as far as the dtype tells them apart: C. P. Robert,
/// "Simulation of truncated normal variables" (1995). low is below high, either may be infinite,
/// and the deviation is positive; elements that are not fail the result.
tensor truncated_normal(const shape& sizes, const tensor_or_scalar& low = -2,
                        const tensor_or_scalar& high = 2, const tensor_or_scalar& mean = 0,
                        const tensor_or_scalar& standard_deviation = 1,
                        const random_options& options = {}, caller where = caller::current());
/// The density x^(concentration - 1) exp(-x / scale), normalised, from 0 up: G. Marsaglia, W. W.
/// Tsang, "A simple method for generating gamma variables" (2000). The concentration is positive
/// and finite; elements that are not fail the result. The scale is not negative, as in exponential.
tensor gamma(const shape& sizes, const tensor_or_scalar& concentration,
             const tensor_or_scalar& scale = 1, const random_options& options = {},
             caller where = caller::current());
/// The density x^(a - 1) (1 - x)^(b - 1), normalised, in [0, 1]: the share of a gamma variable with
/// concentration a in its sum with one of b. Both are positive and finite; elements that are not
/// fail the result.
tensor beta(const shape& sizes, const tensor_or_scalar& a, const tensor_or_scalar& b,
            const random_options& options = {}, caller where = caller::current());
/// Counts k with the probability rate^k exp(-rate) / k!: W. Hörmann, "The transformed rejection
/// method for generating Poisson random variables" (1993). Rates are from 0 up to 2^62; elements
/// that are not fail the result.
tensor poisson(const shape& sizes, const tensor_or_scalar& rate = 1,
               const random_options& options = {}, caller where = caller::current());
/// Vectors [sizes..., n] with a normal distribution of means [..., n] and symmetric covariances
/// [..., n, n], whose other axes broadcast to the sizes: mean + L z with L L' = covariance, of
/// which the lower triangle is read. Of float32 or float64, as the two promote to, if no dtype is
/// given. A covariance that is not positive definite fails the result.
tensor multivariate_normal(const shape& sizes, const tensor& mean, const tensor& covariance,
                           const random_options& options = {}, caller where = caller::current());

/// The records behind gamma, beta, poisson and truncated_normal.
std::span<const operation> variate_operations() noexcept;

}  // namespace troupe
