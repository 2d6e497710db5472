// SPDX-License-Identifier: MIT
#include "troupe/apps/bench/peers/serve.hpp"

#include <algorithm>
#include <iostream>
#include <limits>

#include "troupe/apps/bench/timing.hpp"

namespace troupe::bench {

int serve(const std::string& description, std::span<const peer_case> cases) {
  std::cout.precision(std::numeric_limits<double>::max_digits10);
  std::cout << description << std::endl;
  std::string name;
  int count;
  while (std::cin >> name >> count) {
    const auto found = std::find_if(cases.begin(), cases.end(),
                                    [&](const peer_case& c) { return c.name == name; });
    if (found == cases.end()) {
      std::cout << "unknown" << std::endl;
      continue;
    }
    const auto seconds = found->run(count);
    await_rest();
    std::cout << seconds << std::endl;
  }
  return 0;
}

}  // namespace troupe::bench
