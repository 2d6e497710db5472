// SPDX-License-Identifier: MIT
#include "troupe/tensor/program/update_numbers.hpp"

#include <cmath>
#include <limits>

#include "troupe/tasks/error.hpp"
#include "troupe/tensor/number_text.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/program/capture.hpp"

namespace troupe {

std::int64_t count_in(const place& counter, caller where) {
  const capture::aside uncaptured;
  const auto count = counter.read().item<std::int64_t>(where);
  if (count >= 0 && count < std::numeric_limits<std::int64_t>::max()) return count;
  throw error("program: " + std::to_string(count) + " steps are counted, which cannot be", where);
}

void count_up(place& counter, caller where) {
  const capture::aside uncaptured;
  const auto& before = counter.read();
  const use_engine same(before.source()->engine);
  const auto now = count_in(counter, where) + 1;
  counter.write(from_data(&now, {}, {.device = before.device()}, where));
}

update_attributes update_numbers::next(caller where) const {
  const auto step = count_in(*steps, where);
  const auto now = rate.at(step);
  if (!std::isfinite(now) || now < 0)
    throw error(std::string(info(rule).name) + ": the rate of step " + std::to_string(step) +
                    " is " + real_text(now) + " and must be 0 or more",
                where);
  return numbers_at(rule, given, now, own ? static_cast<double>(count_in(*own, where) + 1) : 0);
}

}  // namespace troupe
