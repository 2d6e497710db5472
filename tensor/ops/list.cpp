// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/list.hpp"

#include "troupe/devices/made_once.hpp"
#include "troupe/tensor/fft/records.hpp"
#include "troupe/tensor/linalg/records.hpp"
#include "troupe/tensor/ops/convolution.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/cumulative.hpp"
#include "troupe/tensor/ops/distributions.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/linear.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/pooling.hpp"
#include "troupe/tensor/ops/put.hpp"
#include "troupe/tensor/ops/random.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/scatter.hpp"
#include "troupe/tensor/ops/searching.hpp"
#include "troupe/tensor/ops/softmax.hpp"
#include "troupe/tensor/ops/sorting.hpp"
#include "troupe/tensor/ops/update.hpp"
#include "troupe/tensor/ops/view_as.hpp"

namespace troupe {

namespace {

std::vector<const operation*> list() {
  std::vector<const operation*> all = {&full_operation,           &zeros_operation,
                                       &ones_operation,           &eye_operation,
                                       &arange_operation,         &linspace_operation,
                                       &uniform_operation,        &normal_operation,
                                       &randint_operation,        &astype_operation,
                                       &copy_operation,           &transfer_operation,
                                       &matmul_operation,         &softmax_operation,
                                       &log_softmax_operation,    &concatenate_operation,
                                       &take_operation,           &unslice_operation,
                                       &index_add_operation,      &take_along_axis_operation,
                                       &add_along_axis_operation, &replace_part_operation,
                                       &true_positions_operation};
  all.insert(all.end(), {&conv2d_operation, &conv2d_input_gradient_operation,
                         &conv2d_weight_gradient_operation, &max_pool2d_operation,
                         &max_pool2d_gradient_operation, &max_pool2d_pick_operation,
                         &avg_pool2d_operation, &avg_pool2d_gradient_operation});
  all.insert(all.end(), {&linear_operation, &linear_relu_operation, &view_as_operation});
  all.insert(all.end(),
             {&sort_operation, &argsort_operation, &argtopk_operation, &searchsorted_operation});
  for (const auto& r : elementwise_records) all.push_back(&r);
  for (const auto& r : reduction_operations()) all.push_back(&r);
  for (const auto& r : put_operations()) all.push_back(&r);
  for (const auto& r : fft_operations()) all.push_back(&r);
  for (const auto& r : linalg_operations()) all.push_back(&r);
  for (const auto& r : cumulative_operations()) all.push_back(&r);
  for (const auto& r : variate_operations()) all.push_back(&r);
  for (const auto& r : update_operations()) all.push_back(&r);
  return all;
}

}  // namespace

std::span<const operation* const> all_operations() {
  static constinit made_once<const std::vector<const operation*>> all;
  return all.get(list);
}

const operation* find_operation(std::string_view name) {
  for (const auto* op : all_operations()) {
    if (op->name == name) return op;
  }
  return nullptr;
}

}  // namespace troupe
