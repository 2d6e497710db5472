// SPDX-License-Identifier: MIT
#include <algorithm>

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/cpu/cpu_kernels.hpp"
#include "troupe/devices/cpu/places_kernel.hpp"
#include "troupe/devices/cpu/shared_sort.hpp"
#include "troupe/devices/cpu/workspace.hpp"

namespace troupe::cpu_kernels {

namespace {

bool descending(const kernel_args& args) noexcept {
  return static_cast<const sort_attributes*>(args.attributes)->descending;
}

/// Sorts rows that one thread sorts each.
template <class Sort>
void sort_whole_rows(const kernel_args& args, const sort_plan& plan, const Sort& sort,
                     std::int64_t first, std::int64_t last) {
  using entry = typename Sort::entry;
  auto* const x =
      static_cast<entry*>(workspace(2 * static_cast<std::size_t>(plan.length) * sizeof(entry)));
  const sort_rows in(args.inputs[0]);
  const auto end = std::min(plan.rows, last * plan.rows_per_chunk);
  for (auto row = first * plan.rows_per_chunk; row < end; ++row) {
    make_entries(sort, x, in.begin<typename Sort::element>(row), in.step(), 0, plan.length);
    const entry* const sorted = sort_entries<Sort>(x, x + plan.length, plan.length);
    auto* const out = args.outputs[0].as<typename Sort::result>() + row * plan.length;
    for (std::int64_t i = 0; i < plan.length; ++i) out[i] = sort.result_of(sorted[i]);
  }
}

template <class Sort>
struct sort_work {
  static void run(const kernel_args& args, std::int64_t first, std::int64_t last) {
    const sort_plan plan(args.inputs[0]);
    const Sort sort{{descending(args)}};
    if (!plan.shared()) return sort_whole_rows(args, plan, sort, first, last);
    shared_sort<Sort>(sort, plan, args.scratch)
        .run(sort_rows(args.inputs[0]), args.outputs[0].as<typename Sort::result>(), plan.length,
             last - first);
  }
  static std::int64_t chunks(const kernel_args& args) {
    return sort_plan(args.inputs[0]).chunks(shared_sort<Sort>::phases_of_rows);
  }
  static std::size_t scratch_bytes(const kernel_args& args) {
    const sort_plan plan(args.inputs[0]);
    return plan.shared() ? shared_sort<Sort>({}, plan, nullptr).bytes() : 0;
  }
  static void begin(const kernel_args& args) {
    const sort_plan plan(args.inputs[0]);
    if (plan.shared()) shared_sort<Sort>({}, plan, args.scratch).begin();
  }
  static void finish(const kernel_args&) {}
};

template <class Sort, class Work = sort_work<Sort>>
constexpr kernel sort_of{.run = Work::run,
                         .chunks = Work::chunks,
                         .scratch_bytes = Work::scratch_bytes,
                         .begin = Work::begin};

}  // namespace

const kernel* sort_kernel(dtype type) noexcept {
  if (!is_computed(type)) return nullptr;
  return visit_computed(
      type, [](auto zero) -> const kernel* { return &sort_of<sorting_values<decltype(zero)>>; });
}

const kernel* argsort_kernel(dtype type) noexcept {
  if (!is_computed(type)) return nullptr;
  return visit_computed(type, [](auto zero) -> const kernel* {
    return &places_kernel<decltype(zero), sort_work>::whole;
  });
}

}  // namespace troupe::cpu_kernels
