// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "troupe/devices/memory.hpp"
#include "troupe/links/command_text.hpp"
#include "troupe/links/connection.hpp"
#include "troupe/links/lineage.hpp"
#include "troupe/links/own_process.hpp"
#include "troupe/links/passage.hpp"
#include "troupe/links/safe_copies.hpp"
#include "troupe/tasks/clock.hpp"
#include "troupe/tasks/task_stream.hpp"

namespace troupe {

/// Another machine, as the owner of a program sees it: takes commands in their order, and tells how
/// far it has got. When its connection is lost, it gets another, to the same node or a different
/// one: that is given what the values that are still needed take, and everything goes on; all
/// values come out the same. Thread-safe. While it is given up, whoever asks for anything gets an
/// exception.
class machine final : public std::enable_shared_from_this<machine> {
 public:
  /// Counts of what was asked of it, or of what it has done: each kind ends in the order in which
  /// it was asked for.
  struct progress {
    std::uint64_t tasks = 0, stores = 0, fetches = 0;

    bool covers(const progress& other) const noexcept {
      return tasks >= other.tasks && stores >= other.stores && fetches >= other.fetches;
    }
  };

  /// `lost` is called, on the network's thread, when a connection is lost that was there. Values
  /// are copied home for safety as long as there is room among `copies`.
  machine(int number, std::shared_ptr<safe_copies> copies,
          std::function<void(std::string why)> lost);

  /// Gives it a connection to a node, in place of an earlier one. Returns what takes its frames.
  std::shared_ptr<frame_receiver> connect(std::shared_ptr<connection> link);
  /// Waits for that frame: the devices that the node offers. Throws bytes_error if none comes.
  std::vector<offered_device> await_offer(std::chrono::milliseconds limit);
  /// Fails what waits for it, and what is asked of it until it is given a connection again: there
  /// is none, for this reason. It keeps what it takes to have its other values again.
  void give_up(const std::string& why);
  /// Ends the connection, for good: `lost` is not called any more.
  void leave();

  int number() const noexcept { return number_; }
  /// Returns true if the node's program has registered code under this name.
  bool runs(std::string_view operation) const;
  /// An address for a new value on one of its devices, which no other value has.
  void* new_address(std::size_t bytes, std::uint8_t device) noexcept;

  // Each returns the number of the task, store or fetch.

  /// Runs a task on one of its devices; `command` is what `write_task` says of it.
  std::uint64_t run(const task& t, std::uint8_t device, std::span<const std::byte> command);
  /// Lets it not begin tasks that nobody asks for any more.
  void cancel(std::span<const std::uint64_t> tasks);
  /// Copies a value from one of its devices to another.
  std::uint64_t copy(void* to, const void* from, std::size_t bytes);
  /// Sends the bytes of a new value, which `holds` holds.
  std::uint64_t store(void* to, std::shared_ptr<const void> holds, const std::byte* from,
                      std::size_t bytes);
  /// Asks for bytes of a value.
  std::uint64_t fetch(void* to, const void* from, std::size_t bytes);
  /// `dropped` is called when the node is told, which is later if the bytes are brought home first.
  template <class Dropped>
  void drop(const void* address, Dropped&& dropped) {
    if (drop_now(address, [&] { return std::function<void()>(dropped); })) dropped();
  }

  // Copies between machines; see `passage`.

  /// Hears how they end.
  using listener = std::function<void(arrival how, const std::string& why)>;

  /// Makes a place for a new value whose bytes lie on another machine. With a ticket, that
  /// machine's node brings them to this one's: returns that one's own number, or 0 if it was not
  /// told to await them.
  std::uint64_t expect(std::uint64_t number, std::size_t bytes, std::shared_ptr<origin> from,
                       const secret_key::digest* ticket, listener tell);
  /// Brings the bytes of such a value through this process, unless that is under way. Those of a
  /// machine that has no connection are brought once it has one.
  void bring(std::uint64_t number);
  /// Lets this machine's node bring bytes to another node. `tell` hears if that did not work.
  void give(const sent_errand& one, listener tell);
  void take_back(std::uint64_t number);
  /// Notes that the bytes of one of its values may be needed again.
  void note_origin(const std::shared_ptr<origin>& one);
  /// Gives bytes of a value to `whom`. Returns false if there is no such value.
  bool fetch_for(std::uint64_t place, std::size_t bytes, const origin::taker& whom);

