// SPDX-License-Identifier: MIT
#pragma once

/// All optimisers, their schedules and gradient clipping.

#include "troupe/nn/optimisers/adagrad.hpp"
#include "troupe/nn/optimisers/adam.hpp"
#include "troupe/nn/optimisers/clip.hpp"
#include "troupe/nn/optimisers/lion.hpp"
#include "troupe/nn/optimisers/lookahead.hpp"
#include "troupe/nn/optimisers/moving_average.hpp"
#include "troupe/nn/optimisers/rmsprop.hpp"
#include "troupe/nn/optimisers/sgd.hpp"
#include "troupe/nn/schedule.hpp"
