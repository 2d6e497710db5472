// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

#include "troupe/apps/shell/evaluator/shell_value.hpp"

namespace troupe::shell {

/// Returns `x.T`, `x.shape` and so on. Nothing if the array has no such attribute.
std::optional<shell_value> attribute_of(const tensor& x, std::string_view name, caller where);

struct attribute_row {
  std::string_view name;
  std::string_view doc;
};
std::span<const attribute_row> all_attributes() noexcept;

}  // namespace troupe::shell
