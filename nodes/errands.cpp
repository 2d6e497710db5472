// SPDX-License-Identifier: MIT
#include "troupe/nodes/errands.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

#include "troupe/tasks/bookkeeping.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tasks/wait_limit.hpp"

namespace troupe {

namespace {

using clock = std::chrono::steady_clock;

constexpr auto longest_call = std::chrono::milliseconds(1000);
// Several values that wait for the same node wait for it once.
constexpr auto longest_memory = std::chrono::seconds(5);

}  // namespace

/// This node's end of a connection to another one.
class errands::caller final : public frame_receiver {
 public:
  caller(std::weak_ptr<errands> of, std::uint64_t number) noexcept
      : of_(std::move(of)), number_(number) {}

  void received(frame_kind kind, frame_body body) override {
    if (kind == frame_kind::alive) return;
    if (kind != frame_kind::more) throw bytes_error("a frame that is not for nodes");
    auto& in = body.here();
    const auto number = in.get<std::uint64_t>(), until = in.get<std::uint64_t>();
    if (const auto all = of_.lock()) all->send_more(number, until);
  }
  void closed(const std::string& why) noexcept override {
    if (const auto all = of_.lock()) all->closed(number_, why);
  }

 private:
  std::weak_ptr<errands> of_;
  std::uint64_t number_;
};

void errands::add(const sent_errand& what, value_ref source, std::uint64_t offset) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back({what, std::move(source), offset});
  }
  changed_.notify_all();
}

void errands::take_back(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  std::erase_if(waiting_, [&](const errand& one) { return one.what.number == number; });
  begun_.erase(number);
  if (beginning_ == number) beginning_ = 0;
}

void errands::end() {
  std::map<std::string, way> ways;
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    ways.swap(ways_);
    begun_.clear();
    waiting_.clear();
  }
  changed_.notify_all();
  for (const auto& [address, one] : ways) one.link->close("its owner has gone");
}

void errands::work() {
  const bookkeeping books;
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return ended_ || !waiting_.empty(); });
    if (ended_) return;
    auto one = std::move(waiting_.front());
    waiting_.pop_front();
    beginning_ = one.what.number;
    lock.unlock();
    begin(std::move(one));
    lock.lock();
  }
}

void errands::begin(errand one) {
  const auto number = one.what.number;
  if (one.source) engine_.wait(one.source, wait_limit());
  if (!one.source || !one.source->ready()) return tell_(number, arrival::cut, "it is not there");
  way to;
  try {
    to = way_to(one.what.address);
  } catch (const error& e) { return tell_(number, arrival::unreachable, e.what()); }
  std::vector<std::byte> body;
  byte_writer out(body);
  out.put_bytes(one.what.ticket);
  out.put(number);
  out.put(one.what.node);
  {
    const std::lock_guard lock(mutex_);
    if (ended_ || beginning_ != number) return;  // nobody needs it any more
    const auto still = ways_.find(one.what.address);
    if (still != ways_.end() && still->second.number == to.number) {
      one.way = to.number;
      one.link = to.link;
      begun_.insert_or_assign(number, std::move(one));
      to.link->send(frame_kind::ticket, body);
      return;
    }
  }
  tell_(number, arrival::cut, "the connection between the nodes was lost");
}

/// Returns the connection to a node. Throws troupe::error if there can be none.
errands::way errands::way_to(const std::string& address) {
  std::uint64_t number = 0;
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = ways_.find(address); known != ways_.end()) return known->second;
    if (const auto bad = no_ways_.find(address);
        bad != no_ways_.end() && clock::now() - bad->second < longest_memory)
      throw error(address + " did not answer a moment ago", {});
    number = ++ways_made_;
    no_ways_.insert_or_assign(address, clock::now());  // unless it answers
  }
  auto link = dial_(
      network_address::parse(address, {}),
      [self = weak_from_this(), number, address](std::shared_ptr<connection> made,
                                                 handshake::side) -> std::shared_ptr<caller> {
        if (const auto all = self.lock(); !all || !all->keep_way(address, {number, made}))
          made->close("its owner has gone");
        return std::make_shared<caller>(self, number);
      },
      longest_call);
  const std::lock_guard lock(mutex_);
  no_ways_.erase(address);
  return {number, std::move(link)};
}

/// Notes a connection to a node. Returns false if nobody needs it any more.
bool errands::keep_way(const std::string& address, const way& one) {
  const std::lock_guard lock(mutex_);
  if (!ended_) ways_.insert_or_assign(address, one);
  return !ended_;
}

/// Sends what the other side has room for.
void errands::send_more(std::uint64_t number, std::uint64_t until) {
  std::unique_lock lock(mutex_);
  const auto found = begun_.find(number);
  if (found == begun_.end()) return;
  auto& one = found->second;
  if (until == 0) {
    const auto address = one.what.address;
    begun_.erase(found);
    lock.unlock();
    return tell_(number, arrival::unreachable, "another node is at " + address);
  }
  until = std::min(until, one.what.bytes);
  if (until > one.sent) {
    const auto* const first = static_cast<const std::byte*>(one.source->data()) + one.offset;
    one.link->send_part(frame_kind::store, number, {first, one.what.bytes}, 0,
                        std::make_shared<value_ref>(one.source), one.sent, until);
    one.sent = until;
  }
  // It stays until the other side has all of it: the rest may be lost on the way.
}

void errands::closed(std::uint64_t gone, const std::string& why) {
  std::vector<std::uint64_t> lost;
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(ways_, [&](const auto& one) { return one.second.number == gone; });
    std::erase_if(begun_, [&](const auto& one) {
      if (one.second.way != gone) return false;
      lost.push_back(one.first);
      return true;
    });
  }
  for (const auto number : lost) tell_(number, arrival::cut, why);
}

}  // namespace troupe
