// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "troupe/tensor/ops/random_key.hpp"
#include "troupe/tensor/tensor.hpp"

namespace troupe::nn {

struct sampling_options {
  double temperature = 1;  ///< divides the logits; 0: the likeliest token
  std::int64_t top_k = 0;  ///< only the likeliest so many tokens are drawn; 0: all
  double top_p = 1;        ///< only the likeliest tokens whose probabilities together reach this
  std::optional<random_key> key = {};  ///< absent: the next random numbers of the runtime
};

/// Draws a token for each row of logits [..., tokens], of floats: int64 [...]. First the logits are
/// divided by the temperature, then `top_k` leaves the likeliest tokens (Fan et al. 2018,
/// "Hierarchical neural story generation"), and `top_p` the fewest likeliest of these whose
/// probabilities add up to it (the nucleus; Holtzman et al. 2020, "The curious case of neural text
/// degeneration"); at least one stays. Of equal logits the first count as likelier. A row whose
/// greatest logit is NaN or -infinity fails the result, unless the temperature is 0. No gradient
/// flows through it. Throws for a negative temperature, `top_k` below 0, `top_p` outside (0, 1],
/// and logits that are not floating-point or have no tokens.
tensor sample_tokens(const tensor& logits, const sampling_options& options = {},
                     caller where = caller::current());

}  // namespace troupe::nn
