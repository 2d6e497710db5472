// SPDX-License-Identifier: MIT
#include "troupe/nn/plateau.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace troupe::nn {

plateau::plateau(double rate, const plateau_options& options, caller where)
    : rate_(rate), options_(options) {
  const auto check = [&](const char* what, double number, bool good) {
    if (!good)
      throw error(std::string("plateau: the ") + what + " is " + std::to_string(number), where);
  };
  check("rate", rate, rate >= 0 && std::isfinite(rate));
  check("factor", options.factor, options.factor >= 0 && options.factor < 1);
  check("patience", static_cast<double>(options.patience), options.patience >= 0);
  check("threshold", options.threshold, options.threshold >= 0 && options.threshold < 1);
  check("least rate", options.least, options.least >= 0 && std::isfinite(options.least));
}

double plateau::operator()(double loss) noexcept {
  const auto enough = best_ - options_.threshold * std::abs(best_);
  if (std::isinf(best_) ? loss < best_ : loss < enough) {
    best_ = loss;
    no_better_ = 0;
  } else if (++no_better_ > options_.patience) {
    rate_ = std::max(rate_ * options_.factor, std::min(rate_, options_.least));
    no_better_ = 0;
  }
  return rate_;
}

}  // namespace troupe::nn
