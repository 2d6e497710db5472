// SPDX-License-Identifier: MIT
#include "troupe/nn/data/batch_order.hpp"

#include <algorithm>
#include <optional>

#include "troupe/nn/data/permutation.hpp"

namespace troupe::nn {

std::int64_t batch_order::batches(std::int64_t epoch) const noexcept {
  switch (last) {
    case last_batch::keep: return samples / size + (samples % size > 0);
    case last_batch::discard: return samples / size;
    case last_batch::roll_over: break;
  }
  return (epoch + 1) * samples / size - epoch * samples / size;
}

std::vector<drawn_sample> batch_order::batch(std::int64_t epoch, std::int64_t number) const {
  // With roll_over, the sequence of samples is cut regardless of epochs; a batch belongs to the
  // epoch in which it ends.
  const bool rolls = last == last_batch::roll_over;
  const auto first =
      rolls ? (epoch * samples / size + number) * size : epoch * samples + number * size;
  const auto end = rolls ? first + size : first + std::min(size, (epoch + 1) * samples - first);
  std::vector<drawn_sample> out;
  out.reserve(static_cast<std::size_t>(end - first));
  std::optional<detail::permutation> shuffled;
  for (auto place = first; place < end; ++place) {
    const auto i = place % samples;
    if (shuffle && (!shuffled || i == 0))
      shuffled.emplace(samples, seed, static_cast<std::uint64_t>(place / samples));
    out.push_back({shuffled ? (*shuffled)(i) : i, place});
  }
  return out;
}

}  // namespace troupe::nn
