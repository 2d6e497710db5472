// SPDX-License-Identifier: MIT
#include "troupe/links/machine.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "troupe/links/remote_address.hpp"

// Copies from one machine to another.

namespace troupe {

namespace {

// Bytes here, about, of values that are brought to one machine at a time.
constexpr std::size_t most_brought = std::size_t{64} << 20;
const std::string no_room = "out of memory";
std::atomic<std::uint64_t> orders = 0;

}  // namespace

/// Brings bytes home of a value that is then dropped.
void machine::keep_for(const std::shared_ptr<origin>& one, std::uint64_t drops) {
  if (given_up_) return one->came_home(nullptr, nullptr, why_lost_);
  std::shared_ptr<buffer> place;
  try {
    place = std::make_shared<buffer>(home_, one->bytes());
  } catch (const std::bad_alloc&) { return one->came_home(nullptr, nullptr, no_room); }
  auto* const to = static_cast<std::byte*>(place->data());
  wanted_.push_back({.number = ++asked_.fetches,
                     .from = one->place(),
                     .to = to,
                     .bytes = one->bytes(),
                     .holds = place,
                     .then =
                         [weak = std::weak_ptr(one), place, to](const std::string& why) {
                           if (const auto still = weak.lock())
                             still->came_home(place, why.empty() ? to : nullptr, why);
                         },
                     .drops = drops});
  ++dropping_[drops].fetches;
  if (connected()) ask_for(wanted_.back());
}

void machine::note_origin(const std::shared_ptr<origin>& one) {
  const std::lock_guard lock(mutex_);
  const auto v = values_.find_around(one->place());
  if (!v) throw std::runtime_error("its input is not there");
  auto& all = origins_[v->number];
  std::erase_if(all, [](const auto& weak) { return weak.expired(); });
  all.push_back(one);
}

bool machine::fetch_for(std::uint64_t place, std::size_t bytes, const origin::taker& whom) {
  std::string why;
  {
    const std::lock_guard lock(mutex_);
    if (given_up_) {
      why = why_lost_;
    } else {
      if (!values_.find_around(place)) return false;
      try {
        const auto here = std::make_shared<buffer>(home_, bytes);
        auto* const to = static_cast<std::byte*>(here->data());
        wanted_.push_back(
            {.number = ++asked_.fetches,
             .from = place,
             .to = to,
             .bytes = bytes,
             .holds = here,
             .then = [whom, here, to](const std::string& problem) { whom(here, to, problem); }});
        if (connected()) ask_for(wanted_.back());
        flush_locked();
        return true;
      } catch (const std::bad_alloc&) { why = no_room; }
    }
  }
  whom(nullptr, nullptr, why);
  return true;
}

std::uint64_t machine::expect(std::uint64_t number, std::size_t bytes, std::shared_ptr<origin> from,
                              const secret_key::digest* ticket, listener tell) {
  const auto device =
      static_cast<std::uint8_t>(remote_address::device_of(reinterpret_cast<const void*>(number)));
  const std::lock_guard lock(mutex_);
  refuse_if_given_up();
  const auto v = values_.add_value(number, bytes, device);
  v->elsewhere = std::move(from);
  v->order = ++orders;
  arrivals_.insert_or_assign(number, std::move(tell));
  if (!ticket || !connected() || node_ == 0) return 0;
  std::vector<std::byte> command;
  byte_writer out(command);
  out.put(command_kind::expect);
  out.put_bytes(*ticket);
  out.put(number);
  out.put(static_cast<std::uint64_t>(bytes));
  out.put(device);
  put_command(command);
  flush_locked();
  return node_;
}

void machine::bring(std::uint64_t number) {
  later after;
  {
    const std::lock_guard lock(mutex_);
    const auto v = values_.find(number);
    if (!v || !v->elsewhere || !connected() || v->brought_on == links_) return;
    start_bringing(v);
    bring_more(after);
  }
  run_all(after);
}

/// Notes that a value is to be brought: commands that use it wait from now on.
void machine::start_bringing(const std::shared_ptr<value_record>& v) {
  v->brought_on = links_;
  coming_.insert(v->number);
  to_bring_.insert_or_assign(v->order, v);
}

/// Brings the values that there is room for.
void machine::bring_more(later& after) {
  std::size_t under_way = 0;
  for (const auto& [order, bytes] : bringing_) under_way += bytes;
  while (!to_bring_.empty()) {
    const auto& [order, v] = *to_bring_.begin();
    const bool first = bringing_.empty() || order < bringing_.begin()->first;
    if (!first && under_way + v->bytes > most_brought) return;
    bringing_.emplace(order, v->bytes);
    under_way += v->bytes;
    ask_elsewhere(v, after);
    to_bring_.erase(to_bring_.begin());
  }
}

void machine::end_bringing(std::uint64_t order, later& after) {
  bringing_.erase(order);
  bring_more(after);
}

void machine::ask_elsewhere(const std::shared_ptr<value_record>& v, later& after) {
  after.emplace_back([self = shared_from_this(), v, link = links_] {
    v->elsewhere->get([self, v, link](std::shared_ptr<const void> holds, const std::byte* bytes,
                                      const std::string& why) {
      self->take_late(v, link, std::move(holds), bytes, why);
    });
  });
}

/// Takes the bytes of a value from another machine, or the reason why there are none.
void machine::take_late(const std::shared_ptr<value_record>& v, std::uint64_t link,
                        std::shared_ptr<const void> holds, const std::byte* bytes,
                        const std::string& why) {
  later after;
  {
    const std::lock_guard lock(mutex_);
    if (link != links_ || !connected()) return;
    if (why == no_room && !bringing_.empty() && bringing_.begin()->first < v->order) {
      // The end of an earlier one makes room, perhaps.
      bringing_.erase(v->order);
      to_bring_.insert_or_assign(v->order, v);
      return;
    }
    if (why.empty()) {
      stores_.push_back({0, v->number, v->order});
      link_->send_bulk(frame_kind::store, v->number, {bytes, v->bytes}, v->device,
                       std::move(holds));
    } else {
      put_failure(*v, why);
      arrived(v->number);
      end_bringing(v->order, after);
      end_arrival(v->number, arrival::refused, why, after);
    }
    flush_locked();
  }
  run_all(after);
}

void machine::give(const sent_errand& one, listener tell) {
  std::vector<std::byte> command;
  byte_writer out(command);
  out.put(command_kind::give);
  write_errand(one, out);
  {
    const std::lock_guard lock(mutex_);
    if (connected()) {
      gives_.insert_or_assign(one.number, std::move(tell));
      add_command({std::move(command), value_at(one.place), use::give, one.number});
      return flush_locked();
    }
  }
  tell(arrival::cut, "the machine is lost");
}

void machine::take_back(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  if (gives_.erase(number) == 0 || !connected()) return;
  const auto waits = std::ranges::find_if(
      withheld_, [&](const auto& one) { return one.kind == use::give && one.given == number; });
  if (waits != withheld_.end()) {  // the node has not heard of it
    stop_using(waits->value);
    withheld_.erase(waits);
    return;
  }
  std::vector<std::byte> command;
  byte_writer out(command);
  out.put(command_kind::take_back);
  out.put(number);
  put_command(command);
}

/// Tells who waits for a value from another machine how that has ended.
void machine::end_arrival(std::uint64_t value, arrival how, const std::string& why, later& after) {
  auto found = arrivals_.extract(value);
  if (found.empty()) return;
  after.emplace_back([tell = std::move(found.mapped()), how, why] { tell(how, why); });
}

/// Tells all who wait that nothing more comes from here.
void machine::end_waiting(later& after) {
  for (auto& [number, tell] : std::exchange(arrivals_, {}))
    after.emplace_back([tell = std::move(tell), why = why_lost_] { tell(arrival::refused, why); });
  for (auto& [number, tell] : std::exchange(gives_, {}))
    after.emplace_back([tell = std::move(tell), why = why_lost_] { tell(arrival::cut, why); });
  for (auto& one : std::exchange(wanted_, {})) {
    if (one.then) after.emplace_back([then = std::move(one.then), why = why_lost_] { then(why); });
  }
  for (auto& [number, one] : std::exchange(dropping_, {})) {
    if (one.then) after.push_back(std::move(one.then));
  }
}

/// Hears the end of a copy from or to another node.
void machine::take_arrived(byte_reader in) {
  const auto number = in.get<std::uint64_t>();
  const auto how = in.get(arrival::unreachable);
  const auto why = std::string(in.get_text());
  later after;
  {
    const std::lock_guard lock(mutex_);
    if (auto given = gives_.extract(number); !given.empty()) {
      after.emplace_back([tell = std::move(given.mapped()), how, why] { tell(how, why); });
    } else if (how == arrival::there || how == arrival::refused) {
      end_arrival(number, how, why, after);
    } else if (const auto found = arrivals_.find(number); found != arrivals_.end()) {
      // It goes on another way.
      after.emplace_back([tell = found->second, how, why] { tell(how, why); });
    }
  }
  run_all(after);
}

}  // namespace troupe
