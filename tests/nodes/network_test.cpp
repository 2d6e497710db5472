// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "troupe/tests/error_of.hpp"
#include "troupe/tests/nodes/tested_network.hpp"
#include "troupe/tests/nodes/tested_node.hpp"
#include "troupe/troupe.hpp"

using namespace troupe;
using namespace std::chrono_literals;
using troupe::testing::error_of;
using troupe::testing::tested_network;
using troupe::testing::tested_node;

namespace {

using clock = std::chrono::steady_clock;

/// A node beyond a cable, and one that is always there.
class two_nodes {
 public:
  two_nodes() {
    if (!net.plugged) return;
    net.there.run([this] {
      far_ = std::make_unique<tested_node>(key_, std::string(tested_network::there_address) + ":0");
    });
    net.here.run([this] { near_ = std::make_unique<tested_node>(key_); });
    options.nodes = std::vector{far_->address(), near_->address()};
    options.key = key_;
  }
  ~two_nodes() {
    net.there.run([this] { far_ = nullptr; });
    net.here.run([this] { near_ = nullptr; });
  }

  /// Returns false, and says so, where no networks can be made.
  bool there() const {
    if (!net.plugged) WARN("no networks can be made here");
    return net.plugged;
  }

  tested_network net;
  runtime_options options{.lanes = 1};

 private:
  troupe::testing::temporary_folder folder_;
  std::string key_ = troupe::testing::key_in(folder_, "key", "0123456789abcdef0123456789abcdef\n");
  std::unique_ptr<tested_node> far_, near_;
};

/// A long chain of small tasks on a device.
tensor chain(device where, int length) {
  auto x = arange(1000, {.dtype = float32}).to(where);
  for (int i = 0; i < length; ++i) x = sin(x) + static_cast<float>(i);
  return x;
}

}  // namespace

TEST_CASE("a cable may be pulled at any moment: another node takes over, with the same bits") {
  two_nodes nodes;
  if (!nodes.there()) return;
  // The far host hears nothing and is not heard; or it hears, and is not heard.
  const std::string pull = GENERATE("ip link set cable down",
                                    "ip address flush dev cable; ip route add blackhole default");
  const auto after = GENERATE(0ms, 30ms, 150ms);
  nodes.net.here.run([&] {
    runtime rt(nodes.options);
    const auto wanted = chain(cpu(), 3'000).to_vector<float>();
    const auto far = cpu(0, node(1));
    ones({10}, {.device = far}).wait();
    const auto result = chain(far, 3'000);
    std::this_thread::sleep_for(after);
    const auto since = clock::now();
    REQUIRE(nodes.net.there.command(pull));
    CHECK(result.to(cpu()).to_vector<float>() == wanted);
    CHECK(clock::now() - since < 10s);
    // Later tasks are computed, too.
    CHECK((ones({10}, {.device = far}) + 1).to(cpu()).to_vector<float>()[9] == 2);
  });
}

TEST_CASE("a cable that is pulled for a moment costs nothing but that moment") {
  two_nodes nodes;
  if (!nodes.there()) return;
  nodes.net.here.run([&] {
    runtime rt(nodes.options);
    const auto far = cpu(0, node(1));
    const auto kept = normal({1000}, 0, 1, {.device = far});
    kept.wait();
    const auto x = kept.to(cpu()).to_vector<float>();
    REQUIRE(nodes.net.there.command("ip link set cable down"));
    const auto y = kept + 1;
    std::this_thread::sleep_for(200ms);
    REQUIRE(nodes.net.there.command("ip link set cable up"));
    CHECK((y - 1).to(cpu()).to_vector<float>().size() == x.size());
    CHECK(kept.to(cpu()).to_vector<float>() == x);
  });
}

TEST_CASE("a cable that is not there is told of in one line") {
  two_nodes nodes;
  if (!nodes.there()) return;
  REQUIRE(nodes.net.there.command("ip link set cable down"));
  nodes.net.here.run([&] {
    nodes.options.nodes->pop_back();
    const auto since = clock::now();
    const auto text = error_of([&] { runtime rt(nodes.options); });
    CHECK(text.find(tested_network::there_address) != std::string::npos);
    CHECK(text.find('\n') == std::string::npos);
    CHECK(clock::now() - since < 10s);
  });
}
