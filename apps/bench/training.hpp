// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/apps/bench/bench_case.hpp"

namespace troupe::bench {

/// Dense(2048, relu), Dense(512, relu), Dense(1) on batches of normals that are made in the loop,
/// without a sync point before its end; on the default device of the thread that measures.
measurement train(runtime& rt, int batches);

}  // namespace troupe::bench
