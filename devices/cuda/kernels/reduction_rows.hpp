// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/cuda/kernels/row_places.hpp"
#include "troupe/devices/kernel.hpp"

/// Common parts of reductions. A reduction is a struct
///
///     struct r {
///       using element = ...;  // type of the input
///       using state = ...;
///       r(const kernel_args&, reduction_op);
///       state start() const;
///       // Takes some more elements; the first has this index.
///       void take(state&, const pack<element, n>&, std::int64_t index) const;
///       void merge(state&, const state&) const;
///       void put(std::int64_t row, const state&) const;
///     };
///
/// Each state takes elements in order, but states are merged in any order.

namespace troupe::cuda {

/// Layout of a reduction's input, and its division among threads.
struct reduction_layout {
  enum class kind { packed, plain, scattered };

  loop_nest kept, reduced;
  kind rows;
  fold_plan plan;

  reduction_layout(const kernel_args& args, int pack_width) noexcept;
};

/// Returns the number of elements that make one result.
std::int64_t reduced_size(const kernel_args& args) noexcept;

template <class Reduction, class Rows>
struct reduction_of_rows {
  using state = typename Reduction::state;

  Reduction reduction;
  Rows rows;

  TROUPE_BOTH state start() const { return reduction.start(); }
  TROUPE_BOTH void take(state& s, std::int64_t row, std::int64_t i) const {
    reduction.take(s, rows(row, i), i * Rows::width);
  }
  TROUPE_BOTH void merge(state& a, const state& b) const { reduction.merge(a, b); }
  TROUPE_BOTH void put(std::int64_t row, const state& s) const { reduction.put(row, s); }
};

/// Merges the states of parts of rows, for any layout of their elements.
template <class Reduction>
struct reduction_of_parts {
  using state = typename Reduction::state;

  Reduction reduction;
  const state* left;
  std::int64_t parts;

  TROUPE_BOTH state start() const { return reduction.start(); }
  TROUPE_BOTH void take(state& s, std::int64_t row, std::int64_t i) const {
    reduction.merge(s, left[row * parts + i]);
  }
  TROUPE_BOTH void merge(state& a, const state& b) const { reduction.merge(a, b); }
  TROUPE_BOTH void put(std::int64_t row, const state& s) const { reduction.put(row, s); }
};

/// Rows of bool or integers, read as float64.
struct converted_rows {
  static constexpr int width = 1;

  const void* data;
  dtype type;
  many_axes kept, reduced;

  TROUPE_BOTH pack<double, 1> operator()(std::int64_t row, std::int64_t i) const {
    const auto at = kept(row) + reduced(i);
    if (type == dtype::boolean) return {double(read(static_cast<const bool*>(data) + at))};
    if (type == dtype::int32) return {double(read(static_cast<const std::int32_t*>(data) + at))};
    if (type == dtype::uint64) return {double(read(static_cast<const std::uint64_t*>(data) + at))};
    return {double(read(static_cast<const std::int64_t*>(data) + at))};
  }
};

/// Runs a reduction of the elements as they are, or converted. Does the same as fold(), but with
/// one kernel for all kinds of rows to merge their parts.
template <class Reduction, bool Converted>
void reduce(const kernel_args& args, const Reduction& f, stream& on) {
  using T = typename Reduction::element;
  using kind = reduction_layout::kind;
  const reduction_layout at(args, Converted ? 0 : pack_width<T>);
  if (at.plan.rows == 0) return;
  auto* const left =
      at.plan.parts > 1 ? static_cast<typename Reduction::state*>(args.scratch) : nullptr;
  const auto with = [&](const auto& rows) {
    using rows_type = std::decay_t<decltype(rows)>;
    run_fold(on, at.plan, reduction_of_rows<Reduction, rows_type>{f, rows}, left);
  };
  const array& in = args.inputs[0];
  if constexpr (Converted) {
    with(converted_rows{in.data, in.type, {at.kept, 0}, {at.reduced, 0}});
  } else if (at.rows == kind::packed) {
    with(packed_rows<T>{in.as<T>(), {at.kept, 0}, {at.reduced, 0, pack_width<T>}});
  } else if (at.rows == kind::plain) {
    with(plain_rows<T>{in.as<T>(), {at.kept, 0}, at.reduced.strides[0][0]});
  } else {
    with(scattered_rows<T>{in.as<T>(), {at.kept, 0}, {at.reduced, 0}});
  }
  if (left)
    run_fold(on, plan_whole_rows(at.plan.rows, at.plan.parts, true),
             reduction_of_parts<Reduction>{f, left, at.plan.parts},
             static_cast<typename Reduction::state*>(nullptr));
}

template <class Reduction, bool Converted>
std::size_t reduction_scratch(const kernel_args& args, stream&) {
  using T = typename Reduction::element;
  return fold_scratch<Reduction>(reduction_layout(args, Converted ? 0 : pack_width<T>).plan);
}

template <class Reduction, reduction_op Op, bool Converted = false>
inline constexpr kernel reduction_by{
    .launch = [](const kernel_args& args,
                 stream& on) { reduce<Reduction, Converted>(args, Reduction(args, Op), on); },
    .launch_scratch_bytes = reduction_scratch<Reduction, Converted>};

// Kernels by kind of state, each in its own source file.
const kernel* sum_kernel(reduction_op op, dtype input) noexcept;
const kernel* extreme_kernel(reduction_op op, dtype input) noexcept;
const kernel* position_kernel(reduction_op op, dtype input) noexcept;
const kernel* statistic_kernel(reduction_op op, dtype input) noexcept;

}  // namespace troupe::cuda
