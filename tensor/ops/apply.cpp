// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/apply.hpp"

#include "troupe/tensor/batching/batching.hpp"
#include "troupe/tensor/launch.hpp"
#include "troupe/tensor/program/capture.hpp"

namespace troupe {

namespace {

std::string with_device(const tensor& x) {
  return to_string(x.type()) + " on " + to_string(x.device());
}

}  // namespace

void refuse_from_outside(std::string_view what, caller where) {
  throw error(std::string(what) +
                  ": a tensor from outside the compiled function, which is neither an argument "
                  "nor a variable; pass it as an argument, or wrap it in constant() if it never "
                  "changes",
              where);
}

home common_home(std::string_view what, tensor_pointers inputs, caller where) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i]->defined())
      throw error(std::string(what) + ": " +
                      (inputs.size() == 1 ? "the input" : "input " + std::to_string(i)) +
                      " names no array yet",
                  where);
  }
  const auto& first = *inputs[0]->source();
  for (const auto* x : inputs) {
    if (x->source()->engine != first.engine && !batching::owner(inputs)) {
      for (const auto* one : inputs) {
        if (capture::owns(*one->source())) refuse_from_outside(what, where);
      }
      // That one has failed, or outlived its runtime, says more.
      for (const auto* one : inputs) engine::of(*one->source(), what, where);
      throw error(std::string(what) + ": inputs of different runtimes: " + with_device(*inputs[0]) +
                      " and " + with_device(*x),
                  where);
    }
    if (x->source()->device != first.device)
      throw error(std::string(what) + ": inputs on different devices: " + with_device(*inputs[0]) +
                      " and " + with_device(*x),
                  where);
  }
  if (auto* const all = batching::owner(inputs)) return {*all, first.device};
  return {engine::of(first, what, where), first.device};
}

std::string list_text(std::span<const tensor_type> types) {
  std::string out;
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (i > 0) out += i + 1 == types.size() ? " and " : ", ";
    out += to_string(types[i]);
  }
  return out;
}

void refuse(std::string_view what, std::string_view facts, std::span<const tensor_type> inputs,
            caller where) {
  throw error(std::string(what) + ": " + std::string(facts) + ": " + list_text(inputs), where);
}

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
