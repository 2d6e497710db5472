// SPDX-License-Identifier: MIT
#include "troupe/links/remote_driver.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "troupe/links/known_ways.hpp"
#include "troupe/links/machine.hpp"
#include "troupe/links/own_process.hpp"
#include "troupe/links/passage.hpp"
#include "troupe/links/remote_address.hpp"
#include "troupe/tasks/bookkeeping.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tasks/library_thread.hpp"
#include "troupe/tasks/task_stream.hpp"

namespace troupe {

namespace {

using namespace std::chrono_literals;

constexpr auto longest_connecting = 5000ms;
constexpr auto longest_search = 5000ms, between_tries = 100ms;
constexpr auto first_look = 1000ms, most_between_looks = 10'000ms;
constexpr auto shortest_try = 300ms, longest_try = 1200ms;

/// The nodes that a runtime was given, and the network between.
struct cluster {
  cluster(std::span<const std::string> of, secret_key with, bool tls,
          std::shared_ptr<safe_copies> here, std::source_location where)
      : addresses(of.begin(), of.end()),
        key(std::move(with)),
        copies(std::move(here)),
        call_site(where),
        wires(tls) {}

  const std::shared_ptr<machine>& machine_of(const void* address) const {
    return machines[static_cast<std::size_t>(remote_address::node_of(address)) - 1];
  }

  std::vector<std::string> addresses;
  std::vector<std::shared_ptr<machine>> machines;  ///< by number, from 1
  secret_key key;
  std::shared_ptr<safe_copies> copies;
  std::source_location call_site;
  known_ways ways;
  network wires;
};

/// A machine by its number, wherever it is: at the node with this number, or, if that is lost, at
/// another one. It ends with the last of its devices.
class hosted_machine {
 public:
  hosted_machine(std::shared_ptr<cluster> of, int number)
      : cluster_(std::move(of)),
        far_(std::make_shared<machine>(number, cluster_->copies,
                                       [this](const std::string& why) { look_for_host(why); })) {}
  hosted_machine(const hosted_machine&) = delete;
  hosted_machine& operator=(const hosted_machine&) = delete;
  ~hosted_machine() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    changed_.notify_all();
    far_->leave();  // nobody looks for another host now
    if (searcher_.joinable()) searcher_.join();
    far_->leave();  // a connection that was found meanwhile
  }

  /// Connects to the node at an address, and returns the devices that it offers. Throws
  /// troupe::error that says why not.
  std::vector<offered_device> move_to(const std::string& address,
                                      std::chrono::milliseconds limit = longest_connecting) {
    const auto& where = cluster_->call_site;
    cluster_->wires.connect(
        network_address::parse(address, where), cluster_->key,
        [far = far_](std::shared_ptr<connection> link, handshake::side) {
          return far->connect(std::move(link));
        },
        limit, where);
    try {
      cluster_->ways.note_host(far_->number(), address);
      auto offer = far_->await_offer(limit);
      const std::lock_guard lock(mutex_);
      host_ = address;
      return offer;
    } catch (const bytes_error& e) { throw error(address + ": " + e.what(), where); }
  }

  const std::shared_ptr<cluster>& of() const noexcept { return cluster_; }
  const std::shared_ptr<machine>& far() const noexcept { return far_; }
  const std::string& address() const {
    return cluster_->addresses[static_cast<std::size_t>(far_->number()) - 1];
  }
  /// Returns its own address if it is elsewhere or nowhere now.
  std::string lost_node() const {
    const std::lock_guard lock(mutex_);
    return host_ == address() ? "" : address();
  }
  /// Says at which address it is now.
  std::string place() const {
    const std::lock_guard lock(mutex_);
    if (host_.empty()) return "lost at " + address();
    return "at " + host_ + (host_ == address() ? "" : ", in place of " + address());
  }

 private:
  /// Starts a search for a node that takes the machine's place; on the network's thread.
  void look_for_host(const std::string& why) {
    const std::lock_guard lock(mutex_);
    if (over_) return;
    why_ = why;
    silent_ = why == silence ? host_ : "";
    host_.clear();
    wanted_ = true;
    if (!searcher_.joinable()) searcher_ = library_thread([this] { search(); });
    changed_.notify_all();
  }

