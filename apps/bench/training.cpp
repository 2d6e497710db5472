// SPDX-License-Identifier: MIT
#include <memory>
#include <vector>

#include "troupe/apps/bench/bench_case.hpp"
#include "troupe/apps/bench/timing.hpp"
#include "troupe/nn/nn.hpp"
#include "troupe/troupe.hpp"

namespace troupe::bench {

measurement train(runtime& rt, int batches) {
  return [&rt, batches] {
    nn::sequential net{nn::dense(2048, relu), nn::dense(512, relu), nn::dense(1)};
    net(zeros({1, 512}));
    nn::sgd optimiser(nn::parameters(net), {.rate = 0.005});
    rt.wait_all();
    return seconds_of([&] {
      for (int i = 0; i < batches; ++i) {
        const auto x = normal({1024, 512}), y = normal({1024, 1});
        optimiser.minimise([&] { return nn::l2_loss(net(x), y); });
      }
      rt.wait_all();
    });
  };
}

namespace {

// Runs as many operations as the products of `train`, in one size that suits OpenBLAS best.
measurement as_many_products(runtime& rt, int batches) {
  constexpr double of_one_batch = 5 * 2. * 1024 * 2048 * 512,
                   of_one_product = 2. * 2000 * 2000 * 2000;
  const int count = static_cast<int>(batches * of_one_batch / of_one_product);
  return [&rt, count, a = uniform({2000, 2000}), b = uniform({2000, 2000})] {
    return seconds_of([&] {
      std::vector<tensor> results;
      for (int i = 0; i < count; ++i) results.push_back(matmul(a, b));
      results.clear();
      rt.wait_all();
    });
  };
}

// LeCun et al. 1998, with relu and the greatest of each window; there and back on batches of 256
// digits' images.
measurement lenet(runtime& rt, int batches) {
  nn::sequential net{nn::conv2d(6, 5, relu, {.padding = 2}),
                     nn::max_pool2d(2),
                     nn::conv2d(16, 5, relu),
                     nn::max_pool2d(2),
                     nn::flatten(),
                     nn::dense(120, relu),
                     nn::dense(84, relu),
                     nn::dense(10)};
  const auto x = normal({256, 1, 28, 28}), labels = randint({256}, 0, 10);
  net(x);
  return [&rt, batches, net, x, labels]() mutable {
    rt.wait_all();
    return seconds_of([&] {
      for (int i = 0; i < batches; ++i) {
        for (const auto& p : nn::parameters(net)) p.zero_grad();
        tensor loss;
        {
          const recording on;
          loss = nn::softmax_cross_entropy(net(x), labels);
        }
        loss.backward();
      }
      rt.wait_all();
    });
  };
}

constexpr std::int64_t parameters = 10'000'000;

measurement steps_of_adam_alone(runtime& rt, int count) {
  nn::parameter p(normal({parameters}));
  const auto optimiser = std::make_shared<nn::adam>(std::vector{p});
  p.set_grad(normal({parameters}));
  return [&rt, count, optimiser] {
    return seconds_of([&] {
      for (int i = 0; i < count; ++i) optimiser->step();
      rt.wait_all();
    });
  };
}

constexpr bench_case training_cases[] = {
    {.name = "train",
     .title = "100 batches through three dense layers",
     .count = 100,
     .ours = train,
     .aim = {target::times_as_fast, 2.5},
     .peer = "bench-libtorch-training"},
    {.name = "train_passive",
     .title = "the same",
     .count = 100,
     .ours = train,
     .aim = {target::times_as_fast, 1.2},
     .peer = "bench-libtorch-passive",
     .synchronous = false},
    {.name = "train_products",
     .title = "the same",
     .count = 100,
     .ours = train,
     .aim = {target::times_as_long, 1.33},
     .beside = as_many_products,
     .beside_name = "as many flops in products 2000 x 2000",
     .synchronous = false},
    {.name = "lenet",
     .title = "20 batches of 256 through LeNet and back",
     .count = 20,
     .ours = lenet,
     .aim = {target::times_as_fast, 1},
     .peer = "bench-libtorch-training"},
    {.name = "lenet_passive",
     .title = "the same",
     .count = 20,
     .ours = lenet,
     .aim = {target::times_as_fast, 1},
     .peer = "bench-libtorch-passive",
     .synchronous = false},
    {.name = "adam",
     .title = "10 Adam steps over 10 million parameters",
     .count = 10,
     .ours = steps_of_adam_alone,
     .aim = {target::times_as_fast, 2},
     .peer = "bench-libtorch"},
    {.name = "adam_bytes",
     .title = "the same, beside reading and writing as many bytes",
     .count = 10,
     .ours = steps_of_adam_alone,
     .aim = {target::times_as_long, 1.2},
     .peer = "bench-loops",
     .synchronous = false},
};

}  // namespace

const std::span<const bench_case> training = training_cases;

}  // namespace troupe::bench
