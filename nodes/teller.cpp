// SPDX-License-Identifier: MIT
#include "troupe/nodes/teller.hpp"

#include <algorithm>
#include <chrono>
#include <ranges>
#include <utility>

#include "troupe/tasks/bookkeeping.hpp"
#include "troupe/tasks/library_thread.hpp"
#include "troupe/tasks/wait_limit.hpp"

namespace troupe {

namespace {

constexpr std::size_t longest_reason = 5'000;
constexpr std::size_t most_failures = 100;  // in one message
// Nanoseconds of work, by estimate, whose end is told of together with that of the task before it,
// and as a part of that task, if that is more.
constexpr float worth_telling = 50'000, little_behind = 1.F / 8;
// The longest time that this may take, beside twice the estimate of the first: it may be wrong.
constexpr auto longest_together = std::chrono::milliseconds(1);
constexpr float longest_first = 60e9;

bool is_pending(const value_ref& v) noexcept { return v && v->pending(); }

}  // namespace

teller::teller(engine& with, std::shared_ptr<connection> link)
    : engine_(with), link_(std::move(link)), thread_(library_thread([this] { work(); })) {}

teller::~teller() {
  end();
  thread_.join();
}

std::string teller::reason(const std::string& text) { return text.substr(0, longest_reason); }

void teller::add_store(const std::string& refused) {
  const std::lock_guard lock(mutex_);
  ++stores_;
  if (!refused.empty()) failed_stores_.push_back({stores_, refused, request_kind::store});
}

value_ref teller::output_of(std::uint64_t task) {
  const std::lock_guard lock(mutex_);
  take_fresh();
  if (task == 0 || task > told_.tasks + running_.size()) throw bytes_error("no such task");
  return task <= told_.tasks ? value_ref() : running_[task - told_.tasks - 1].output;
}

void teller::look() {
  std::unique_lock lock(mutex_);
  take_fresh();
  if (!telling_ && ended_any()) tell(lock);
  if (anything()) changed_.notify_one();
}

void teller::end() {
  {
    const std::lock_guard lock(mutex_);
    take_fresh();
    ended_ = true;
  }
  changed_.notify_one();
}

void teller::take_fresh() {
  for (; !fresh_.empty(); fresh_.pop_front()) running_.push_back(std::move(fresh_.front()));
}

bool teller::ended_any() const noexcept {
  return stores_ > told_.stores || (!running_.empty() && !is_pending(running_.front().output));
}

void teller::work() {
  const bookkeeping books;
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return ended_ || (!telling_ && anything()); });
    if (ended_) break;
    if (ended_any()) {
      tell(lock);
      continue;
    }
    const auto first = running_.front().output, last = last_worth_telling();
    lock.unlock();
    const auto of_first = std::chrono::nanoseconds(
        static_cast<std::int64_t>(2 * std::min(first->estimate, longest_first)));
    const auto limit = std::chrono::steady_clock::now() + longest_together + of_first;
    if (first == last || !engine_.wait(last, {.deadline = limit}))
      engine_.wait(first, wait_limit());
    lock.lock();
  }
  lock.unlock();
  cancel_all();
  engine_.trim_memory();  // the next owner may come in days
  over_ = true;
}

/// Returns the task that is to end before the owner is told again. The first one runs.
value_ref teller::last_worth_telling() const {
  value_ref last = running_.front().output;
  const float most = std::max(worth_telling, little_behind * last->estimate);
  float work = 0;
  for (const auto& one : running_ | std::views::drop(1)) {
    if (one.output) work += one.output->estimate;
    if (work > most) break;
    if (is_pending(one.output)) last = one.output;
  }
  return last;
}

/// Tells the owner of all that has ended, up to the first task that has not.
void teller::tell(std::unique_lock<std::mutex>& lock) {
  node_news news;
  news.stores = stores_;
  news.tasks = told_.tasks;
  news.failures = std::exchange(failed_stores_, {});
  for (; !running_.empty() && news.failures.size() < most_failures; running_.pop_front()) {
    const auto& [output, refused] = running_.front();
    if (is_pending(output)) break;
    ++news.tasks;
    if (!output) {
      news.failures.push_back({news.tasks, reason(refused)});
      continue;
    }
    news.nanoseconds += output->estimate;
    if (output->failed()) {
      const auto& why = *output->why();
      why.reported = true;
      news.failures.push_back({news.tasks, reason(why.facts)});
    }
  }
  told_.tasks = news.tasks;
  told_.stores = news.stores;
  telling_ = true;
  lock.unlock();
  std::vector<std::byte> body;
  byte_writer out(body);
  write_news(news, out);
  link_->send(frame_kind::done, body);
  lock.lock();
  telling_ = false;
}

/// Cancels what nobody will ask for, the last first: so each finds that nothing needs it. Waits for
/// what runs.
void teller::cancel_all() {
  std::deque<running> all;
  {
    const std::lock_guard lock(mutex_);
    all.swap(running_);
  }
  std::vector<value_ref> still_run;
  for (; !all.empty(); all.pop_back()) {
    auto& v = all.back().output;
    if (is_pending(v)) engine_.cancel(v);
    if (v && v->failed()) v->why()->reported = true;
    if (is_pending(v)) still_run.push_back(std::move(v));
  }
  while (!still_run.empty()) {
    engine_.wait(still_run.back(), wait_limit());
    still_run.pop_back();
  }
}

}  // namespace troupe
