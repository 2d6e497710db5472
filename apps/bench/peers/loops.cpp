// SPDX-License-Identifier: MIT
#include <algorithm>
#include <thread>
#include <vector>

#include "troupe/apps/bench/peers/serve.hpp"
#include "troupe/apps/bench/timing.hpp"

namespace {

const std::size_t threads = std::max(1u, std::thread::hardware_concurrency());

// What one would write by hand: every thread has its part of two buffers, which are used again and
// again, and waits for nobody.
double additions(int count) {
  static std::vector<float> x(2000 * 2000, 1.f), y(x.size());
  const auto add = [&](std::size_t first, std::size_t last) {
    for (int repetition = 0; repetition < count; ++repetition) {
      for (auto i = first; i < last; ++i) y[i] = x[i] + 1;
      asm volatile("" ::: "memory");  // so that no repetition is left out
    }
  };
  return troupe::bench::seconds_of([&] {
    std::vector<std::jthread> workers;
    for (std::size_t i = 0; i < threads; ++i)
      workers.emplace_back(add, x.size() * i / threads, x.size() * (i + 1) / threads);
  });
}

constexpr troupe::bench::peer_case cases[] = {{"additions", additions}};

}  // namespace

int main() {
  return troupe::bench::serve("Loops by hand, " + std::to_string(threads) + " threads", cases);
}
