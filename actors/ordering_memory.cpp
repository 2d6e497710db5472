// SPDX-License-Identifier: MIT
#include <algorithm>
#include <thread>
#include <utility>

#include "troupe/actors/ordering.hpp"
#include "troupe/tasks/binding.hpp"
#include "troupe/tasks/clock.hpp"

namespace troupe {

namespace {

/// Returns true if a task takes so many bytes over from its inputs. Of `x = x + 1` the old x is
/// named until the thread that submits it goes on, which it is given time for.
bool takes_over(const task& t, std::size_t bytes) noexcept {
  const auto since = now();
  const auto patience = ticks_in(0.02);
  while (bytes_to_take_over(t) < bytes) {
    if (bytes_to_take_over(t, true) < bytes || now() - since > patience) return false;
    std::this_thread::yield();
  }
  return true;
}

}  // namespace

/// Takes the memory credit of a task, from its device and from its budget. When its turn has come,
/// nothing before it will free memory, so the credit is forced; a budget is exceeded only if
/// nothing is in flight either. Under a strict limit, the task then holds back the others until it
/// is granted or nothing here is in flight.
ordering::answer ordering::take_credit(task& t) {
  const auto& where = place_of(t.device);
  auto& credit = *where.credit;
  const auto bytes = t.output_bytes;
  const bool allowed = !t.budget || t.budget->take(bytes, time_);
  // Memory that is freed meanwhile is for the task that was refused before.
  auto& refused = refused_[static_cast<std::size_t>(&where - places_.data())];
  if (allowed && bytes < refused && credit.take(bytes)) return answer::granted;
  if (allowed) refused = std::min(refused, bytes);
  const bool turn = (allowed || nothing_in_flight()) && is_next(t);
  const auto needed = credit.home().live() + bytes;
  if (turn && !credit.strict()) {
    credit.force(bytes);
  } else if (turn && in_flight_ == 0 && needed > credit.limit() && t.device.traits().synchronous &&
             takes_over(t, bytes)) {
    credit.force(bytes);  // which it will not take
  } else if (!turn || !credit.take(bytes)) {
    if (t.budget) t.budget->give_back();
    if (!turn) return answer::refused;
    if (in_flight_ == 0 && needed > credit.limit()) return answer::never;
    holds_ = true;
    // The others still say what is their first: else they and this one would never stop to ask.
    turn_ = t.sequence;
    return answer::refused;
  }
  if (!allowed) t.budget->force(bytes);
  return answer::granted;
}

/// Gives back what a task has not allocated.
void ordering::give_back_credit(task& t) {
  if (t.has_credit) place_of(t.device).credit->give_back(t.output_bytes);
  if (t.budget) t.budget->give_back();
}

/// Takes the credit of a task that waits again under a strict limit: what is next may need that
/// memory before, and nothing else would free it.
void ordering::ask_again(task& t) {
  if (!t.has_credit || !place_of(t.device).credit->strict()) return;
  give_back_credit(t);
  t.has_credit = false;
  if (t.ran_ahead) ahead_ -= t.output_bytes;
  t.ran_ahead = false;
}

/// Fails a task that does not fit under a strict limit, unless an input has failed. Nothing that
/// ends later may tell those that were refused before it of their turn: they look again.
void ordering::fail_beyond_limit(task_ptr t, decisions& out) {
  const auto& credit = *place_of(t->device).credit;
  if (!fails_from_the_start(*t))
    t->fail(over_limit(t->output_bytes, credit.taken(), credit.limit()).what());
  stop_hoarding(*t);
  end(std::move(t), out);
  out.others_look = true;
}

/// Answers a task that may be released now; if granted, it holds its memory credit.
ordering::answer ordering::grant(task& t, bool ahead) {
  if (t.output_bytes == 0 || t.has_credit) return answer::granted;
  if (const auto asked = take_credit(t); asked != answer::granted) return asked;
  t.has_credit = true;
  t.ran_ahead = ahead;
  if (ahead) ahead_ += t.output_bytes;
  return answer::granted;
}

/// Returns true if nothing that could free memory runs anywhere. Otherwise the other orderings are
/// asked to notify this one when their last task ends.
bool ordering::nothing_in_flight() const noexcept {
  const auto none = [this] {
    return in_flight_ == 0 && everywhere_->in_flight.load() == published_;
  };
  if (none()) return true;
  everywhere_->held_back.store(true);
  return none();
}

void ordering::publish_flights(decisions& out) {
  const auto change = static_cast<std::int64_t>(in_flight_) - published_;
  if (change == 0) return;
  published_ += change;
  if (everywhere_->in_flight.fetch_add(change) + change == 0 &&
      everywhere_->held_back.exchange(false))
    out.others_look = true;
}

/// Returns true if no task before this one is left, here or in another ordering. Otherwise
/// `release` is called when that may have changed.
bool ordering::is_next(const task& t) {
  if (t.stage == task_stage::chained || first_task() < t.sequence) return false;
  const auto here = static_cast<std::size_t>(home_);
  turn_ = std::min(turn_, t.sequence);
  everywhere_->await_turn(here, turn_);
  const auto first = everywhere_->first_of_others(here);
  asks_ |= asked_for_ != turn_;
  if (first < t.sequence) return false;
  turn_ = program_order::none;
  return true;
}

/// Returns the first task in program order that has not ended, without those that a budget starves.
/// Chained tasks come behind others in flight.
std::uint64_t ordering::first_task() const noexcept {
  auto first = program_order::none;
  const auto consider = [&](const task* t) {
    if (t) first = std::min(first, t->sequence);
  };
  for (const auto* t : {waiting_.front(), ready_.earliest(), early_.first()}) consider(t);
  for (const auto* t : starved_) consider(t->budget ? nullptr : t);
  for (const auto& l : lanes_) {
    consider(l.ready.earliest());
    for (std::size_t i = 0; i < l.tasks_in_flight.size(); ++i) consider(l.tasks_in_flight[i]);
  }
  return first;
}

/// Tells the other orderings the first task here: none, or which one if somebody needs to know.
/// Tells them as well when tasks here begin to lack memory: early ones may have to go first.
void ordering::publish_first(decisions& out) {
  const auto here = static_cast<std::size_t>(home_);
  if (turn_ == program_order::none) everywhere_->await_turn(here, program_order::none);
  for (bool watched = everywhere_->watched();; watched = true) {
    const auto first = unended_ == 0 ? program_order::none
                       : watched     ? first_task()
                                     : program_order::unknown;
    if (first != published_first_ && everywhere_->set_first(here, first)) out.others_look = true;
    published_first_ = first;
    // Another ordering may have begun to watch before it could read that this one is unknown.
    if (first != program_order::unknown || !everywhere_->watched()) break;
  }
  if (const auto added = std::exchange(arrived_, 0); added > 0 && everywhere_->arrived(here, added))
    out.others_look = true;
  out.others_look |= std::exchange(asks_, false);
  if (starves_ == starved_.empty()) {
    starves_ = !starves_;
    everywhere_->starving += starves_ ? 1 : -1;
    out.others_look |= starves_;
  }
  asked_for_ = turn_;
}

}  // namespace troupe
