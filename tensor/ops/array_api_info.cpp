// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/array_api_info.hpp"

#include "troupe/devices/driver.hpp"
#include "troupe/tasks/engine.hpp"
#include "troupe/tensor/ops/dtypes.hpp"
#include "troupe/tensor/tensor_options.hpp"

namespace troupe {

std::vector<std::pair<std::string_view, dtype>> array_api_info::dtypes(
    std::optional<std::string_view> kind, caller where) {
  std::vector<std::pair<std::string_view, dtype>> out;
  for (const auto element : all_dtypes) {
    if (!kind || isdtype(element, *kind, where)) out.emplace_back(name(element), element);
  }
  return out;
}

device array_api_info::default_device() { return troupe::default_device(); }

std::vector<device> array_api_info::devices(caller where) {
  std::vector<device> out;
  for (const auto& one : engine::current("array_api_info", where).devices())
    out.push_back(one->id());
  return out;
}

}  // namespace troupe
