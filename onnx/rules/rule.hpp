// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

namespace troupe {

class graph_node;

/// Way to write an operator of ONNX in the shell's language.
struct rule {
  std::string_view op;               ///< behind its domain, if that is not ONNX's own
  void (*translate)(graph_node& n);  ///< null for those that are taken apart: see unrolling.hpp
};

/// Returns the rule of an operator, or nullptr.
const rule* find_rule(std::string_view op);
/// Returns all operators that have a rule, in alphabetical order.
std::vector<std::string_view> translated_operators();

// The rules, by subject.
std::vector<rule> activation_rules();
std::vector<rule> constant_rules();
std::vector<rule> convolution_rules();
std::vector<rule> counting_rules();
std::vector<rule> elementwise_rules();
std::vector<rule> indexing_rules();
std::vector<rule> loss_rules();
std::vector<rule> normalisation_rules();
std::vector<rule> optimiser_rules();
std::vector<rule> pooling_rules();
std::vector<rule> product_rules();
std::vector<rule> quantization_rules();
std::vector<rule> recurrent_rules();
std::vector<rule> reduction_rules();
std::vector<rule> resize_rules();
std::vector<rule> sampling_rules();
std::vector<rule> scatter_rules();
std::vector<rule> selecting_rules();
std::vector<rule> shape_rules();
std::vector<rule> signal_rules();
std::vector<rule> unrolled_rules();

}  // namespace troupe
