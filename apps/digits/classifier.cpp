// SPDX-License-Identifier: MIT
#include "troupe/apps/digits/classifier.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <stdexcept>

#include "troupe/nn/nn.hpp"
#include "troupe/tasks/clock.hpp"
#include "troupe/text/quoted.hpp"
#include "troupe/troupe.hpp"

namespace troupe::digits {

namespace {

constexpr std::int64_t size = 8;  ///< pixels of a side

/// Returns a pixel, or 0 outside the image.
double pixel(std::span<const float> image, double row, double column) {
  const bool inside = row >= 0 && row < size && column >= 0 && column < size;
  return inside ? image[static_cast<std::size_t>(row * size + column)] : 0.;
}

/// Interpolates linearly between the four pixels around a place.
double between_pixels(std::span<const float> image, double row, double column) {
  const double top = std::floor(row), left = std::floor(column);
  const auto along = [&](double in_row) {
    return std::lerp(pixel(image, in_row, left), pixel(image, in_row, left + 1), column - left);
  };
  return std::lerp(along(top), along(top + 1), row - top);
}

/// Writes an image turned by up to 10 degrees and shifted by up to a pixel, and its label.
void move(const inputs& in, outputs& into, random_bits& bits) {
  const auto from = in[0].span<float>();
  const auto to = into[0].span<float>();
  const double turn = bits.uniform(-0.17, 0.17), down = bits.uniform(-1, 1),
               right = bits.uniform(-1, 1), middle = (size - 1) / 2.;
  for (std::int64_t i = 0; i < size * size; ++i) {
    const auto row = i / size, column = i % size;
    const double y = static_cast<double>(row) - middle - down,
                 x = static_cast<double>(column) - middle - right;
    to[static_cast<std::size_t>(i)] =
        static_cast<float>(between_pixels(from, middle + std::cos(turn) * y - std::sin(turn) * x,
                                          middle + std::sin(turn) * y + std::cos(turn) * x));
  }
  into[1].span<std::int64_t>()[0] = in[1].item<std::int64_t>();
}

}  // namespace

images read_images(const std::string& path) {
  const auto file = load_npz(path);
  const auto *const pixels = file.find("images"), *const labels = file.find("labels");
  if (!pixels || !labels || pixels->rank() != 3 || pixels->shape()[1] != size ||
      pixels->shape()[2] != size || labels->shape() != shape{pixels->shape()[0]})
    throw std::runtime_error(troupe::quoted(path) +
                             " has no \"images\" [n,8,8] with \"labels\" [n]");
  if (labels->size() < 5)
    throw std::runtime_error(troupe::quoted(path) + " has fewer than five images");
  const auto x = pixels->reshape({-1, 1, size, size}).astype(float32) / 16.f;
  if (!all(logical_and(greater_equal(x, 0.f), less_equal(x, 1.f))).item<bool>())
    throw std::runtime_error(troupe::quoted(path) + " has pixels that are not from 0 to 16");
  return {x, labels->astype(int64)};
}

std::pair<images, images> split(const images& all) {
  const auto n = all.labels.size(), kept = n - n / 5;
  const auto part = [&](std::int64_t begin, std::int64_t end) {
    return images{slice(all.x, 0, begin, end), slice(all.labels, 0, begin, end)};
  };
  return {part(0, kept), part(kept, n)};
}

nn::sequential new_network() {
  return {nn::conv2d(32, 3, {.padding = 1, .bias = false}),
          nn::batch_norm(),
          relu,
          nn::conv2d(64, 3, {.padding = 1, .bias = false}),
          nn::batch_norm(),
          relu,
          nn::max_pool2d(2),
          nn::dropout(0.25),
          nn::flatten(),
          nn::dense(128, relu),
          nn::dropout(0.5),
          nn::dense(10)};
}

double train(nn::sequential& net, const images& examples, const training_options& options) {
  const auto data = nn::dataset(nn::array_dataset(examples.x, examples.labels)).map(move);
  nn::batches all(data, {.size = options.batch, .shuffle = true});
  const auto steps = options.epochs * all.size();
  nn::train(net);
  net(slice(examples.x, 0, 0, 1).to(options.devices.front()));  // creates the parameters
  nn::adamw optimiser(nn::parameters(net),
                      {.rate = nn::warm_up(std::max<std::int64_t>(steps / 10, 1),
                                           nn::cosine(options.rate, steps))});
  const auto began = now();
  nn::progress_bar bar({.label = "digits", .total = steps});
  for (int epoch = 0; epoch < options.epochs; ++epoch) {
    for (const auto& b : all) {
      const auto loss = optimiser.minimise([&] {
        return nn::parallel_mean(b, options.devices, [&](const nn::batch& share) {
          return nn::softmax_cross_entropy(net(share[0]), share[1]);
        });
      });
      bar.show("loss", loss);
      bar.step();
    }
  }
  bar.wait();
  bar.finish();
  return seconds_between(began, now());
}

std::vector<confusion> confusions(nn::sequential& net, const images& of) {
  nn::eval(net);
  const auto labels = of.labels.to_vector<int>(), answers = argmax(net(of.x), 1).to_vector<int>();
  std::map<std::pair<int, int>, std::vector<std::int64_t>> found;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] != answers[i])
      found[{labels[i], answers[i]}].push_back(static_cast<std::int64_t>(i));
  }
  std::vector<confusion> out;
  for (auto& [pair, numbers] : found) out.push_back({pair.first, pair.second, std::move(numbers)});
  std::stable_sort(out.begin(), out.end(), [](const confusion& a, const confusion& b) {
    return a.images.size() > b.images.size();
  });
  return out;
}

std::string picture_of(const images& all, const std::vector<std::int64_t>& numbers) {
  constexpr std::string_view shades = " .:-=+*#@";
  std::string out;
  for (std::int64_t row = 0; row < size; ++row) {
    for (const auto number : numbers) {
      for (const float p : all.x(number, 0, row).to_vector<float>())
        out += std::string(2, shades[static_cast<std::size_t>(std::lround(p * 8))]);
      out += "   ";
    }
    out.erase(out.find_last_not_of(' ') + 1);
    out += '\n';
  }
  return out;
}

}  // namespace troupe::digits
