// SPDX-License-Identifier: MIT
#include "troupe/onnx/rules/rule.hpp"

#include <map>

#include "troupe/devices/made_once.hpp"

namespace troupe {

namespace {

const std::map<std::string_view, rule>& all_rules() {
  static constinit made_once<const std::map<std::string_view, rule>> all;
  return all.get([] {
    std::map<std::string_view, rule> out;
    for (const auto& some :
         {activation_rules(),  constant_rules(),  convolution_rules(), counting_rules(),
          elementwise_rules(), indexing_rules(),  loss_rules(),        normalisation_rules(),
          optimiser_rules(),   pooling_rules(),   product_rules(),     quantization_rules(),
          recurrent_rules(),   reduction_rules(), resize_rules(),      sampling_rules(),
          scatter_rules(),     selecting_rules(), shape_rules(),       signal_rules(),
          unrolled_rules()}) {
      for (const auto& one : some) out.emplace(one.op, one);
    }
    return out;
  });
}

}  // namespace

std::vector<rule> unrolled_rules() {
  std::vector<rule> out;
  for (const auto* op :
       {"If", "Loop", "Optional", "OptionalGetElement", "OptionalHasElement", "Scan", "SequenceAt",
        "SequenceConstruct", "SequenceEmpty", "SequenceErase", "SequenceInsert", "SequenceLength",
        "SequenceMap", "SplitToSequence"})
    out.push_back({op, nullptr});
  return out;
}

const rule* find_rule(std::string_view op) {
  const auto found = all_rules().find(op);
  return found == all_rules().end() ? nullptr : &found->second;
}

std::vector<std::string_view> translated_operators() {
  std::vector<std::string_view> out;
  for (const auto& [op, one] : all_rules()) out.push_back(op);
  return out;
}

}  // namespace troupe
