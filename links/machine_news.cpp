// SPDX-License-Identifier: MIT
#include "troupe/links/machine.hpp"

#include <algorithm>
#include <utility>

// News of a node, and the end of its connection.

namespace troupe {

namespace {

// So many connections that end one after the other say that the next one would, too, as long as
// that is asked for which was asked of these.
constexpr int most_fruitless = 3;

}  // namespace

void machine::received(std::uint64_t link, frame_kind kind, frame_body body) {
  {
    const std::lock_guard lock(mutex_);
    if (link != links_) throw bytes_error("another connection has taken its place");
  }
  switch (kind) {
    case frame_kind::offer: return take_offer(body.here());
    case frame_kind::done: return take_news(body.here());
    case frame_kind::part: return take_part(body);
    case frame_kind::alive: return flush();  // values that were dropped since it last spoke
    case frame_kind::arrived: return take_arrived(body.here());
    case frame_kind::clock: return take_clock(body.here());
    case frame_kind::trace: return take_trace(body.here());
    default: break;
  }
  throw bytes_error("a frame that no node sends its owner");
}

void machine::take_offer(byte_reader in) {
  auto all = read_offer(in);
  later after;
  std::unique_lock lock(mutex_);
  if (offered_ || !link_ || left_) throw bytes_error("a second offer");
  if (all.devices.size() < offer_.size())
    throw bytes_error("it has fewer devices than the lost machine");
  for (const auto& name : called_) {
    if (std::ranges::find(all.registered, name) == all.registered.end())
      throw bytes_error("its program has not registered \"" + name + '"');
  }
  node_ = all.node;
  if (offer_.empty()) offer_ = std::move(all.devices);
  registered_ = std::move(all.registered);
  offered_ = true;
  given_up_ = false;
  why_lost_.clear();
  send_everything(after);
  changed_.notify_all();
  lock.unlock();
  run_all(after);
}

/// Gives a node that knows nothing all that it takes to go on.
void machine::send_everything(later& after) {
  tasks_told_ = stores_told_ = 0;
  commands_.clear();
  forget_withheld();
  const std::vector<std::shared_ptr<task_record>> unfinished(tasks_.begin(), tasks_.end());
  const auto plan = values_.everything(unfinished);
  // Stores that the last node had not told of are among those that are sent again.
  stores_.clear();
  for (const auto& v : plan.stores) {
    coming_.insert(v->number);
    send_store(*v, 0);
  }
  stores_again_ = stores_.size();
  for (const auto& v : plan.forgotten)
    put_failure(*v,
                "a node was lost: it takes too many operations to have this value again, and it "
                "was too large to be copied to the program");
  for (const auto& v : plan.elsewhere) start_bringing(v);
  bring_more(after);
  tasks_.assign(plan.tasks.begin(), plan.tasks.end());
  for (const auto& t : plan.tasks) send_task(t);
  for (const auto& one : wanted_) ask_for(one);
  for (const auto number : plan.drops) add_drop(number);
  flush_locked();
}

void machine::take_news(byte_reader in) {
  auto news = read_news(in);
  std::vector<std::shared_ptr<task_record>> ended;  // they end behind the lock
  later after;
  std::unique_lock lock(mutex_);
  if (!offered_ || news.tasks < tasks_told_ || news.stores < stores_told_ ||
      news.tasks - tasks_told_ > tasks_.size() || news.stores - stores_told_ > stores_.size())
    throw bytes_error("news of what nobody asked for");
  for (auto& one : news.failures) {
    const bool is_task = one.kind == request_kind::task;
    const auto told = is_task ? tasks_told_ : stores_told_;
    if (one.number <= told || one.number > (is_task ? news.tasks : news.stores)) continue;
    const auto place = one.number - told - 1;
    const auto number = is_task ? tasks_[place]->number : stores_[place].number;
    if (!is_task && number == 0)
      end_arrival(stores_[place].value, arrival::refused, one.facts, after);
    // Nobody waits any more for one that was done again: readers of its value will fail.
    if (number > (is_task ? tasks_done_ : stores_done_).load())
      note_failure(one.kind, number, std::move(one.facts));
  }
  const float longer = times_as_long(news);
  for (; tasks_told_ < news.tasks; ++tasks_told_) {
    tasks_.front()->nanoseconds *= longer;
    for (const auto& v : lineage::computed(*tasks_.front())) {
      if (!bring_home(v)) lineage::no_room_for(*v);
    }
    ended.push_back(std::move(tasks_.front()));
    tasks_.pop_front();
  }
  for (; stores_told_ < news.stores; ++stores_told_) {
    const auto one = stores_.front();
    stores_.pop_front();
    if (one.number == 0 && one.brought == 0) --stores_again_;
    arrived(one.value);
    if (one.brought != 0) end_bringing(one.brought, after);
    end_arrival(one.value, arrival::there, {}, after);
  }
  note_progress();
  flush_locked();
  wake_waiting();
  lock.unlock();
  run_all(after);
}

/// Returns how many times as long as it was estimated here the work took that a node tells of.
float machine::times_as_long(const node_news& news) const {
  float expected = 0;
  for (std::size_t i = 0; i < news.tasks - tasks_told_; ++i) expected += tasks_[i]->nanoseconds;
  return expected > 0 ? news.nanoseconds / expected : 1;
}

/// Notes a failure, before what failed counts as done.
void machine::note_failure(request_kind kind, std::uint64_t number, std::string why) {
  failures_.insert_or_assign({kind, number}, std::move(why));
  any_failures_ = true;
}

/// Counts as done all that is not among the unfinished.
void machine::note_progress() {
  const auto tasks = tasks_.empty() ? asked_.tasks : tasks_.front()->number - 1;
  if (tasks > tasks_done_.load()) {
    tasks_done_.store(tasks, std::memory_order_release);
    fruitless_ = 0;
  }
  if (stores_again_ > 0) return;
  const auto own = std::ranges::find_if(stores_, [](const auto& one) { return one.number != 0; });
  const auto stores = own == stores_.end() ? asked_.stores : own->number - 1;
  if (stores > stores_done_.load()) stores_done_.store(stores, std::memory_order_release);
}

/// Counts what is unfinished as done, and as failed.
void machine::fail_unfinished() {
  for (const auto& t : tasks_) {
    if (t->number <= tasks_done_.load()) continue;
    note_failure(request_kind::task, t->number, why_lost_);
    for (const auto& one : t->made) {
      if (const auto v = one.lock()) v->made_by = nullptr;  // no other node is to try it
    }
  }
  for (const auto& one : stores_) {
    if (one.number > stores_done_.load()) note_failure(request_kind::store, one.number, why_lost_);
  }
  for (const auto& one : wanted_) {
    if (one.home) one.home->fetching = false;
    else if (!one.then) note_failure(request_kind::fetch, one.number, why_lost_);
  }
  tasks_.clear();
  stores_.clear();
  stores_again_ = 0;
  tasks_done_.store(asked_.tasks, std::memory_order_release);
  stores_done_.store(asked_.stores, std::memory_order_release);
  fetches_done_.store(asked_.fetches, std::memory_order_release);
}

/// Puts bytes where the oldest fetch of them wants them, or notes why the node has none.
void machine::take_part(frame_body body) {
  auto& in = body.here();
  const auto number = in.get<std::uint64_t>(), all = in.get<std::uint64_t>(),
             offset = in.get<std::uint64_t>();
  const auto kind = in.get(part_kind::refusal);
  const auto size = body.left();
  wanted_bytes first{};
  {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find(wanted_, number, &wanted_bytes::from);
    if (found == wanted_.end()) throw bytes_error("bytes that nobody asked for");
    first = *found;
  }
  if (kind == part_kind::refusal) {
    std::string reason(size, ' ');
    body.copy_to(std::as_writable_bytes(std::span(reason)));
    later after;
    std::unique_lock lock(mutex_);
    const auto why = (lost_once_ ? "its node was lost, and another one could not compute it again: "
                                 : "the node cannot send it: ") +
                     reason;
    if (!first.home && !first.then) note_failure(request_kind::fetch, first.number, why);
    end_fetch(number, false, why, after);
    lock.unlock();
    return run_all(after);
  }
  if (all != first.bytes || offset > all || size > all - offset)
    throw bytes_error("more bytes than were asked for");
  body.copy_to({first.to + offset, size});
  if (offset + size < all) return;
  later after;
  {
    const std::lock_guard lock(mutex_);
    end_fetch(number, true, {}, after);
  }
  run_all(after);
}

/// Ends the oldest fetch from a place, which has its bytes or never will.
void machine::end_fetch(std::uint64_t from, bool there, const std::string& why, later& after) {
  const auto found = std::ranges::find(wanted_, from, &wanted_bytes::from);
  if (found == wanted_.end()) return;  // the machine was given up meanwhile
  auto first = std::move(*found);
  wanted_.erase(found);
  if (first.home) {
    first.home->fetching = false;
    if (there) lineage::came_home(*first.home, first.holds, first.to);
  }
  if (first.drops != 0) {
    first.then(why);  // before anybody can miss the value
    if (const auto left = dropping_.find(first.drops);
        left != dropping_.end() && --left->second.fetches == 0) {
      if (left->second.then) after.push_back(std::move(left->second.then));
      dropping_.erase(left);
      values_.drop(first.drops);
      add_drop(first.drops);
    }
  } else if (first.then) {
    after.emplace_back([then = std::move(first.then), why] { then(why); });
  }
  fetches_done_.store(wanted_.empty() ? asked_.fetches : wanted_.front().number - 1,
                      std::memory_order_release);
  wake_waiting();
}

void machine::closed(std::uint64_t link, const std::string& why) noexcept {
  const std::lock_guard calls(calls_mutex_);
  later after;
  {
    const std::lock_guard lock(mutex_);
    if (link != links_) return;
    link_ = nullptr;
    commands_.clear();
    forget_withheld();
    if (why_lost_.empty()) why_lost_ = why;
    changed_.notify_all();
    if (!std::exchange(offered_, false) || given_up_) return;
    lost_once_ = true;
    if (++fruitless_ > most_fruitless) {
      // Perhaps what it was to compute ends nodes: the next one does without.
      fruitless_ = 0;
      why_lost_ = "node " + std::to_string(number_) + " is lost, as the ones before it: " + why;
      fail_unfinished();
      end_waiting(after);
      wake_waiting();
      why_lost_ = why;
    } else {
      // Values that were on their way from here, or to here, have to go another way.
      for (auto& [number, hears] : std::exchange(gives_, {}))
        after.emplace_back([hears = std::move(hears), why] { hears(arrival::cut, why); });
      for (const auto& [number, hears] : arrivals_)
        after.emplace_back([hears, why] { hears(arrival::cut, why); });
    }
  }
  run_all(after);
  lost_(why);
}

}  // namespace troupe
