// SPDX-License-Identifier: MIT
#include "troupe/links/machine.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <stdexcept>
#include <utility>

#include "troupe/links/remote_address.hpp"

namespace troupe {

namespace {

// Bytes of commands that travel in one frame, about.
constexpr std::size_t enough_commands = std::size_t{32} << 10;

}  // namespace

machine::machine(int number, std::shared_ptr<safe_copies> copies,
                 std::function<void(std::string)> lost)
    : number_(number), copies_(std::move(copies)), home_(copies_->home()), lost_(std::move(lost)) {}

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

  void received(frame_kind kind, frame_body body) override { of_->received(link_, kind, body); }
  void closed(const std::string& why) noexcept override { of_->closed(link_, why); }

 private:
  std::shared_ptr<machine> of_;
  std::uint64_t link_;
};

std::shared_ptr<frame_receiver> machine::connect(std::shared_ptr<connection> link) {
  const std::lock_guard lock(mutex_);
  link_ = std::move(link);
  offered_ = false;
  if (!given_up_) why_lost_.clear();
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
  later after;
  {
    const std::lock_guard lock(mutex_);
    why_lost_ = why;
    given_up_ = true;
    late = forget_link();
    fail_unfinished();
    end_waiting(after);
    changed_.notify_all();
    wake_waiting();
  }
  if (late) late->close(why);
  run_all(after);
}

void machine::leave() {
  std::shared_ptr<connection> link;
  later after;
  const std::lock_guard calls(calls_mutex_);
  {
    const std::lock_guard lock(mutex_);
    given_up_ = left_ = true;
    if (why_lost_.empty()) why_lost_ = "its runtime has ended";
    link = std::exchange(link_, nullptr);
    end_waiting(after);
    wake_waiting();
  }
  if (link) link->close("its runtime has ended");
  run_all(after);
}

void machine::refuse_if_given_up() const {
  if (given_up_) throw std::runtime_error(why_lost_);
}

void machine::flush_locked() {
  if (!connected() || commands_.empty()) return;
  link_->send(frame_kind::commands, commands_);
  commands_.clear();
}

/// Adds a command to those that are to be sent.
void machine::put_command(std::span<const std::byte> command) {
  if (!commands_.empty() && commands_.size() + command.size() > enough_commands) flush_locked();
  append_bytes(commands_, command);
}

/// Returns the number of the value that a place lies in.
std::uint64_t machine::value_at(std::uint64_t place) const {
  const auto v = values_.find_around(place);
  return v ? v->number : place;
}

/// Adds a command that uses a value, behind those that make it or that need it before.
void machine::add_command(withheld one) {
  if (!waits(one)) return put_command(one.command);
  if (one.kind != use::drop) ++used_later_[one.value];
  withheld_.push_back(std::move(one));
}

bool machine::waits(const withheld& one) const {
  return coming_.contains(one.value) || (one.kind == use::drop ? used_later_.contains(one.value)
                                                               : made_later_.contains(one.value));
}

bool machine::waits(const task_record& one) const {
  return std::ranges::any_of(one.inputs,
                             [this](const auto& in) { return coming_.contains(in->number); });
}

void machine::withhold(const std::shared_ptr<task_record>& t) {
  for (const auto& in : t->inputs) ++used_later_[in->number];
  for (const auto output : t->outputs) {
    ++used_later_[output];
    made_later_.insert(output);
  }
  withheld_tasks_.push_back(t);
}

void machine::let_go(const task_record& t) {
  for (const auto& in : t.inputs) stop_using(in->number);
  for (const auto output : t.outputs) {
    stop_using(output);
    made_later_.erase(output);
  }
  put_task(t);
}

/// Notes that one command less that uses a value waits.
void machine::stop_using(std::uint64_t value) {
  if (const auto found = used_later_.find(value); --found->second == 0) used_later_.erase(found);
}

void machine::forget_withheld() {
  coming_.clear();
  withheld_tasks_.clear();
  withheld_.clear();
  used_later_.clear();
  made_later_.clear();
  to_bring_.clear();
  bringing_.clear();
}

