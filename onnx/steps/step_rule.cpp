// SPDX-License-Identifier: MIT
#include "troupe/onnx/steps/step_rule.hpp"

#include <map>

#include "troupe/devices/made_once.hpp"

namespace troupe {

namespace {

const std::map<const operation*, step_rule>& all_step_rules() {
  static constinit made_once<const std::map<const operation*, step_rule>> all;
  return all.get([] {
    std::map<const operation*, step_rule> out;
    for (const auto& some : {copying_step_rules(), creation_step_rules(), cumulative_step_rules(),
                             elementwise_step_rules(), indexing_step_rules(), product_step_rules(),
                             reduction_step_rules(), sorting_step_rules(), window_step_rules()}) {
      for (const auto& one : some) out.emplace(one.op, one);
    }
    return out;
  });
}

}  // namespace

const step_rule* find_step_rule(const operation& op) {
  const auto found = all_step_rules().find(&op);
  return found == all_step_rules().end() ? nullptr : &found->second;
}

}  // namespace troupe
