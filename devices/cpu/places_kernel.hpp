// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/cpu/sort_entries.hpp"
#include "troupe/devices/kernel.hpp"

namespace troupe::cpu_kernels {

/// Kernel that finds places along the last axis of elements T. Work<Sort> has its functions; short
/// entries serve where the places fit them.
template <class T, template <class> class Work>
class places_kernel {
  using short_work = Work<sorting_places<T, short_place>>;
  using long_work = Work<sorting_places<T, long_place>>;

  template <class F>
  static auto choose(const kernel_args& args, const F& f) {
    const array& in = args.inputs[0];
    if constexpr (sizeof(T) < sizeof(std::uint64_t)) {
      if (in.shape[in.rank - 1] <= std::int64_t{1} << 32) return f(short_work());
    }
    return f(long_work());
  }

 public:
  static void run(const kernel_args& args, std::int64_t first, std::int64_t last) {
    choose(args, [&](auto work) { work.run(args, first, last); });
  }
  static std::int64_t chunks(const kernel_args& args) {
    return choose(args, [&](auto work) { return work.chunks(args); });
  }
  static std::size_t scratch_bytes(const kernel_args& args) {
    return choose(args, [&](auto work) { return work.scratch_bytes(args); });
  }
  static void finish(const kernel_args& args) {
    choose(args, [&](auto work) { work.finish(args); });
  }
  static void begin(const kernel_args& args) {
    choose(args, [&](auto work) { work.begin(args); });
  }

  static constexpr kernel whole{run, chunks, scratch_bytes, finish, begin};
};

}  // namespace troupe::cpu_kernels
