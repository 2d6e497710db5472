// SPDX-License-Identifier: MIT
#include <vector>

#include "troupe/apps/bench/bench_case.hpp"
#include "troupe/apps/bench/timing.hpp"
#include "troupe/nn/nn.hpp"
#include "troupe/troupe.hpp"

namespace troupe::bench {

namespace {

constexpr std::int64_t alphabet = 65, context = 64, width = 96, heads = 4, blocks = 3;

struct block {
  nn::layer_norm before_attention, before_layers;
  nn::multi_head_attention attention{heads, {.causal = true}};
  nn::sequential layers{nn::dense(4 * width, relu), nn::dense(width)};

  tensor operator()(const tensor& x) const {
    const auto attended = x + attention(before_attention(x));
    return attended + layers(before_layers(attended));
  }
};

/// Character-level transformer: the logits of the letter that follows a text.
struct language_model {
  nn::embedding letter{alphabet, width}, place{context, width};
  std::vector<block> layers{blocks};
  nn::layer_norm norm;
  nn::dense out{alphabet};

  tensor operator()(const tensor& text) const {
    auto x = letter(text) + place(arange(context));
    for (const auto& layer : layers) x = layer(x);
    return out(norm(x.slice(1, context - 1, context)));
  }
};

/// Writes the likeliest letter again and again, each read before the next.
template <bool Compiled>
measurement write_letters(runtime&, int count) {
  language_model net;
  const std::vector<std::int64_t> prompt(context);
  net(from_data(prompt, {1, context})).wait();
  const auto next = [net](const tensor& seen) { return argmax(net(seen)); };
  return [count, next, program = compile(next), prompt] {
    auto text = prompt;
    return seconds_of([&] {
      for (int i = 0; i < count; ++i) {
        const auto seen = from_data(std::span(text).last(context), {1, context});
        text.push_back((Compiled ? program(seen) : next(seen)).template item<std::int64_t>());
      }
    });
  };
}

constexpr bench_case cases[] = {
    {.name = "letters",
     .title = "200 letters of a transformer, 3 blocks of 96, context 64",
     .count = 200,
     .shown = figure::rate,
     .ours = write_letters<false>,
     .aim = {target::times_as_fast, 1},
     .peer = "bench-libtorch-networks"},
    {.name = "letters_compiled",
     .title = "200 letters of a transformer, as a program",
     .count = 200,
     .shown = figure::rate,
     .ours = write_letters<true>,
     .beside = write_letters<false>,
     .beside_name = "the network"},
};

}  // namespace

const std::span<const bench_case> letters = cases;

}  // namespace troupe::bench
