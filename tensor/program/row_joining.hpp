// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "troupe/tensor/program/joined_steps.hpp"
#include "troupe/tensor/program/scratch_plan.hpp"

namespace troupe {

/// Rows that arrays of several steps have in common.
struct common_rows {
  troupe::device device;
  std::int64_t count, length;

  bool operator==(const common_rows&) const = default;

  /// Returns the elements that a value has in each row: all of them, one, or 0 if it has none.
  std::int64_t length_in(const shape& dims) const;
};

/// Returns the view of a value that a step reads.
layout view_of(const graph& of, const step_input& in);
/// Returns true for operations that compute each element from those at the same place.
bool is_elementwise(const operation* op) noexcept;

/// Maker of a step that runs others row by row. Elementwise ones that follow each other are
/// compiled where that is possible.
class row_joining {
 public:
  /// `needed` says which values are needed elsewhere than by the members.
  row_joining(const graph& of, const common_rows& rows, std::vector<program_step*> members,
              const std::vector<bool>& needed);

  program_step joined();

 private:
  std::size_t end_of_run(std::size_t first) const;
  std::optional<joined_step> compiled(std::size_t first, std::size_t end);
  joined_step single(program_step& s);
  joined_operand operand_of(const step_input& in, std::int64_t length);
  joined_operand result(int number);
  std::optional<int> place_for(int number);
  std::size_t output_of(int number);
  void give_back(std::size_t first, std::size_t end);
  std::int64_t length_of(int number) const;
  std::size_t bytes_of(int number) const;
  std::size_t block_bytes(int number) const;

  const graph& of_;
  common_rows rows_;
  std::vector<program_step*> members_;
  const std::vector<bool>& needed_;
  joined_steps all_;
  scratch_plan scratch_;
  std::vector<step_input> inputs_;
  std::vector<int> outputs_;
  std::unordered_map<int, joined_operand> known_;
  std::unordered_map<int, std::size_t> made_by_;   ///< number of the member that computes a value
  std::unordered_map<int, std::size_t> last_use_;  ///< number of the last member that has a value
  std::unordered_map<int, std::size_t> lent_;      ///< last use of what lies in an output's place
  double bytes_ = 0;
};

}  // namespace troupe
