// SPDX-License-Identifier: MIT
#include "troupe/links/machine.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "troupe/links/remote_address.hpp"

namespace troupe {

namespace {

// Bytes of commands that travel in one frame, about.
constexpr std::size_t enough_commands = std::size_t{32} << 10;
// So many connections that end one after the other say that the next one would, too.
constexpr int most_fruitless = 3;

std::array<std::byte, 1 + sizeof(std::uint64_t)> drop_of(std::uint64_t number) noexcept {
  std::array<std::byte, 1 + sizeof number> out;
  out[0] = static_cast<std::byte>(command_kind::drop);
  std::memcpy(&out[1], &number, sizeof number);
  return out;
}

}  // namespace

machine::machine(int number, std::shared_ptr<memory> home, std::function<void(std::string)> lost)
    : number_(number), home_(std::move(home)), lost_(std::move(lost)) {}

bool machine::runs(std::string_view operation) const {
  const std::lock_guard lock(mutex_);
  return std::ranges::find(registered_, operation) != registered_.end();
}

void* machine::new_address(std::size_t bytes, std::uint8_t device) noexcept {
  constexpr std::size_t line = 64;
  const auto room = (bytes + 2 * line - 1) / line * line;  // one of no bytes has an address, too
  return remote_address::address_of(number_, device, next_byte_.fetch_add(room));
}

/// The end of one of the connections that a machine has had.
class machine::end final : public frame_receiver {
 public:
  end(std::shared_ptr<machine> of, std::uint64_t link) noexcept : of_(std::move(of)), link_(link) {}

  void received(frame_kind kind, std::span<const std::byte> body) override {
    of_->received(link_, kind, body);
  }
  void closed(const std::string& why) noexcept override { of_->closed(link_, why); }

 private:
  std::shared_ptr<machine> of_;
  std::uint64_t link_;
};

std::shared_ptr<frame_receiver> machine::connect(std::shared_ptr<connection> link) {
  const std::lock_guard lock(mutex_);
  link_ = std::move(link);
  offered_ = false;
  why_lost_.clear();
  return std::make_shared<end>(shared_from_this(), ++links_);
}

std::vector<offered_device> machine::await_offer(std::chrono::milliseconds limit) {
  std::shared_ptr<connection> late;
  {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, limit, [this] { return offered_ || !link_; });
    if (!link_) throw bytes_error(why_lost_);
    if (offered_) return offer_;
    late = forget_link();
  }
  late->close("it does not say what devices it has");
  throw bytes_error("it does not say what devices it has");
}

/// Takes leave of a connection, from which nothing counts any more.
std::shared_ptr<connection> machine::forget_link() {
  ++links_;
  offered_ = false;
  return std::exchange(link_, nullptr);
}

void machine::give_up(const std::string& why) {
  std::shared_ptr<connection> late;
  {
    const std::lock_guard lock(mutex_);
    why_lost_ = why;
    given_up_ = true;
    late = forget_link();
    changed_.notify_all();
  }
  if (late) late->close(why);
}

void machine::leave() {
  std::shared_ptr<connection> link;
  const std::lock_guard calls(calls_mutex_);
  {
    const std::lock_guard lock(mutex_);
    given_up_ = true;
    if (why_lost_.empty()) why_lost_ = "its runtime has ended";
    link = std::exchange(link_, nullptr);
  }
  if (link) link->close("its runtime has ended");
}

void machine::refuse_if_given_up() const {
  if (given_up_) throw std::runtime_error(why_lost_);
}

void machine::flush_locked() {
  if (!connected()) return;
  if (!commands_.empty()) frames_.push_back(std::exchange(commands_, {}));
  if (stores_again_ > 0) return;
  for (const auto& frame : frames_) link_->send(frame_kind::commands, frame);
  frames_.clear();
}

/// Adds a command to those that are to be sent.
void machine::add_command(std::span<const std::byte> command) {
  if (!commands_.empty() && commands_.size() + command.size() > enough_commands) flush_locked();
  append_bytes(commands_, command);
}

