// SPDX-License-Identifier: MIT
#include <iostream>

#include "troupe/troupe.hpp"

int main() {
  troupe::runtime rt;
  const auto x = troupe::ones({2, 3});
  std::cout << x + 1 << '\n';
}
