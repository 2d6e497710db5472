// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <numbers>
#include <stdexcept>
#include <string>

#include "troupe/apps/demo/experiments.hpp"
#include "troupe/apps/demo/measurements.hpp"
#include "troupe/nn/nn.hpp"
#include "troupe/text/quantities.hpp"
#include "troupe/troupe.hpp"

namespace troupe::demo {

namespace {

constexpr int turns = 2;
constexpr double wanted = 0.98;  // of fresh points

struct points {
  tensor x;       ///< [n, 2], inside the unit circle
  tensor labels;  ///< [n]: the arm, 0 or 1
};

/// Draws points on two spirals, one turned by half a circle, with noise added to each point.
points two_spirals(std::int64_t n) {
  const auto labels = randint({n}, 0, 2);
  const auto radius = sqrt(uniform({n}, 0.01, 1));
  const auto angle = radius * (turns * 2 * std::numbers::pi) + labels * std::numbers::pi;
  const auto x = stack({radius * cos(angle), radius * sin(angle)}, 1);
  return {x.astype(float32) + normal({n, 2}, 0, 0.015), labels};
}

nn::sequential new_network() {
  return {nn::dense(64, relu), nn::dense(64, relu), nn::dense(64, relu), nn::dense(2)};
}

/// Draws the network's answer at each place: '#' for one arm, '.' for the other.
std::string picture_of(const nn::sequential& net, int rows) {
  const int columns = 2 * rows;
  const auto x = linspace(-1, 1, columns).reshape({1, columns, 1}),
             y = linspace(1, -1, rows).reshape({rows, 1, 1});
  const shape each{rows, columns, 1};
  const auto places = concatenate({x.broadcast_to(each), y.broadcast_to(each)}, 2).astype(float32);
  const auto arms = net(places.reshape({rows * columns, 2})).argmax(1).to_vector<int>();
  std::string out;
  for (int i = 0; i < rows * columns; ++i) {
    out += arms[static_cast<std::size_t>(i)] == 0 ? '.' : '#';
    if (i % columns == columns - 1) out += '\n';
  }
  return out;
}

}  // namespace

void show_spirals(page& p) {
  p.text(R"(
A classifier learns which of two spirals a point lies on, from points that the program makes itself.
Batches are gathered, shuffled, while the network works on the ones before; nothing in the loop
waits. Then the network is saved, and another one that is read from the file is tried on fresh
points, of which it is to get 98 % right.)");
  p.code(R"(
nn::sequential net{nn::dense(64, relu), nn::dense(64, relu), nn::dense(64, relu), nn::dense(2)};
nn::adam optimiser(nn::parameters(net), {.rate = 0.003});
nn::batches data(nn::array_dataset(x, labels), {.size = 64, .shuffle = true});
for (int epoch = 0; epoch < 60; ++epoch)
  for (auto [points, arms] : data)
    optimiser.minimise([&] { return nn::softmax_cross_entropy(net(points), arms); });
nn::save("spirals.safetensors", net);
)");

  const int epochs = p.size(60, 2);
  runtime rt;
  seed(7);
  const auto learn = two_spirals(4096), fresh = two_spirals(4096);
  auto net = new_network();
  nn::adam optimiser(nn::parameters(net), {.rate = 0.003});
  nn::batches data(nn::array_dataset(learn.x, learn.labels), {.size = 64, .shuffle = true});
  const double time = seconds_of([&] {
    nn::progress_bar bar({.label = "spirals", .total = epochs * data.size()});
    for (int epoch = 0; epoch < epochs; ++epoch) {
      for (auto [points, arms] : data) {
        bar.show("loss",
                 optimiser.minimise([&] { return nn::softmax_cross_entropy(net(points), arms); }));
        bar.step();
      }
    }
    bar.wait();
    rt.wait_all();
  });

  const auto path = (std::filesystem::temp_directory_path() /
                     ("troupe-spirals-" + std::to_string(getpid()) + ".safetensors"))
                        .string();
  nn::save(path, net);
  auto restored = new_network();
  nn::load(path, restored);
  std::remove(path.c_str());

  table t({"spirals", "points", "right"});
  const auto add = [&](const std::string& what, const nn::sequential& by, const points& of) {
    const auto right = nn::accuracy(by(of.x), of.labels).item<double>();
    t.add({what, std::to_string(of.labels.size()), number_text(100 * right, 2) + " %"});
    return right;
  };
  add("learnt from", net, learn);
  const auto right = add("fresh, the network from the file", restored, fresh);
  p.figures(t);
  p.text(std::to_string(epochs) + " epochs took " + duration_text(time) +
         ". What the network takes each place for:");
  p.code(picture_of(restored, p.size(24, 8)));
  if (epochs >= 60 && right < wanted)
    throw std::runtime_error("the network should have got " + number_text(100 * wanted, 0) +
                             " % of fresh points right, not " + number_text(100 * right, 2) + " %");
}

}  // namespace troupe::demo