void machine::flush() {
  const std::lock_guard lock(mutex_);
  flush_locked();
}

/// Notes a task, whose outputs are noted, and sends it.
void machine::add_task(std::shared_ptr<task_record> t) {
  t->number = ++asked_.tasks;
  if (connected()) add_command(t->command);
  tasks_.push_back(std::move(t));
}

std::uint64_t machine::run(const task& t, std::uint8_t device) {
  auto record = std::make_shared<task_record>();
  byte_writer out(record->command);
  write_task(t, device, out);
  if (record->command.size() > most_frame_bytes)
    throw std::runtime_error("it has more inputs than can be sent at once");
  record->nanoseconds = t.estimate;
  const std::lock_guard lock(mutex_);
  refuse_if_given_up();
  for (const auto& in : t.inputs) {
    if (!in.source) continue;
    auto v = values_.find(remote_address::number(in.source->data()));
    if (!v) throw std::runtime_error("an input of it is not there");
    record->inputs.push_back(std::move(v));
  }
  for (const auto& one : t.outputs) {
    const auto number = remote_address::number(one->data());
    const auto v = values_.add_value(number, one->bytes(), device);
    v->made_by = record;
    record->outputs.push_back(number);
    record->made.emplace_back(v);
  }
  if (t.op->registered) called_.emplace(t.op->name);
  add_task(std::move(record));
  return asked_.tasks;
}

std::uint64_t machine::copy(void* to, const void* from, std::size_t bytes) {
  const auto device = remote_address::device_of(to);
  auto record = std::make_shared<task_record>();
  byte_writer out(record->command);
  out.put(command_kind::copy);
  out.put(remote_address::number(to));
  out.put(remote_address::number(from));
  out.put(static_cast<std::uint64_t>(bytes));
  out.put(device);
  const std::lock_guard lock(mutex_);
  refuse_if_given_up();
  auto source = values_.find_around(remote_address::number(from));
  if (!source) throw std::runtime_error("its input is not there");
  record->inputs.push_back(std::move(source));
  const auto v = values_.add_value(remote_address::number(to), bytes, device);
  v->made_by = record;
  record->outputs.push_back(v->number);
  record->made.emplace_back(v);
  add_task(std::move(record));
  return asked_.tasks;
}

void machine::send_store(const value_record& v, std::uint64_t number) {
  stores_.push_back(number);
  link_->send_bulk(frame_kind::store, v.number, {v.copy, v.bytes}, v.device, v.holds);
}

std::uint64_t machine::store(void* to, std::shared_ptr<const void> holds, const std::byte* from,
                             std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  refuse_if_given_up();
  const auto v =
      values_.add_value(remote_address::number(to), bytes, remote_address::device_of(to));
  v->holds = std::move(holds);
  v->copy = from;
  ++asked_.stores;
  if (connected()) {
    flush_locked();
    send_store(*v, asked_.stores);
  }
  return asked_.stores;
}

void machine::ask_for(const wanted_bytes& one) {
  std::vector<std::byte> command;
  byte_writer out(command);
  out.put(command_kind::send);
  out.put(one.from);
  out.put(static_cast<std::uint64_t>(one.bytes));
  add_command(command);
}

std::uint64_t machine::fetch(void* to, const void* from, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  refuse_if_given_up();
  wanted_.push_back({remote_address::number(from), static_cast<std::byte*>(to), bytes});
  if (connected()) ask_for(wanted_.back());
  return ++asked_.fetches;
}

/// Asks for a copy of a value, so that what it was computed from can be forgotten.
void machine::bring_home(const std::shared_ptr<value_record>& v) {
  std::shared_ptr<buffer> place;
  try {
    place = std::make_shared<buffer>(home_, v->bytes);
  } catch (const std::bad_alloc&) {
    v->fetching = false;  // a later one may find room
    return;
  }
  wanted_.push_back({v->number, static_cast<std::byte*>(place->data()), v->bytes, v, place});
  ++asked_.fetches;
  ask_for(wanted_.back());
}

