// SPDX-License-Identifier: MIT
#include "troupe/actors/use_search.hpp"

#include <algorithm>

namespace troupe {

namespace {

bool is_ready(const task& t) noexcept {
  return t.stage == task_stage::ready || t.stage == task_stage::early;
}

}  // namespace

bool use_search::find(const task& of) {
  begin(of.sequence, false);
  if (!ask_readers_of(of)) return true;
  if (all_need_more()) return false;
  holding_up_count_ = elsewhere_count_ = 0;
  by_waiting_ = false;
  return search();
}

bool use_search::find(const value& of, const operand* readers) {
  begin(of.sequence, true);
  return !ask(readers) || search();
}

void use_search::begin(std::uint64_t sequence, bool from_elsewhere) noexcept {
  sequence_ = sequence;
  from_elsewhere_ = from_elsewhere;
  steps_left_ = most_steps;
  readers_left_ = most_first_readers;
  readers_count_ = answered_ = holding_up_count_ = elsewhere_count_ = 0;
  by_waiting_ = false;
}

bool use_search::search() {
  steps_left_ = most_further_steps + static_cast<int>(readers_count_);
  readers_left_ = most_further_readers;
  for (; answered_ < readers_count_; ++answered_) {
    auto& [reader, held_up] = readers_[answered_];
    held_up = is_held_up(*reader);
    if (steps_left_ < 0) return true;
    if (!held_up && (reader->wanted || reader->budget || !ask_readers_of(*reader))) return true;
  }
  return false;
}

/// Adds to those that are asked. Returns false if there are none, or too many.
bool use_search::ask(const operand* readers) {
  bool any = false;
  for (const auto* in = readers; in; in = in->next_reader) {
    if (--steps_left_ < 0) return false;
    auto* const reader = in->reader;
    if (reader->stage == task_stage::ended) continue;  // it was cancelled
    any = true;
    const auto asked = std::span(readers_).first(readers_count_);
    if (std::ranges::find(asked, reader, &reader_asked::reader) != asked.end()) continue;
    if (readers_left_ == 0) return false;
    --readers_left_;
    readers_[readers_count_++] = {reader, false};
  }
  return any;
}

/// Returns false if nobody reads the results, or if too many do.
bool use_search::ask_readers_of(const task& t) {
  return ask(t.first_reader) || (steps_left_ >= 0 && readers_left_ > 0 && t.read_elsewhere());
}

/// Returns true if each of the first readers needs something else that is not even ready.
bool use_search::all_need_more() {
  for (auto& one : std::span(readers_).first(readers_count_)) {
    const value* from_elsewhere = nullptr;
    task* holding_up = nullptr;
    for (const auto& in : one.reader->inputs) {
      if (--steps_left_ < 0) return false;
      const auto* v = in.source.get();
      if (!in.reader || !v->pending() || v->sequence == sequence_) continue;
      if (v->home != home_) {
        if (v->sequence < sequence_ || in.asked_for) from_elsewhere = v;
      } else if (!is_ready(*v->producer)) {
        holding_up = v->producer;
        break;
      }
    }
    if (holding_up) note(*holding_up);
    else if (from_elsewhere) note(*from_elsewhere);
    else return false;
    one.held_up = true;
  }
  return true;
}

/// Returns true if something holds up a task that waits.
bool use_search::is_held_up(const task& reader) {
  const value* from_elsewhere = nullptr;
  for (const auto& in : reader.inputs) {
    if (--steps_left_ < 0) return false;
    const auto* v = in.source.get();
    if (!in.reader || !v->pending() || v->sequence == sequence_) continue;
    const bool earlier = v->sequence < sequence_;
    if (v->home != home_) {
      if (earlier ? !from_elsewhere_ : in.asked_for) from_elsewhere = v;
      continue;
    }
    auto& producer = *v->producer;
    if (is_ready(producer)) continue;
    if (!earlier) {
      if (producer.stage == task_stage::in_flight) continue;
      const auto answers = std::span(readers_).first(answered_);
      const auto known = std::ranges::find(answers, &producer, &reader_asked::reader);
      if (!(known == answers.end() ? is_held_up(producer) : known->held_up)) continue;
    }
    note(producer);
    return true;
  }
  if (!from_elsewhere) return false;
  note(*from_elsewhere);
  return true;
}

/// Returns true if all that a task waits for, itself or by way of others here, are results of other
/// orderings.
bool use_search::waits_for_others(const task& t, int& inputs_left) const noexcept {
  if (t.stage != task_stage::waiting) return false;
  return std::ranges::all_of(t.inputs, [&](const operand& in) {
    if (--inputs_left < 0) return false;
    const auto* v = in.source.get();
    return !in.reader || !v->pending() || v->home != home_ ||
           waits_for_others(*v->producer, inputs_left);
  });
}

void use_search::note(task& holding_up) noexcept {
  if (int left = most_inputs; !by_waiting_) by_waiting_ = waits_for_others(holding_up, left);
  if (holding_up_count_ == most_noted) steps_left_ = -1;
  else holding_up_[holding_up_count_++] = &holding_up;
}

void use_search::note(const value& from_elsewhere) noexcept {
  if (elsewhere_count_ == most_noted) steps_left_ = -1;
  else elsewhere_[elsewhere_count_++] = from_elsewhere.sequence;
}

}  // namespace troupe
