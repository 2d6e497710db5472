// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#include "troupe/tasks/clock.hpp"

namespace troupe::demo {

/// How long it takes to call `work`.
template <class Work>
double seconds_of(Work&& work) {
  const ticks start = now();
  std::forward<Work>(work)();
  return seconds_between(start, now());
}

}  // namespace troupe::demo
