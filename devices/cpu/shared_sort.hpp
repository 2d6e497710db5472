// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>

#include "troupe/devices/cpu/phases.hpp"
#include "troupe/devices/cpu/radix_sort.hpp"
#include "troupe/devices/cpu/sort_plan.hpp"
#include "troupe/devices/layout/share.hpp"

namespace troupe::cpu_kernels {

/// Radix sort of rows that threads share. Before each digit, every share of a row counts the values
/// of the digit in its part; then it knows where its entries go, and moves them. The last move
/// writes results. A digit that is the same everywhere is left out.
template <class Sort>
class shared_sort {
  using entry = typename Sort::entry;
  using result = typename Sort::result;
  using counts = std::uint32_t[digit_values];

 public:
  static constexpr std::int64_t phases_of_rows = 2 * Sort::digits;

  shared_sort(const Sort& sort, const sort_plan& plan, void* scratch) noexcept
      : sort_(sort), plan_(plan) {
    auto* at = static_cast<std::byte*>(scratch);
    const auto take = [&](auto*& to, std::int64_t n) {
      const auto begin = at;
      to = reinterpret_cast<std::remove_reference_t<decltype(to)>>(begin);
      at += (static_cast<std::size_t>(n) * sizeof *to + 63) / 64 * 64;
    };
    take(phases_, 1);
    take(firsts_, plan.rows_at_once);
    take(begin_counts_, plan.width() * Sort::digits);
    take(now_counts_, plan.width());
    take(entries_[0], plan.rows_at_once * plan.length);
    take(entries_[1], plan.rows_at_once * plan.length);
    bytes_ = static_cast<std::size_t>(at - static_cast<std::byte*>(scratch));
  }

  std::size_t bytes() const noexcept { return bytes_; }
  void begin() const noexcept { ::new (phases_) phases; }

  /// Takes the next steps, writing the first `limit` results of each row.
  void run(const sort_rows& in, result* out, std::int64_t limit, std::int64_t chunks) noexcept {
    phases_->run(chunks, plan_.width(), [&](std::int64_t phase, std::int64_t step) {
      const auto row = step / plan_.shares, i = step % plan_.shares;
      const auto whole = phase / phases_of_rows * plan_.rows_at_once + row;
      if (whole >= plan_.rows) return;
      const auto now = static_cast<int>(phase % phases_of_rows);
      if (now == 0) start(in, whole, row, i);
      else if (now % 2 == 1) move(row, i, now / 2, out + whole * limit, limit);
      else count(row, i, now / 2);
    });
  }

 private:
  share part(std::int64_t i) const noexcept { return {plan_.length, i, plan_.shares}; }
  entry* entries(int which, std::int64_t row) const noexcept {
    return entries_[which] + row * plan_.length;
  }
  counts& at_begin(std::int64_t row, std::int64_t i, int digit) const noexcept {
    return begin_counts_[(row * plan_.shares + i) * Sort::digits + digit];
  }
  /// Counts of a share's part before a digit is moved.
  counts& before(std::int64_t row, std::int64_t i, int digit) const noexcept {
    return digit == 0 ? at_begin(row, i, 0) : now_counts_[row * plan_.shares + i];
  }

  void start(const sort_rows& in, std::int64_t whole, std::int64_t row, std::int64_t i) noexcept {
    const auto [begin, end] = part(i);
    entry* const x = entries(0, row);
    make_entries(sort_, x + begin, in.template begin<typename Sort::element>(whole), in.step(),
                 begin, end);
    if (i == 0) firsts_[row] = x[0];
    counts* const all = &at_begin(row, i, 0);
    std::fill_n(&all[0][0], Sort::digits * digit_values, 0);
    for (auto k = begin; k < end; ++k) {
      for (int d = 0; d < Sort::digits; ++d) ++all[d][Sort::digit(x[k], d)];
    }
  }

  bool is_same_everywhere(std::int64_t row, int digit) const noexcept {
    const auto value = Sort::digit(firsts_[row], digit);
    std::int64_t n = 0;
    for (std::int64_t i = 0; i < plan_.shares; ++i) n += at_begin(row, i, digit)[value];
    return n == plan_.length;
  }
  /// Returns true for a digit that is moved: those that differ, and the first for all-equal rows.
  bool is_moved(std::int64_t row, int digit) const noexcept {
    if (!is_same_everywhere(row, digit)) return true;
    if (digit > 0) return false;
    for (int d = 1; d < Sort::digits; ++d) {
      if (!is_same_everywhere(row, d)) return false;
    }
    return true;
  }
  /// Returns which memory the entries are in before a digit is moved.
  int place_of(std::int64_t row, int digit) const noexcept {
    int moves = 0;
    for (int d = 0; d < digit; ++d) moves += is_moved(row, d);
    return moves % 2;
  }

  void count(std::int64_t row, std::int64_t i, int digit) noexcept {
    if (!is_moved(row, digit)) return;
    const entry* const x = entries(place_of(row, digit), row);
    counts& mine = before(row, i, digit);
    std::fill_n(mine, digit_values, 0);
    const auto [begin, end] = part(i);
    for (auto k = begin; k < end; ++k) ++mine[Sort::digit(x[k], digit)];
  }

  void move(std::int64_t row, std::int64_t i, int digit, result* out, std::int64_t limit) noexcept {
    if (!is_moved(row, digit)) return;
    std::int64_t to[digit_values];
    for (std::int64_t value = 0, sum = 0; value < digit_values; ++value) {
      to[value] = sum;
      for (std::int64_t k = 0; k < plan_.shares; ++k) {
        const std::int64_t n = before(row, k, digit)[value];
        if (k < i) to[value] += n;
        sum += n;
      }
    }
    const int place = place_of(row, digit);
    const entry* const x = entries(place, row);
    const auto [begin, end] = part(i);
    bool last = true;
    for (int d = digit + 1; d < Sort::digits; ++d) last = last && !is_moved(row, d);
    if (!last) {
      entry* const other = entries(1 - place, row);
      for (auto k = begin; k < end; ++k) other[to[Sort::digit(x[k], digit)]++] = x[k];
    } else if (limit == plan_.length) {
      for (auto k = begin; k < end; ++k)
        out[to[Sort::digit(x[k], digit)]++] = sort_.result_of(x[k]);
    } else {
      for (auto k = begin; k < end; ++k) {
        const auto at = to[Sort::digit(x[k], digit)]++;
        if (at < limit) out[at] = sort_.result_of(x[k]);
      }
    }
  }

  Sort sort_;
  sort_plan plan_;
  phases* phases_;
  entry* firsts_;  ///< first entry of each row, in the order of the input
  counts* begin_counts_;
  counts* now_counts_;
  entry* entries_[2];
  std::size_t bytes_ = 0;
};

}  // namespace troupe::cpu_kernels
