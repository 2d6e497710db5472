// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/random_numbers.hpp"

#include <utility>

#include "troupe/tensor/batching/batching.hpp"

namespace troupe {

namespace {

thread_local constinit drawn_numbers* noted = nullptr;
thread_local constinit same_numbers_again* again = nullptr;
thread_local constinit numbers_of_key* keyed = nullptr;

}  // namespace

random_source draw(engine& e, std::uint64_t counters) {
  batching::need_loop();
  if (keyed) return keyed->next();
  const auto mine = again && again->next_ < again->from_.size()
                        ? again->from_[again->next_++]
                        : random_source{e.random_key(), e.take_random(counters)};
  if (noted) noted->push_back(mine);
  return mine;
}

numbers_of_key::numbers_of_key(const std::optional<random_key>& key) noexcept
    : key_(key), before_(keyed) {
  if (key) keyed = this;
}

numbers_of_key::~numbers_of_key() { keyed = before_; }

random_source numbers_of_key::next() noexcept {
  constexpr auto apart_from_split = std::uint64_t{1} << 62;
  const random_source mine{key_->seed(), random_source::first_of_key};
  key_ = key_->child(apart_from_split);
  return mine;
}

numbers_noted::numbers_noted(drawn_numbers& in) noexcept : before_(noted) { noted = &in; }

numbers_noted::~numbers_noted() { noted = before_; }

same_numbers_again::same_numbers_again(const drawn_numbers& from) noexcept
    : from_(from), before_(again) {
  again = this;
}

same_numbers_again::~same_numbers_again() { again = before_; }

numbers_apart::numbers_apart() noexcept
    : noted_before_(std::exchange(noted, nullptr)), again_before_(std::exchange(again, nullptr)) {}

numbers_apart::~numbers_apart() {
  noted = noted_before_;
  again = again_before_;
}

}  // namespace troupe
