// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "troupe/nn/data/dataset.hpp"
#include "troupe/nn/sequential.hpp"

namespace troupe::digits {

/// Images of digits, [n, 1, 8, 8] from 0 to 1, and their labels, int64 [n].
struct images {
  tensor x, labels;
};

/// Reads images [n, 8, 8] of 0 to 16 and labels [n] of 0 to 9 from a .npz file. Throws
/// std::runtime_error if there are none.
images read_images(const std::string& path);

/// Returns the images but for the last fifth, and the last fifth, which other people wrote.
std::pair<images, images> split(const images& all);

/// Returns two convolutions, with norms, a pool, and two dense layers.
nn::sequential new_network();

struct training_options {
  int epochs = 0;
  std::int64_t batch = 64;
  double rate = 3e-3;
  std::vector<device> devices = {};  ///< each takes its share of every batch
};

/// Trains a network on images that are turned and shifted a little at random, and shows a progress
/// bar. Returns the seconds it took.
double train(nn::sequential& net, const images& examples, const training_options& options);

/// Label that a network took another one for.
struct confusion {
  int label, taken_for;
  std::vector<std::int64_t> images;  ///< numbers of the images
};

/// Returns all confusions, those with most images first. Switches the network to evaluation.
std::vector<confusion> confusions(nn::sequential& net, const images& of);

/// Draws images side by side, with a line of text for each row of pixels.
std::string picture_of(const images& all, const std::vector<std::int64_t>& numbers);

}  // namespace troupe::digits
