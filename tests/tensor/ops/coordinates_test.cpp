// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/coordinates.hpp"

#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using list = std::vector<double>;

}  // namespace

TEST_CASE("argwhere and flatnonzero tell where elements differ from 0") {
  test_engine e;
  const tensor x = {{0, 3, 0}, {4, 0, 5}};
  CHECK(type_text(argwhere(x)) == "int64[3,2]");
  CHECK(numbers(argwhere(x)) == list{0, 1, 1, 0, 1, 2});
  CHECK(numbers(flatnonzero(x)) == list{1, 3, 5});
  CHECK(numbers(flatnonzero(x.T())) == list{1, 2, 5});
  CHECK(type_text(argwhere(zeros({2, 0}))) == "int64[0,2]");
  CHECK(numbers(flatnonzero(tensor(7.))) == list{0});
  CHECK(TROUPE_ERROR_OF(argwhere(tensor(7.))) == "argwhere: float64[] has no axes");
  CHECK(TROUPE_ERROR_OF(argwhere(tensor{})) == "argwhere: the input names no array yet");
}

TEST_CASE("numbers of elements and their coordinates belong together") {
  test_engine e;
  const shape sizes{4, 5, 6};
  const auto all = arange(120);
  const auto places = unravel_index(all, sizes);
  REQUIRE(places.size() == 3);
  CHECK(numbers(places[0]) == numbers(flatten(broadcast_to(arange(4).reshape({4, 1, 1}), sizes))));
  CHECK(numbers(places[2]) == numbers(flatten(broadcast_to(arange(6), sizes))));
  CHECK(numbers(ravel_multi_index(places, sizes)) == numbers(all));
  CHECK(numbers(ravel_multi_index({arange(2).reshape({2, 1}), arange(3)}, {2, 3})) ==
        list{0, 1, 2, 3, 4, 5});
  const auto outside = unravel_index(tensor{120, -1}, sizes);
  CHECK(numbers(outside[0]) == list{4, -1});
  CHECK(type_text(unravel_index(astype(all, uint8), sizes)[1]) == "int64[120]");

  CHECK(TROUPE_ERROR_OF(unravel_index(tensor{1.5}, sizes)) ==
        "unravel_index: no integers: float64[1]");
  CHECK(TROUPE_ERROR_OF(unravel_index(all, {})) ==
        "unravel_index: an array of shape [] has no places");
  CHECK(TROUPE_ERROR_OF(ravel_multi_index({all}, sizes)) ==
        "ravel_multi_index: 1 coordinates for shape [4,5,6]");
  CHECK(TROUPE_ERROR_OF(ravel_multi_index({arange(2), arange(3)}, {2, 3})) ==
        "add: shapes do not broadcast: int64[2] and int64[3]");
}

TEST_CASE("the places of triangles are those of tril and triu") {
  test_engine e;
  const auto lower = tril_indices(3), upper = triu_indices(3, 1), wide = tril_indices(2, 1, 4);
  CHECK(numbers(lower[0]) == list{0, 1, 1, 2, 2, 2});
  CHECK(numbers(lower[1]) == list{0, 0, 1, 0, 1, 2});
  CHECK(numbers(upper[0]) == list{0, 0, 1});
  CHECK(numbers(upper[1]) == list{1, 2, 2});
  CHECK(numbers(wide[1]) == list{0, 1, 0, 1, 2});
  CHECK(numbers(triu_indices(2, 0, 3)[1]) == list{0, 1, 2, 1, 2});
}

}  // namespace troupe::testing