  /// Lets the node give memory that it keeps for reuse back to its system.
  void trim() noexcept;

  /// Sends the commands so far on their way.
  void flush();

  bool reached(const progress& wanted) const;
  void wait(const progress& wanted) const;
  /// Calls `tell` once, under its lock, when it is so far or given up, perhaps at once.
  void notify(const progress& wanted, std::function<void()> tell) const;
  /// Returns the reason why a task, store or fetch failed, once; empty if it did not. Whoever made
  /// the request has to ask when it is done: until then the reason is kept.
  std::string failure_of(request_kind kind, std::uint64_t number);

  /// Asks the node when tasks ran there. Returns none if it does not answer in five seconds.
  remote_runs runs_since(ticks since);

 private:
  /// A thread that waits until it is so far.
  struct waiter {
    progress wanted;
    std::condition_variable there = {};
  };
  /// Somebody who is to be told.
  struct listening {
    progress wanted;
    std::function<void()> tell;
  };

  class end;
  using made_later = std::function<std::function<void()>()>;

  /// Bytes that were asked for: by a user, or to be at hand if the machine is lost.
  struct wanted_bytes {
    std::uint64_t number;  ///< of the fetch
    std::uint64_t from;
    std::byte* to;
    std::size_t bytes;
    std::shared_ptr<value_record> home = {};
    std::shared_ptr<const void> holds = {};
    std::function<void(const std::string& why)> then = {};
    std::uint64_t drops = 0;  ///< the value that is dropped behind it
  };
  enum class use : std::uint8_t { send, give, drop };
  /// A command that uses a value which is on its way, or comes of a task that waits.
  struct withheld {
    std::vector<std::byte> command;
    std::uint64_t value;
    use kind;
    std::uint64_t given;  ///< the number of what is given
  };
  /// A value that was sent to the node.
  struct sent_store {
    std::uint64_t number;  ///< of the store; 0 if it was sent again
    std::uint64_t value;
    std::uint64_t brought = 0;  ///< its order, if it comes from another machine
  };
  /// A value that is dropped behind fetches.
  struct late_drop {
    int fetches = 0;
    std::function<void()> then = {};
  };
  /// A question that the node is asked, and its answer so far.
  struct question {
    std::uint64_t number = 0;
    bool answered = false;
    std::int64_t clock = 0;
    std::vector<std::string> lanes = {};
    std::vector<node_trace::run> runs = {};
  };
  /// Calls for when no lock is held.
  using later = std::vector<std::function<void()>>;

  bool drop_now(const void* address, const made_later& dropped);
  void received(std::uint64_t link, frame_kind kind, frame_body body);
  void closed(std::uint64_t link, const std::string& why) noexcept;
  bool connected() const noexcept { return link_ && offered_; }
  void flush_locked();
  void refuse_if_given_up() const;
  std::shared_ptr<connection> forget_link();
  void put_command(std::span<const std::byte> command);
  void add_command(withheld one);
  void add_drop(std::uint64_t number);
  std::uint64_t value_at(std::uint64_t place) const;
  bool waits(const withheld& one) const;
  bool waits(const task_record& one) const;
  void withhold(const std::shared_ptr<task_record>& t);
  void let_go(const task_record& t);
  void stop_using(std::uint64_t value);
  void forget_withheld();
  void arrived(std::uint64_t value);
  void keep_for(const std::shared_ptr<origin>& one, std::uint64_t drops);
  void start_bringing(const std::shared_ptr<value_record>& v);
  void bring_more(later& after);
  void end_bringing(std::uint64_t order, later& after);
  void ask_elsewhere(const std::shared_ptr<value_record>& v, later& after);
  void take_late(const std::shared_ptr<value_record>& v, std::uint64_t link,
                 std::shared_ptr<const void> holds, const std::byte* bytes, const std::string& why);
  void end_arrival(std::uint64_t value, arrival how, const std::string& why, later& after);
  void end_waiting(later& after);
  void fail_unfinished();
  static void run_all(const later& after) {
    for (const auto& one : after) one();
  }
  void add_task(std::shared_ptr<task_record> t);
  void send_task(const std::shared_ptr<task_record>& t);
  void put_task(const task_record& t);
  void put_cancel(const task_record& t);
  std::deque<std::shared_ptr<task_record>>::iterator unfinished(std::uint64_t task);
  void send_store(const value_record& v, std::uint64_t number);
  void put_failure(const value_record& v, std::string_view why);
  void ask_for(const wanted_bytes& one);
  bool bring_home(const std::shared_ptr<value_record>& v);
  void take_offer(byte_reader in);
  void send_everything(later& after);
  void take_news(byte_reader in);
  void take_part(frame_body body);
  void take_arrived(byte_reader in);
  void take_clock(byte_reader in);
  void take_trace(byte_reader in);
  bool ask(command_kind kind, std::int64_t since, std::chrono::steady_clock::time_point until);
  float times_as_long(const node_news& news) const;
  void note_failure(request_kind kind, std::uint64_t number, std::string why);
  void end_fetch(std::uint64_t from, bool there, const std::string& why, later& after);
  /// Returns what it has done.
  progress so_far() const noexcept {
    return {tasks_done_.load(std::memory_order_acquire),
            stores_done_.load(std::memory_order_acquire),
            fetches_done_.load(std::memory_order_acquire)};
  }
  void note_progress();
  void wake_waiting() const;