  /// Looks for one when the machine is lost, and now and then as long as there is none.
  void search() {
    const bookkeeping books;
    const auto called = [this] { return over_ || wanted_; };
    bool given_up = false;
    auto pause = first_look;
    std::unique_lock lock(mutex_);
    for (;;) {
      if (given_up) changed_.wait_for(lock, pause, called);
      else changed_.wait(lock, called);
      if (over_) return;
      wanted_ = false;
      const auto why = why_, silent = silent_;
      lock.unlock();
      std::string last;
      const auto until = std::chrono::steady_clock::now() + (given_up ? 0ms : longest_search);
      const bool found = find_host(silent, until, last);
      lock.lock();
      if (!found && !given_up && !over_)
        far_->give_up(address() + " is lost, and no other node answers: " + why + " (" + last +
                      ')');
      pause = given_up ? std::min(2 * pause, most_between_looks) : first_look;
      given_up = !found;
    }
  }

  /// Tries the machine's own node, then those behind it, then those before it; the one that has
  /// fallen silent last, since all patience would go to it. Returns false if none takes its place,
  /// with the last one's reason.
  bool find_host(const std::string& silent, std::chrono::steady_clock::time_point until,
                 std::string& why_not) {
    const auto own = far_->number() - 1;
    auto addresses = cluster_->addresses;
    std::ranges::rotate(addresses, addresses.begin() + own);
    std::ranges::stable_partition(addresses, [&](const auto& one) { return one != silent; });
    // Those that are far away answer late, those that are gone never.
    for (auto patience = shortest_try;; patience = std::min(2 * patience, longest_try)) {
      for (const auto& one : addresses) {
        try {
          move_to(one, patience);
          return true;
        } catch (const error& e) { why_not = e.what(); }  // the next one may answer
      }
      if (std::chrono::steady_clock::now() >= until) return false;
      std::unique_lock lock(mutex_);
      if (changed_.wait_for(lock, between_tries, [this] { return over_; })) return false;
    }
  }

  std::shared_ptr<cluster> cluster_;
  std::shared_ptr<machine> far_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::string host_;  ///< the address of the node; empty while there is none
  bool over_ = false, wanted_ = false;
  std::string why_;
  std::string silent_;  ///< the node that was lost, if it was open and said nothing
  std::thread searcher_;
};

/// The memory of a device on another machine: addresses, which that machine gives bytes.
class remote_memory final : public memory, public std::enable_shared_from_this<remote_memory> {
 public:
  remote_memory(std::shared_ptr<machine> far, std::uint8_t device, std::size_t limit) noexcept
      : far_(std::move(far)), device_(device), limit_(limit) {}

  void* allocate(std::size_t bytes) override {
    if (bytes > limit_) throw std::bad_alloc();
    const auto live = live_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
    auto peak = peak_.load(std::memory_order_relaxed);
    while (peak < live && !peak_.compare_exchange_weak(peak, live)) {}
    return far_->new_address(bytes, device_);
  }
  void deallocate(void* data, std::size_t bytes) noexcept override {
    try {
      far_->drop(data, [weak = weak_from_this(), bytes] {
        if (const auto alive = weak.lock()) alive->dropped(bytes);
      });
    } catch (...) { dropped(bytes); }  // without memory for the command, the node keeps the value
  }
  std::size_t live() const noexcept override { return live_.load(std::memory_order_relaxed); }
  memory_statistics statistics() const override { return {live(), peak_.load(), 0}; }
  void trim() noexcept override { far_->trim(); }

 private:
  void dropped(std::size_t bytes) noexcept {
    live_.fetch_sub(bytes, std::memory_order_relaxed);
    freed();
  }

