// SPDX-License-Identifier: MIT
#include <exception>
#include <iomanip>
#include <iostream>
#include <stdexcept>

#include "troupe/apps/digits/classifier.hpp"
#include "troupe/apps/environment_text.hpp"
#include "troupe/apps/parse_words.hpp"
#include "troupe/nn/nn.hpp"
#include "troupe/text/quantities.hpp"
#include "troupe/troupe.hpp"

namespace {

using namespace troupe;
using namespace troupe::digits;

struct arguments {
  std::string data = TROUPE_DIGITS;
  int epochs = 60;
  std::uint64_t seed = 0;
  double at_least = 0;
  std::string save;
};

/// Options of the program, which are parsed into `given`.
struct grammar {
  explicit grammar(arguments& given) {
    const auto number = [](double least, double greatest) {
      return CLI::Range(least, greatest).description("");
    };
    app.add_option("--data", given.data, "images and labels; default: those beside the source")
        ->type_name("NPZ");
    app.add_option("--epochs", given.epochs, "times to go through the images")
        ->type_name("N")
        ->capture_default_str()
        ->check(number(1, 100'000));
    app.add_option("--seed", given.seed, "key of the random numbers")->type_name("N");
    app.add_option("--at-least", given.at_least,
                   "end with status 1 if fewer percent of the held-out images are recognised")
        ->type_name("N")
        ->check(number(0, 100));
    app.add_option("--save", given.save, "write the network to a file")->type_name("FILE");
    app.set_help_flag("-h,--help", "this text");
  }

  CLI::App app{"", "troupe-digits"};
};

/// Returns the GPUs, or where there are none all devices.
std::vector<device> devices_of(const runtime& rt) {
  std::vector<device> all, gpus;
  for (const auto& one : rt.devices()) {
    all.push_back(one->id());
    if (one->id().kind == device_kind::gpu) gpus.push_back(one->id());
  }
  return gpus.empty() ? all : gpus;
}

void show_worst(const std::vector<confusion>& wrong, const images& of) {
  constexpr std::size_t most = 5;
  std::vector<std::int64_t> drawn;
  for (std::size_t i = 0; i < std::min(wrong.size(), most); ++i) {
    const auto& c = wrong[i];
    std::cout << "  " << c.label << " taken for " << c.taken_for << ": "
              << count_text(c.images.size(), "time") << '\n';
    if (drawn.size() < 4) drawn.push_back(c.images.front());
  }
  if (!drawn.empty()) std::cout << '\n' << picture_of(of, drawn);
}

int run(const arguments& given) {
  runtime rt;
  seed(given.seed);
  const auto [examples, held_out] = split(read_images(given.data));
  auto net = new_network();
  const auto devices = devices_of(rt);
  const auto seconds = train(net, examples, {.epochs = given.epochs, .devices = devices});
  const auto wrong = confusions(net, held_out);
  std::size_t missed = 0;
  for (const auto& c : wrong) missed += c.images.size();
  const auto all = held_out.labels.size();
  const double right = 100 * (1 - static_cast<double>(missed) / static_cast<double>(all));
  std::cout << nn::parameter_count(net) << " parameters, " << examples.labels.size() << " images, "
            << given.epochs << " epochs in " << duration_text(seconds) << " on";
  for (const auto d : devices) std::cout << ' ' << d;
  std::cout << '\n'
            << std::fixed << std::setprecision(2) << right << " % of " << all
            << " images that it has not seen are recognised\n";
  show_worst(wrong, held_out);
  if (!given.save.empty()) nn::save(given.save, net);
  return right >= given.at_least ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  arguments given;
  grammar expected(given);
  try {
    if (!parse_words(expected.app, {words + 1, words + count})) {
      std::cout << "Usage: troupe-digits [--epochs N] [--save FILE] ...\n\n"
                   "Learns to read handwritten digits with a convolutional network.\n"
                << options_help(expected.app) << '\n'
                << environment_help(readers::all_programs);
      return 0;
    }
  } catch (const std::invalid_argument& e) {
    std::cerr << "troupe-digits: " << e.what() << '\n';
    return 2;
  }
  try {
    return run(given);
  } catch (const std::exception& e) {
    std::cout << std::flush;
    std::cerr << "troupe-digits: " << e.what() << '\n';
    return 1;
  }
}
