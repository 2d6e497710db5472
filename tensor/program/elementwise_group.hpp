// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "troupe/tensor/program/joined_steps.hpp"

namespace troupe {

/// Elementwise steps that are being joined, and full reductions of what they compute.
class elementwise_group {
 public:
  elementwise_group(const graph& of, const engine& on) : of_(&of), on_(&on) {}

  bool empty() const noexcept { return members_.empty(); }
  /// Returns true if a member computes a value.
  bool makes(int number) const noexcept;
  /// Returns true if a step can join those that are there.
  bool takes(const program_step& s) const;
  void add(program_step& s);

  const std::vector<program_step*>& members() const noexcept { return members_; }

  /// Returns the joined step; none where a stream has no code for it. `needed` says which values
  /// others need.
  std::optional<program_step> join(const std::vector<bool>& needed) const;

 private:
  class joining;

  const tensor_type& type_of(int number) const;
  bool computes(int number) const noexcept;
  bool takes_row(const program_step& s) const;
  bool takes_on_lanes(const program_step& s) const;
  bool takes_on_stream(const program_step& s) const;
  bool takes_reduction(const program_step& s) const;
  std::size_t last_reader(int number) const;
  bool compile(joined_steps& all, device on) const;

  const graph* of_;
  const engine* on_;
  std::vector<program_step*> members_;
  std::vector<int> computed_;  ///< by elementwise members
  std::vector<int> reduced_;   ///< by reductions
};

}  // namespace troupe
