// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "troupe/devices/device.hpp"
#include "troupe/tasks/shape.hpp"

namespace troupe {

/// Type of a value, known before its elements are.
struct tensor_type {
  shape dims;
  dtype element = dtype::float32;
  troupe::device device;

  std::size_t bytes() const noexcept {
    return static_cast<std::size_t>(dims.size()) * size_of(element);
  }
  friend bool operator==(const tensor_type&, const tensor_type&) = default;
};

/// Returns text such as "float32[2,3]".
std::string to_string(const tensor_type& t);

}  // namespace troupe
