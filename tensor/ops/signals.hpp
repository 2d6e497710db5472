// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "troupe/tensor/tensor.hpp"

/// Integrals, slopes and sliding products. Dtypes are promoted.

namespace troupe {

/// The integral along an axis by the trapezoidal rule, of samples at a distance. Of bool and
/// integers: float64.
tensor trapezoid(const tensor& y, double distance = 1, int axis = -1,
                 caller where = caller::current());
/// The same, of samples at the places `x`: a vector as long as the axis, or of the shape of `y`.
tensor trapezoid(const tensor& y, const tensor& x, int axis = -1, caller where = caller::current());

/// The slopes of samples at a distance along an axis, as many as samples: in the middle from
/// neighbour to neighbour, exact for parabolas, at the ends to the next one. Of bool and integers:
/// float64. Throws for fewer than two samples.
tensor gradient(const tensor& y, double distance = 1, int axis = -1,
                caller where = caller::current());
/// The same, of samples at the places `x`: a vector as long as the axis.
tensor gradient(const tensor& y, const tensor& x, int axis = -1, caller where = caller::current());

/// The products of two vectors' elements summed up over all pairs whose positions have the same
/// sum: of n and m elements n + m - 1 ("full"), the middle ones, as many as the longer has
/// ("same"), or those for which the vectors overlap wholly ("valid"). Throws for what is no vector
/// or empty, and for other modes. Gradients flow to floats.
tensor convolve(const tensor& x, const tensor& y, std::string_view mode = "full",
                caller where = caller::current());
/// The same, but for pairs whose positions have the same difference: sum of x[i + k] * conj(y[i]).
tensor correlate(const tensor& x, const tensor& y, std::string_view mode = "valid",
                 caller where = caller::current());

}  // namespace troupe
