// SPDX-License-Identifier: MIT
#include "troupe/links/machine.hpp"

#include <stdexcept>
#include <utility>

#include "troupe/links/remote_address.hpp"

// Copies from one machine to another.

namespace troupe {

/// Brings bytes home of a value that is then dropped.
void machine::keep_for(const std::shared_ptr<origin>& one, std::uint64_t drops) {
  if (given_up_) return one->came_home(nullptr, nullptr, why_lost_);
  std::shared_ptr<buffer> place;
  try {
    place = std::make_shared<buffer>(home_, one->bytes());
  } catch (const std::bad_alloc&) { return one->came_home(nullptr, nullptr, "out of memory"); }
  auto* const to = static_cast<std::byte*>(place->data());
  wanted_.push_back({.from = one->place(),
                     .to = to,
                     .bytes = one->bytes(),
                     .holds = place,
                     .then =
                         [weak = std::weak_ptr(one), place, to](const std::string& why) {
                           if (const auto still = weak.lock())
                             still->came_home(place, why.empty() ? to : nullptr, why);
                         },
                     .drops = drops});
  ++asked_.fetches;
  ++dropping_[drops];
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
            {.from = place,
             .to = to,
             .bytes = bytes,
             .holds = here,
             .then = [whom, here, to](const std::string& problem) { whom(here, to, problem); }});
        ++asked_.fetches;
        if (connected()) ask_for(wanted_.back());
        flush_locked();
        return true;
      } catch (const std::bad_alloc&) { why = "out of memory"; }
    }
  }
  whom(nullptr, nullptr, why);
  return true;
}

void machine::expect(std::uint64_t number, std::size_t bytes, std::shared_ptr<origin> from,
                     const secret_key::digest* ticket, listener tell) {
  const auto device =
      static_cast<std::uint8_t>(remote_address::device_of(reinterpret_cast<const void*>(number)));
  const std::lock_guard lock(mutex_);
  refuse_if_given_up();
  const auto v = values_.add_value(number, bytes, device);
  v->elsewhere = std::move(from);
  arrivals_.insert_or_assign(number, std::move(tell));
  if (!ticket || !connected()) return;
  std::vector<std::byte> command;
  byte_writer out(command);
  out.put(command_kind::expect);
  out.put_bytes(*ticket);
  out.put(number);
  out.put(static_cast<std::uint64_t>(bytes));
  out.put(device);
  put_command(command);
  flush_locked();
}

void machine::bring(std::uint64_t number) {
  later after;
  {
    const std::lock_guard lock(mutex_);
    const auto v = values_.find(number);
    if (!v || !v->elsewhere || !connected() || v->brought_on == links_) return;
    start_bringing(v, after);
  }
  run_all(after);
}

void machine::start_bringing(const std::shared_ptr<value_record>& v, later& after) {
  v->brought_on = links_;
  coming_.emplace(v->number, v->bytes);
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
    if (why.empty()) {
      ++stores_again_;
      stores_.push_back({0, v->number});
      link_->send_bulk(frame_kind::store, v->number, {bytes, v->bytes}, v->device,
                       std::move(holds));
    } else {
      std::vector<std::byte> command;
      byte_writer out(command);
      out.put(command_kind::fail);
      out.put(v->number);
      out.put(static_cast<std::uint64_t>(v->bytes));
      out.put(v->device);
      out.put_text(why.substr(0, 10'000));
      put_command(command);
      arrived(v->number);
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
      add_command(command, one.place);
      return flush_locked();
    }
  }
  tell(arrival::cut, "the machine is lost");
}

void machine::take_back(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  if (gives_.erase(number) == 0 || !connected()) return;
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
  dropping_.clear();
}

/// Hears the end of a copy from or to another node.
void machine::take_arrived(std::span<const std::byte> body) {
  byte_reader in(body);
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
