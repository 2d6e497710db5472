// SPDX-License-Identifier: MIT
#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <optional>
#include <string>

#include "troupe/apps/shell/session/sources.hpp"
#include "troupe/nodes/node_server.hpp"
#include "troupe/tests/apps/shell/observed_session.hpp"
#include "troupe/tests/temporary_folder.hpp"
#include "troupe/troupe.hpp"

using troupe::shell::testing::observed_session;

TEST_CASE("the shell uses the devices of nodes, and keeps its variables when one comes") {
  const troupe::testing::temporary_folder folder;
  const auto key = troupe::testing::put_bytes(folder / "key", "0123456789abcdef");
  ::chmod(key.c_str(), 0600);
  troupe::runtime far({.lanes = 1, .gpus = 0});
  std::optional<troupe::node_server> node(
      std::in_place, far, troupe::node_options{.listen = "127.0.0.1:0", .key = key});
  const auto address = "127.0.0.1:" + std::to_string(node->port());

  observed_session s;
  const auto says = [&](const std::string& input, const std::string& part) {
    const auto answer = s.say(input);
    INFO(input << "\n" << answer);
    CHECK(answer.find(part) != std::string::npos);
  };
  s.say("x = arange(5)");
  says(":nodes", "none: :connect HOST:PORT --key FILE uses one");
  says(":connect", "usage: :connect HOST:PORT [--key FILE]");
  says(":connect nowhere --key " + key, "error: \"nowhere\" is no address: host:port is");
  says(":connect " + address, "nodes need a key file");
  says(":connect 127.0.0.1:1 --key " + key, "nothing listens at 127.0.0.1:1");
  says(":connect " + address + " --key " + key, "cpu:0@1");
  says(":nodes", "at " + address + ", ");
  says("y = x.to(cpu(0, 1)) * 2", "");
  says("sum(y)", "20");
  says(":connect " + address, "cpu:0@2");
  says("sum(y.to(cpu(0, 2)) + 1)", "25");
  const auto other = troupe::testing::put_bytes(folder / "other", "fedcba9876543210");
  ::chmod(other.c_str(), 0600);
  says(":connect " + address + " --key " + other,
       "error: connect: all nodes share one key, here that of " + key);
  s.say(":save " + (folder / "all.tr"));
  CHECK(troupe::shell::read_script(folder / "all.tr").find("\n:connect " + address) !=
        std::string::npos);
  says(":mem", "cpu:0@2");
  says(":graph y", "cpu:0@1");
  CHECK(node->owners() == 2);
  node.reset();
  says("y", "(input 17)");
}

TEST_CASE("the shell goes on without nodes that are lost, and with others") {
  const troupe::testing::temporary_folder folder;
  const auto key = troupe::testing::put_bytes(folder / "key", "0123456789abcdef");
  ::chmod(key.c_str(), 0600);
  troupe::runtime far({.lanes = 1, .gpus = 0});
  const auto listen = [&](std::optional<troupe::node_server>& as) {
    as.emplace(far, troupe::node_options{.listen = "127.0.0.1:0", .key = key});
    return "127.0.0.1:" + std::to_string(as->port());
  };
  std::optional<troupe::node_server> first, second;
  const auto lost = listen(first), other = listen(second);
  observed_session s;
  s.say(":connect " + lost + " --key " + key);
  s.say("x = arange(5).to(cpu(0, 1))");
  s.say("x");
  first.reset();
  const auto answer = s.say(":connect " + other);
  INFO(answer);
  CHECK(answer.find("without nodes that are lost") != std::string::npos);
  CHECK(answer.find("at " + other + ", ") != std::string::npos);
  CHECK(s.say("sum(arange(5).to(cpu(0, 1)))").find("10") != std::string::npos);
  CHECK(s.say("x").find(lost + " is lost") != std::string::npos);
  const auto fewer = s.say(":lanes 1");
  INFO(fewer);
  CHECK(fewer.find("error") == std::string::npos);
}
