// SPDX-License-Identifier: MIT
#include "troupe/tensor/caller_at.hpp"

#include <string>

#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

TEST_CASE("a location in a script reads back as given") {
  const auto where = caller_at("folder/model.txt", 41, 7), start = caller_at("", 0);
  CHECK(where.file_name() == std::string("folder/model.txt"));
  CHECK(where.line() == 41);
  CHECK(where.column() == 7);
  CHECK(where.function_name() == std::string());
  CHECK(start.file_name() == std::string());
  CHECK(start.line() == 0);
  CHECK(start.column() == 0);
}

TEST_CASE("a location outlives the text that named it, and stays unchanged among others") {
  std::string name = "first.txt";
  const auto first = caller_at(name, 1);
  name = "other.txt";
  for (unsigned line = 1; line < 1'000; ++line) caller_at(name, line, line);
  CHECK(first.file_name() == std::string("first.txt"));
  CHECK(first.line() == 1);
  CHECK(caller_at("other.txt", 999, 999).line() == 999);
  CHECK(caller_at("other.txt", 999).column() == 0);
}

TEST_CASE("the same location is stored once") {
  CHECK(caller_at("model.txt", 3).file_name() == caller_at("model.txt", 4).file_name());
}

TEST_CASE("errors name the location in the script") {
  test_engine e;
  const auto a = zeros({2, 3}), b = zeros({4, 5});
  CHECK_THROWS_WITH(matmul(a, b, caller_at("folder/model.txt", 41)),
                    "matmul: inner sizes differ: float32[2,3] and float32[4,5] (model.txt:41)");
}

}  // namespace troupe::testing
