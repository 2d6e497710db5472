// SPDX-License-Identifier: MIT
#pragma once

/// All that a program whose actors use tensors includes, beside troupe.hpp. Messages may hold a
/// tensor or a vector of tensors, to actors of the same process: CAF refuses to serialise them.

#include <concepts>
#include <utility>
#include <vector>

#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/make_message.hpp>

#include "troupe/actors/frontend_actor.hpp"
#include "troupe/tensor/tensor.hpp"

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::tensor)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(std::vector<troupe::tensor>)

namespace troupe {

/// Tensor to ask for, and the user's line that does.
struct awaited_tensor {
  tensor x;
  caller where;

  awaited_tensor(tensor asked, caller w = caller::current()) : x(std::move(asked)), where(w) {}
};

/// Returns the request for one or more tensors, which `frontend_of` answers with the tensors
/// themselves once all of them are ready, or with the error of the first that fails.
///
///     request(frontend_of(rt), caf::infinite, await(x, y))
///         .then([](const tensor& x, const tensor& y) { use(x.to_vector<float>(), y); },
///               [](const caf::error& e) { std::cerr << error_of(e).what() << '\n'; });
template <std::same_as<tensor>... More>
await_values await(const awaited_tensor& first, const More&... more) {
  return {{first.x.source(), more.source()...}, caf::make_message(first.x, more...), first.where};
}
/// Does the same for any number of them, to be answered with the vector.
inline await_values await(const std::vector<tensor>& all, caller where = caller::current()) {
  std::vector<value_ref> values;
  for (const auto& x : all) values.push_back(x.source());
  return {std::move(values), caf::make_message(all), where};
}

}  // namespace troupe
