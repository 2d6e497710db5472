// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/terminal/interrupts.hpp"

#include <atomic>

namespace troupe::shell {

namespace {

// A handler is given nothing but the signal, so this cannot be a member.
std::atomic<int> counted{0};
static_assert(std::atomic<int>::is_always_lock_free, "a handler may not wait for a lock");

void count_one(int) { counted.fetch_add(1, std::memory_order_relaxed); }

}  // namespace

interrupts::interrupts() : count_before_(counted.exchange(0)) {
  struct sigaction count {};
  count.sa_handler = count_one;
  sigemptyset(&count.sa_mask);
  sigaction(SIGINT, &count, &previous_);
}

interrupts::~interrupts() {
  sigaction(SIGINT, &previous_, nullptr);
  counted = count_before_;
}

int interrupts::count() const noexcept { return counted; }

void interrupts::clear() noexcept { counted = 0; }

}  // namespace troupe::shell
