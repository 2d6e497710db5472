// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/terminal/unblocked_input.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace troupe::shell {

unblocked_input::unblocked_input(int file_descriptor) noexcept : original_(file_descriptor) {
  char name[256];
  if (ttyname_r(file_descriptor, name, sizeof name) == 0)
    own_ = open(name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

unblocked_input::~unblocked_input() {
  if (own_ >= 0) close(own_);
}

}  // namespace troupe::shell
