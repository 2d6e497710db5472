// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/apply.hpp"

#include "troupe/tensor/launch.hpp"

namespace troupe {

tensor apply(const operation& op, tensor_pointers inputs, attributes given, caller where) {
  const auto at = common_home(op.name, inputs, where);
  small_vector<tensor_type, 2> types;
  for (const auto* x : inputs) types.emplace_back(x->type());
  const auto outputs = op.infer(types, given, where);
  auto t = std::make_unique<task>(op, at.device, where);
  t->attributes = std::move(given);
  for (const auto* x : inputs) add_input(*t, *x);
  return launch(at.runtime, std::move(t), outputs[0]);
}

tensor make(std::string_view what, const operation& op, const tensor_type& out, attributes given,
            caller where) {
  auto& e = engine::current(what, where);
  e.at(out.device, what, where);
  auto t = std::make_unique<task>(op, out.device, where);
  t->attributes = std::move(given);
  return launch(e, std::move(t), out);
}

}  // namespace troupe
