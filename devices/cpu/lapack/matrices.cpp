// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/lapack/matrices.hpp"

#include <stdexcept>

#include "troupe/devices/cpu/workspace.hpp"

namespace troupe::cpu_kernels {

void refuse_matrix(const kernel_args& args, std::int64_t index, const char* facts) {
  throw std::domain_error(about_matrix(args.inputs[0], index, facts));
}

room::room(std::size_t bytes, int parts) {
  constexpr std::size_t large = std::size_t{1} << 20;
  bytes += static_cast<std::size_t>(parts) * alignment;
  if (bytes > large)
    own_.reset(static_cast<std::byte*>(::operator new (bytes, std::align_val_t{alignment})));
  next_ = own_ ? own_.get() : static_cast<std::byte*>(workspace(bytes));
}

}  // namespace troupe::cpu_kernels
