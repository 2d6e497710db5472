// SPDX-License-Identifier: MIT
#include <iostream>

#include "troupe/onnx/onnx.hpp"
#include "troupe/troupe.hpp"

int main() {
  troupe::runtime engine;
  try {
    troupe::load_onnx("none.onnx");
  } catch (const troupe::error& e) {
    std::cout << e.what() << '\n';
    return 0;
  }
  return 1;
}
