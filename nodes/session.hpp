// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "troupe/actors/memory_credit.hpp"
#include "troupe/links/command_text.hpp"
#include "troupe/links/connection.hpp"
#include "troupe/nodes/errands.hpp"
#include "troupe/nodes/teller.hpp"
#include "troupe/nodes/tracer.hpp"
#include "troupe/nodes/value_sender.hpp"
#include "troupe/nodes/visits.hpp"
#include "troupe/tasks/engine.hpp"
#include "troupe/tasks/pool_allocator.hpp"

namespace troupe {

struct known_operation;

/// The work of a node for one owner: runs its commands on the devices of an engine, keeps its
/// values, and tells it how far they are. The commands arrive on the network's thread. When the
/// owner has gone, its tasks are cancelled.
class session final : public frame_receiver, public std::enable_shared_from_this<session> {
 public:
  /// The ways of values from other nodes and to them. Without them there are none.
  struct neighbours {
    std::shared_ptr<visits> who_come;
    network::dialer dial;
  };

  /// `limit` counts for each device that has no limit of its own. `over` is called at the end, on
  /// the network's thread.
  session(engine& with, memory_bound limit, std::shared_ptr<connection> link,
          std::function<void(std::string)> over, neighbours others = {});
  session(const session&) = delete;
  session& operator=(const session&) = delete;
  ~session() override;

  /// Returns true when the owner has gone and nothing of it is left: destroying it does not wait.
  bool over() const noexcept {
    return teller_.over() && sender_.over() && gave_all_ && tracer_.over() && !trims_;
  }

  void received(frame_kind kind, frame_body body) override;
  void closed(const std::string& why) noexcept override;

  // For another node that brings a value, on the network's thread.

  /// It has come: tells it how much it may send.
  void visit_begun(std::uint64_t number, const std::shared_ptr<connection>& visitor);
  /// Takes a part. Returns true if more are to come.
  bool take_visit(frame_body body, const std::shared_ptr<connection>& visitor);
  void visit_cut(std::uint64_t number, const std::string& why);

 private:
  /// A value whose bytes arrive.
  struct arriving {
    value_ref into;
    std::uint64_t received = 0;
    std::string refused = {};                       ///< the reason why there is no place for them
    std::optional<secret_key::digest> ticket = {};  ///< if another node brings them
    bool known = false;                             ///< the value is there already
  };

  void offer();
  void take_commands(byte_reader in);
  void run(byte_reader& in);
  void cancel(byte_reader& in);
  void trim();
  void submit_made(task_ptr t, const sent_task& one, const operation& op);
  void refuse(const sent_task& one, const std::string& why);
  void copy(byte_reader& in);
  void send(byte_reader& in);
  void expect(byte_reader& in);
  void expect_no_visit(std::uint64_t number);
  void give(byte_reader& in);
  void fail(byte_reader& in);
  void take_store(frame_body body);
  static bool add_part(arriving& to, frame_body& body, std::uint64_t offset);
  static void tell_arrival(connection& to, std::uint64_t number, arrival how,
                           const std::string& why);
  task_ptr made(const sent_task& one, const known_operation& op, byte_reader& in);
  void add_input(task& t, const sent_input& in);
  void keep(std::uint64_t number, value_ref v);
  value_ref find(std::uint64_t place, std::uint64_t& offset) const;
  arriving place_for(std::uint64_t bytes, device where) const;
  device device_at(std::uint8_t place) const;
  void end();

  engine& engine_;
  const memory_bound limit_;
  std::vector<device> devices_;  ///< that it offers: those that compute on cores
  std::shared_ptr<connection> link_;
  std::function<void(std::string)> over_;
  const std::shared_ptr<visits> visits_;
  const std::shared_ptr<errands> errands_;
  tracer tracer_;
  /// By number; for the network's thread.
  std::map<std::uint64_t, value_ref, std::less<>,
           pool_allocator<std::pair<const std::uint64_t, value_ref>>>
      values_;
  std::unordered_map<std::uint64_t, arriving> arriving_;
  teller teller_;
  value_sender sender_;
  std::atomic<bool> gave_all_ = false;
  std::thread giver_;
  std::atomic<bool> trims_ = false;
  std::thread trimmer_;
};

}  // namespace troupe
