// SPDX-License-Identifier: MIT
#include <algorithm>

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/cpu/cpu_kernels.hpp"
#include "troupe/devices/cpu/places_kernel.hpp"
#include "troupe/devices/cpu/shared_sort.hpp"
#include "troupe/devices/cpu/workspace.hpp"

namespace troupe::cpu_kernels {

namespace {

/// Returns true if it takes less time to sort entries than to choose so many of them.
template <class Sort>
constexpr bool better_sorted(std::int64_t length, std::int64_t wanted) noexcept {
  return wanted > length * Sort::digits / 64;
}

/// Choice of the first entries of rows. Each share of a row chooses among its part, then one thread
/// chooses among the chosen; or, if too many are wanted for that, the rows are sorted.
struct choice_plan : sort_plan {
  std::int64_t wanted;

  explicit choice_plan(const kernel_args& args) noexcept
      : sort_plan(args.inputs[0]),
        wanted(static_cast<const topk_attributes*>(args.attributes)->count) {
    if (wanted == 0) rows = 0;
  }

  template <class Sort>
  bool sorted() const noexcept {
    return shared() && better_sorted<Sort>(length / shares, wanted);
  }
};

constexpr std::int64_t block = 64;

/// Returns true if a block has only elements below a number: none of them is chosen. A loop without
/// branches, so that it takes a fraction of the time of making entries.
template <class T>
bool all_below(const T* x, T least) noexcept {
  bool all = true;
  for (std::int64_t i = 0; i < block; ++i) all &= x[i] < least;
  return all;
}

/// Finds the first `n` entries of a part of a row, which has as many, and returns them, in order.
template <class Sort>
const typename Sort::entry* choose(const Sort& sort, const sort_rows& in, std::int64_t row,
                                   share part, std::int64_t n) {
  using entry = typename Sort::entry;
  const auto* const from = in.begin<typename Sort::element>(row);
  const bool all =
      part.size() >= shortest_radix(Sort::digits) && better_sorted<Sort>(part.size(), n);
  const auto room =
      all ? 2 * part.size() : std::min(part.size(), std::max<std::int64_t>(4 * n, 32));
  auto* const x = static_cast<entry*>(workspace(static_cast<std::size_t>(room) * sizeof(entry)));
  if (all) {
    make_entries(sort, x, from, in.step(), part.begin, part.end);
    return sort_entries<Sort>(x, x + part.size(), part.size());
  }
  auto i = part.begin + room;
  make_entries(sort, x, from, in.step(), part.begin, i);
  std::nth_element(x, x + n - 1, x + room);
  auto count = n;
  auto least = sort.element_of(x[n - 1]);
  while (i < part.end) {
    const auto end = std::min(i + block, part.end);
    if (in.step() == 1 && end - i == block && all_below(from + i, least)) {
      i = end;
      continue;
    }
    for (; i < end; ++i) {
      const entry e = sort.make(from[i * in.step()], i);
      if (!(e < x[n - 1])) continue;
      x[count++] = e;
      if (count < room) continue;
      std::nth_element(x, x + n - 1, x + count);
      least = sort.element_of(x[n - 1]);
      count = n;
    }
  }
  std::nth_element(x, x + n - 1, x + count);
  std::sort(x, x + n);
  return x;
}

template <class Sort>
typename Sort::entry* chosen(const kernel_args& args, const choice_plan& plan,
                             std::int64_t part) noexcept {
  return static_cast<typename Sort::entry*>(args.scratch) + part * plan.wanted;
}

template <class Sort>
void write(const kernel_args& args, const choice_plan& plan, const Sort& sort, std::int64_t row,
           const typename Sort::entry* from) noexcept {
  auto* const out = args.outputs[0].as<std::int64_t>() + row * plan.wanted;
  for (std::int64_t i = 0; i < plan.wanted; ++i) out[i] = sort.result_of(from[i]);
}

constexpr bool descending = true;

template <class Sort>
struct choice_work {
  static void run(const kernel_args& args, std::int64_t first, std::int64_t last) {
    const choice_plan plan(args);
    const Sort sort{{descending}};
    const sort_rows in(args.inputs[0]);
    if (plan.sorted<Sort>()) {
      return shared_sort<Sort>(sort, plan, args.scratch)
          .run(in, args.outputs[0].as<std::int64_t>(), plan.wanted, last - first);
    }
    if (plan.shared()) {
      for (auto part = first; part < last; ++part) {
        const share of_row(plan.length, part % plan.shares, plan.shares);
        std::copy_n(choose(sort, in, part / plan.shares, of_row, plan.wanted), plan.wanted,
                    chosen<Sort>(args, plan, part));
      }
      return;
    }
    const auto end = std::min(plan.rows, last * plan.rows_per_chunk);
    for (auto row = first * plan.rows_per_chunk; row < end; ++row)
      write(args, plan, sort, row, choose(sort, in, row, share(plan.length, 0, 1), plan.wanted));
  }

  static void finish(const kernel_args& args) {
    const choice_plan plan(args);
    if (!plan.shared() || plan.sorted<Sort>()) return;
    for (std::int64_t row = 0; row < plan.rows; ++row) {
      auto* const all = chosen<Sort>(args, plan, row * plan.shares);
      std::partial_sort(all, all + plan.wanted, all + plan.shares * plan.wanted);
      write<Sort>(args, plan, {{descending}}, row, all);
    }
  }

  static std::int64_t chunks(const kernel_args& args) {
    const choice_plan plan(args);
    return plan.shared() && !plan.sorted<Sort>() ? plan.rows * plan.shares
                                                 : plan.chunks(shared_sort<Sort>::phases_of_rows);
  }

  static std::size_t scratch_bytes(const kernel_args& args) {
    const choice_plan plan(args);
    if (!plan.shared()) return 0;
    if (plan.sorted<Sort>()) return shared_sort<Sort>({}, plan, nullptr).bytes();
    return static_cast<std::size_t>(plan.rows * plan.shares * plan.wanted) *
           sizeof(typename Sort::entry);
  }

  static void begin(const kernel_args& args) {
    const choice_plan plan(args);
    if (plan.sorted<Sort>()) shared_sort<Sort>({}, plan, args.scratch).begin();
  }
};

}  // namespace

const kernel* argtopk_kernel(dtype type) noexcept {
  if (!is_computed(type)) return nullptr;
  return visit_computed(type, [](auto zero) -> const kernel* {
    return &places_kernel<decltype(zero), choice_work>::whole;
  });
}

}  // namespace troupe::cpu_kernels
