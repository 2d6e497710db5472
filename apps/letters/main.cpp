// SPDX-License-Identifier: MIT
#include <cmath>
#include <exception>
#include <iomanip>
#include <iostream>
#include <stdexcept>

#include "troupe/apps/letters/arguments.hpp"
#include "troupe/apps/letters/writer.hpp"
#include "troupe/text/quantities.hpp"
#include "troupe/text/quoted.hpp"
#include "troupe/troupe.hpp"

namespace {

using namespace troupe;
using namespace troupe::letters;

constexpr std::int64_t usual_steps = 1500;

/// Trains on a text but for its last twentieth, if that is longer than the context.
void learn(writer& w, const std::string& text, std::int64_t steps, const arguments& given) {
  const auto numbers = w.letters().numbers_of(text);
  const auto all = from_data(numbers, {static_cast<std::int64_t>(numbers.size())});
  const auto kept = all.size() - all.size() / 20, context = w.sizes().context;
  const auto lesson = w.learn(slice(all, 0, 0, kept), {steps, given.batch, given.rate});
  std::cout << std::fixed << std::setprecision(3) << steps << " steps in "
            << duration_text(lesson.seconds) << ", "
            << std::llround(static_cast<double>(steps * given.batch * context) / lesson.seconds)
            << " letters a second\nloss " << lesson.first_loss << " at first, " << lesson.last_loss
            << " at last";
  if (all.size() - kept > context)
    std::cout << "; " << w.loss_on(slice(all, 0, kept, all.size()))
              << " on the last twentieth of the text, which it has not seen";
  std::cout << '\n' << std::flush;
}

void run(const arguments& given) {
  runtime rt;
  seed(given.seed);
  const auto steps = given.steps.value_or(given.load.empty() ? usual_steps : 0);
  const bool reads = given.load.empty() || steps > 0;
  const auto text = reads ? read_text(given.text) : "";
  if (reads && text.empty()) throw std::runtime_error(troupe::quoted(given.text) + " is empty");
  auto w = [&] {
    if (!given.load.empty()) return writer::load(given.load);
    alphabet letters(text);
    const language_sizes sizes{letters.size(), given.context, given.width, given.heads,
                               given.blocks};
    return writer(sizes, std::move(letters));
  }();
  std::cout << w.parameter_count() << " parameters, " << w.letters().size()
            << " different letters\n";
  if (steps > 0) learn(w, text, steps, given);
  if (!given.save.empty()) w.save(given.save);
  seed(given.seed);  // what is written does not depend on how long was learnt
  const auto prompt = given.prompt.value_or(w.letters().letter(0));
  if (given.length > 0) std::cout << '\n' << (given.prompt ? prompt : "");
  w.write(prompt, given.length, given.sampling,
          [](const std::string& letter) { std::cout << letter << std::flush; });
  if (given.length > 0) std::cout << '\n';
}

}  // namespace

int main(int count, char** words) {
  arguments given;
  try {
    given = parse({words + 1, words + count});
  } catch (const std::invalid_argument& e) {
    std::cerr << "troupe-letters: " << e.what() << '\n';
    return 2;
  }
  try {
    if (given.help) std::cout << help_text();
    else run(given);
  } catch (const std::exception& e) {
    std::cout << std::flush;
    std::cerr << "troupe-letters: " << e.what() << '\n';
    return 1;
  }
}
