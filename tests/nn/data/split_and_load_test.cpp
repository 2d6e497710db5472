// SPDX-License-Identifier: MIT
#include "troupe/nn/data/split_and_load.hpp"

#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::nn {

using namespace testing;

TEST_CASE("split_and_load divides rows as evenly as possible and puts each part on its device") {
  test_engine e;
  const auto parts = split_and_load(arange(10).reshape({5, 2}), {cpu(0), cpu(1)});
  REQUIRE(parts.size() == 2);
  CHECK(numbers(parts[0]) == std::vector<double>{0, 1, 2, 3, 4, 5});
  CHECK(numbers(parts[1]) == std::vector<double>{6, 7, 8, 9});
  CHECK(parts[0].device() == cpu(0));
  CHECK(parts[1].device() == cpu(1));
  std::vector<std::int64_t> rows;
  for (const auto& p : split_and_load(arange(11), {cpu(0), cpu(1), cpu(0), cpu(1)}))
    rows.push_back(p.size());
  CHECK(rows == std::vector<std::int64_t>{3, 3, 3, 2});
}

TEST_CASE("a part that stays on its device is a slice of the same memory") {
  test_engine e;
  const auto x = arange(6);
  CHECK(split_and_load(x, {cpu(0), cpu(1)})[0].source() == x.source());
  CHECK(split_and_load(x, {cpu(0)})[0].source() == x.source());
}

TEST_CASE("a batch is divided into a batch for each device") {
  test_engine e;
  const batch all({arange(4), arange(4) * 2});
  const auto parts = split_and_load(all, {cpu(1), cpu(0)});
  REQUIRE(parts.size() == 2);
  auto [x, y] = parts[0];
  CHECK(x.device() == cpu(1));
  CHECK(numbers(y) == std::vector<double>{0, 2});
  CHECK(parts[1].samples() == 2);
}

TEST_CASE("inputs that cannot be divided are refused") {
  test_engine e;
  CHECK(TROUPE_ERROR_OF(split_and_load(zeros({1, 9}), {cpu(0), cpu(1)})) ==
        "split_and_load: float32[1,9] has fewer rows than there are devices, 2");
  CHECK(TROUPE_ERROR_OF(split_and_load(zeros({3}), {})) ==
        "split_and_load: no devices to divide float32[3] among");
  CHECK(TROUPE_ERROR_OF(split_and_load(zeros({}), {cpu(0)})) ==
        "split_and_load: a scalar has no rows to divide");
  CHECK(TROUPE_ERROR_OF(split_and_load(tensor{}, {cpu(0)})) ==
        "split_and_load: the input names no array yet");
  CHECK(TROUPE_ERROR_OF(split_and_load(zeros({3}), {cpu(9)})) ==
        "to: there is no device cpu:9; this runtime has cpu:0, cpu:1");
}

}  // namespace troupe::nn
