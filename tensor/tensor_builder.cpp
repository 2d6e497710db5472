// SPDX-License-Identifier: MIT
#include "troupe/tensor/tensor_builder.hpp"

#include <new>

#include "troupe/tasks/engine.hpp"
#include "troupe/tensor/ops/copy.hpp"

namespace troupe {

tensor_builder::tensor_builder(std::string_view what, const tensor_type& wanted, caller where)
    : device_(wanted.device), call_site_(where) {
  auto& e = engine::current(what, where);
  auto* place = &e.at(device_, what, where);
  const bool on_host = device_.traits().host_memory;
  if (!on_host) place = &e.at(cpu(), what, where);
  value_ = value_ref(new value({wanted.dims, wanted.element, on_host ? device_ : cpu()}));
  value_->engine = e.id();
  try {
    value_->allocate(place->memory());
  } catch (const std::bad_alloc&) {
    throw error(std::string(what) + ": out of memory for " + to_string(wanted), where);
  }
}

tensor tensor_builder::finish() && {
  value_->succeed();
  tensor out(std::move(value_));
  return device_.traits().host_memory ? out : to(out, device_, call_site_);
}

}  // namespace troupe
