// SPDX-License-Identifier: MIT
#include <memory>
#include <vector>

#include "troupe/apps/bench/bench_case.hpp"
#include "troupe/apps/bench/timing.hpp"
#include "troupe/apps/letters/language_model.hpp"
#include "troupe/nn/nn.hpp"
#include "troupe/troupe.hpp"

namespace troupe::bench {

namespace {

constexpr std::int64_t context = 64;
constexpr letters::language_sizes sizes{
    .alphabet = 65, .context = context, .width = 96, .heads = 4, .blocks = 3};

/// Writes the likeliest letter again and again, each read before the next.
template <bool Compiled>
measurement write_letters(runtime&, int count) {
  const letters::language_model net(sizes);
  const std::vector<std::int64_t> prompt(context);
  net.next(from_data(prompt, {1, context})).wait();
  const auto next = [net](const tensor& seen) { return argmax(net.next(seen)); };
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

/// Learns from 16 passages of 64 letters in each step, the loss read at the end, as troupe-letters
/// does.
measurement learn_letters(runtime& rt, int steps) {
  constexpr std::int64_t passages = 16;
  const auto net = std::make_shared<letters::language_model>(sizes);
  (*net)(zeros({1, 1}, int64));
  const auto optimiser =
      std::make_shared<nn::adamw>(nn::parameters(*net), nn::adamw_options{.rate = 1e-3});
  const auto step = compile([net, optimiser](const tensor& seen, const tensor& following) {
    return optimiser->minimise([&] { return nn::softmax_cross_entropy((*net)(seen), following); });
  });
  const auto text = randint({100'000}, 0, sizes.alphabet), within = arange(context);
  return [&rt, steps, step, text, within] {
    rt.wait_all();
    return seconds_of([&] {
      tensor loss;
      for (int i = 0; i < steps; ++i) {
        const auto at = randint({passages, 1}, 0, text.size() - context) + within;
        loss = step(take(text, at), take(text, at + 1));
      }
      loss.wait();
      rt.wait_all();
    });
  };
}

constexpr bench_case letters_cases[] = {
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
     .aim = {target::times_as_fast, 2},
     .peer = "bench-libtorch-networks"},
    {.name = "letters_learnt",
     .title = "20 steps of it, learning from 16 texts of 64 letters",
     .count = 20,
     .ours = learn_letters,
     .aim = {target::times_as_fast, 1},
     .peer = "bench-libtorch-networks"},
};

}  // namespace

const std::span<const bench_case> letters = letters_cases;

}  // namespace troupe::bench
