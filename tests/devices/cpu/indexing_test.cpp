// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/cpu_kernels.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>

#include "troupe/tests/devices/cpu/kernel_runner.hpp"

using namespace troupe;
using namespace troupe::cpu_kernels;
using namespace troupe::testing;

namespace {

owned distinct_numbers(dtype type, const indices& shape) {
  owned x(type, shape);
  return x.set([&](std::int64_t i) { return type == boolean ? i % 3 == 0 : i * 7919 % 10007; });
}

std::int64_t flat(const indices& shape, const indices& at) {
  std::int64_t position = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) position = position * shape[i] + at[i];
  return position;
}

/// Calls f with every index of a shape.
template <class F>
void each(const indices& shape, F f) {
  indices at(shape.size());
  for (std::int64_t i = 0; i < product(shape); ++i) {
    std::int64_t rest = i;
    for (std::size_t axis = shape.size(); axis-- > 0; rest /= shape[axis])
      at[axis] = rest % shape[axis];
    f(at);
  }
}

}  // namespace

TEST_CASE("concatenate joins views along any axis") {
  for (const dtype type : all_dtypes) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      std::vector<owned> parts;
      for (const std::int64_t length : {7, 0, 30, 20}) {
        indices shape{20, 30, 10};
        shape[axis] = length;
        parts.push_back(distinct_numbers(type, shape));
      }
      parts.push_back(distinct_numbers(type, {10, 30, 20}).transposed());
      parts.push_back(distinct_numbers(type, {20, 30, 20}).stepped(2, -2));
      indices shape{20, 30, 10};
      shape[axis] = 0;
      for (const owned& part : parts) shape[axis] += part.shape[axis];
      const axis_attributes attributes{static_cast<int>(axis)};
      owned out(type, shape);
      run(concatenate_kernel(type), parts, out, &attributes);
      std::int64_t before = 0, wrong = 0;
      for (const owned& part : parts) {
        each(part.shape, [&](indices at) {
          const double want = part.at(flat(part.shape, at));
          at[axis] += before;
          wrong += out.at(flat(shape, at)) != want;
        });
        before += part.shape[axis];
      }
      REQUIRE(wrong == 0);
      REQUIRE(order_does_not_matter(concatenate_kernel(type), parts, type, shape, &attributes));
    }
  }
}

TEST_CASE("concatenate joins parts of a few elements in each row") {
  for (const dtype type : {boolean, float16, float32, complex128}) {
    for (const indices& widths : {indices{1, 1}, indices{3, 9, 1}, indices{8, 2}, indices{5}}) {
      std::vector<owned> parts;
      std::int64_t row = 0;
      for (const auto width : widths) {
        parts.push_back(distinct_numbers(type, {30'001, width}));
        row += width;
      }
      const axis_attributes attributes{1};
      owned out(type, {30'001, row});
      run(concatenate_kernel(type), parts, out, &attributes);
      std::int64_t before = 0, wrong = 0;
      for (std::size_t k = 0; k < parts.size(); before += widths[k++]) {
        for (std::int64_t i = 0; i < parts[k].size(); ++i)
          wrong += out.at(i / widths[k] * row + before + i % widths[k]) != parts[k].at(i);
      }
      REQUIRE(wrong == 0);
      REQUIRE(order_does_not_matter(concatenate_kernel(type), parts, type, out.shape, &attributes));
    }
  }
}

TEST_CASE("take picks along any axis, from the end for negative indices") {
  for (const dtype index_type : {int32, int64}) {
    const owned picks =
        owned(index_type, {4, 3}).set([](auto i) { return i * 5 % 17 - 8; }).transposed();
    for (const owned& x : {distinct_numbers(float32, {11, 20, 30}),
                           distinct_numbers(int64, {30, 20, 11}).transposed()}) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        indices shape = x.shape;
        shape[axis] = 3;
        shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis) + 1, 4);
        const axis_attributes attributes{static_cast<int>(axis)};
        owned out(x.type, shape);
        run(take_kernel(x.type), {x, picks}, out, &attributes);
        std::int64_t wrong = 0;
        each(shape, [&](indices at) {
          const double got = out.at(flat(shape, at));
          auto pick = picks.at<std::int64_t>(at[axis] * 4 + at[axis + 1]);
          if (pick < 0) pick += x.shape[axis];
          at.erase(at.begin() + static_cast<std::ptrdiff_t>(axis));
          at[axis] = pick;
          wrong += got != x.at(flat(x.shape, at));
        });
        REQUIRE(wrong == 0);
        REQUIRE(order_does_not_matter(take_kernel(x.type), {x, picks}, x.type, shape, &attributes));
      }
    }
  }
}

TEST_CASE("an index out of bounds throws and says which") {
  const owned x = distinct_numbers(float32, {5, 2});
  const axis_attributes attributes{0};
  for (const std::int64_t index : {7, -6}) {
    const owned pick = owned(int64, {1}).set([&](auto) { return index; });
    owned out(float32, {1, 2});
    REQUIRE_THROWS_WITH(
        run(take_kernel(float32), {x, pick}, out, &attributes),
        "index " + std::to_string(index) + " is out of bounds for axis 0 with size 5");
  }
}
