// SPDX-License-Identifier: MIT
#include <cmath>
#include <string>
#include <vector>

#include "troupe/apps/bench/peers/libtorch_threads.hpp"
#include "troupe/apps/bench/peers/serve.hpp"
#include "troupe/apps/bench/timing.hpp"

namespace {

namespace nn = torch::nn;
using torch::Tensor;
using troupe::bench::seconds_of;

double forward_passes(int count) {
  const c10::InferenceMode guard;
  nn::Sequential net(nn::Linear(512, 256), nn::ReLU(), nn::Linear(256, 128), nn::ReLU(),
                     nn::Linear(128, 2));
  const auto x = torch::randn({1, 512});
  net->forward(x);
  return seconds_of([&] {
    for (int i = 0; i < count; ++i) net->forward(x);
  });
}

double adam_steps(int count) {
  nn::Sequential net(nn::Linear(784, 64), nn::ReLU(), nn::Linear(64, 10));
  torch::optim::Adam optimiser(net->parameters(), torch::optim::AdamOptions(1e-3));
  const auto x = torch::randn({32, 784}), labels = torch::randint(10, {32});
  net->forward(x);
  const auto seconds = seconds_of([&] {
    for (int i = 0; i < count; ++i) {
      optimiser.zero_grad();
      const auto loss = nn::functional::cross_entropy(net->forward(x), labels);
      loss.backward();
      optimiser.step();
      loss.item<float>();
    }
  });
  return seconds / count;
}

constexpr std::int64_t alphabet = 65, context = 64, width = 96, heads = 4, blocks = 3,
                       head_width = width / heads;

nn::LayerNorm norm() { return nn::LayerNorm(nn::LayerNormOptions({width})); }

struct block_impl : nn::Module {
  nn::LayerNorm before_attention = norm(), before_layers = norm();
  nn::Linear query{width, width}, key{width, width}, value{width, width}, output{width, width};
  nn::Linear wide{width, 4 * width}, narrow{4 * width, width};
  Tensor seen = torch::ones({context, context}, torch::kBool).tril();

  block_impl() {
    register_module("before_attention", before_attention);
    register_module("before_layers", before_layers);
    register_module("query", query);
    register_module("key", key);
    register_module("value", value);
    register_module("output", output);
    register_module("wide", wide);
    register_module("narrow", narrow);
  }
  static Tensor heads_of(const Tensor& x) {
    return x.view({x.size(0), x.size(1), heads, head_width}).transpose(1, 2);
  }
  Tensor attention(const Tensor& x) {
    const double scale = 1 / std::sqrt(static_cast<double>(head_width));
    const auto scores = (heads_of(query(x)) * scale).matmul(heads_of(key(x)).transpose(-2, -1));
    const auto weights = scores.masked_fill(seen.logical_not(), -INFINITY).softmax(-1);
    return output(weights.matmul(heads_of(value(x))).transpose(1, 2).reshape(x.sizes()));
  }
  Tensor forward(const Tensor& x) {
    const auto attended = x + attention(before_attention(x));
    return attended + narrow(wide(before_layers(attended)).relu());
  }
};
TORCH_MODULE_IMPL(block, block_impl);

/// Transformer that predicts the letter behind each one.
struct model_impl : nn::Module {
  nn::Embedding letter{alphabet, width}, place{context, width};
  std::vector<block> layers;
  nn::LayerNorm last_norm = norm();
  nn::Linear out{width, alphabet};

  model_impl() {
    register_module("letter", letter);
    register_module("place", place);
    for (int i = 0; i < blocks; ++i)
      layers.push_back(register_module("block" + std::to_string(i), block()));
    register_module("last_norm", last_norm);
    register_module("out", out);
  }
  Tensor embedded(const Tensor& text) {
    auto x = letter(text) + place(torch::arange(context));
    for (auto& layer : layers) x = layer(x);
    return x;
  }
  Tensor next(const Tensor& text) {
    return out(last_norm(embedded(text).slice(1, context - 1, context)));
  }
  Tensor forward(const Tensor& text) { return out(last_norm(embedded(text))); }
};
TORCH_MODULE_IMPL(model, model_impl);

double write_letters(int count) {
  const c10::InferenceMode guard;
  model net;
  std::vector<std::int64_t> text(context);
  const auto next = [&] {
    const auto seen =
        torch::tensor(at::ArrayRef(text).slice(text.size() - context)).view({1, context});
    return net->next(seen).argmax().item<std::int64_t>();
  };
  next();
  return seconds_of([&] {
    for (int i = 0; i < count; ++i) text.push_back(next());
  });
}

double learn_letters(int steps) {
  model net;
  torch::optim::AdamW optimiser(net->parameters(), torch::optim::AdamWOptions(1e-3));
  const auto text = torch::randint(alphabet, {100'000}), within = torch::arange(context);
  const auto step = [&] {
    const auto at = torch::randint(text.size(0) - context, {16, 1}, torch::kInt64) + within;
    optimiser.zero_grad();
    const auto logits = net->forward(text.index({at}));
    const auto loss =
        nn::functional::cross_entropy(logits.flatten(0, 1), text.index({at + 1}).flatten());
    loss.backward();
    optimiser.step();
    return loss;
  };
  step();
  return seconds_of([&] {
    Tensor loss;
    for (int i = 0; i < steps; ++i) loss = step();
    loss.item<float>();
  });
}

constexpr troupe::bench::peer_case cases[] = {
    {"forward_waited", forward_passes}, {"busy_1", forward_passes},
    {"busy_2", forward_passes},         {"adam_steps", adam_steps},
    {"letters", write_letters},         {"letters_compiled", write_letters},
    {"letters_learnt", learn_letters}};

}  // namespace

int main() { return troupe::bench::serve(troupe::bench::libtorch_on_all_cores(), cases); }
