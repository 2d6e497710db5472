// SPDX-License-Identifier: MIT
#include <chrono>
#include <cmath>

#include "troupe/language/evaluator/word.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tensor/waiting.hpp"

namespace troupe::language {

namespace {

using std::chrono::nanoseconds;

nanoseconds time_of(double seconds, caller where) {
  if (std::isnan(seconds)) throw error("within: a time in seconds is no NaN", where);
  constexpr double longest = 9e9;  // of what nanoseconds can count
  if (seconds >= longest) return nanoseconds::max();
  if (seconds <= -longest) return nanoseconds::zero();
  return std::chrono::ceil<nanoseconds>(std::chrono::duration<double>(seconds));
}

dynamic_value cancel_of(const arguments& a) {
  cancel(a.array(0), a.where());
  return {};
}

}  // namespace

std::vector<word> waiting_words() {
  return {
      {"cancel", "waiting", "x", "Fails what has not started of the work that only x needs.",
       cancel_of},
      {"within", "waiting", "x, seconds: number",
       "The same array; fails if it is not computed so many seconds from now.",
       [](const arguments& a) -> dynamic_value {
         return a.array(0).within(time_of(a.real(1), a.where()), a.where());
       }},
  };
}

}  // namespace troupe::language
