// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "troupe/tests/nodes/tested_node.hpp"
#include "troupe/tests/shortage.hpp"
#include "troupe/tests/temporary_folder.hpp"
#include "troupe/troupe.hpp"

#ifdef TROUPE_TESTS_SHORTAGES

using namespace troupe;
using namespace troupe::testing;

TEST_CASE("a shortage of memory ends neither an owner nor a node: work goes on when it is over") {
  const temporary_folder folder;
  const auto key = key_in(folder, "key", "0123456789abcdef0123456789abcdef\n");
  runtime there({.lanes = 1, .cpu_devices = 1});
  const node_server node(there, {.listen = "127.0.0.1:0", .key = key});
  runtime rt({.lanes = 1,
              .cpu_devices = 1,
              .nodes = std::vector<std::string>{"127.0.0.1:" + std::to_string(node.port())},
              .key = key});
  const use_engine owner(rt.engine().id());
  std::vector<tensor> all;
  for (const int refused : {1, 3, 10, 30}) {
    all.clear();
    {
      const shortage here;
      for (int i = 0; i < 100; ++i) {
        auto x = full({3}, i, {.device = cpu(0, troupe::node(1))});
        for (int j = 0; j < 5; ++j) x = x + 1;
        all.push_back(x.to(cpu()));
      }
      CHECK(shortage::await_refused(refused));
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      REQUIRE(all[i].wait_for(std::chrono::seconds(60)));
      REQUIRE(sum(all[i]).item<std::int64_t>() == 3 * (static_cast<std::int64_t>(i) + 5));
    }
    rt.wait_all();
  }
}

#endif
