// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/session/copy_to_engine.hpp"

#include "troupe/tasks/engine.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tensor/ops/from_data.hpp"

namespace troupe::shell {

namespace {

tensor copy_of(const tensor& x) {
  try {
    x.wait();
  } catch (const task_error&) { return x; }
  const auto place = engine::current("copy_to_engine", {}).devices().size() >
                             static_cast<std::size_t>(x.device().index)
                         ? x.device()
                         : cpu();
  return visit(x.dtype(), [&](auto zero) {
    using element =
        std::conditional_t<std::is_same_v<decltype(zero), bool>, std::int32_t, decltype(zero)>;
    return from_data(x.to_vector<element>(), x.shape(), {.dtype = x.dtype(), .device = place});
  });
}

}  // namespace

shell_value copy_to_engine(const shell_value& x) {
  if (const auto* array = std::get_if<tensor>(&x)) return copy_of(*array);
  if (const auto* items = std::get_if<std::shared_ptr<const list>>(&x)) {
    list all;
    for (const auto& one : (*items)->items) all.items.push_back(copy_to_engine(one));
    return std::make_shared<const list>(std::move(all));
  }
  return x;
}

}  // namespace troupe::shell
