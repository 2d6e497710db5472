// SPDX-License-Identifier: MIT
#include "troupe/tasks/fault_injector.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

namespace troupe {

namespace {

using std::chrono::steady_clock;

constexpr std::chrono::milliseconds nap{2};  // time until a cancelled task notices
constexpr std::chrono::hours longest{24 * 365};

bool has_failed_input(const task& t) noexcept {
  return std::any_of(t.inputs.begin(), t.inputs.end(),
                     [](const operand& in) { return in.source && in.source->failed(); });
}

}  // namespace

void fault_injector::set(fault_plan plan) {
  std::lock_guard lock(mutex_);
  plan_ = std::move(plan);
  plan_.delay = std::min<std::chrono::nanoseconds>(plan_.delay, longest);
  active_.store(plan_.delay.count() > 0 || !plan_.failing.empty(), std::memory_order_relaxed);
}

void fault_injector::look_up(task& t) {
  std::lock_guard lock(mutex_);
  const auto& failing = plan_.failing;
  t.injected.late =
      plan_.delay.count() > 0 && (plan_.delayed.empty() || plan_.delayed == t.op->name);
  t.injected.fails = std::find(failing.begin(), failing.end(), t.op->name) != failing.end();
  if (!t.injected.late) return;
  t.delay = static_cast<float>(plan_.delay.count());
  t.estimate += t.delay;
}

void sleep_if_late(const task& t, const std::atomic<std::uint64_t>* cancelled_through) {
  if (!t.injected.late || has_failed_input(t)) return;
  const auto until =
      steady_clock::now() + std::chrono::nanoseconds(static_cast<std::int64_t>(t.delay));
  for (auto left = until - steady_clock::now(); left.count() > 0;
       left = until - steady_clock::now()) {
    if (t.to_be_cancelled() ||
        (cancelled_through && t.sequence <= cancelled_through->load(std::memory_order_acquire)))
      return;
    std::this_thread::sleep_for(std::min<steady_clock::duration>(left, nap));
  }
}

}  // namespace troupe