/// Sends the commands that have waited for a value.
void machine::arrived(std::uint64_t value) {
  coming_.erase(value);
  for (; !withheld_tasks_.empty() && !waits(*withheld_tasks_.front()); withheld_tasks_.pop_front())
    let_go(*withheld_tasks_.front());
  if (withheld_.empty()) return;
  std::deque<withheld> still;
  for (auto& one : withheld_) {
    if (waits(one)) {
      still.push_back(std::move(one));
      continue;
    }
    if (one.kind != use::drop) stop_using(one.value);
    put_command(one.command);
  }
  withheld_.swap(still);
}

void machine::flush() {
  const std::lock_guard lock(mutex_);
  flush_locked();
}

/// Notes a task, whose outputs are noted, and sends it.
void machine::add_task(std::shared_ptr<task_record> t) {
  t->number = ++asked_.tasks;
  if (connected()) send_task(t);
  tasks_.push_back(std::move(t));
}

/// Sends a task, behind the tasks that wait.
void machine::send_task(const std::shared_ptr<task_record>& t) {
  if (withheld_tasks_.empty() && (coming_.empty() || !waits(*t))) return put_task(*t);
  withhold(t);
}

void machine::put_task(const task_record& t) {
  put_command(t.command);
  if (t.cancelled) put_cancel(t);
}

/// Returns the first unfinished task that has this number, or a later one.
std::deque<std::shared_ptr<task_record>>::iterator machine::unfinished(std::uint64_t task) {
  return std::ranges::lower_bound(tasks_, task, {}, &task_record::number);
}

/// Tells the node, which counts the tasks that it was sent.
void machine::put_cancel(const task_record& t) {
  const auto place = static_cast<std::uint64_t>(unfinished(t.number) - tasks_.begin());
  std::vector<std::byte> command;
  byte_writer out(command);
  out.put(command_kind::cancel);
  out.put(tasks_told_ + place + 1);
  put_command(command);
}

void machine::cancel(std::span<const std::uint64_t> tasks) {
  const std::lock_guard lock(mutex_);
  for (const auto number : tasks) {
    const auto found = unfinished(number);
    if (found == tasks_.end() || (*found)->number != number) continue;
    auto& t = **found;
    t.cancelled = true;
    const bool sent = withheld_tasks_.empty() || number < withheld_tasks_.front()->number;
    if (connected() && sent) put_cancel(t);
  }
  flush_locked();
}

std::uint64_t machine::run(const task& t, std::uint8_t device, std::span<const std::byte> command) {
  if (command.size() > most_frame_bytes)
    throw std::runtime_error("it has more inputs than can be sent at once");
  auto record = lineage::new_task();
  record->command.assign(command);
  record->nanoseconds = t.estimate;
  const std::lock_guard lock(mutex_);
  refuse_if_given_up();
  for (const auto& in : t.inputs) {
    if (!in.source) continue;
    auto v = values_.find(remote_address::number(in.source->data()));
    if (!v) throw std::runtime_error("an input of it is not there");
    record->inputs.emplace_back(std::move(v));
  }
  for (const auto& one : t.outputs) {
    const auto number = remote_address::number(one->data());
    const auto v = values_.add_value(number, one->bytes(), device);
    v->made_by = record;
    record->outputs.emplace_back(number);
    record->made.emplace_back(v);
  }
  if (t.op->registered) called_.emplace(t.op->name);
  add_task(std::move(record));
  return asked_.tasks;
}

std::uint64_t machine::copy(void* to, const void* from, std::size_t bytes) {
  const auto device = remote_address::device_of(to);
  std::vector<std::byte> command;
  byte_writer out(command);
  out.put(command_kind::copy);
  out.put(remote_address::number(to));
  out.put(remote_address::number(from));
  out.put(static_cast<std::uint64_t>(bytes));
  out.put(device);
  auto record = lineage::new_task();
  record->command.assign(command);
  const std::lock_guard lock(mutex_);
  refuse_if_given_up();
  auto source = values_.find_around(remote_address::number(from));
  if (!source) throw std::runtime_error("its input is not there");
  record->inputs.emplace_back(std::move(source));
  const auto v = values_.add_value(remote_address::number(to), bytes, device);
  v->made_by = record;
  record->outputs.emplace_back(v->number);
  record->made.emplace_back(v);
  add_task(std::move(record));
  return asked_.tasks;
}

void machine::send_store(const value_record& v, std::uint64_t number) {
  stores_.push_back({number, v.number});
  link_->send_bulk(frame_kind::store, v.number, {v.copy, v.bytes}, v.device, v.holds);
}

