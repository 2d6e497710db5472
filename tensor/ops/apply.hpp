// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "troupe/tasks/engine.hpp"
#include "troupe/tasks/operation.hpp"
#include "troupe/tensor/tensor.hpp"

namespace troupe {

using tensor_pointers = std::span<const tensor* const>;

/// The place of the inputs of an operation, where it runs.
struct home {
  engine& runtime;
  troupe::device device;
};

/// The home that all inputs (at least one) share. Throws if one names no array, if they are on
/// different devices or of different runtimes, or if their runtime has ended; `what` is the
/// operation's name.
home common_home(std::string_view what, tensor_pointers inputs, caller where);

/// Throws: a function that is captured uses a tensor from outside.
[[noreturn]] void refuse_from_outside(std::string_view what, caller where);

/// Throws if `x` names no array.
inline void check_defined(std::string_view what, const tensor& x, caller where) {
  if (!x.defined()) throw error(std::string(what) + ": the input names no array yet", where);
}

/// "float32[2,3] and float32[4]": the inputs for an error text.
std::string list_text(std::span<const tensor_type> types);

/// Throws `what: facts: float32[2,3] and float32[4] (model.cpp:41)`.
[[noreturn]] void refuse(std::string_view what, std::string_view facts,
                         std::span<const tensor_type> inputs, caller where);

/// Submits an operation with one output on whole tensors; its `infer` says what comes out.
tensor apply(const operation& op, tensor_pointers inputs, attributes given, caller where);

inline tensor apply(const operation& op, const tensor& x, attributes given, caller where) {
  const tensor* const inputs[] = {&x};
  return apply(op, tensor_pointers(inputs), std::move(given), where);
}

/// Submits an operation without inputs, which makes a tensor of type `out`. `what` is the
/// function's name.
tensor make(std::string_view what, const operation& op, const tensor_type& out, attributes given,
            caller where);

}  // namespace troupe
