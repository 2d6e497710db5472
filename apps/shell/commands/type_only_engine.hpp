// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tasks/engine.hpp"
#include "troupe/tensor/tensor.hpp"

namespace troupe::shell {

/// Takes tasks and runs none of them: what they would compute has a shape and a dtype, and fails
/// when it is read.
class type_only_engine final : public engine {
 public:
  explicit type_only_engine(drivers devices) : engine(std::move(devices)) {}
  ~type_only_engine() override { retire(); }

  void submit(task_ptr t) override;
  bool wait(const value_ref&, deadline) override { return true; }
  void wait_all() override {}
  void cancel_all() override {}
  trace_log trace(ticks) override { return {}; }
  std::uint64_t pending() const noexcept override { return 0; }
  std::vector<task_state> tasks() override { return {}; }

  /// Something of this engine with the type of an array.
  tensor stand_in(const tensor& x) const;
};

}  // namespace troupe::shell
