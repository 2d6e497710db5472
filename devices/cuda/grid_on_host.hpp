// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <vector>

// Grids on the host, one thread after the other; see grid.hpp, which includes this.

namespace troupe::cuda {

/// Puts work on a stream that stands for a GPU's. Defined by the tests, the only users.
void put(stream& on, std::function<void()> work);

template <class F>
void for_each(stream& on, std::int64_t n, const F& f) {
  put(on, [n, f] {
    for (std::int64_t i = 0; i < n; ++i) f(i);
  });
}

/// Folds the elements of each thread of a block by take(state, row, i), and merges them to one
/// state for each row of the block.
template <class F, class Take>
std::vector<typename F::state> fold_block(const fold_plan& plan, const F& f, std::int64_t block,
                                          std::int64_t part_of_row, const Take& take) {
  std::vector<typename F::state> states(static_cast<std::size_t>(plan.threads()), f.start());
  const auto at = [&](int part, int place) -> auto& {
    return states[static_cast<std::size_t>(part * plan.row_threads + place)];
  };
  for (int thread = 0; thread < plan.threads(); ++thread) {
    const int part = plan.part_of(thread), place = plan.row_of(thread);
    const auto row = block * plan.row_threads + place;
    if (row >= plan.rows) continue;
    for (auto i = part_of_row * plan.part_threads + part; i < plan.length;
         i += plan.parts * plan.part_threads)
      take(at(part, place), row, i);
  }
  for (int width = plan.part_threads / 2; width > 0; width /= 2) {
    for (int part = 0; part < width; ++part) {
      for (int place = 0; place < plan.row_threads; ++place)
        f.merge(at(part, place), at(part + width, place));
    }
  }
  return states;
}

/// Calls g(row, state) for each row of each block, once its states are merged.
template <class F, class Take, class G>
void for_each_fold(const fold_plan& plan, const F& f, std::int64_t part_of_row, const Take& take,
                   const G& g) {
  for (std::int64_t block = 0; block < plan.blocks(); ++block) {
    const auto states = fold_block(plan, f, block, part_of_row, take);
    for (int place = 0; place < plan.row_threads; ++place) {
      if (const auto row = block * plan.row_threads + place; row < plan.rows)
        g(row, states[static_cast<std::size_t>(place)]);
    }
  }
}

template <class F>
void run_fold(stream& on, const fold_plan& plan, const F& f, typename F::state* left) {
  put(on, [plan, f, left] {
    const auto take = [&](typename F::state& s, std::int64_t row, std::int64_t i) {
      f.take(s, row, i);
    };
    for (std::int64_t part = 0; part < plan.parts; ++part)
      for_each_fold(plan, f, part, take, [&](std::int64_t row, const typename F::state& s) {
        if (left) left[row * plan.parts + part] = s;
        else f.put(row, s);
      });
  });
}

template <class F>
void fold_and_map(stream& on, const fold_plan& plan, const F& f) {
  put(on, [plan, f] {
    const auto take = [&](typename F::state& s, std::int64_t row, std::int64_t i) {
      f.take(s, f.read(row, i));
    };
    for_each_fold(plan, f, 0, take, [&](std::int64_t row, const typename F::state& s) {
      for (std::int64_t i = 0; i < plan.length; ++i) f.map(row, i, f.read(row, i), s);
    });
  });
}

}  // namespace troupe::cuda
