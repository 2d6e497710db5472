// SPDX-License-Identifier: MIT
#include "troupe/actors/reception.hpp"

#include <mutex>
#include <utility>

#include <caf/actor_cast.hpp>
#include <caf/actor_config.hpp>
#include <caf/atom.hpp>
#include <caf/exit_reason.hpp>
#include <caf/make_actor.hpp>
#include <caf/monitorable_actor.hpp>
#include <caf/sec.hpp>

#include "troupe/actors/clean_thread.hpp"
#include "troupe/actors/messages.hpp"
#include "troupe/actors/request_answer.hpp"

namespace troupe {

namespace {

constexpr const char* ended = "await: the runtime has ended";

/// Throws for a request that an engine cannot answer.
void check(const await_values& request, std::uint32_t engine_id) {
  const auto& all = request.values;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto refuse = [&](const std::string& why) {
      std::string text = all.size() > 1 ? "await: tensor " : "await: the tensor ";
      if (all.size() > 1) text += std::to_string(i + 1) + " ";
      throw error(text + why, request.call_site);
    };
    const auto& v = all[i];
    if (!v) refuse("names no array yet");
    if (v->engine == engine_id) continue;
    engine::of(*v, "await", request.call_site);
    refuse(to_string(v->type()) + " belongs to another runtime: ask that one's frontend");
  }
}

/// Actor that handles each message on the thread that sends it.
class desk_actor final : public caf::monitorable_actor {
 public:
  desk_actor(caf::actor_config& config, engine& of, caf::actor frontend)
      : caf::monitorable_actor(config),
        engine_(&of),
        engine_id_(of.id()),
        frontend_(std::move(frontend)) {}

  using caf::monitorable_actor::enqueue;
  void enqueue(caf::mailbox_element_ptr message, caf::execution_unit*) override {
    const auto& content = message->content();
    if (content.match_elements<await_values>()) {
      const auto& request = content.get_as<await_values>(0);
      const auto refused = outcome([&] { check(request, engine_id_); });
      if (!refused.empty()) reply(*message, refused);
      else if (!first_pending(request)) reply(*message, answer_to(request));
      else pass_on(std::move(message), request.call_site);
    } else if (content.match_elements<await_everything>()) {
      pass_on(std::move(message), {});
    } else if (message->mid.is_request()) {
      reply(*message, caf::make_message(caf::make_error(caf::sec::unexpected_message)));
    }
  }

  /// Forgets the engine. Whoever monitors the actor is told that it has ended.
  void close() {
    {
      std::lock_guard lock(mutex_);
      engine_ = nullptr;
      frontend_ = nullptr;
    }
    cleanup(caf::exit_reason::normal, nullptr);
  }

  const char* name() const override { return "troupe::desk"; }

 private:
  /// Sends a request to the engine. The lock sees to it that a request which finds the engine there
  /// reaches the frontend before the end does.
  void pass_on(caf::mailbox_element_ptr message, std::source_location call_site) {
    std::unique_lock lock(mutex_);
    // Without a host: the frontend must not move to the sender's scheduler.
    if (frontend_)
      return caf::actor_cast<caf::abstract_actor*>(frontend_)->enqueue(std::move(message), nullptr);
    const auto answer = outcome([&] {
      if (!engine_) throw error(ended, call_site);
      engine_->wait_all();  // a synchronous engine has nothing to wait for
    });
    lock.unlock();
    reply(*message, answer);
  }

  void reply(caf::mailbox_element& message, caf::message answer) {
    caf::strong_actor_ptr self(ctrl());
    if (!message.stages.empty()) {
      const auto next = std::move(message.stages.back());
      message.stages.pop_back();
      next->enqueue(caf::make_mailbox_element(std::move(message.sender), message.mid,
                                              std::move(message.stages), std::move(answer)),
                    nullptr);
    } else if (message.sender && !message.mid.is_response()) {
      message.sender->enqueue(std::move(self), message.mid.response_id(), std::move(answer),
                              nullptr);
    }
  }

  std::mutex mutex_;
  engine* engine_;  ///< null once it has ended
  const std::uint32_t engine_id_;
  caf::actor frontend_;
};

caf::actor_system_config& without_threads(caf::actor_system_config& config) {
  config.set("scheduler.policy", caf::atom("testing"));
  return config;
}

caf::actor make_desk(caf::actor_system& system, engine& of, caf::actor frontend) {
  caf::actor_config config;
  return caf::make_actor<desk_actor, caf::actor>(system.next_actor_id(), system.node(), &system,
                                                 config, of, std::move(frontend));
}

}  // namespace

reception::reception(engine& of, caf::actor frontend)
    : system_(without_threads(config_)), desk_(make_desk(system_, of, std::move(frontend))) {
  clean_thread();  // the system's destructor would wait for it
}

reception::~reception() {
  static_cast<desk_actor*>(caf::actor_cast<caf::abstract_actor*>(desk_))->close();
}

}  // namespace troupe