  const own_process process_;
  const int number_;
  std::atomic<std::uint64_t> next_byte_ = 0;
  const std::shared_ptr<safe_copies> copies_;
  const std::shared_ptr<memory> home_;
  const std::function<void(std::string)> lost_;
  std::mutex calls_mutex_;  ///< held while `lost_` is called, and when it no longer may be
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;    ///< its connection, offer, or answers
  mutable std::vector<waiter*> waiting_ = {};  ///< for its progress
  mutable std::vector<listening> listening_ = {};

  std::shared_ptr<connection> link_;
  std::uint64_t links_ = 0;  ///< connections so far: of the earlier ones nothing counts
  int fruitless_ = 0;        ///< the last ones that ended before the node had done anything
  bool offered_ = false;     ///< by the node at the other end
  std::vector<offered_device> offer_;
  std::vector<std::string> registered_;  ///< by the node's program
  std::set<std::string> called_;         ///< of what a node's program had registered
  std::string why_lost_;                 ///< the last connection
  std::atomic<bool> given_up_ = false;
  bool left_ = false;  ///< for good
  bool lost_once_ = false;

  lineage values_;
  progress asked_;
  std::atomic<std::uint64_t> tasks_done_ = 0, stores_done_ = 0, fetches_done_ = 0;
  std::vector<std::byte> commands_;  ///< not yet sent
  std::uint64_t node_ = 0;           ///< its own number
  /// Values that are sent again. Tasks that read them wait, and the tasks behind those, since a
  /// node counts tasks in their order. Of the other commands only those wait that use such a value,
  /// or one of such a task: if they waited for more, two machines could wait for each other.
  std::set<std::uint64_t> coming_;
  std::deque<std::shared_ptr<task_record>> withheld_tasks_;
  std::deque<withheld> withheld_;
  std::unordered_map<std::uint64_t, int> used_later_;  ///< values, by how many of these
  std::unordered_set<std::uint64_t> made_later_;       ///< by such tasks
  /// Values on other machines that are to be brought, and those that are under way, by their order:
  /// each takes memory here. A value needs only earlier ones, so the earliest is always under way.
  std::map<std::uint64_t, std::shared_ptr<value_record>> to_bring_;
  std::map<std::uint64_t, std::size_t> bringing_;
  // Sent to the node, which has not told of it.
  std::deque<std::shared_ptr<task_record>> tasks_;
  std::deque<sent_store> stores_;
  std::deque<wanted_bytes> wanted_;
  std::uint64_t tasks_told_ = 0, stores_told_ = 0;      ///< by this node
  std::size_t stores_again_ = 0;                        ///< of `stores_`, not brought
  std::map<std::uint64_t, listener> arrivals_, gives_;  ///< by the number of the value
  std::map<std::uint64_t, std::vector<std::weak_ptr<origin>>> origins_;  ///< by its value
  std::map<std::uint64_t, late_drop> dropping_;
  std::map<std::pair<request_kind, std::uint64_t>, std::string> failures_;
  std::atomic<bool> any_failures_ = false;
  const clock_translation clock_;
  std::mutex asking_;  ///< held by the one who asks when tasks ran
  question question_;
};

}  // namespace troupe
