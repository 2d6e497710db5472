// SPDX-License-Identifier: MIT
#include "troupe/tensor/flag.hpp"

#include "troupe/tensor/linalg/factors.hpp"
#include "troupe/tensor/linalg/norms.hpp"
#include "troupe/tensor/ops/comparing.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/cumulative.hpp"
#include "troupe/tensor/ops/quantiles.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/sorting.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

#define TROUPE_COMPILES(...)          \
  []<class Tensor>(Tensor x) {        \
    return requires { __VA_ARGS__; }; \
  }(tensor{})

}  // namespace

TEST_CASE("numbers and texts are no flags, and flags are no axes") {
  test_engine e;
  CHECK(TROUPE_COMPILES(sum(x, 0, true)));
  CHECK(TROUPE_COMPILES(argmax(x, 0, keepdims)));
  CHECK(TROUPE_COMPILES(argmax(x, {}, keepdims)));
  CHECK(TROUPE_COMPILES(median(x, std::nullopt, keepdims)));
  CHECK(TROUPE_COMPILES(cumsum(x, std::optional<int>(1))));
  CHECK_FALSE(TROUPE_COMPILES(sum(x, 0, 1)));
  CHECK_FALSE(TROUPE_COMPILES(sum(x, 0, "sum")));
  CHECK_FALSE(TROUPE_COMPILES(x.max(0, 1)));
  CHECK_FALSE(TROUPE_COMPILES(linalg::qr(x, "reduced")));
  CHECK_FALSE(TROUPE_COMPILES(linalg::matrix_norm(x, "nuc")));
  CHECK_FALSE(TROUPE_COMPILES(allclose(x, x, 1e-3, 1e-3, 0.5)));
  CHECK_FALSE(TROUPE_COMPILES(argmax(x, keepdims)));
  CHECK_FALSE(TROUPE_COMPILES(x.argmin(keepdims)));
  CHECK_FALSE(TROUPE_COMPILES(median(x, keepdims)));
  CHECK_FALSE(TROUPE_COMPILES(sort(x, true)));
  CHECK_FALSE(TROUPE_COMPILES(cumsum(x, true)));
  CHECK(type_text(argmax(ones({2, 3}), 1, keepdims)) == "int64[2,1]");
}

}  // namespace troupe::testing