  std::shared_ptr<machine> far_;
  std::uint8_t device_;
  std::size_t limit_;  ///< of a single value: the node refuses larger ones
  std::atomic<std::size_t> live_ = 0, peak_ = 0;
};

/// A request to a machine whose failure somebody has to ask for.
class open_request {
 public:
  open_request() = default;
  open_request(std::shared_ptr<machine> to, request_kind kind, std::uint64_t number) noexcept
      : to_(std::move(to)), kind_(kind), number_(number) {}
  open_request(open_request&&) = default;
  open_request& operator=(open_request other) noexcept {
    std::swap(to_, other.to_);
    std::swap(kind_, other.kind_);
    std::swap(number_, other.number_);
    return *this;
  }
  ~open_request() {
    if (to_) to_->failure_of(kind_, number_);
  }

  std::uint64_t number() const noexcept { return number_; }
  /// Throws if it has failed.
  void check() const {
    if (!to_) return;
    if (auto why = to_->failure_of(kind_, number_); !why.empty()) throw std::runtime_error(why);
  }

 private:
  std::shared_ptr<machine> to_;
  request_kind kind_ = request_kind::task;
  std::uint64_t number_ = 0;
};

/// Requests to one machine or several, of which the last one's failure is that of who waits.
class remote_event final : public event {
 public:
  using asked = std::vector<std::pair<std::shared_ptr<machine>, machine::progress>>;

  remote_event(asked of, open_request last, std::shared_ptr<passage> between) noexcept
      : asked_(std::move(of)), last_(std::move(last)), between_(std::move(between)) {}

  bool reached() const override {
    return (!between_ || between_->reached()) && std::ranges::all_of(asked_, [](const auto& one) {
             return one.first->reached(one.second);
           });
  }
  void wait() const override {
    for (const auto& [far, wanted] : asked_) far->wait(wanted);
    last_.check();
    if (between_) between_->wait();
  }
  bool notify(const std::function<void()>& tell) const override {
    if (between_ || asked_.size() > 1) return false;
    asked_[0].first->notify(asked_[0].second, tell);
    return true;
  }

 private:
  asked asked_;
  open_request last_;
  std::shared_ptr<passage> between_;  ///< if it is a copy from one machine to another
};

/// The commands for a machine. Copies to a different one are among them.
class remote_stream final : public task_stream {
 public:
  remote_stream(const hosted_machine& of, std::uint8_t device)
      : cluster_(of.of()), device_(device), asked_{{of.far(), {}}} {}

  std::uint64_t put(const task& t) override {
    command_.clear();
    byte_writer out(command_);
    write_task(t, device_, out);
    return asked_[0].second.tasks = far().run(t, device_, command_);
  }
  void cancel(std::span<const std::uint64_t> tasks) override { far().cancel(tasks); }
  std::string failure_of(std::uint64_t number) override {
    return far().failure_of(request_kind::task, number);
  }
  remote_runs runs_since(ticks since) override {
    auto out = far().runs_since(since);
    const auto machine = "node " + std::to_string(far().number()) + ": ";
    for (auto& name : out.lanes) name.insert(0, machine);
    return out;
  }
  void store(void* to, const value_ref& from, const std::byte* first, std::size_t bytes) override {
    store_at(to, std::make_shared<const value_ref>(from), first, bytes);
  }
  void copy(void* to, const void* from, std::size_t bytes) override {
    if (!remote_address::is_one(to))
      note(asked_[0], request_kind::fetch, far().fetch(to, from, bytes));
    else if (remote_address::node_of(to) == remote_address::node_of(from))
      note(asked_[0], request_kind::task, far().copy(to, from, bytes));
    else if (remote_address::is_one(from)) pass(to, from, bytes);
    else throw std::runtime_error("copies between a GPU here and a node go through cpu()");
  }
  /// Records a point that tells of the failure of a copy before it; those of tasks are asked for.
  std::unique_ptr<event> record() override {
    for (const auto& one : asked_) one.first->flush();
    return std::make_unique<remote_event>(asked_, std::exchange(last_, {}),
                                          std::exchange(between_, nullptr));
  }
  /// Nothing to do: a machine runs its commands when their inputs are there.
  void wait(const event& /*point*/) override {}

 private:
  machine& far() const noexcept { return *asked_[0].first; }

