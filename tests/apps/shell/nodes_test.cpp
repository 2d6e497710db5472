// SPDX-License-Identifier: MIT
#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <optional>
#include <string>

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
  says(":mem", "cpu:0@2");
  says(":graph y", "cpu:0@1");
  CHECK(node->owners() == 2);
  node.reset();
  says("y", "(input 15)");
}
