// SPDX-License-Identifier: MIT
#include "troupe/tasks/shared_run.hpp"

#include <algorithm>

#include "troupe/tasks/spin.hpp"

namespace troupe {

shared_run::shared_run(task& t, driver& where, int lanes) noexcept
    : run_(t, where),
      lanes_only_(t.op->lanes_only()),
      count_(std::clamp(lanes, 1, most_stretches_)) {}

bool shared_run::try_claim() noexcept {
  auto expected = state::untouched;
  return state_.compare_exchange_strong(expected, state::claimed, std::memory_order_acq_rel);
}

bool shared_run::claim() noexcept {
  bool mine = false;
  spin::until([&] { return (mine = try_claim()) || opened(); });
  return mine;
}

void shared_run::start() noexcept {
  if (!run_.prepare()) {
    close();
    return;
  }
  description_ = describe(run_.subject());
  for (int i = 0; i < count_; ++i) {
    stretches_[i].next.store(chunks() * i / count_, std::memory_order_relaxed);
    stretches_[i].end = chunks() * (i + 1) / count_;
  }
  state_.store(state::open);  // before it looks whether helpers left
}

bool shared_run::join(int lane, bool owner, std::int64_t& ran, ticks& until,
                      bool (*leaves)()) noexcept {
  ran = 0;
  until = now();
  if (state_.load(std::memory_order_acquire) == state::over) return owner;
  if (owner) owner_joined_.store(true, std::memory_order_release);
  ran = take_chunks(lane, leaves);
  until = now();
  const auto share = ran + (owner ? 1 : 0);
  if (share == 0 || done_.fetch_add(share, std::memory_order_acq_rel) + share != chunks() + 1)
    return false;
  run_.settle();
  until = run_.ended();
  state_.store(state::over, std::memory_order_release);
  return true;
}

ticks shared_run::complete() noexcept {
  if (state_.load(std::memory_order_relaxed) == state::open) run_.settle();
  return run_.ended();
}

bool shared_run::has_chunks_left() const noexcept {
  return state_.load(std::memory_order_acquire) == state::open &&
         std::any_of(stretches_, stretches_ + count_, [](const stretch& one) {
           return one.next.load(std::memory_order_relaxed) < one.end;
         });
}

std::int64_t shared_run::take_chunks(int lane, bool (*leaves)()) noexcept {
  std::int64_t ran = 0;
  for (int i = 0; i < count_; ++i) ran += run_stretch(stretches_[(lane + i) % count_], leaves);
  return ran;
}

std::int64_t shared_run::run_stretch(stretch& of, bool (*leaves)()) noexcept {
  std::int64_t ran = 0;
  while (of.next.load(std::memory_order_relaxed) < of.end && !(leaves && leaves())) {
    const auto mine = of.next.fetch_add(1, std::memory_order_acq_rel);
    if (mine >= of.end) break;
    run_.run_chunks(mine, mine + 1);
    ++ran;
  }
  return ran;
}

}  // namespace troupe
