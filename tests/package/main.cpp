// SPDX-License-Identifier: MIT
#include <iostream>
#include <vector>

#include "troupe/troupe.hpp"

int main() {
  troupe::runtime rt;
  const auto x = troupe::ones({2, 3});
  const auto y = x + 1;
  std::cout << y << '\n';
  return y.to_vector<float>() == std::vector<float>(6, 2.f) ? 0 : 1;
}
