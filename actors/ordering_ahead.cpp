// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "troupe/actors/ordering.hpp"

namespace troupe {

namespace {

// Smallest output in bytes that counts as computed ahead.
constexpr std::size_t worth_holding_back = 1024;

}  // namespace

/// Returns true if the task's results have no use yet. Tasks bounded by a budget do not count, nor
/// those that come before all that wait.
bool ordering::runs_ahead(task& t) {
  if (t.output_bytes < worth_holding_back || t.budget || t.wanted || t.op->timed) return false;
  const bool next = precedes_all_held(t.sequence) && precedes_all_chained(t.sequence, &t);
  if (t.first_reader ? next : !t.read_elsewhere()) return false;
  if (search_.find(t)) return false;
  t.awaits_others = search_.held_up_elsewhere();
  return true;
}

/// Returns true if there is room for the results of a task that runs ahead, in place of those that
/// it reads: for one result of each lane or, if other orderings only have to catch up, for a few
/// megabytes, beside those for their results, or as much as everything else takes. For results that
/// only other orderings read there is none. If tasks lack memory, here or elsewhere, what comes
/// before all that wait here goes in any case: the turn of those may come only after it.
bool ordering::may_run_ahead(const task& t) const noexcept {
  const bool somebody_starves = !starved_.empty() || everywhere_->starving > 0;
  if (somebody_starves && precedes_all_held(t.sequence)) return true;
  if (!t.first_reader) return false;
  const auto others = ahead_ - t.hoarded;
  return others == 0 || others + t.output_bytes <= lanes_.size() * t.output_bytes ||
         (t.awaits_others && (others + t.output_bytes <= 2 * room_for_others_ ||
                              2 * others + t.output_bytes <= live(t.device))) ||
         (precedes_all_held(t.sequence) && precedes_all_chained(t.sequence, &t));
}

/// Returns true if there is room for a result of another ordering that has no use here yet: for one
/// of each lane that there is anywhere, so that many devices may work for this one, for a few
/// megabytes in any case, and for as much as everything else takes.
bool ordering::has_room_for(const value& v) const noexcept {
  const auto bytes = v.bytes(), all = static_cast<std::size_t>(everywhere_->lanes) * bytes;
  return ahead_ + bytes <= std::max(all, room_for_others_) || 2 * ahead_ + bytes <= live(v.device);
}

std::size_t ordering::live(device d) const noexcept { return place_of(d).credit->home().live(); }

/// Returns true if no task that waits or is early comes before.
bool ordering::precedes_all_held(std::uint64_t sequence) const noexcept {
  const auto before = [&](const task* t) { return t && t->sequence < sequence; };
  return !before(waiting_.front()) && !before(early_.first());
}

/// Returns true if no chained task comes before; with many lanes, if there is none but `itself`.
bool ordering::precedes_all_chained(std::uint64_t sequence, const task* itself) const noexcept {
  if (chained_ == (itself && itself->stage == task_stage::chained)) return true;
  return lanes_.size() <= few_lanes && std::ranges::none_of(lanes_, [&](const lane_state& l) {
           return l.chained.front() && l.chained.front()->sequence < sequence;
         });
}

/// Makes a ready task early, for whose results the last search has found no use.
void ordering::put_off(task& t) {
  t.stage = task_stage::early;
  early_.put(t, t.first_reader != nullptr);
  t.news_when_read = true;
  search_again_for(t.sequence);
}

/// Makes an early task ready if its results have a use now.
void ordering::look_again(task& t) {
  if (search_.find(t)) return hurry(t);
  t.awaits_others = search_.held_up_elsewhere();
  put_off(t);
}

/// Wants a result of another ordering if it has a use.
void ordering::look_again(value& v, decisions& out) {
  const auto& all = awaited_.at(&v);
  const auto* same = unwanted_.find(v.sequence);  // its task may have several results
  if ((same && same != &v) || search_.find(v, all.readers)) return want(v, out);
  unwanted_.put(v, search_.held_up());
  search_again_for(v.sequence);
}

/// After a search without success for the results with this number, notes what has to happen before
/// the next one.
void ordering::search_again_for(std::uint64_t results) {
  const auto on = [&](happening what, std::uint64_t sequence) {
    onlookers_.insert({{sequence, what}, results});
  };
  for (auto* other : search_.holding_up()) {
    other->news_when_there = true;
    on(happening::there, other->sequence);
  }
  for (const auto other : search_.elsewhere()) on(happening::there, other);
  on(happening::use, results);
  for (const auto& [reader, held_up] : search_.readers()) {
    (held_up ? reader->news_when_there : reader->news_when_read) = true;
    on(held_up ? happening::there : happening::use, reader->sequence);
  }
}

void ordering::hurry(task& t) {
  early_.erase(t);
  queue(t);
}

void ordering::want(value& v, decisions& out) {
  if (unwanted_.find(v.sequence) == &v) unwanted_.erase(v);
  auto& all = awaited_.at(&v);
  if (std::exchange(all.asked_for, true)) return;
  const bool cancelled = std::ranges::find(out.unneeded, &v, &value_ref::get) != out.unneeded.end();
  if (all.watched && !cancelled) out.wants.emplace_back(&v);
  for (auto* in = all.readers; in; in = in->next_reader) in->asked_for = true;
}

/// Wants results of other orderings that have no use yet while there is room. They count as
/// computed ahead until a reader is released.
void ordering::want_ahead(decisions& out) {
  for (auto* v = unwanted_.first_for_room(); v; v = unwanted_.first_for_room()) {
    const bool next = precedes_all_held(v->sequence) && precedes_all_chained(v->sequence);
    if (!next && !has_room_for(*v)) return;
    hoard(v->bytes(), awaited_.at(v).readers);
    want(*v, out);
  }
}

void ordering::note_there(task& t) {
  if (!t.news_when_there) return;
  t.news_when_there = false;
  news_.push_back({t.sequence, happening::there});
}

void ordering::note_use(task& t) {
  if (!t.news_when_read) return;
  t.news_when_read = false;
  news_.push_back({t.sequence, happening::use});
}

/// Searches again for uses after what has happened.
void ordering::search_again(decisions& out) {
  for (const auto& one : news_) {
    const auto first = onlookers_.lower_bound({one, 0});
    auto last = first;
    std::vector<std::uint64_t> looking;
    for (; last != onlookers_.end() && last->first == one; ++last) looking.push_back(last->second);
    onlookers_.erase(first, last);
    for (const auto results : looking) {
      if (auto* t = early_.find(results)) look_again(*t);
      else if (auto* v = unwanted_.find(results)) look_again(*v, out);
    }
  }
  news_.clear();
}

/// Watches values of other orderings that tasks have begun to wait for, and wants those that have a
/// use or for which there is room. The latest come first: what is wanted holds up what comes before
/// it in the program.
void ordering::watch_new(decisions& out) {
  const auto number = [](const value_ref& v) { return v->sequence; };
  std::ranges::sort(unwatched_, std::ranges::greater{}, number);
  for (const auto& v : unwatched_) look_again(*v, out);
  want_ahead(out);
  for (auto& v : std::exchange(unwatched_, {})) {
    auto& all = awaited_.at(v.get());
    all.watched = true;
    out.watches.push_back({std::move(v), all.asked_for});
  }
}

bool ordering::wanted(const value& v) {
  if (v.home != home_ || !v.pending()) return false;
  auto& t = *v.producer;
  t.wanted = true;
  note_use(t);
  if (t.stage == task_stage::early) hurry(t);
  else if (news_.empty()) return false;
  return true;
}

/// Counts bytes as computed ahead until one of these readers is released, if possible one that
/// waits for something else.
void ordering::hoard(std::size_t bytes, operand* readers) noexcept {
  task* first = nullptr;
  for (auto* in = readers; in && !(first && first->unfinished > 1); in = in->next_reader) {
    if (in->reader->stage < task_stage::in_flight && (!first || in->reader->unfinished > 1))
      first = in->reader;
  }
  if (!first) return;
  first->hoarded += bytes;
  ahead_ += bytes;
}

void ordering::stop_hoarding(task& t) noexcept { ahead_ -= std::exchange(t.hoarded, 0); }

}  // namespace troupe