/// Tells the node that it cannot have a value: whoever reads it there hears why.
void machine::put_failure(const value_record& v, std::string_view why) {
  std::vector<std::byte> command;
  byte_writer out(command);
  out.put(command_kind::fail);
  out.put(v.number);
  out.put(static_cast<std::uint64_t>(v.bytes));
  out.put(v.device);
  out.put_text(why.substr(0, 10'000));
  put_command(command);
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
  add_command({std::move(command), value_at(one.from), use::send, 0});
}

std::uint64_t machine::fetch(void* to, const void* from, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  refuse_if_given_up();
  wanted_.push_back(
      {++asked_.fetches, remote_address::number(from), static_cast<std::byte*>(to), bytes});
  if (connected()) ask_for(wanted_.back());
  return asked_.fetches;
}

/// Asks for a copy of a value, so that what it was computed from can be forgotten. Returns false if
/// there is no room for it.
bool machine::bring_home(const std::shared_ptr<value_record>& v) {
  const auto place = copies_->place_for(v->bytes);
  if (!place) return false;
  v->fetching = true;
  wanted_.push_back(
      {++asked_.fetches, v->number, static_cast<std::byte*>(place->data()), v->bytes, v, place});
  ask_for(wanted_.back());
  return true;
}

bool machine::drop_now(const void* address, const made_later& dropped) {
  if (!process_.is_this()) return true;
  const std::lock_guard lock(mutex_);
  const auto number = remote_address::number(address);
  // Its copies on other machines may need its bytes again.
  if (const auto known = origins_.extract(number); !known.empty()) {
    for (const auto& weak : known.mapped()) {
      if (const auto one = weak.lock()) keep_for(one, number);
    }
    if (const auto late = dropping_.find(number); late != dropping_.end()) {
      late->second.then = dropped();
      flush_locked();
      return false;
    }
  }
  values_.drop(number);
  add_drop(number);
  return true;
}

/// Tells the node to drop a value.
void machine::add_drop(std::uint64_t number) {
  if (!connected()) return;
  std::array<std::byte, 1 + sizeof number> command;
  command[0] = static_cast<std::byte>(command_kind::drop);
  std::memcpy(&command[1], &number, sizeof number);
  if (coming_.empty() && used_later_.empty()) return put_command(command);
  add_command({{command.begin(), command.end()}, number, use::drop, 0});
}

void machine::trim() noexcept {
  const std::lock_guard lock(mutex_);
  if (!connected()) return;
  try {
    const auto command = static_cast<std::byte>(command_kind::trim);
    put_command(std::span(&command, 1));
    flush_locked();
  } catch (const std::bad_alloc&) {}  // it keeps it
}

bool machine::reached(const progress& wanted) const {
  if (so_far().covers(wanted)) return true;
  if (given_up_.load(std::memory_order_relaxed)) {
    const std::lock_guard lock(mutex_);
    refuse_if_given_up();
  }
  return false;
}

void machine::wait(const progress& wanted) const {
  std::unique_lock lock(mutex_);
  waiter self{wanted};
  waiting_.push_back(&self);
  self.there.wait(lock, [&] { return given_up_ || so_far().covers(wanted); });
  std::erase(waiting_, &self);
  if (!so_far().covers(wanted)) refuse_if_given_up();
}

void machine::notify(const progress& wanted, std::function<void()> tell) const {
  const std::lock_guard lock(mutex_);
  if (given_up_ || so_far().covers(wanted)) tell();
  else listening_.push_back({wanted, std::move(tell)});
}

/// Wakes the threads for which it is far enough, and tells who listens.
void machine::wake_waiting() const {
  const auto done = so_far();
  for (auto* const one : waiting_) {
    if (given_up_ || done.covers(one->wanted)) one->there.notify_one();
  }
  std::erase_if(listening_, [&](const listening& one) {
    if (!given_up_ && !done.covers(one.wanted)) return false;
    one.tell();
    return true;
  });
}

std::string machine::failure_of(request_kind kind, std::uint64_t number) {
  if (!process_.is_this()) return {};
  if (!any_failures_.load(std::memory_order_acquire)) return {};
  const std::lock_guard lock(mutex_);
  auto found = failures_.extract({kind, number});
  any_failures_ = !failures_.empty();
  return found.empty() ? std::string() : std::move(found.mapped());
}

}  // namespace troupe
