// SPDX-License-Identifier: MIT
#pragma once

/// Umbrella header for programs with networks, in addition to troupe.hpp.

#include "troupe/nn/attention.hpp"
#include "troupe/nn/batch_norm.hpp"
#include "troupe/nn/checkpoint.hpp"
#include "troupe/nn/conv2d.hpp"
#include "troupe/nn/data/array_dataset.hpp"
#include "troupe/nn/data/batches.hpp"
#include "troupe/nn/data/dataset.hpp"
#include "troupe/nn/data/parallel.hpp"
#include "troupe/nn/data/progress.hpp"
#include "troupe/nn/data/split_and_load.hpp"
#include "troupe/nn/dense.hpp"
#include "troupe/nn/dropout.hpp"
#include "troupe/nn/embedding.hpp"
#include "troupe/nn/gru.hpp"
#include "troupe/nn/initialiser.hpp"
#include "troupe/nn/layer_norm.hpp"
#include "troupe/nn/losses.hpp"
#include "troupe/nn/lstm.hpp"
#include "troupe/nn/module.hpp"
#include "troupe/nn/optimisers.hpp"
#include "troupe/nn/pool2d.hpp"
#include "troupe/nn/sequential.hpp"
#include "troupe/nn/summary.hpp"
#include "troupe/nn/variable.hpp"
