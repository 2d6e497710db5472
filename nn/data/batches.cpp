// SPDX-License-Identifier: MIT
#include "troupe/nn/data/batches.hpp"

#include <algorithm>
#include <utility>

#include "troupe/nn/data/loader.hpp"

namespace troupe::nn {

batches::batches(dataset from, const batches_options& options, caller where)
    : loader_(std::make_shared<loader>(std::move(from), options, where)) {}

batches::iterator batches::begin() {
  const auto epoch = loader_->next_epoch++;
  return iterator(std::make_shared<pass>(loader_, epoch, std::exchange(loader_->next_batch, 0)));
}

std::int64_t batches::size() const noexcept {
  return std::max<std::int64_t>(
      0, loader_->order().batches(loader_->next_epoch) - loader_->next_batch);
}

std::int64_t batches::epoch() const noexcept { return loader_->next_epoch; }

void batches::resume(std::int64_t epoch, std::int64_t batch, caller where) {
  std::int64_t places = 0;
  if (epoch < 0 || batch < 0 || epoch == INT64_MAX ||
      __builtin_mul_overflow(epoch + 1, loader_->order().samples, &places))
    throw error("batches: there is no batch " + std::to_string(batch) + " of epoch " +
                    std::to_string(epoch),
                where);
  loader_->next_epoch = epoch;
  loader_->next_batch = batch;
}

std::uint64_t batches::seed() const noexcept { return loader_->order().seed; }

memory_statistics batches::memory(std::optional<device> on) const {
  return loader_->memory(on.value_or(loader_->place()));
}

batch& batches::iterator::operator*() const noexcept { return pass_->now(); }

batches::iterator& batches::iterator::operator++() {
  pass_->advance();
  return *this;
}

bool batches::iterator::at_end() const noexcept { return pass_->at_end(); }

}  // namespace troupe::nn
