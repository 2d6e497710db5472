// SPDX-License-Identifier: MIT
#include "troupe/tensor/program/row_steps.hpp"

#include <algorithm>
#include <new>

#include "troupe/devices/cpu/chunk_size.hpp"
#include "troupe/tensor/program/compiled_rows.hpp"

namespace troupe {

namespace {

using kept = joined_operand::kept;

// Elements in a block, whose intermediate results stay in the cache, and in a chunk.
constexpr std::int64_t least_block = 3072, most_block = 8192, most_chunk = 32768;
// Arrays of so many elements come from memory, and take up to a fifth less time page by page.
constexpr std::int64_t uncached = std::int64_t{1} << 21, page = 1024;

/// Division of the rows into blocks of about equally many. Where rows are longer than a page, they
/// are at least two, as all rows together are: kernels may reduce a single one in another order.
struct row_blocks {
  explicit row_blocks(const joined_steps& of) noexcept
      : rows(of.rows),
        count(std::max<std::int64_t>(1, rows / std::max(least_rows(of), in_block(of) / of.row))),
        in_chunk(std::max<std::int64_t>(1, elements_in_chunk(of) * count / (rows * of.row))) {}

  static std::int64_t least_rows(const joined_steps& of) noexcept { return of.row > page ? 2 : 1; }
  static std::int64_t in_block(const joined_steps& of) noexcept {
    if (of.row <= page && of.rows * of.row >= uncached) return page;
    return cpu_kernels::elements_per_chunk(of.rows * of.row, least_block, most_block);
  }
  static std::int64_t elements_in_chunk(const joined_steps& of) noexcept {
    return cpu_kernels::elements_per_chunk(of.rows * of.row, in_block(of), most_chunk);
  }

  std::int64_t begin(std::int64_t block) const noexcept { return block * rows / count; }
  std::int64_t longest() const noexcept { return (rows + count - 1) / count; }

  std::int64_t rows;
  std::int64_t count;
  std::int64_t in_chunk;  ///< blocks in a chunk, which lanes share among themselves
};

constexpr std::int64_t no_strides[2] = {0, 0};

/// The arrays of all steps, for one block after the other.
class bound_rows {
 public:
  bound_rows(const joined_steps& all, const kernel_args& args, std::byte* scratch)
      : args_(args), scratch_(scratch), full_{0, all.row} {
    steps_.reserve(all.steps.size());
    for (const auto& s : all.steps) steps_.push_back(bound(s));
  }

  /// Runs all steps on rows [first, last).
  void run(std::int64_t first, std::int64_t last) {
    full_[0] = single_[0] = last - first;
    for (auto& one : steps_) {
      for (const auto& x : one.moving) one.arrays[x.number].data = x.begin + first * x.step;
      const auto& s = *one.of;
      const std::span<const array> all = one.arrays;
      const auto inputs = s.inputs.size();
      const kernel_args own{all.first(inputs), all.subspan(inputs), s.given.data(), nullptr,
                            one.numbers};
      if (one.compiled) {
        one.compiled->run_elements(own, first * one.length, last * one.length);
        continue;
      }
      try {
        // Rows are so short that reductions need neither scratch nor `finish`.
        s.kernel->run(own, 0, s.kernel->chunks ? s.kernel->chunks(own) : 1);
      } catch (...) { s.raise_here(); }
    }
  }

 private:
  /// Array of which each block reads or writes other rows.
  struct moving_array {
    std::size_t number;
    std::byte* begin;
    std::ptrdiff_t step;  ///< bytes from row to row
  };
  struct bound_step {
    const joined_step* of;
    std::vector<array> arrays;  ///< inputs, then outputs
    std::vector<moving_array> moving = {};
    std::uint32_t numbers = 0;
    const compiled_rows* compiled = nullptr;
    std::int64_t length = 0;  ///< elements that it computes in a row
  };

  bound_step bound(const joined_step& s) const {
    bound_step out{&s, {}};
    if (s.op == &fused_operation) {
      const auto& inside = *s.given.as<joined_attributes>().steps;
      out.compiled = inside.compiled.get();
      out.length = inside.row;
    }
    for (const auto& x : s.inputs) {
      if (x.where == kept::number) {
        out.numbers |= std::uint32_t{1} << out.arrays.size();
        out.arrays.push_back({const_cast<std::uint64_t*>(&x.immediate), x.element, 2,
                              shape_of(s.outputs[0]), no_strides});
      } else {
        add(out, x);
      }
    }
    for (const auto& x : s.outputs) add(out, x);
    return out;
  }

