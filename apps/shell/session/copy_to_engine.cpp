// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/session/copy_to_engine.hpp"

#include "troupe/tasks/engine.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tensor/ops/complex.hpp"
#include "troupe/tensor/ops/from_data.hpp"

namespace troupe::shell {

namespace {

tensor copy_of(const tensor& x) {
  try {
    x.wait();
  } catch (const task_error&) { return x; }
  if (is_complex(x.dtype())) return complex(copy_of(real(x)), copy_of(imag(x)));
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

dynamic_value copies_to_engine::operator()(const dynamic_value& x) {
  if (const auto* array = std::get_if<tensor>(&x)) return copy_of(*array);
  const auto* items = std::get_if<list_ptr>(&x);
  if (!items) return x;
  if (const auto found = lists_.find(*items); found != lists_.end()) return found->second;
  list all;
  for (const auto& one : (*items)->items) all.items.push_back((*this)(one));
  return lists_[*items] = std::make_shared<const list>(std::move(all));
}

}  // namespace troupe::shell
