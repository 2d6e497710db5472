// SPDX-License-Identifier: MIT
#include "troupe/nodes/tracer.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "troupe/tasks/bookkeeping.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tasks/library_thread.hpp"

namespace troupe {

namespace {

constexpr std::size_t most_known = 65'536;

}  // namespace

tracer::tracer(engine& of, std::shared_ptr<connection> link)
    : engine_(of), link_(std::move(link)), thread_(library_thread([this] {
        work();
        over_ = true;
      })) {}

tracer::~tracer() {
  end();
  thread_.join();
}

void tracer::note(std::uint64_t here, std::uint64_t there) {
  const std::lock_guard lock(mutex_);
  if (!numbers_.empty() && here <= numbers_.back().first) return;  // it never ran
  numbers_.emplace_back(here, there);
  if (numbers_.size() > most_known) numbers_.pop_front();
}

void tracer::tell_time(byte_reader& in) {
  std::vector<std::byte> body;
  byte_writer out(body);
  out.put(in.get<std::uint64_t>());
  out.put(steady_nanoseconds());
  link_->send(frame_kind::clock, body);
}

void tracer::ask(byte_reader& in) {
  const auto question = in.get<std::uint64_t>();
  const auto since = in.get<std::int64_t>();
  {
    const std::lock_guard lock(mutex_);
    asked_ = {question, since};
  }
  changed_.notify_all();
}

void tracer::end() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
}

void tracer::work() {
  const bookkeeping books;
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return ended_ || asked_; });
    if (ended_) return;
    const auto [question, since] = *std::exchange(asked_, std::nullopt);
    lock.unlock();
    answer(question, since);
    lock.lock();
  }
}

void tracer::answer(std::uint64_t question, std::int64_t since) {
  trace_log log;
  try {
    const bool all = since == std::numeric_limits<std::int64_t>::min();
    log = engine_.trace(all ? 0 : clock_.ticks_at(since));
  } catch (const error&) {}  // a runtime that cannot tell now has no runs to tell of
  node_trace part{question, false, std::move(log.lanes), {}};
  for (const auto& e : log.events) {
    {
      const std::lock_guard lock(mutex_);
      const auto known =
          std::ranges::lower_bound(numbers_, e.sequence, {}, [](const auto& x) { return x.first; });
      if (known == numbers_.end() || known->first != e.sequence) continue;
      part.runs.push_back({known->second, clock_.nanoseconds(e.started),
                           clock_.nanoseconds(e.ended), e.share, static_cast<std::uint16_t>(e.lane),
                           e.failed});
    }
    if (part.runs.size() < node_trace::most_runs) continue;
    send(part);
    part.lanes.clear();
    part.runs.clear();
  }
  part.last = true;
  send(part);
}

void tracer::send(const node_trace& part) {
  std::vector<std::byte> body;
  byte_writer out(body);
  write_trace(part, out);
  link_->send(frame_kind::trace, body);
}

}  // namespace troupe