void machine::drop(const void* address) {
  if (!process_.is_this()) return;
  const std::lock_guard lock(mutex_);
  const auto number = remote_address::number(address);
  values_.drop(number);
  if (connected()) add_command(drop_of(number));
}

bool machine::reached(const progress& wanted) const {
  const progress done{tasks_done_.load(std::memory_order_acquire),
                      stores_done_.load(std::memory_order_acquire),
                      fetches_done_.load(std::memory_order_acquire)};
  if (done.covers(wanted)) return true;
  const std::lock_guard lock(mutex_);
  refuse_if_given_up();
  return false;
}

void machine::wait(const progress& wanted) const {
  std::unique_lock lock(mutex_);
  const auto done = [&] {
    return progress{tasks_done_, stores_done_, fetches_done_}.covers(wanted);
  };
  changed_.wait(lock, [&] { return given_up_ || done(); });
  if (!done()) refuse_if_given_up();
}

std::string machine::failure_of(request_kind kind, std::uint64_t number) {
  if (!process_.is_this()) return {};
  const std::lock_guard lock(mutex_);
  if (failures_.empty()) return {};
  auto found = failures_.extract({kind, number});
  return found.empty() ? std::string() : std::move(found.mapped());
}

void machine::received(std::uint64_t link, frame_kind kind, std::span<const std::byte> body) {
  {
    const std::lock_guard lock(mutex_);
    if (link != links_) throw bytes_error("another connection has taken its place");
  }
  switch (kind) {
    case frame_kind::offer: return take_offer(body);
    case frame_kind::done: return take_news(body);
    case frame_kind::part: return take_part(body);
    case frame_kind::alive: return flush();  // values that were dropped since it last spoke
    case frame_kind::commands:
    case frame_kind::store: break;
  }
  throw bytes_error("a frame that only owners send");
}

void machine::take_offer(std::span<const std::byte> body) {
  byte_reader in(body);
  auto all = read_offer(in);
  const std::lock_guard lock(mutex_);
  if (offered_ || !link_) throw bytes_error("a second offer");
  if (all.devices.size() < offer_.size())
    throw bytes_error("it has fewer devices than the lost machine");
  for (const auto& name : called_) {
    if (std::ranges::find(all.registered, name) == all.registered.end())
      throw bytes_error("its program has not registered \"" + name + '"');
  }
  if (offer_.empty()) offer_ = std::move(all.devices);
  registered_ = std::move(all.registered);
  offered_ = true;
  send_everything();
  changed_.notify_all();
}

/// Gives a node that knows nothing all that it takes to go on.
void machine::send_everything() {
  tasks_told_ = stores_told_ = 0;
  commands_.clear();
  frames_.clear();
  const std::vector<std::shared_ptr<task_record>> unfinished(tasks_.begin(), tasks_.end());
  const auto plan = values_.everything(unfinished);
  // Stores that the last node had not told of are among those that are sent again.
  stores_.clear();
  for (const auto& v : plan.stores) send_store(*v, 0);
  stores_again_ = stores_.size();
  tasks_.assign(plan.tasks.begin(), plan.tasks.end());
  for (const auto& t : plan.tasks) add_command(t->command);
  for (const auto& one : wanted_) ask_for(one);
  for (const auto number : plan.drops) add_command(drop_of(number));
  flush_locked();
}

