// SPDX-License-Identifier: MIT
#include <iostream>

#include "troupe/troupe.hpp"

using namespace troupe;

int main() {
  runtime rt;
  tensor x = uniform({1000, 1000});  // each line returns at once,
  tensor y = matmul(x, x) + 1;       // and other threads do the work
  tensor z = sum(y);
  std::cout << z << '\n';  // waits until z is there
}
