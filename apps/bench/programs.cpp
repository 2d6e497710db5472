// SPDX-License-Identifier: MIT
#include <memory>

#include "troupe/apps/bench/bench_case.hpp"
#include "troupe/apps/bench/functions.hpp"
#include "troupe/apps/bench/timing.hpp"
#include "troupe/nn/nn.hpp"
#include "troupe/troupe.hpp"

/// Functions as programs, beside the functions themselves.

namespace troupe::bench {

namespace {

template <bool Compiled>
measurement forward_passes(runtime&, int count) {
  auto net = small_network();
  const auto x = normal({1, 512});
  net(x).wait();
  if (Compiled) net.hybridize();
  return [count, net, x] {
    return seconds_of([&] {
      for (int i = 0; i < count; ++i) net(x).wait();
    });
  };
}

template <bool Compiled>
measurement adam_steps(runtime&, int count) {
  const auto net =
      std::make_shared<nn::sequential>(nn::sequential{nn::dense(64, relu), nn::dense(10)});
  const auto x = normal({32, 784}), labels = randint({32}, 0, 10);
  (*net)(x).wait();
  const auto optimiser = std::make_shared<nn::adam>(nn::parameters(*net));
  const auto step = [net, optimiser](const tensor& in, const tensor& out) {
    return optimiser->minimise([&] { return nn::softmax_cross_entropy((*net)(in), out); });
  };
  return [=, program = compile(step)] {
    const auto seconds = seconds_of([&] {
      for (int i = 0; i < count; ++i)
        (Compiled ? program(x, labels) : step(x, labels)).template item<float>();
    });
    return seconds / count;
  };
}

template <bool Compiled>
measurement gelus(runtime&, int count) {
  const auto x = normal({2000, 2000});
  return [count, x, program = compile(gelu_by_steps)] {
    return seconds_of([&] {
      for (int i = 0; i < count; ++i) (Compiled ? program(x) : gelu_by_steps(x)).wait();
    });
  };
}

tensor softmax_by_steps(const tensor& x) {
  const auto powers = exp(x - max(x, -1, keepdims));
  return powers / sum(powers, -1, keepdims);
}

tensor layer_norm_by_steps(const tensor& x, const tensor& scale, const tensor& shift) {
  const auto apart = x - mean(x, -1, keepdims);
  return apart / sqrt(mean(apart * apart, -1, keepdims) + 1e-5f) * scale + shift;
}

tensor attention_by_steps(const tensor& query, const tensor& key, const tensor& values) {
  const auto scores = matmul(query, key.swapaxes(-1, -2)) * 0.125f;
  return matmul(softmax_by_steps(scores), values);
}

template <bool Compiled>
measurement softmaxes(runtime&, int count) {
  const auto x = normal({4096, 1024});
  return [count, x, program = compile(softmax_by_steps)] {
    return seconds_of([&] {
      for (int i = 0; i < count; ++i) (Compiled ? program(x) : softmax(x)).wait();
    });
  };
}

template <bool Compiled>
measurement layer_norms(runtime&, int count) {
  const auto x = normal({4096, 1024});
  const nn::layer_norm layer;
  layer(x).wait();
  return [count, x, layer, scale = ones({1024}), shift = zeros({1024}),
          program = compile(layer_norm_by_steps)] {
    return seconds_of([&] {
      for (int i = 0; i < count; ++i) (Compiled ? program(x, scale, shift) : layer(x)).wait();
    });
  };
}

template <bool Compiled>
measurement attentions(runtime&, int count) {
  const auto query = normal({16, 512, 64}), key = normal({16, 512, 64}),
             values = normal({16, 512, 64});
  return [=, program = compile(attention_by_steps)] {
    return seconds_of([&] {
      for (int i = 0; i < count; ++i)
        (Compiled ? program(query, key, values)
                  : nn::scaled_dot_product_attention(query, key, values))
            .wait();
    });
  };
}

// The loop by hand waits for nobody, so this waits once.
measurement queued_gelus(runtime& rt, int count) {
  return [&rt, count, x = normal({2000, 2000}), program = compile(gelu_by_steps)] {
    return seconds_of([&] {
      tensor y;
      for (int i = 0; i < count; ++i) y = program(x);
      rt.wait_all();
    });
  };
}

measurement chains(runtime& rt, int count) {
  const auto x = normal({2000, 2000}), y = normal({2000, 2000});
  return [&rt, count, x, y, program = compile(chained)] {
    return seconds_of([&] {
      tensor z;
      for (int i = 0; i < count; ++i) z = program(x, y);
      rt.wait_all();
    });
  };
}

/// Makes of pixels from 0 to 255 numbers around 0.
tensor normalised(const tensor& images) {
  const auto means = tensor{0.485f, 0.456f, 0.406f}.reshape({3, 1, 1}),
             spreads = tensor{0.229f, 0.224f, 0.225f}.reshape({3, 1, 1});
  return (astype(images, float32) / 255.f - means) / spreads;
}

measurement images(runtime&, int count) {
  const auto x = astype(randint({1000, 3, 224, 224}, 0, 256, {.dtype = int32}), uint8);
  x.wait();
  return [count, x, program = compile(normalised)] {
    return median_seconds(count, [&] { program(x).wait(); });
  };
}

constexpr bench_case program_cases[] = {
    {.name = "forward_compiled",
     .title = "1000 passes 512-256-128-2 of one sample, as a program",
     .count = 1000,
     .ours = forward_passes<true>,
     .beside = forward_passes<false>,
     .beside_name = "the network"},
    {.name = "forward_onnxruntime",
     .title = "the same",
     .count = 1000,
     .ours = forward_passes<true>,
     .aim = {target::times_as_long, 1},
     .peer = "bench-onnxruntime"},
    {.name = "adam_compiled",
     .title = "an Adam step of 784-64-10, batch 32, as a program",
     .count = 1000,
     .ours = adam_steps<true>,
     .beside = adam_steps<false>,
     .beside_name = "the step"},
    {.name = "gelu_compiled",
     .title = "10 gelu of 2000 x 2000, nine operations, as a program",
     .count = 10,
     .ours = gelus<true>,
     .beside = gelus<false>,
     .beside_name = "the function"},
    {.name = "gelu_onnxruntime",
     .title = "the same",
     .count = 10,
     .ours = gelus<true>,
     .aim = faster,
     .peer = "bench-onnxruntime"},
    {.name = "gelu_loop",
     .title = "100 of these, waited for once",
     .count = 100,
     .ours = queued_gelus,
     .aim = {target::times_as_long, 1.15},
     .peer = "bench-loops"},
    {.name = "images",
     .title = "1000 images of 3 x 224 x 224 pixels normalised, as a program",
     .count = 3,
     .ours = images,
     .aim = {target::times_as_long, 1.25},
     .peer = "bench-loops",
     .remark = "a copy of as many bytes"},
    {.name = "softmax_compiled",
     .title = "10 softmax of 4096 x 1024, five operations, as a program",
     .count = 10,
     .ours = softmaxes<true>,
     .beside = softmaxes<false>,
     .beside_name = "softmax"},
    {.name = "layer_norm_compiled",
     .title = "10 layer norms of 4096 x 1024, nine operations, as a program",
     .count = 10,
     .ours = layer_norms<true>,
     .beside = layer_norms<false>,
     .beside_name = "nn::layer_norm"},
    {.name = "attention_compiled",
     .title = "10 attentions of 16 x 512 x 64, eight operations, as a program",
     .count = 10,
     .ours = attentions<true>,
     .beside = attentions<false>,
     .beside_name = "the library's"},
    {.name = "chain_compiled",
     .title = "100 chains of 8 sums and products of 2000 x 2000, as a program",
     .count = 100,
     .ours = chains,
     .aim = {target::times_as_long, 1.2},
     .peer = "bench-loops"},
    {.name = "chain_onnxruntime",
     .title = "the same",
     .count = 100,
     .ours = chains,
     .aim = faster,
     .peer = "bench-onnxruntime"},
};

}  // namespace

const std::span<const bench_case> programs = program_cases;

}  // namespace troupe::bench
