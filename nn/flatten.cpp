// SPDX-License-Identifier: MIT
#include "troupe/nn/flatten.hpp"

#include "troupe/tasks/error.hpp"

namespace troupe::nn {

tensor flatten::operator()(const tensor& x, caller where) const {
  const auto type = x.type(where);
  if (type.dims.rank() == 0)
    throw error("flatten: x is " + to_string(type) + ", but must have at least 1 axis", where);
  std::int64_t others = 1;
  for (int i = 1; i < type.dims.rank(); ++i) others *= type.dims[i];
  return x.reshape(shape{type.dims[0], others}, where);
}

}  // namespace troupe::nn
