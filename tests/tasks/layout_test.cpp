// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <random>
#include <span>
#include <vector>

#include "troupe/tasks/layout.hpp"
#include "troupe/tests/effort.hpp"

using namespace troupe;

namespace {

/// Returns the positions in the buffer of all elements, in row-major order.
std::vector<std::int64_t> offsets(const layout& l) {
  std::vector<std::int64_t> out{l.offset};
  for (int axis = 0; axis < l.dims.rank(); ++axis) {
    std::vector<std::int64_t> next;
    for (auto start : out) {
      for (std::int64_t i = 0; i < l.dims[axis]; ++i) next.push_back(start + i * l.strides[axis]);
    }
    out = std::move(next);
  }
  return out;
}

/// Returns true if some strides describe `wanted` under the shape `to`; each stride follows from
/// the first neighbour along its axis.
bool possible(const std::vector<std::int64_t>& wanted, const shape& to) {
  layout guess(to);
  if (wanted.empty()) return true;
  guess.offset = wanted[0];
  std::int64_t step = 1;
  for (int axis = to.rank() - 1; axis >= 0; --axis) {
    guess.strides[axis] = to[axis] > 1 ? wanted[static_cast<std::size_t>(step)] - wanted[0] : 0;
    step *= to[axis];
  }
  return offsets(guess) == wanted;
}

/// Returns a random shape of `count` elements.
shape random_shape(std::int64_t count, std::mt19937& random) {
  shape s;
  if (count == 0) {
    s.push_back(0);
    while (random() % 2 && s.rank() < max_rank) s.push_back(random() % 4);
    std::swap(s[0], s[static_cast<int>(random() % static_cast<unsigned>(s.rank()))]);
    return s;
  }
  while (s.rank() < max_rank - 1 && (count > 1 || random() % 3 == 0)) {
    std::int64_t factor =
        1 + static_cast<std::int64_t>(random() %
                                      static_cast<unsigned>(std::min<std::int64_t>(count, 12)));
    while (count % factor != 0) --factor;
    s.push_back(factor);
    count /= factor;
  }
  if (count > 1) s.push_back(count);
  return s;
}

}  // namespace

TEST_CASE("a shape as a range has the sizes of its axes") {
  const shape dims{2, 3, 4};
  const std::span<const std::int64_t> sizes(dims);
  CHECK(std::vector(sizes.begin(), sizes.end()) == std::vector<std::int64_t>{2, 3, 4});
}

TEST_CASE("reshape avoids a copy exactly when that is possible") {
  const auto seed = GENERATE(range(1u, 6u));
  INFO("seed " << seed);
  std::mt19937 random(seed);
  constexpr auto tries = testing::cases_of_one_thread(20'000);
  std::uint64_t found = 0, refused = 0;
  for (std::uint64_t i = 0; i < tries; ++i) {
    static constexpr std::int64_t sizes[] = {0, 1, 2, 4, 6, 8, 12, 16, 24, 36, 48, 60};
    const auto count = sizes[random() % std::size(sizes)];
    layout from(random_shape(count, random));
    from.offset = random() % 5;
    // Transposes, reverses, broadcasts or slices.
    for (int change = static_cast<int>(random() % 4); change > 0 && from.dims.rank() > 0;
         --change) {
      const auto rank = static_cast<unsigned>(from.dims.rank());
      const int a = static_cast<int>(random() % rank), b = static_cast<int>(random() % rank);
      switch (random() % 4) {
        case 0:
          std::swap(from.dims[a], from.dims[b]);
          std::swap(from.strides[a], from.strides[b]);
          break;
        case 1:
          from.offset += (from.dims[a] - 1) * from.strides[a];
          from.strides[a] = -from.strides[a];
          break;
        case 2: from.strides[a] = 0; break;
        case 3: from.strides[a] *= 2; break;
      }
    }
    const auto to = random_shape(from.dims.size(), random);
    const auto wanted = offsets(from);
    const auto got = from.reshape(to);
    INFO(to_string(from.dims) << " to " << to_string(to));
    if (got) {
      ++found;
      if (got->dims != to || offsets(*got) != wanted) FAIL("wrong elements");
    } else {
      ++refused;
      if (possible(wanted, to)) FAIL("refused though possible");
    }
  }
  CHECK(found > tries / 20);
  CHECK(refused > tries / 20);
}