  void add(bound_step& to, const joined_operand& x) const {
    const auto size = static_cast<std::ptrdiff_t>(size_of(x.element));
    const auto row = x.view.strides[0] * size;
    const auto number = to.arrays.size();
    auto* begin = scratch_ + x.position;
    if (x.where != kept::scratch)
      begin = (x.where == kept::input ? args_.inputs : args_.outputs)[x.position].as<std::byte>();
    if (to.compiled) {  // it finds its rows itself, counted from the first of all
      if (x.where == kept::scratch) to.moving.push_back({number, begin, -row});
    } else if (x.where != kept::scratch) {
      begin += x.view.offset * size;
      to.moving.push_back({number, begin, row});
    }
    to.arrays.push_back({begin, x.element, 2, shape_of(x), x.view.strides});
  }

  const std::int64_t* shape_of(const joined_operand& x) const noexcept {
    return x.view.dims[1] == 1 ? single_ : full_;
  }

  const kernel_args& args_;
  std::byte* scratch_;
  std::int64_t full_[2], single_[2] = {0, 1};
  std::vector<bound_step> steps_;
};

void run_rows(const kernel_args& args, std::int64_t first, std::int64_t last) {
  const auto& all = steps_of(args);
  const row_blocks divided(all);
  constexpr std::align_val_t aligned{64};
  struct freed {
    void operator()(std::byte* p) const noexcept { ::operator delete(p, aligned); }
  };
  const std::unique_ptr<std::byte, freed> scratch(
      static_cast<std::byte*>(::operator new(all.scratch_bytes, aligned)));
  bound_rows rows(all, args, scratch.get());
  const auto end = std::min(last * divided.in_chunk, divided.count);
  for (auto i = first * divided.in_chunk; i < end; ++i)
    rows.run(divided.begin(i), divided.begin(i + 1));
}

std::int64_t row_chunks(const kernel_args& args) {
  const row_blocks divided(steps_of(args));
  return (divided.count + divided.in_chunk - 1) / divided.in_chunk;
}

std::vector<sample> no_samples() { return {}; }

/// Returns the distance between neighbours along axes [begin, end), if it is the same throughout.
std::optional<std::int64_t> step_along(const layout& of, int begin, int end) {
  std::int64_t step = 0, below = 0;  // `below` counts elements in the axes behind
  for (int i = end - 1; i >= begin; --i) {
    if (of.dims[i] == 1) continue;
    if (below == 0) step = of.strides[i];
    else if (of.strides[i] != step * below) return {};
    below = std::max<std::int64_t>(below, 1) * of.dims[i];
  }
  return step;
}

}  // namespace

constinit const kernel row_kernel{.run = run_rows, .chunks = row_chunks};
constinit const operation row_operation{.name = "rows",
                                        .doc = "Steps of a program that go row by row, joined.",
                                        .narrow = narrow_dtypes::taken,
                                        .samples = no_samples};

std::int64_t rows_in_block(const joined_steps& of) noexcept { return row_blocks(of).longest(); }

std::optional<repeated_rows> in_repeated_rows(const layout& of) {
  const int last = std::max(of.dims.rank() - 1, 0);
  const auto repeats = [&](int axis) { return of.strides[axis] == 0 || of.dims[axis] == 1; };
  int begin = 0, end = last;
  while (begin < end && repeats(begin)) ++begin;
  while (begin < end && repeats(end - 1)) --end;
  const auto count = [&](int from, int to) {
    std::int64_t n = 1;
    for (int i = from; i < to; ++i) n *= of.dims[i];
    return n;
  };
  const auto across = step_along(of, begin, end);
  const std::int64_t row = of.dims.rank() > 0 ? of.dims[last] : 1;
  const auto along = of.dims.rank() > 0 && row > 1 ? of.strides[last] : 0;
  if (!across || (along != 0 && along != 1)) return {};
  repeated_rows out;
  out.view.offset = of.offset;
  out.view.dims = {of.dims.size() / std::max<std::int64_t>(row, 1), row};
  out.view.strides[0] = *across;
  out.view.strides[1] = along;
  if (begin == end) return out;  // all rows are one
  out.repeats.each = count(end, last);
  if (count(0, begin) > 1) out.repeats.period = count(begin, end);
  return out;
}

std::optional<layout> in_rows(const layout& of, std::int64_t row) {
  const int rank = of.dims.rank();
  int first = rank;
  std::int64_t inside = 1;
  while (inside < row && first > 0) inside *= of.dims[--first];
  const auto across = step_along(of, 0, first), along = step_along(of, first, rank);
  if (inside != row || !across || !along || (*along != 0 && *along != 1)) return {};
  layout out;
  out.offset = of.offset;
  out.dims = {of.dims.size() / row, row};
  out.strides[0] = *across;
  out.strides[1] = *along;
  return out;
}

}  // namespace troupe
