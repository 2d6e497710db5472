// SPDX-License-Identifier: MIT
#include "troupe/nodes/visits.hpp"

#include <cstring>
#include <utility>
#include <vector>

#include "troupe/links/command_text.hpp"
#include "troupe/nodes/session.hpp"

namespace troupe {

/// A node that brings values.
class visits::visitor final : public frame_receiver, public std::enable_shared_from_this<visitor> {
 public:
  visitor(std::weak_ptr<visits> of, std::shared_ptr<connection> link) noexcept
      : of_(std::move(of)), link_(std::move(link)) {}

  void received(frame_kind kind, frame_body body) override {
    switch (kind) {
      case frame_kind::alive: return;
      case frame_kind::ticket: return take_ticket(body.here());
      case frame_kind::store: return take_store(body);
      default: throw bytes_error("a frame that no node brings");
    }
  }
  void closed(const std::string& why) noexcept override {
    for (const auto& [number, whose] : std::exchange(brought_, {})) {
      if (const auto s = whose.lock()) s->visit_cut(number, why);
    }
  }
  void begin(const awaited& one) {
    const auto s = one.whose.lock();
    if (!s) return refuse(one.number);
    brought_.insert_or_assign(one.number, one.whose);
    s->visit_begun(one.number, link_);
  }

  /// Nobody takes it here.
  void refuse(std::uint64_t number) { send_room(*link_, number, 0); }

 private:
  void take_ticket(byte_reader in) {
    const auto all = of_.lock();
    if (!all) return;
    const auto ticket = read_ticket(in);
    const auto number = in.get<std::uint64_t>();
    if (in.get<std::uint64_t>() != all->node_) return refuse(number);
    if (auto found = all->awaited_.extract(ticket); !found.empty()) return begin(found.mapped());
    all->forget_late();
    if (all->early_.size() >= most_early_) throw bytes_error("too many tickets of nobody's");
    all->early_.insert_or_assign(ticket, early_ticket{weak_from_this(), number, clock::now()});
  }
  void take_store(frame_body body) {
    const auto number = byte_reader(body.here()).get<std::uint64_t>();
    const auto found = brought_.find(number);
    if (found == brought_.end()) return;  // its owner has it another way by now
    const auto s = found->second.lock();
    if (!s || !s->take_visit(body, link_)) brought_.erase(found);
  }

  std::weak_ptr<visits> of_;
  std::shared_ptr<connection> link_;
  std::map<std::uint64_t, std::weak_ptr<session>> brought_;
};

visits::visits() {
  const auto random = fresh_nonce();
  std::memcpy(&node_, random.data(), sizeof node_);
  node_ |= 1;  // 0 is no node's
}

/// Forgets tickets that nobody has asked for, and says so.
void visits::forget_late() {
  const auto since = clock::now() - longest_early_;
  std::erase_if(early_, [&](const auto& one) {
    const auto who = one.second.who.lock();
    if (who && one.second.since > since) return false;
    if (who) who->refuse(one.second.number);
    return true;
  });
}

void visits::await(const secret_key::digest& ticket, std::weak_ptr<session> whose,
                   std::uint64_t number) {
  std::erase_if(awaited_, [](const auto& one) { return one.second.whose.expired(); });
  if (const auto early = early_.extract(ticket); !early.empty()) {
    if (const auto who = early.mapped().who.lock()) return who->begin({std::move(whose), number});
  }
  awaited_.insert_or_assign(ticket, awaited{std::move(whose), number});
}

void visits::forget(const secret_key::digest& ticket) {
  awaited_.erase(ticket);
  early_.erase(ticket);
}

std::shared_ptr<frame_receiver> visits::greet(std::shared_ptr<connection> link) {
  return std::make_shared<visitor>(weak_from_this(), std::move(link));
}

void send_room(connection& to, std::uint64_t number, std::uint64_t until) {
  std::vector<std::byte> body;
  byte_writer out(body);
  out.put(number);
  out.put(until);
  to.send(frame_kind::more, body);
}

}  // namespace troupe
