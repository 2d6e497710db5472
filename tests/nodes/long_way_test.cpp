// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "troupe/tests/nodes/long_way.hpp"
#include "troupe/tests/nodes/tested_nodes.hpp"
#include "troupe/troupe.hpp"

using namespace troupe;
using namespace std::chrono_literals;
using troupe::testing::long_way;
using troupe::testing::tested_nodes;

namespace {

/// Nodes that lie far away: each part that travels takes up to `most`, more on some connections.
struct far_nodes {
  far_nodes(int count, std::chrono::microseconds most) : near(count) {
    options = near.options;
    for (auto& address : *options.nodes) {
      const auto seed = static_cast<unsigned>(ways.size());
      ways.push_back(std::make_unique<long_way>(
          address, [random = std::mt19937(seed), most](int connection) mutable {
            const auto longest = most.count() / (1 + connection % 3);
            return long_way::delay(static_cast<std::int64_t>(random() % 1000) * longest / 1000);
          }));
      address = ways.back()->address();
    }
  }

  tested_nodes near;
  std::vector<std::unique_ptr<long_way>> ways;
  runtime_options options;
};

/// Steps of a training on two devices, between which values travel each time.
std::vector<float> trained(runtime& rt, device one, device other, int steps) {
  rt.seed(11);
  auto w = (normal({40, 30}) * 0.1).to(one), v = (normal({30, 8}) * 0.1).to(other);
  for (int i = 0; i < steps; ++i) {
    const auto x = normal({50, 40}, 0, 1, {.device = one});
    const auto hidden = tanh(matmul(x, w)).to(other);
    const auto error = matmul(hidden, v) - 0.5;
    v -= 0.001 * matmul(transpose(hidden), error);
    w -= 0.001 * matmul(transpose(x), matmul(error, transpose(v)).to(one));
  }
  return concatenate({w.reshape({1200}).to(cpu()), v.reshape({240}).to(cpu())}, 0)
      .to_vector<float>();
}

}  // namespace

TEST_CASE("however long and unequal the ways between machines are, the bits are the same") {
  const auto most = GENERATE(2ms, 20ms);
  far_nodes far(2, most);
  runtime rt(far.options);
  const auto wanted = trained(rt, cpu(), cpu(), 10);
  CHECK(trained(rt, cpu(0, node(1)), cpu(0, node(2)), 10) == wanted);
  CHECK(trained(rt, cpu(), cpu(0, node(2)), 10) == wanted);
  // Nobody was taken for lost: each way saw its owner, and perhaps the other node, once.
  for (const auto& way : far.ways) CHECK(way->connections() <= 2);
}

TEST_CASE("a machine far away is not lost, and is found again if the way to it is cut") {
  tested_nodes near(1);
  long_way way(near.options.nodes->front(), [](int) { return long_way::delay(200ms); });
  near.options.nodes = {way.address()};
  runtime rt(near.options);
  auto x = ones({100}, {.device = cpu(0, node(1))});
  for (int i = 0; i < 1000; ++i) x = x + 1;
  CHECK(sum(x).item<float>() == 100'100);
  CHECK(way.connections() == 1);
  way.cut();
  CHECK(sum(x + 1).item<float>() == 100'200);
  CHECK(way.connections() > 1);
}

TEST_CASE("a way that is cut again and again changes no bit") {
  far_nodes far(2, 3ms);
  runtime rt(far.options);
  const auto one = cpu(0, node(1)), other = cpu(0, node(2));
  const auto wanted = trained(rt, cpu(), cpu(), 40);
  std::mt19937 random(5);
  for (int round = 0; round < 2; ++round) {
    INFO("round " << round);
    std::thread scissors([&] {
      for (int i = 0; i < 3; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(random() % 120));
        far.ways[random() % 2]->cut();
      }
    });
    const auto got = trained(rt, one, other, 40);
    scissors.join();
    CHECK(got == wanted);
  }
}
