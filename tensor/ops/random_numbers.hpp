// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "troupe/devices/attributes.hpp"
#include "troupe/tasks/engine.hpp"
#include "troupe/tensor/ops/random_key.hpp"

namespace troupe {

/// The random numbers that were drawn, in order.
using drawn_numbers = std::vector<random_source>;

/// So many counters of an engine's random numbers that nobody else gets, unless this thread draws
/// again.
random_source draw(engine& e, std::uint64_t counters);

/// While it lives, its thread draws the numbers of a key, if there is one, each time those of
/// another key that follows from it. They are neither noted nor drawn again.
class numbers_of_key {
 public:
  explicit numbers_of_key(const std::optional<random_key>& key) noexcept;
  numbers_of_key(const numbers_of_key&) = delete;
  numbers_of_key& operator=(const numbers_of_key&) = delete;
  ~numbers_of_key();

 private:
  friend random_source draw(engine& e, std::uint64_t counters);

  random_source next() noexcept;

  std::optional<random_key> key_;
  numbers_of_key* before_;
};

/// While it lives, what its thread draws is noted.
class numbers_noted {
 public:
  explicit numbers_noted(drawn_numbers& in) noexcept;
  numbers_noted(const numbers_noted&) = delete;
  numbers_noted& operator=(const numbers_noted&) = delete;
  ~numbers_noted();

 private:
  drawn_numbers* before_;
};

/// While it lives, its thread draws the numbers that were noted once more; new ones when there are
/// no more.
class same_numbers_again {
 public:
  explicit same_numbers_again(const drawn_numbers& from) noexcept;
  same_numbers_again(const same_numbers_again&) = delete;
  same_numbers_again& operator=(const same_numbers_again&) = delete;
  ~same_numbers_again();

 private:
  friend random_source draw(engine& e, std::uint64_t counters);

  const drawn_numbers& from_;
  std::size_t next_ = 0;
  same_numbers_again* before_;
};

/// While it lives, what its thread draws is neither noted nor drawn again: a layer's first weights,
/// which are drawn once however often the layer runs.
class numbers_apart {
 public:
  numbers_apart() noexcept;
  numbers_apart(const numbers_apart&) = delete;
  numbers_apart& operator=(const numbers_apart&) = delete;
  ~numbers_apart();

 private:
  drawn_numbers* noted_before_;
  same_numbers_again* again_before_;
};

}  // namespace troupe
