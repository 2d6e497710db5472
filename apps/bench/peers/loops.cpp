// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>
#include <thread>
#include <vector>

#include "troupe/apps/bench/peers/serve.hpp"
#include "troupe/apps/bench/timing.hpp"

// glibc has it for whole vectors, too, which GCC is told here.
extern "C" __attribute__((__simd__("notinbranch"))) float tanhf(float) noexcept;

namespace {

const std::size_t threads = std::max(1u, std::thread::hardware_concurrency());

/// Gives every thread its part of n elements, and returns how many seconds that takes.
template <class F>
double seconds_of_threads(std::size_t n, F&& part) {
  return troupe::bench::seconds_of([&] {
    std::vector<std::jthread> workers;
    for (std::size_t i = 0; i < threads; ++i)
      workers.emplace_back(part, n * i / threads, n * (i + 1) / threads);
  });
}

// Code as one would write it by hand: every thread has its part of two buffers, which are used
// again and again, and waits for nobody.
double additions(int count) {
  static std::vector<float> x(2000 * 2000, 1.f), y(x.size());
  const auto add = [&](std::size_t first, std::size_t last) {
    for (int repetition = 0; repetition < count; ++repetition) {
      for (auto i = first; i < last; ++i) y[i] = x[i] + 1;
      asm volatile("" ::: "memory");  // so that no repetition is left out
    }
  };
  return seconds_of_threads(x.size(), add);
}

double chains(int count) {
  static std::vector<float> x(2000 * 2000, 1.f), y(x.size(), 1.f), z(x.size());
  const auto compute = [&](std::size_t first, std::size_t last) {
    for (int repetition = 0; repetition < count; ++repetition) {
      for (auto i = first; i < last; ++i)
        z[i] = (((x[i] * 1.5f + y[i]) * x[i] + 0.25f) * y[i] + x[i]) * 0.75f + y[i];
      asm volatile("" ::: "memory");
    }
  };
  return seconds_of_threads(x.size(), compute);
}

double gelus(int count) {
  static std::vector<float> x(2000 * 2000), y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 2001) / 500.f - 2.f;
  const auto compute = [&](std::size_t first, std::size_t last) {
    for (int repetition = 0; repetition < count; ++repetition) {
      for (auto i = first; i < last; ++i)
        y[i] = x[i] * 0.5f * (1 + tanhf(0.79788456f * (x[i] + 0.044715f * x[i] * x[i] * x[i])));
      asm volatile("" ::: "memory");
    }
  };
  return seconds_of_threads(x.size(), compute);
}

// Reads and writes as many bytes as an Adam step over ten million parameters: 28 for each, in
// place.
double bytes_of_adam(int count) {
  static std::vector<float> x(10'000'000 * 28 / 8, 1.f);
  return seconds_of_threads(x.size(), [&](std::size_t first, std::size_t last) {
    for (int repetition = 0; repetition < count; ++repetition) {
      for (auto i = first; i < last; ++i) x[i] *= 0.999f;
      asm volatile("" ::: "memory");  // so that no two repetitions become one
    }
  });
}

// Copies as many bytes as there are in 1000 images of 3 x 224 x 224 pixels and their float32
// values.
double copied_images(int count) {
  static std::vector<float> from(1000 * 3 * 224 * 224 * 5 / 8, 1.f), to(from.size());
  return troupe::bench::median_seconds(count, [] {
    seconds_of_threads(from.size(), [](std::size_t first, std::size_t last) {
      std::memcpy(to.data() + first, from.data() + first, (last - first) * sizeof(float));
    });
  });
}

constexpr troupe::bench::peer_case cases[] = {{"additions", additions},
                                              {"images", copied_images},
                                              {"chain_compiled", chains},
                                              {"gelu_loop", gelus},
                                              {"adam_bytes", bytes_of_adam}};

}  // namespace

int main() {
  return troupe::bench::serve("Loops by hand, " + std::to_string(threads) + " threads", cases);
}
