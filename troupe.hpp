// SPDX-License-Identifier: MIT
#pragma once

/// All that a program which computes with tensors includes.

#include "troupe/actors/runtime.hpp"
#include "troupe/tensor/autograd/backward.hpp"
#include "troupe/tensor/autograd/checkpoint.hpp"
#include "troupe/tensor/autograd/custom_gradient.hpp"
#include "troupe/tensor/autograd/functional.hpp"
#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/ops/call.hpp"
#include "troupe/tensor/ops/cast.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/join.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/random.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/slice.hpp"
#include "troupe/tensor/ops/softmax.hpp"
#include "troupe/tensor/ops/take.hpp"
#include "troupe/tensor/ops/transfer.hpp"
#include "troupe/tensor/ops/transpose.hpp"
#include "troupe/tensor/tensor.hpp"
