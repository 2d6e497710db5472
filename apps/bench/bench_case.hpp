// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "troupe/actors/runtime.hpp"

namespace troupe::bench {

/// Function that measures once: seconds, or what `figure` says.
using measurement = std::function<double()>;

/// Kind of a measured number, and how it is shown.
enum class figure {
  time,  ///< seconds
  rate,  ///< seconds for all of `count`, shown as how many a second
  share  ///< of one core
};

/// Rounds of a case that asks for no other number.
inline constexpr int usual_rounds = 5;

/// Aim of a case. Ratios are those of one round with the peer; `below` is a time of our own.
struct target {
  enum kind { none, times_as_fast, times_as_long, below } is = none;
  double bound = 0;
};

inline constexpr target faster{target::times_as_fast, 1};

/// Row of the table: something measured, and what it is compared with.
struct bench_case {
  std::string_view name;  ///< on the command line, and what the peer is asked for
  std::string_view title;
  int count = 1;     ///< operations, or repetitions, of one measurement
  int in_a_row = 1;  ///< measurements in a round, of which the median counts
  figure shown = figure::time;
  /// Readies what is measured and returns what measures it, in a runtime of its own.
  measurement (*ours)(runtime& rt, int count) = nullptr;
  target aim = {};

  std::string_view peer = {};                               ///< the program to compare with, or
  measurement (*beside)(runtime& rt, int count) = nullptr;  ///< something else of ours, called
  std::string_view beside_name = {};                        ///< this in the table

  runtime_options options = {};
  std::string_view remark = {};  ///< on the target
  bool on_gpu = false;        ///< it needs one; "gpu" on the command line stands for all of these
  bool synchronous = true;    ///< it is measured with a synchronous runtime, too
  int rounds = usual_rounds;  ///< unless the command line says otherwise
  /// True if each measurement is the first of a process, and the worst is of interest, too.
  bool fresh = false;
  int busy = 0;  ///< processes that compute beside those measured
};

/// Readies training of Dense(2048, relu), Dense(512, relu), Dense(1) on batches of normals that are
/// made in the loop, without a sync point before its end, on the default device of the thread that
/// measures.
measurement train(runtime& rt, int batches);

extern const std::span<const bench_case> small_operations, task_graphs, large_arrays, selecting,
    linear_algebra, training, small_networks, letters, programs, program_calls, waiting,
    two_devices, machines, shell_inputs, gpu_work;

}  // namespace troupe::bench
