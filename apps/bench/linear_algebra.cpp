// SPDX-License-Identifier: MIT
#include <vector>

#include "troupe/apps/bench/bench_case.hpp"
#include "troupe/apps/bench/timing.hpp"
#include "troupe/troupe.hpp"

namespace troupe::bench {

namespace {

const shape square{1000, 1000};

/// Arguments of all functions.
struct random_matrices {
  tensor general = normal(square, float64);
  tensor positive = matmul(general, general.T()) + 1000. * eye(1000, float64);
  tensor symmetric = general + general.T();
  tensor vector = normal({1000}, float64);

  random_matrices() {
    for (const auto* x : {&positive, &symmetric, &vector}) x->wait();
  }
};

template <tensor (*operation)(const random_matrices&)>
measurement alone(runtime&, int count) {
  return [count, all = random_matrices()] {
    return median_seconds(count, [&] { operation(all).wait(); });
  };
}

tensor solution(const random_matrices& all) { return linalg::solve(all.general, all.vector); }
tensor triangle(const random_matrices& all) { return linalg::cholesky(all.positive); }
tensor singular(const random_matrices& all) { return linalg::svd(all.general).u; }
tensor eigen(const random_matrices& all) { return linalg::eigh(all.symmetric).eigenvectors; }

measurement several(runtime& rt, int count) {
  return [&rt, count, all = random_matrices()] {
    return seconds_of([&] {
      std::vector<tensor> results;
      for (int i = 0; i < count; ++i) results.push_back(eigen(all));
      rt.wait_all();
    });
  };
}

constexpr target as_fast{target::times_as_fast, 0.95};

constexpr bench_case linear_algebra_cases[] = {
    {.name = "solve",
     .title = "solve 1000 x 1000 for a vector, float64",
     .count = 20,
     .ours = alone<solution>,
     .aim = as_fast,
     .peer = "bench-numpy"},
    {.name = "cholesky",
     .title = "cholesky of 1000 x 1000, float64",
     .count = 20,
     .ours = alone<triangle>,
     .aim = as_fast,
     .peer = "bench-numpy"},
    {.name = "svd",
     .title = "svd of 1000 x 1000, float64",
     .count = 3,
     .ours = alone<singular>,
     .aim = as_fast,
     .peer = "bench-numpy"},
    {.name = "eigh",
     .title = "eigh of 1000 x 1000, float64",
     .count = 3,
     .ours = alone<eigen>,
     .aim = as_fast,
     .peer = "bench-numpy"},
    {.name = "eighs",
     .title = "four of these, independent",
     .count = 4,
     .ours = several,
     .peer = "bench-numpy"},
};

}  // namespace

const std::span<const bench_case> linear_algebra = linear_algebra_cases;

}  // namespace troupe::bench
