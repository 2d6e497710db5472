// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/lapack/matrices.hpp"

#include <stdexcept>

#include "troupe/devices/cpu/workspace.hpp"

namespace troupe::cpu_kernels {

void refuse_matrix(const kernel_args& args, std::int64_t index, const char* facts) {
  const array& x = args.inputs[0];
  if (x.rank == 2) throw std::domain_error(std::string("the matrix ") + facts);
  std::string place;
  for (int i = x.rank - 3; i >= 0; --i) {
    place = std::to_string(index % x.shape[i]) + (place.empty() ? "" : ",") + place;
    index /= x.shape[i];
  }
  throw std::domain_error("matrix [" + place + "] " + facts);
}

room::room(std::size_t bytes, int parts)
    : next_(static_cast<char*>(workspace(bytes + static_cast<std::size_t>(parts) * alignment))) {}

}  // namespace troupe::cpu_kernels
