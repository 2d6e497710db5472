// SPDX-License-Identifier: MIT
#include "troupe/nodes/value_sender.hpp"

#include <string>
#include <utility>

#include "troupe/links/command_text.hpp"
#include "troupe/nodes/teller.hpp"
#include "troupe/tasks/bookkeeping.hpp"
#include "troupe/tasks/library_thread.hpp"
#include "troupe/tasks/wait_limit.hpp"

namespace troupe {

value_sender::value_sender(engine& with, std::shared_ptr<connection> link)
    : engine_(with), link_(std::move(link)), thread_(library_thread([this] { work(); })) {}

value_sender::~value_sender() {
  end();
  thread_.join();
}

void value_sender::add(asked one) {
  {
    const std::lock_guard lock(mutex_);
    if (!asked_.empty() || (one.source && one.source->pending())) {
      asked_.push_back(std::move(one));
      changed_.notify_one();
      return;
    }
  }
  send(one);  // nothing is before it, and only this thread adds
}

void value_sender::end() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_one();
}

void value_sender::work() {
  const bookkeeping books;
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return ended_ || !asked_.empty(); });
    if (ended_) break;
    const auto one = asked_.front();
    lock.unlock();
    if (one.source) engine_.wait(one.source, wait_limit());
    send(one);
    lock.lock();
    asked_.pop_front();
  }
  over_ = true;
}

/// Sends the bytes of a value, or the reason why there are none.
void value_sender::send(const asked& one) {
  if (one.source && one.source->ready()) {
    const auto* const first = static_cast<const std::byte*>(one.source->data()) + one.offset;
    return link_->send_bulk(frame_kind::part, one.number, {first, one.bytes}, 0,
                            std::make_shared<value_ref>(one.source));
  }
  auto text = std::make_shared<std::string>("it is not there");
  if (one.source) *text = teller::reason(one.source->why()->facts);
  link_->send_bulk(frame_kind::part, one.number, std::as_bytes(std::span(*text)),
                   static_cast<std::uint8_t>(part_kind::refusal), text);
}

}  // namespace troupe
