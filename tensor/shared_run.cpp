// SPDX-License-Identifier: MIT
#include "troupe/tensor/shared_run.hpp"

#include <thread>

namespace troupe {

bool shared_run::try_claim() noexcept {
  auto expected = untouched_;
  return next_.compare_exchange_strong(expected, claimed_, std::memory_order_acq_rel);
}

bool shared_run::claim() noexcept {
  while (!try_claim()) {
    if (opened()) return false;
    std::this_thread::yield();
  }
  return true;
}

void shared_run::start() noexcept {
  if (!run_.prepare()) {
    close();
    return;
  }
  description_ = describe(run_.subject());
  next_.store(0, std::memory_order_release);
}

bool shared_run::join(bool owner, std::int64_t& ran) noexcept {
  ran = 0;
  const auto next = next_.load(std::memory_order_acquire);
  const auto chunks = run_.chunks();
  if (next >= over_) return owner;
  if (next >= chunks && !owner) return false;
  for (;;) {
    const auto mine = next_.fetch_add(1, std::memory_order_acq_rel);
    if (mine >= chunks) break;
    run_.run_chunks(mine, mine + 1);
    ++ran;
  }
  const auto share = ran + (owner ? 1 : 0);
  if (share == 0 || done_.fetch_add(share, std::memory_order_acq_rel) + share != chunks + 1)
    return false;
  run_.settle();
  return true;
}

}  // namespace troupe
