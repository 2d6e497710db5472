// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "troupe/tasks/engine.hpp"
#include "troupe/tasks/operation.hpp"
#include "troupe/tensor/program/place.hpp"
#include "troupe/tensor/program/update_numbers.hpp"

namespace troupe {

/// Input of a step: a view of a program's value, or one number.
struct step_input {
  static constexpr int number = -1;

  int value = number;  ///< number of the value
  view_ref part;       ///< empty for all of the value
  std::uint64_t immediate = 0;
  dtype element;
  std::optional<dtype> written = {};
};

/// Source of what changes from call to call, which it does at the beginning of each: parameters of
/// steps, such as the numbers of an optimiser's step, or counters.
struct parameter_source {
  std::function<std::vector<attributes>()> next;
  std::vector<update_numbers> numbers = {};           ///< those parameters, for the text
  std::vector<std::shared_ptr<place>> counters = {};  ///< which `next` counts up
};

/// Returns a source of the numbers of an optimiser's updates.
parameter_source source_of(std::vector<update_numbers> numbers, caller where);
/// Returns a source that counts up.
parameter_source source_that_counts(std::vector<std::shared_ptr<place>> counters, caller where);

/// Place of a step's parameters among those that a source makes.
struct renewed_parameters {
  std::size_t source;
  std::size_t position;

  bool operator==(const renewed_parameters&) const = default;
};

/// Task of a program, made at each call.
struct program_step {
  const operation* op;
  troupe::device device;
  std::source_location call_site;
  const troupe::kernel* kernel;
  work cost;
  float estimate;
  std::size_t scratch = 0;  ///< bytes of scratch that count against the memory limit
  attributes given = {};
  std::vector<step_input> inputs = {};
  std::vector<int> outputs = {};  ///< numbers of the values it computes
  std::optional<renewed_parameters> renewed = {};
  /// Number of a checkpoint's second run, to which it belongs; 0 for none.
  std::uint32_t recomputed = 0;
  // Noted by `program::note_last_uses`.
  std::vector<int> last_read = {};         ///< values that nothing needs after this step
  std::vector<std::size_t> replaces = {};  ///< numbers of the writes that it computes
};

/// Result of a program: a view of one of its values.
struct program_result {
  int value;
  view_ref part;
};

/// Record of what a function did when it was captured: steps that compute values from others. The
/// values are numbered: arguments first, then places, constants and what the steps compute.
struct graph {
  std::size_t arguments = 0;
  std::vector<std::shared_ptr<place>> places;
  std::vector<value_ref> constants;
  std::size_t folded = 0;  ///< the last of the constants, which were computed for good
  std::vector<program_step> steps;
  std::vector<program_result> results;
  std::vector<std::pair<std::shared_ptr<place>, program_result>> writes;
  /// Sums of gradients that a call leaves, or that it clears.
  std::vector<std::pair<std::shared_ptr<place>, std::optional<program_result>>> gradients;
  std::vector<parameter_source> sources;
  std::vector<tensor_type> types;  ///< of each value, whole
  std::vector<int> origins;  ///< numbers of the values when captured; empty: they are the same
  std::uint64_t random_numbers = 0;  ///< counters that a call draws

  std::size_t first_place() const noexcept { return arguments; }
  std::size_t first_constant() const noexcept { return arguments + places.size(); }
  std::size_t first_computed() const noexcept { return first_constant() + constants.size(); }
  /// The device of the first array that it is given: where a text that names none creates others.
  device home() const noexcept { return first_computed() > 0 ? types[0].device : device{}; }

  /// Returns the counters that the sources use, each once.
  std::vector<std::shared_ptr<place>> counters() const;
  /// Calls `f` with the number of each value that is needed after the last step.
  template <class F>
  void for_each_result(const F& f) const {
    for (const auto& r : results) f(r.value);
    for (const auto& [to, r] : writes) f(r.value);
    for (const auto& [to, r] : gradients) {
      if (r) f(r->value);
    }
  }
  /// Gives values other numbers: `now` has that of each.
  void rename(std::span<const int> now);
  /// Makes constants of computed values, which no step computes any more.
  void add_constants(std::span<const int> numbers, std::span<const tensor> values);
  /// Returns true if a value that was computed for good has failed.
  bool lacks_constants() const noexcept;
  /// Returns the same as it is now, for `difference`.
  graph sketch() const;
  /// Notes for each step what is needed for the last time; to be called when no step changes any
  /// more, before `run`.
  void note_last_uses();
  /// Submits the steps to an engine. There is one argument for each that was captured, of the same
  /// type and view. Notes constants and what the steps compute, by number, if asked to.
  std::vector<tensor> run(engine& on, std::span<const tensor> in,
                          std::vector<value_ref>* computed = nullptr) const;

 private:
  [[noreturn]] void refuse_variable(int number) const;
};

/// Returns true if both are views of the same elements of a value, or both of all of it.
bool same_view(const view_ref& a, const view_ref& b) noexcept;
/// Returns true if both are the same part of a value, or the same number.
bool same_input(const step_input& a, const step_input& b) noexcept;

/// Returns the first step in which two captures of a function differ; empty if they are the same.
std::optional<std::string> difference(const graph& first, const graph& again);

}  // namespace troupe
