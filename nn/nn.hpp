// SPDX-License-Identifier: MIT
#pragma once

/// All that a program with networks includes, beside troupe.hpp.

#include "troupe/nn/attention.hpp"
#include "troupe/nn/batch_norm.hpp"
#include "troupe/nn/data/array_dataset.hpp"
#include "troupe/nn/data/batches.hpp"
#include "troupe/nn/data/dataset.hpp"
#include "troupe/nn/data/progress.hpp"
#include "troupe/nn/data/split_and_load.hpp"
#include "troupe/nn/dense.hpp"
#include "troupe/nn/dropout.hpp"
#include "troupe/nn/embedding.hpp"
#include "troupe/nn/flatten.hpp"
#include "troupe/nn/gru.hpp"
#include "troupe/nn/initialiser.hpp"
#include "troupe/nn/layer_norm.hpp"
#include "troupe/nn/losses.hpp"
#include "troupe/nn/lstm.hpp"
#include "troupe/nn/metrics.hpp"
#include "troupe/nn/module.hpp"
#include "troupe/nn/optimisers.hpp"
#include "troupe/nn/sequential.hpp"
#include "troupe/nn/summary.hpp"
#include "troupe/nn/variable.hpp"
