// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>
#include <cstring>
#include <string>
#include <vector>

#include "troupe/tests/nodes/tested_node.hpp"
#include "troupe/tests/temporary_folder.hpp"
#include "troupe/troupe.hpp"

using namespace troupe;

TEST_CASE("collectives over several machines have the bits of one device") {
  const troupe::testing::temporary_folder folder;
  const auto key = troupe::testing::key_in(folder, "key", "0123456789abcdef0123456789abcdef\n");
  const troupe::testing::tested_node one(key), two(key);
  runtime rt(
      {.lanes = 1, .nodes = std::vector<std::string>{one.address(), two.address()}, .key = key});
  const std::vector<device> devices{cpu(0, node(2)), cpu(0), cpu(0, node(1))};
  std::vector<tensor> parts;
  for (const auto place : devices) parts.push_back(normal({1'500, 1'001}, 0, 9, {.device = place}));
  const auto expected = copy(to(parts[0], cpu(0)) + parts[1] + to(parts[2], cpu(0)));
  const auto same = [](const tensor& x, const tensor& y) {
    const auto a = copy(to(x, cpu(0))), b = copy(y);
    wait({a, b});
    return a.type() == b.type() &&
           std::memcmp(a.source()->data(), b.source()->data(), b.source()->bytes()) == 0;
  };
  const auto sums = all_reduce(parts), shares = reduce_scatter(parts),
             together = all_gather(shares), copies = broadcast(sums[2], devices);
  for (std::size_t i = 0; i < devices.size(); ++i) {
    CAPTURE(i);
    CHECK(sums[i].device() == devices[i]);
    CHECK(shares[i].device() == devices[i]);
    CHECK(same(sums[i], expected));
    CHECK(same(together[i], expected));
    CHECK(same(copies[i], expected));
  }
}
