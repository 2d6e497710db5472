// SPDX-License-Identifier: MIT
#include "troupe/tensor/io/named_tensors.hpp"

#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

TEST_CASE("named tensors are found by name and keep their order") {
  test_engine e;
  named_tensors all = {{"weight", ones({2})}, {"bias", zeros({1})}};
  all.add("a", ones({3}));
  CHECK(all.size() == 3);
  CHECK(numbers(all.at("bias")) == std::vector<double>{0});
  CHECK(all.contains("a"));
  CHECK_FALSE(all.contains("A"));
  CHECK(all.find("c") == nullptr);
  std::string names;
  for (const auto& [name, x] : all) names += name + std::to_string(x.size()) + " ";
  CHECK(names == "weight2 bias1 a3 ");
}

TEST_CASE("a copy of named tensors is independent") {
  test_engine e;
  named_tensors one = {{"a", ones({1})}};
  auto other = one;
  other.add("b", ones({1}));
  CHECK_FALSE(one.contains("b"));
  CHECK(other.at("b").size() == 1);
}

TEST_CASE("a duplicate name is refused") {
  test_engine e;
  named_tensors all = {{"a", ones({1})}};
  CHECK(TROUPE_ERROR_OF(all.add("a", ones({2}))) ==
        "named_tensors: there are two tensors named \"a\"");
  CHECK(all.size() == 1);
  CHECK(TROUPE_ERROR_OF(named_tensors({{"b", ones({1})}, {"b", ones({1})}})) ==
        "named_tensors: there are two tensors named \"b\"");
}

TEST_CASE("an unknown name suggests similar ones") {
  test_engine e;
  named_tensors all;
  CHECK(TROUPE_ERROR_OF(all.at("w")) ==
        "named_tensors: there is no \"w\"; there are no tensors at all");
  all.add("layers.0.weight", ones({}));
  CHECK(TROUPE_ERROR_OF(all.at("momentum")) ==
        "named_tensors: there is no \"momentum\"; there is \"layers.0.weight\"");
  all.add("layers.0.bias", ones({}));
  CHECK(TROUPE_ERROR_OF(all.at("layers.0.wieght")) ==
        "named_tensors: there is no \"layers.0.wieght\"; did you mean \"layers.0.weight\"");
  CHECK(TROUPE_ERROR_OF(all.at("bias")) ==
        "named_tensors: there is no \"bias\"; did you mean \"layers.0.bias\"");
  for (int i = 0; i < 10; ++i) all.add("x" + std::to_string(i), ones({}));
  CHECK(TROUPE_ERROR_OF(all.at("something\nelse")) ==
        "named_tensors: there is no \"something\\x0aelse\"; there are \"layers.0.weight\", "
        "\"layers.0.bias\", \"x0\", \"x1\", \"x2\", \"x3\", ... (12 tensors)");
}

}  // namespace troupe::testing
