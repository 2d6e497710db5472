// SPDX-License-Identifier: MIT
#include <algorithm>
#include <thread>
#include <vector>

#include "troupe/apps/bench/peers/libtorch_threads.hpp"
#include "troupe/apps/bench/peers/serve.hpp"
#include "troupe/apps/bench/timing.hpp"

namespace {

using at::Tensor;
using troupe::bench::median_seconds;
using troupe::bench::seconds_of;

// The better of the two ways of doing without gradients.
template <class F>
double without_gradients(F&& measure) {
  const auto no_gradients = [&] {
    const torch::NoGradGuard guard;
    return measure();
  };
  const auto inference = [&] {
    const c10::InferenceMode guard;
    return measure();
  };
  return std::min(no_gradients(), inference());
}

double chain(int count) {
  return without_gradients([&] {
    auto y = at::ones({1, 2});
    return seconds_of([&] {
      for (int i = 0; i < count; ++i) y = y + 1;
    });
  });
}

double reads(int count) {
  return without_gradients([&] {
    auto y = at::ones({1, 2});
    return seconds_of([&] {
      for (int i = 1; i <= count; ++i) {
        y = y + 1;
        if (i % 100 == 0) y.sum().item<float>();
      }
    });
  });
}

double chain_tensor(int count) {
  return without_gradients([&] {
    auto y = at::ones({1, 2});
    const auto one = at::ones({1, 2});
    return seconds_of([&] {
      for (int i = 0; i < count; ++i) y = y + one;
    });
  });
}

double independent(int count) {
  return without_gradients([&] {
    const auto x = at::ones({1, 2});
    std::vector<Tensor> results;
    results.reserve(static_cast<std::size_t>(count));
    return seconds_of([&] {
      for (int i = 0; i < count; ++i) results.push_back(x + 1);
    });
  });
}

template <class F>
double on_large(int count, F&& f) {
  static const auto x = at::rand({2000, 2000});
  const c10::InferenceMode guard;
  return median_seconds(count, [&] { f(x); });
}

template <class F>
double on_complex(int count, at::IntArrayRef sizes, F&& f) {
  const c10::InferenceMode guard;
  const auto x = at::complex(at::randn(sizes), at::randn(sizes));
  return median_seconds(count, [&] { f(x); });
}

double masked(int count) {
  const c10::InferenceMode guard;
  const auto x = at::rand({4'000'000}), mask = x > 0.5;
  return median_seconds(count, [&] { x.index({mask}); });
}

double taken_rows(int count) {
  const c10::InferenceMode guard;
  const auto x = at::rand({1'000'000, 64}), positions = at::randint(1'000'000, {1'000'000});
  return median_seconds(count, [&] { x.index_select(0, positions); });
}

double added_rows(int count) {
  const c10::InferenceMode guard;
  const auto x = at::rand({1'000'000, 64}), y = at::rand({1'000'000, 64}),
             positions = at::randint(1'000'000, {1'000'000});
  return median_seconds(count, [&] { x.index_add(0, positions, y); });
}

double round_trip(int count) {
  constexpr std::chrono::milliseconds pause(2);
  const c10::InferenceMode guard;
  const auto x = at::ones({1, 2});
  std::vector<double> all;
  for (int i = 0; i < count; ++i) {
    std::this_thread::sleep_for(pause);
    all.push_back(seconds_of([&] { x + 1; }));
  }
  return troupe::bench::median(std::move(all));
}

double round_trip_hot(int count) {
  const c10::InferenceMode guard;
  const auto x = at::ones({1, 2});
  return median_seconds(count, [&] { x + 1; });
}

double many_clients(int count) {
  constexpr int client_threads = 64;
  const auto x = at::rand({64, 64});
  return seconds_of([&] {
    std::vector<std::jthread> clients;
    for (int i = 0; i < client_threads; ++i)
      clients.emplace_back([&] {
        const c10::InferenceMode guard;
        for (int k = 0; k < count / client_threads; ++k) (x * 2.0).sum();
      });
  });
}

double adam_steps(int count) {
  static auto p = at::randn({10'000'000}).set_requires_grad(true);
  static torch::optim::Adam optimiser({p}, torch::optim::AdamOptions());
  p.mutable_grad() = at::randn({10'000'000});
  return seconds_of([&] {
    for (int i = 0; i < count; ++i) optimiser.step();
  });
}

constexpr troupe::bench::peer_case cases[] = {
    {"chain", chain},
    {"reads", reads},
    {"chain_tensor", chain_tensor},
    {"independent", independent},
    {"round_trip", round_trip},
    {"round_trip_hot", round_trip_hot},
    {"clients", many_clients},
    {"adam", adam_steps},
    {"mask", masked},
    {"take_rows", taken_rows},
    {"add_rows", added_rows},
    {"exp", [](int count) { return on_large(count, [](const Tensor& x) { return x.exp(); }); }},
    {"sum", [](int count) { return on_large(count, [](const Tensor& x) { return x.sum(); }); }},
    {"sum_rows",
     [](int count) { return on_large(count, [](const Tensor& x) { return x.sum(1); }); }},
    {"sum_columns",
     [](int count) { return on_large(count, [](const Tensor& x) { return x.sum(0); }); }},
    {"sort",
     [](int count) {
       return on_large(count, [](const Tensor& x) { return std::get<0>(x.flatten().sort()); });
     }},
    {"argsort",
     [](int count) {
       return on_large(count, [](const Tensor& x) { return x.flatten().argsort(); });
     }},
    {"topk",
     [](int count) {
       return on_large(count, [](const Tensor& x) { return std::get<0>(x.flatten().topk(10)); });
     }},
    {"cumsum",
     [](int count) {
       return on_large(count, [](const Tensor& x) { return x.flatten().cumsum(0); });
     }},
    {"rfft_rows",
     [](int count) { return on_large(count, [](const Tensor& x) { return at::fft_rfft(x); }); }},
    {"fft",
     [](int count) {
       return on_large(count, [](const Tensor& x) { return at::fft_fft(x.flatten()); });
     }},
    {"fft_rows",
     [](int count) {
       return on_complex(count, {1000, 1024}, [](const Tensor& x) { return at::fft_fft(x); });
     }},
    {"fft_square",
     [](int count) {
       return on_complex(count, {1000, 1000}, [](const Tensor& x) { return at::fft_fftn(x); });
     }},
    {"fft_long",
     [](int count) {
       return on_complex(count, {1 << 20}, [](const Tensor& x) { return at::fft_fft(x); });
     }},
    {"softmax",
     [](int count) { return on_large(count, [](const Tensor& x) { return x.softmax(1); }); }},
};

}  // namespace

int main() { return troupe::bench::serve(troupe::bench::libtorch_on_all_cores(), cases); }
