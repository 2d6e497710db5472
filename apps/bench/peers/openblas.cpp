// SPDX-License-Identifier: MIT
#include <cblas.h>

#include <random>
#include <vector>

#include "troupe/apps/bench/peers/serve.hpp"
#include "troupe/apps/bench/timing.hpp"

namespace {

constexpr int size = 2000;

std::vector<float> random_matrix() {
  std::minstd_rand random(1);
  std::uniform_real_distribution<float> number;
  std::vector<float> all(size * size);
  for (auto& x : all) x = number(random);
  return all;
}

void multiply() {
  static const auto a = random_matrix(), b = random_matrix();
  static std::vector<float> c(size * size);
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, size, size, size, 1, a.data(), size,
              b.data(), size, 0, c.data(), size);
}

double product(int count) { return troupe::bench::median_seconds(count, multiply); }

double products(int count) {
  return troupe::bench::seconds_of([&] {
    for (int i = 0; i < count; ++i) multiply();
  });
}

constexpr troupe::bench::peer_case cases[] = {{"product", product}, {"products", products}};

}  // namespace

int main() {
  const auto threads = std::to_string(openblas_get_num_threads());
  return troupe::bench::serve(std::string(openblas_get_config()) + ", " + threads + " threads",
                              cases);
}