void machine::take_news(std::span<const std::byte> body) {
  byte_reader in(body);
  auto news = read_news(in);
  std::vector<std::shared_ptr<task_record>> ended;  // they end behind the lock
  const std::lock_guard lock(mutex_);
  if (!offered_ || news.tasks < tasks_told_ || news.stores < stores_told_ ||
      news.tasks - tasks_told_ > tasks_.size() || news.stores - stores_told_ > stores_.size())
    throw bytes_error("news of what nobody asked for");
  for (auto& one : news.failures) {
    const bool is_task = one.kind == request_kind::task;
    const auto told = is_task ? tasks_told_ : stores_told_;
    if (one.number <= told || one.number > (is_task ? news.tasks : news.stores)) continue;
    const auto place = one.number - told - 1;
    const auto number = is_task ? tasks_[place]->number : stores_[place];
    // Who waited for one that was done again has left: who reads its value will fail.
    if (number > (is_task ? tasks_done_ : stores_done_).load())
      failures_.insert_or_assign({one.kind, number}, std::move(one.facts));
  }
  for (; tasks_told_ < news.tasks; ++tasks_told_) {
    for (const auto& v : lineage::computed(*tasks_.front())) bring_home(v);
    ended.push_back(std::move(tasks_.front()));
    tasks_.pop_front();
  }
  for (; stores_told_ < news.stores; ++stores_told_) stores_.pop_front();
  stores_again_ = std::min(stores_again_, stores_.size());
  note_progress();
  flush_locked();
  changed_.notify_all();
}

/// Counts as done all that is not among the unfinished.
void machine::note_progress() {
  const auto tasks = tasks_.empty() ? asked_.tasks : tasks_.front()->number - 1;
  if (tasks > tasks_done_.load()) {
    tasks_done_.store(tasks, std::memory_order_release);
    fruitless_ = 0;
  }
  if (stores_again_ > 0) return;
  const auto stores = stores_.empty() ? asked_.stores : stores_.front() - 1;
  if (stores > stores_done_.load()) stores_done_.store(stores, std::memory_order_release);
}

/// Puts bytes where the oldest fetch wants them, or notes why the node has none.
void machine::take_part(std::span<const std::byte> body) {
  byte_reader in(body);
  const auto number = in.get<std::uint64_t>(), all = in.get<std::uint64_t>(),
             offset = in.get<std::uint64_t>();
  const auto kind = in.get(part_kind::refusal);
  const auto part = in.get_bytes(in.left());
  wanted_bytes first{};
  {
    const std::lock_guard lock(mutex_);
    if (wanted_.empty() || wanted_.front().from != number)
      throw bytes_error("bytes that nobody asked for");
    first = wanted_.front();
  }
  if (kind == part_kind::refusal) {
    const std::lock_guard lock(mutex_);
    if (!first.home) {
      std::string why = "the node cannot send it: ";
      if (lost_once_) why = "its node was lost, and another one could not compute it again: ";
      why.append(reinterpret_cast<const char*>(part.data()), part.size());
      failures_.insert_or_assign({request_kind::fetch, fetches_done_.load() + 1}, std::move(why));
    }
    return end_fetch(false);
  }
  if (all != first.bytes || offset > all || part.size() > all - offset)
    throw bytes_error("more bytes than were asked for");
  if (!part.empty()) std::memcpy(first.to + offset, part.data(), part.size());
  if (offset + part.size() < all) return;
  const std::lock_guard lock(mutex_);
  end_fetch(true);
}

/// Ends the oldest fetch, which has its bytes or never will.
void machine::end_fetch(bool there) {
  const auto first = std::move(wanted_.front());
  wanted_.pop_front();
  if (first.home) {
    first.home->fetching = false;
    if (there) lineage::came_home(*first.home, first.holds, first.to);
  }
  fetches_done_.fetch_add(1, std::memory_order_release);
  changed_.notify_all();
}

void machine::closed(std::uint64_t link, const std::string& why) noexcept {
  const std::lock_guard calls(calls_mutex_);
  {
    const std::lock_guard lock(mutex_);
    if (link != links_) return;
    link_ = nullptr;
    commands_.clear();
    frames_.clear();
    if (why_lost_.empty()) why_lost_ = why;
    changed_.notify_all();
    if (!std::exchange(offered_, false) || given_up_) return;
    lost_once_ = true;
    if (++fruitless_ > most_fruitless) given_up_ = true;
    if (given_up_) return;
  }
  lost_(why);
}

}  // namespace troupe
