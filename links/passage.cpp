// SPDX-License-Identifier: MIT
#include "troupe/links/passage.hpp"

#include <stdexcept>
#include <utility>

#include "troupe/links/machine.hpp"

namespace troupe {

/// Gives the bytes if they are here, or the reason why they are nowhere. Returns false otherwise.
bool origin::give_own(const taker& whom) {
  std::shared_ptr<const void> holds;
  const std::byte* copy = nullptr;
  std::string lost;
  {
    const std::lock_guard lock(mutex_);
    if (!copy_ && lost_.empty()) return false;
    holds = holds_, copy = copy_, lost = lost_;
  }
  whom(std::move(holds), copy, lost);
  return true;
}

void origin::get(const taker& whom) {
  if (give_own(whom)) return;
  const auto from = from_.lock();
  if (from && from->fetch_for(place_, bytes_, whom)) return;
  // It was dropped meanwhile, but not before its bytes were here.
  if (!give_own(whom)) whom(nullptr, nullptr, "it is not there any more");
}

void origin::came_home(std::shared_ptr<const void> holds, const std::byte* bytes,
                       const std::string& why) {
  const std::lock_guard lock(mutex_);
  holds_ = std::move(holds);
  copy_ = bytes;
  lost_ = why;
}

void passage::start(const std::string& address) {
  const auto from = std::make_shared<origin>(ends_.from, ends_.place, ends_.bytes);
  const auto self = shared_from_this();
  const auto tell = [self](arrival how, const std::string& why) { self->heard(how, why); };
  const auto ticket = fresh_nonce();
  ends_.from->note_origin(from);
  const auto node =
      ends_.to->expect(ends_.number, ends_.bytes, from, address.empty() ? nullptr : &ticket, tell);
  if (node == 0) return ends_.to->bring(ends_.number);
  ends_.from->give({ends_.number, ends_.place, ends_.bytes, ticket, node, address}, tell);
  if (reached()) ends_.from->take_back(ends_.number);  // it has come another way meanwhile
}

void passage::heard(arrival how, const std::string& why) {
  ends_.from->take_back(ends_.number);
  if (how == arrival::unreachable) unreachable_();
  if (how == arrival::unreachable || how == arrival::cut) return ends_.to->bring(ends_.number);
  const std::lock_guard lock(mutex_);
  over_ = true;
  failure_ = why;
  changed_.notify_all();
}

bool passage::reached() const {
  const std::lock_guard lock(mutex_);
  return over_;
}

void passage::wait() const {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return over_; });
  if (!failure_.empty()) throw std::runtime_error(failure_);
}

}  // namespace troupe
