// SPDX-License-Identifier: MIT
#include "troupe/apps/colour_wanted.hpp"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace troupe {

bool colour_wanted(int file_descriptor) {
  if (!isatty(file_descriptor)) return false;
  if (const char* no = std::getenv("NO_COLOR"); no && *no) return false;
  const char* terminal = std::getenv("TERM");
  return terminal && *terminal && std::string_view(terminal) != "dumb";
}

}  // namespace troupe
