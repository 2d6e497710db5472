// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "troupe/tensor/program/graph.hpp"

/// Changes of programs that keep every bit of their results.

namespace troupe {

enum class dead_draws { removed, kept };

/// Removes the steps of which nobody needs a result. Returns their number. Where draws of random
/// numbers are kept, those behind them stay the same when the steps are submitted one by one.
std::size_t remove_dead_steps(graph& of, dead_draws draws = dead_draws::removed);

/// Merges steps that compute the same: with the same operation, device, inputs and parameters.
/// Those of a checkpoint's second run stay. Returns a line for each merger.
std::vector<std::string> merge_repeated_steps(graph& of);

/// Computes once, on an engine, what depends on constants alone: as long as it takes little more
/// memory than they do, and without waiting. Returns a line for each step.
std::vector<std::string> fold_constants(graph& of, engine& on);

/// Lets steps read what was copied, or converted to a wider dtype and back, in place of the copy.
/// Copies that are returned or stored stay. Returns a line for each that was bypassed.
std::vector<std::string> bypass_copies(graph& of);

/// Joins reductions along rows, softmax and elementwise steps on the same rows into steps that go
/// through memory once. Returns a line for each group, as `fuse_elementwise` does.
std::vector<std::string> fuse_rows(graph& of);

/// Joins elementwise steps on arrays of one shape, for an engine's devices, into steps that go
/// through memory once: large arrays on lanes, any on streams; on lanes with the reductions of all
/// elements that they compute. Returns a line for each group: what it joins, and from which lines
/// of the user's.
std::vector<std::string> fuse_elementwise(graph& of, const engine& on);

/// If all steps together take no longer than is worth dividing, makes single steps of those that
/// follow each other. Returns the number of steps that were joined.
std::size_t pack(graph& of);

}  // namespace troupe
