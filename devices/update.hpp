// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

namespace troupe {

/// An optimiser's change of a parameter p by its gradient, with the state kept of earlier ones.
/// First of all g = gradient * scale, kept between -limit and limit.
enum class update_rule : std::uint8_t {
  sgd,
  sgd_momentum,
  sgd_nesterov,
  adam,
  adamw,
  adam_amsgrad,
  adamw_amsgrad,
  rmsprop,
  rmsprop_momentum,
  rmsprop_centred,
  rmsprop_centred_momentum,
  adagrad,
  lion
};

struct update_info {
  std::string_view name;
  int states;  ///< arrays that it remembers: a, b, c
  std::string_view doc;
};

/// The most states of a rule.
inline constexpr int most_update_states = 3;

inline constexpr update_info update_table[] = {
    {"sgd", 0, "g += decay p; p -= rate g."},
    {"sgd_momentum", 1, "g += decay p; a = first a + g; p -= rate a."},
    {"sgd_nesterov", 1, "g += decay p; a = first a + g; p -= rate (g + first a)."},
    {"adam", 2,
     "g += decay p; a = first a + (1 - first) g; b = second b + (1 - second) g^2; "
     "p -= rate a / (sqrt(b) correction + epsilon)."},
    {"adamw", 2,
     "p -= decay p; a = first a + (1 - first) g; b = second b + (1 - second) g^2; "
     "p -= rate a / (sqrt(b) correction + epsilon)."},
    {"adam_amsgrad", 3,
     "g += decay p; a = first a + (1 - first) g; b = second b + (1 - second) g^2; c = max(c, b); "
     "p -= rate a / (sqrt(c) correction + epsilon)."},
    {"adamw_amsgrad", 3,
     "p -= decay p; a = first a + (1 - first) g; b = second b + (1 - second) g^2; c = max(c, b); "
     "p -= rate a / (sqrt(c) correction + epsilon)."},
    {"rmsprop", 1,
     "g += decay p; a = second a + (1 - second) g^2; p -= rate g / (sqrt(a) + epsilon)."},
    {"rmsprop_momentum", 2,
     "g += decay p; a = second a + (1 - second) g^2; b = first b + g / (sqrt(a) + epsilon); "
     "p -= rate b."},
    {"rmsprop_centred", 2,
     "g += decay p; a = second a + (1 - second) g^2; b = second b + (1 - second) g; "
     "p -= rate g / (sqrt(max(a - b^2, 0)) + epsilon)."},
    {"rmsprop_centred_momentum", 3,
     "g += decay p; a = second a + (1 - second) g^2; b = second b + (1 - second) g; "
     "c = first c + g / (sqrt(max(a - b^2, 0)) + epsilon); p -= rate c."},
    {"adagrad", 1, "g += decay p; a += g^2; p -= rate g / (sqrt(a) + epsilon)."},
    {"lion", 1,
     "p -= decay p; p -= rate sign(first a + (1 - first) g); a = second a + (1 - second) g."},
};

inline constexpr int update_rule_count =
    static_cast<int>(sizeof update_table / sizeof update_table[0]);

constexpr const update_info& info(update_rule rule) noexcept {
  return update_table[static_cast<std::size_t>(rule)];
}

/// The numbers in the rules' formulas.
struct update_attributes {
  double rate = 0;
  double decay = 0;
  double limit = std::numeric_limits<double>::infinity();
  double first = 0;
  double second = 0;
  double epsilon = 0;
  double correction = 1;
};

}  // namespace troupe
