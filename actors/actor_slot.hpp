// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>

#include <caf/execution_unit.hpp>
#include <caf/resumable.hpp>

namespace troupe {

class actor_scheduler;

/// Place in which one actor with messages waits for a thread. CAF puts the actor in; a thread of
/// the scheduler, or a client's that takes part, takes it out and runs it.
class actor_slot final : public caf::execution_unit {
 public:
  /// Constructs the slot of a control actor, or of the lane that a worker runs; `number` counts
  /// either kind from 0.
  actor_slot(actor_scheduler& scheduler, std::size_t number, bool control) noexcept
      : scheduler_(scheduler), number_(number), control_(control) {}

  /// Called by CAF when the actor has messages again.
  void exec_later(caf::resumable* actor) override;

  /// Takes the actor out, or returns null.
  caf::resumable* take() noexcept {
    if (!actor_.load(std::memory_order_relaxed)) return nullptr;
    return actor_.exchange(nullptr, std::memory_order_acq_rel);
  }
  bool occupied() const noexcept { return actor_.load() != nullptr; }
  std::size_t number() const noexcept { return number_; }
  bool control() const noexcept { return control_; }

 private:
  actor_scheduler& scheduler_;
  const std::size_t number_;
  const bool control_;
  std::atomic<caf::resumable*> actor_ = nullptr;
};

}  // namespace troupe
