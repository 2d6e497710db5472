// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "troupe/tasks/small_vector.hpp"

using namespace troupe;

namespace {

using strings = small_vector<std::string, 2>;

strings make(std::size_t n) {
  strings v;
  for (std::size_t i = 0; i < n; ++i)
    v.emplace_back("a string too long to be kept inline, number " + std::to_string(i));
  return v;
}

bool same(const strings& a, const std::vector<std::string>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace

TEST_CASE("a small vector grows beyond its inline storage") {
  for (std::size_t n : {0, 1, 2, 3, 4, 5, 100}) {
    const auto v = make(n);
    CHECK(v.size() == n);
    CHECK(v.empty() == (n == 0));
    for (std::size_t i = 0; i < n; ++i) CHECK(v[i].ends_with("number " + std::to_string(i)));
  }
}

TEST_CASE("a moved small vector keeps its elements, and the source is empty and usable") {
  for (std::size_t from : {0, 1, 2, 3, 9}) {
    for (std::size_t to : {0, 2, 3, 9}) {
      auto a = make(from), b = make(to);
      b = std::move(a);
      CHECK(b.size() == from);
      CHECK(a.size() == 0);
      a.emplace_back("again");
      CHECK(a[0] == "again");
      strings c(std::move(b));
      CHECK(c.size() == from);
      CHECK(b.empty());
    }
  }
}

TEST_CASE("a small vector holds move-only elements and clears them") {
  const auto watched = std::make_shared<int>(1);
  small_vector<std::unique_ptr<std::shared_ptr<int>>, 1> v;
  for (int i = 0; i < 5; ++i) v.emplace_back(std::make_unique<std::shared_ptr<int>>(watched));
  CHECK(watched.use_count() == 6);
  v.clear();
  CHECK(watched.use_count() == 1);
  v.emplace_back(nullptr);
  CHECK(v.size() == 1);
}

TEST_CASE("a small vector behaves like a vector under random use") {
  const auto seed = GENERATE(1u, 2u, 3u);
  INFO("seed " << seed);
  std::mt19937 random(seed);
  strings small;
  std::vector<std::string> plain;
  for (int i = 0; i < 2'000; ++i) {
    switch (random() % 8) {
      case 0: small.clear(), plain.clear(); break;
      case 1: {
        const auto n = random() % 20;
        small.reserve(n);
        break;
      }
      case 2: {
        strings other(std::move(small));
        small = std::move(other);
        break;
      }
      default: {
        const auto text = std::to_string(random());
        small.emplace_back(text), plain.push_back(text);
      }
    }
    if (!same(small, plain)) FAIL("differs after " << i << " steps");
  }
}

TEST_CASE("an element appended to a full small vector may be one of its own") {
  auto v = make(2);
  v.emplace_back(v[0]);
  CHECK(v[2] == v[0]);
}
