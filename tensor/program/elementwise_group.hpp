// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "troupe/tensor/program/joined_steps.hpp"

namespace troupe {

/// Elementwise steps that are being joined, and full reductions of what they compute; or such steps
/// behind one that leads them.
class elementwise_group {
 public:
  elementwise_group(const graph& of, const engine& on) : of_(&of), on_(&on) {}

  bool empty() const noexcept { return members_.empty(); }
  /// Returns true if the first member leads the others.
  bool led() const noexcept { return !ready_.empty(); }
  /// Returns true if a member computes a value.
  bool makes(int number) const noexcept;
  /// Returns true if a step can join those that are there.
  bool takes(const program_step& s) const;
  void add(program_step& s);
  /// Returns true if a step that is not taken should not run before the group, which would then let
  /// large values wait that it could end with: those it reduces, or a product.
  bool is_closed_by(const program_step& s) const;
  /// Lets a step lead those that will be added. `ready` says which values are there when it runs:
  /// others need no other ones, so it waits for nothing more than alone.
  void lead(program_step& s, const std::vector<bool>& ready);

  const std::vector<program_step*>& members() const noexcept { return members_; }

  /// Returns the joined step; none where a stream has no code for it. `needed` says which values
  /// others need.
  std::optional<program_step> join(const std::vector<bool>& needed) const;
  /// Returns the value whose memory gets what the leading step computes: that is its own, or one
  /// that is computed when the others have read it. -1: there is none, so it cannot lead.
  int home(const std::vector<bool>& needed) const;
  /// Takes out the leading step.
  program_step& stop_leading();

 private:
  class joining;

  const tensor_type& type_of(int number) const;
  bool computes(int number) const noexcept;
  bool takes_row(const program_step& s) const;
  bool takes_on_lanes(const program_step& s) const;
  bool takes_on_stream(const program_step& s) const;
  bool takes_reduction(const program_step& s) const;
  bool keeps_lanes(const program_step& s) const;
  int led_by() const { return led() ? members_[0]->outputs[0] : -1; }
  std::size_t last_reader(int number) const;
  bool compile(joined_steps& all, device on) const;

  const graph* of_;
  const engine* on_;
  std::vector<program_step*> members_;
  std::vector<int> computed_;  ///< by elementwise members
  std::vector<int> reduced_;   ///< by reductions
  std::vector<bool> ready_;    ///< when the leading step runs
};

}  // namespace troupe
