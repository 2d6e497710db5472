// SPDX-License-Identifier: MIT
#include <vector>

#include "troupe/apps/bench/bench_case.hpp"
#include "troupe/apps/bench/timing.hpp"
#include "troupe/apps/letters/language_model.hpp"
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
     .beside = write_letters<false>,
     .beside_name = "the network"},
};

}  // namespace

const std::span<const bench_case> letters = letters_cases;

}  // namespace troupe::bench
