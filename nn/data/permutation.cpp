// SPDX-License-Identifier: MIT
#include "troupe/nn/data/permutation.hpp"

#include <algorithm>
#include <cmath>

#include "troupe/tasks/random_bits.hpp"

namespace troupe::nn::detail {

namespace {

/// Hashes a number and a key to a number below `range` (the mixing of SplitMix64).
std::uint64_t scatter(std::uint64_t number, std::uint64_t key, std::uint64_t range) noexcept {
  auto z = number + key;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  z ^= z >> 31;
  // Both are below 2^32, like the rows and columns of a grid of 2^63 cells.
  return (z >> 32) * range >> 32;
}

}  // namespace

permutation::permutation(std::int64_t n, std::uint64_t key, std::uint64_t stream) noexcept
    : n_(static_cast<std::uint64_t>(std::max<std::int64_t>(n, 1))) {
  columns_ = static_cast<std::uint64_t>(std::ceil(std::sqrt(static_cast<double>(n_))));
  rows_ = (n_ + columns_ - 1) / columns_;
  random_bits bits(key, stream);
  for (auto& k : keys_) k = bits();
}

std::int64_t permutation::operator()(std::int64_t i) const noexcept {
  auto cell = static_cast<std::uint64_t>(i);
  do cell = once(cell);
  while (cell >= n_);
  return static_cast<std::int64_t>(cell);
}

std::uint64_t permutation::once(std::uint64_t cell) const noexcept {
  auto row = cell / columns_, column = cell % columns_;
  for (std::size_t k = 0; k < keys_.size(); k += 2) {
    row += scatter(column, keys_[k], rows_);
    if (row >= rows_) row -= rows_;
    column += scatter(row, keys_[k + 1], columns_);
    if (column >= columns_) column -= columns_;
  }
  return row * columns_ + column;
}

}  // namespace troupe::nn::detail
