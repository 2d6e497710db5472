// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <cstdlib>

#include "troupe/apps/bench/peers/libtorch_threads.hpp"
#include "troupe/apps/bench/peers/serve.hpp"
#include "troupe/apps/bench/timing.hpp"
#include "troupe/apps/demo/measurements.hpp"

namespace {

using troupe::bench::seconds_of;

double train(int batches) {
  namespace nn = torch::nn;
  nn::Sequential net(nn::Linear(512, 2048), nn::ReLU(), nn::Linear(2048, 512), nn::ReLU(),
                     nn::Linear(512, 1));
  torch::optim::SGD optimiser(net->parameters(), 0.005);
  return seconds_of([&] {
    for (int i = 0; i < batches; ++i) {
      const auto x = torch::randn({1024, 512}), y = torch::randn({1024, 1});
      optimiser.zero_grad();
      const auto loss = torch::mse_loss(net->forward(x), y) * 0.5;
      loss.backward();
      optimiser.step();
      loss.item<float>();
    }
  });
}

double lenet(int batches) {
  namespace nn = torch::nn;
  nn::Sequential net(nn::Conv2d(nn::Conv2dOptions(1, 6, 5).padding(2)), nn::ReLU(),
                     nn::MaxPool2d(2), nn::Conv2d(6, 16, 5), nn::ReLU(), nn::MaxPool2d(2),
                     nn::Flatten(), nn::Linear(400, 120), nn::ReLU(), nn::Linear(120, 84),
                     nn::ReLU(), nn::Linear(84, 10));
  const auto x = torch::randn({256, 1, 28, 28}), labels = torch::randint(10, {256});
  return seconds_of([&] {
    for (int i = 0; i < batches; ++i) {
      net->zero_grad();
      torch::nn::functional::cross_entropy(net->forward(x), labels).backward();
    }
  });
}

/// Bytes that the process grows by at most, in a first run.
double growth(int batches) {
  const auto before = troupe::demo::read_resident_memory().current;
  train(batches);
  return static_cast<double>(troupe::demo::read_resident_memory().peak - before);
}

constexpr troupe::bench::peer_case cases[] = {{"train", train},
                                              {"train_passive", train},
                                              {"train_growth", growth},
                                              {"lenet", lenet},
                                              {"lenet_passive", lenet}};

}  // namespace

int main(int, char** words) {
  std::string how;
#ifdef TROUPE_PASSIVE
  // OpenMP's threads sleep while there is nothing to do, instead of spinning; read when a program
  // is loaded.
  if (std::getenv("OMP_WAIT_POLICY") == nullptr) {
    setenv("OMP_WAIT_POLICY", "passive", 1);
    execv("/proc/self/exe", words);
  }
  how = " that do not spin";
#else
  static_cast<void>(words);
#endif
  return troupe::bench::serve(troupe::bench::libtorch_on_all_cores() + how, cases);
}