  /// Notes the last request, which is a copy.
  void note(remote_event::asked::value_type& to, request_kind kind, std::uint64_t number) {
    auto& counts = to.second;
    (kind == request_kind::task    ? counts.tasks
     : kind == request_kind::store ? counts.stores
                                   : counts.fetches) = number;
    last_ = open_request(to.first, kind, number);
  }

  void store_at(void* to, std::shared_ptr<const void> holds, const std::byte* from,
                std::size_t bytes) {
    const auto& where = cluster_->machine_of(to);
    const auto number = where->store(to, std::move(holds), from, bytes);
    auto known = std::ranges::find(asked_, where, &remote_event::asked::value_type::first);
    if (known == asked_.end()) known = asked_.insert(known, {where, {}});
    note(*known, request_kind::store, number);
  }

  /// Copies from one machine to another.
  void pass(void* to, const void* from, std::size_t bytes) {
    const auto &source = cluster_->machine_of(from), &target = cluster_->machine_of(to);
    const auto way = cluster_->ways.between(source->number(), target->number());
    const auto one =
        std::make_shared<passage>(passage::ends{source, target, remote_address::number(from),
                                                remote_address::number(to), bytes},
                                  [weak = std::weak_ptr(cluster_), way] {
                                    if (const auto all = weak.lock()) all->ways.note_none(way);
                                  });
    source->flush();
    one->start(bytes > 0 && cluster_->ways.may_work(way) ? way.second : "");
    between_ = one;
  }

  std::shared_ptr<cluster> cluster_;
  std::uint8_t device_;
  remote_event::asked asked_;  ///< of its own machine first
  open_request last_;          ///< if it is a copy
  std::vector<std::byte> command_;
  std::shared_ptr<passage> between_;
};

class remote_driver final : public driver {
 public:
  remote_driver(std::shared_ptr<hosted_machine> of, const offered_device& offered,
                std::uint8_t place, const kernel_table& kernels)
      : of_(std::move(of)),
        offered_(offered),
        place_(place),
        kernels_(&kernels),
        memory_(std::make_shared<remote_memory>(of_->far(), place, offered.memory_limit)) {}

  device id() const override {
    auto out = offered_.device;
    out.node = static_cast<std::uint8_t>(of_->far()->number());
    return out;
  }
  std::string description() const override { return offered_.description + ' ' + of_->place(); }
  const std::shared_ptr<troupe::memory>& memory() const override { return memory_; }
  std::size_t memory_limit() const override { return offered_.memory_limit; }
  const kernel_table& kernels() const override { return *kernels_; }
  std::string lost_node() const override { return of_->lost_node(); }
  bool runs(std::string_view operation) const override { return of_->far()->runs(operation); }
  std::unique_ptr<stream> open_stream() override {
    return std::make_unique<remote_stream>(*of_, place_);
  }
  int lanes() const override { return 1; }
  void enter(int) noexcept override {}

 private:
  std::shared_ptr<hosted_machine> of_;
  offered_device offered_;
  std::uint8_t place_;
  const kernel_table* kernels_;
  std::shared_ptr<troupe::memory> memory_;
};

}  // namespace

drivers make_remote_drivers(std::span<const std::string> addresses, const secret_key& key, bool tls,
                            driver& here, std::size_t most_copied, std::source_location call_site) {
  if (addresses.size() > remote_address::most_nodes)
    throw error(std::to_string(addresses.size()) + " nodes are more than " +
                    std::to_string(remote_address::most_nodes),
                call_site);
  const auto copies = std::make_shared<safe_copies>(here.memory(), most_copied);
  const auto all = make_for_this_process<cluster>(addresses, key, tls, copies, call_site);
  drivers out;
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    const auto one = make_for_this_process<hosted_machine>(all, static_cast<int>(i) + 1);
    all->machines.push_back(one->far());
    const auto offered = one->move_to(addresses[i]);
    for (std::size_t d = 0; d < offered.size(); ++d) {
      if (offered[d].device.kind != device_kind::cpu) continue;
      out.push_back(std::make_shared<remote_driver>(one, offered[d], static_cast<std::uint8_t>(d),
                                                    here.kernels()));
    }
  }
  return out;
}

}  // namespace troupe
