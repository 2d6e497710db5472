// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "troupe/links/command_text.hpp"
#include "troupe/links/frames.hpp"
#include "troupe/links/handshake.hpp"
#include "troupe/links/network.hpp"
#include "troupe/links/secret_key.hpp"
#include "troupe/tasks/byte_stream.hpp"
#include "troupe/tests/error_of.hpp"
#include "troupe/tests/nodes/pair_of_machines.hpp"
#include "troupe/tests/nodes/raw_owner.hpp"
#include "troupe/tests/nodes/tested_node.hpp"
#include "troupe/tests/temporary_folder.hpp"
#include "troupe/troupe.hpp"

using namespace troupe;
using troupe::testing::comes_true;
using troupe::testing::error_of;
using troupe::testing::key_in;
using troupe::testing::pair_of_machines;
using troupe::testing::put_bytes;
using troupe::testing::raw_owner;
using troupe::testing::temporary_folder;

namespace {

int connected_to(std::uint16_t port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  REQUIRE(::connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0);
  return fd;
}

/// Stores a value on a node, and asks for it many times, without reading.
void ask_in_silence(const raw_owner& who) {
  std::vector<std::byte> part, asks;
  byte_writer out(part), ask(asks);
  for (const auto n : {std::uint64_t{64}, std::uint64_t{chunk_bytes}, std::uint64_t{0}}) out.put(n);
  out.put(std::uint8_t{0});
  part.resize(part.size() + chunk_bytes);
  who.send(frame_kind::store, part);
  for (int i = 0; i < 100; ++i) {
    ask.put(command_kind::send);
    ask.put(std::uint64_t{64});
    ask.put(std::uint64_t{chunk_bytes});
  }
  who.send(frame_kind::commands, asks);
}

}  // namespace

TEST_CASE("a node's devices are there beside this machine's, and compute") {
  pair_of_machines all;
  runtime rt(all.owner());
  REQUIRE(rt.devices().size() == 3);
  CHECK(to_string(rt.devices()[1]->id()) == "cpu:0@1");
  CHECK(to_string(rt.devices()[2]->id()) == "cpu:1@1");
  const auto far = cpu(0, node(1));
  auto x = ones({1000, 1000}).to(far);
  CHECK(x.device() == far);
  for (int i = 0; i < 10; ++i) x = x + 1;
  CHECK(sum(x).item<float>() == 11'000'000.F);
  const auto y = matmul(x.to(cpu(1, node(1))), ones({1000, 1000}, {.device = cpu(1, node(1))}));
  CHECK(y.to(cpu()).max().item<float>() == 11'000.F);
  CHECK(all.node.owners() == 1);
}

TEST_CASE("what fails on a node fails its value, with the user's line") {
  pair_of_machines all;
  runtime rt(all.owner());
  const auto far = cpu(0, node(1));
  const auto x = arange(5).to(far), wrong = tensor({7}).to(far);
  const auto y = take(x, wrong);
  const auto line = std::to_string(__LINE__ - 1);
  const auto z = y + 1;
  const auto text = error_of([&] { z.to(cpu()).wait(); });
  CHECK(text.find("take: ") == 0);
  CHECK(text.find('7') != std::string::npos);
  CHECK(text.find("cpu:0@1") != std::string::npos);
  CHECK(text.find("links_test.cpp:" + line) != std::string::npos);
  CHECK(sum(x).item<std::int64_t>() == 10);
  CHECK_NOTHROW(rt.wait_all());  // it has been read
}

TEST_CASE("values that are no longer needed are dropped on the node") {
  pair_of_machines all;
  {
    runtime rt(all.owner());
    auto x = ones({1 << 20}, {.device = cpu(0, node(1))});
    for (int i = 0; i < 100; ++i) x = x * 2;
    x.wait();
    // Nothing else is asked of the node: what it still holds it must be told unasked.
    constexpr auto last = std::size_t{4} << 20;
    CHECK(comes_true([&] { return all.far.memory().live == last; }));
  }
  CHECK(comes_true([&] { return all.node.owners() == 0; }));
  all.far.wait_all();
  CHECK(all.far.memory().live == 0);
}

TEST_CASE("what a node holds is bounded by its own memory limit, and waits here") {
  const troupe::testing::temporary_folder folder;
  const auto key = key_in(folder, "key", "0123456789abcdef0123456789abcdef");
  constexpr std::size_t limit = std::size_t{64} << 20;
  runtime far({.lanes = 1, .memory_limit = limit});
  runtime_options o{.lanes = 1, .memory_limit = std::size_t{1} << 30};
  {
    const node_server server(far, {.listen = "127.0.0.1:0", .key = key});
    o.nodes = {"127.0.0.1:" + std::to_string(server.port())};
    o.key = key;
    runtime rt(o);
    tensor total = zeros({}, {.device = cpu(0, troupe::node(1))});
    for (int i = 0; i < 100; ++i)
      total = total +
              sum(full({1 << 20}, i, {.dtype = float32, .device = cpu(0, troupe::node(1))}) * 2);
    CHECK(total.item<float>() == 4950.F * 2 * (1 << 20));
    CHECK(far.memory().peak <= limit + (std::size_t{8} << 20));
  }
}

TEST_CASE("an array that no node can hold is an error of its own, and nothing else is lost") {
  pair_of_machines all;
  runtime rt(all.owner());
  const auto far = cpu(0, node(1));
  const auto x = ones({1000}, {.device = far});
  const auto huge = zeros({std::int64_t{1} << 44}, {.device = far});
  const auto line = std::to_string(__LINE__ - 1);
  const auto behind = huge + 1;
  const auto text = error_of([&] { behind.wait(); });
  CHECK(text.find("out of memory: 64.0 TiB cannot be had") != std::string::npos);
  CHECK(text.find("links_test.cpp:" + line) != std::string::npos);
  CHECK(sum(x).item<float>() == 1000);
  CHECK(all.node.owners() == 1);
}

TEST_CASE("strangers that connect and say nothing keep no owner away") {
  pair_of_machines all;
  std::vector<int> silent;
  for (int i = 0; i < 400; ++i) silent.push_back(connected_to(all.node.port()));
  runtime rt(all.owner());
  CHECK(sum(ones({5}, {.device = cpu(0, node(1))})).item<float>() == 5);
  for (const int fd : silent) ::close(fd);
}

TEST_CASE("a node goes on if nobody reads its log, and says how many lines were left out") {
  const temporary_folder folder;
  const auto key = key_in(folder, "key", "0123456789abcdef0123456789abcdef");
  const auto pipe = folder / "log";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const int log = ::open(pipe.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
  ::fcntl(log, F_SETPIPE_SZ, 4096);
  const auto program =
      put_bytes(folder / "node", "#!/bin/sh\nexec " TROUPE_NODE " \"$@\" 2>" + pipe + "\n");
  ::chmod(program.c_str(), 0700);
  const node_process node(program, key, "127.0.0.1:0");
  const auto port =
      static_cast<std::uint16_t>(std::stoi(node.address().substr(node.address().rfind(':') + 1)));
  const auto come = [&] {
    const int stranger = connected_to(port);
    const std::string nonsense(100, 'x');
    CHECK(::send(stranger, nonsense.data(), nonsense.size(), MSG_NOSIGNAL) == 100);
    char answer = 0;
    while (::recv(stranger, &answer, 1, 0) > 0) {}
    ::close(stranger);
  };
  for (int i = 0; i < 100; ++i) come();  // each is a line of some 100 bytes
  const runtime rt({.nodes = std::vector{node.address()}, .key = key});
  CHECK(sum(ones({5}, {.device = cpu(0, troupe::node(1))})).item<float>() == 5);
  const auto read_log = [&] {
    std::string text(1 << 16, ' ');
    const auto count = ::read(log, text.data(), text.size());
    text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    return text;
  };
  CHECK_THAT(read_log(), Catch::Contains("was turned away"));
  come();
  std::string last;
  CHECK(comes_true([&] { return (last += read_log()).find("lines were left out") != last.npos; }));
  ::close(log);
}

TEST_CASE("a connection that comes while the network ends leaves no socket behind") {
  const secret_key key(std::vector<std::byte>(32, std::byte{7}));
  const auto files = [] {
    const std::filesystem::directory_iterator all("/proc/self/fd");
    return std::distance(begin(all), end(all));
  };
  const auto before = files();
  std::promise<void> turned_away, go_on;
  int lines = 0;
  auto net = std::make_unique<network>();
  const auto nobody = [](const auto&, auto) -> std::shared_ptr<frame_receiver> { return nullptr; };
  const auto port = net->listen(
      network_address::parse("127.0.0.1:0", {}), key, nobody,
      [&](const std::string&) {
        if (++lines > 1) return;
        turned_away.set_value();
        go_on.get_future().wait();
      },
      std::source_location::current());
  const int stranger = connected_to(port);
  const std::string garbage(1000, '?');
  REQUIRE(::write(stranger, garbage.data(), garbage.size()) == 1000);
  turned_away.get_future().wait();
  // The network's thread is busy, so this connection and the end come to it together.
  const int late = connected_to(port);
  const auto dial = net->dialer_with(key);
  std::thread ender([&] { net = nullptr; });
  const auto there = network_address::parse("127.0.0.1:" + std::to_string(port), {});
  const auto answer = [&] {
    return error_of([&] { dial(there, nobody, std::chrono::milliseconds(1)); });
  };
  while (answer().find("has ended") == std::string::npos) {}
  go_on.set_value();
  ender.join();
  ::close(stranger);
  ::close(late);
  CHECK(files() == before);
}

TEST_CASE("a runtime says why it cannot have a node") {
  pair_of_machines all;
  auto o = all.owner();
  const auto refused = [&] { return error_of([&] { const runtime rt(o); }); };
  o.key = key_in(all.folder, "other", "another key of some bytes");
  CHECK(refused().find("is no node for this key: ") != std::string::npos);
  o.key = key_in(all.folder, "short", "short");
  CHECK(refused().find("has 5 bytes, not 16 to 4096") != std::string::npos);
  o.key = all.folder / "none";
  CHECK(refused().find("cannot be read: No such file or directory") != std::string::npos);
  o.key = all.key;
  ::chmod(all.key.c_str(), 0644);
  CHECK(refused().find("may be read by others than its owner") != std::string::npos);
  ::chmod(all.key.c_str(), 0600);
  o.nodes = {"nowhere"};
  CHECK(refused() == "\"nowhere\" is no address: host:port is");
  o.nodes = {"127.0.0.1:1"};
  CHECK(refused() == "nothing listens at 127.0.0.1:1: Connection refused");
  o.nodes = {"no host:1"};
  CHECK(refused().find("no host \"no host\" is found: ") == 0);
  CHECK(network_address::parse("[::1]:7", {}).text() == "[::1]:7");
}

TEST_CASE("an access list may let this process's user read the key file, and nobody else") {
  const temporary_folder folder;
  const auto file = key_in(folder, "key", "a key of some bytes for this");
  ::chmod(file.c_str(), 0440);  // as for credentials of systemd
  struct entry {
    std::uint16_t tag, permissions;
    std::uint32_t id;
  };
  constexpr std::uint16_t owner = 1, user = 2, group = 4, named_group = 8, mask = 16, other = 32;
  constexpr std::uint32_t none = 0xFFFFFFFF;
  const auto set = [&](std::uint32_t reader, std::uint16_t owning_group, std::uint16_t a_group) {
    const entry all[] = {{owner, 4, none},          {user, 4, reader}, {group, owning_group, none},
                         {named_group, a_group, 7}, {mask, 4, none},   {other, 0, none}};
    std::array<std::byte, 4 + sizeof all> list{std::byte{2}};
    std::memcpy(list.data() + 4, all, sizeof all);
    return ::setxattr(file.c_str(), "system.posix_acl_access", list.data(), list.size(), 0) == 0;
  };
  const auto refused = [&] { return error_of([&] { secret_key::from_file(file, {}); }); };
  CHECK_THAT(refused(), Catch::Contains("may be read by others"));
  if (!set(::geteuid(), 0, 0)) {
    WARN("this file system has no access lists");
    return;
  }
  CHECK(refused() == "no error");
  REQUIRE(set(::geteuid() + 1, 0, 0));
  CHECK_THAT(refused(), Catch::Contains("may be read by others"));
  REQUIRE(set(::geteuid(), 4, 0));
  CHECK_THAT(refused(), Catch::Contains("may be read by others"));
  REQUIRE(set(::geteuid(), 0, 4));
  CHECK_THAT(refused(), Catch::Contains("may be read by others"));
}

TEST_CASE("a handshake proves the key to both sides, and is refused for anything else") {
  const auto bytes_of = [](const char* text) {
    std::vector<std::byte> out(std::strlen(text));
    std::memcpy(out.data(), text, out.size());
    return out;
  };
  const secret_key key(bytes_of("a key of some bytes")), other(bytes_of("another key of bytes"));
  const auto meet = [](handshake& owner, handshake& node) {
    const auto proof = node.take(owner.opening());
    return node.take(owner.take(proof));
  };
  SECTION("the same key") {
    handshake owner(handshake::side::owner, key), node(handshake::side::node, key);
    CHECK(meet(owner, node).empty());
    CHECK(owner.expects() == 0);
    CHECK(node.expects() == 0);
    CHECK(node.other() == handshake::side::owner);
  }
  SECTION("the same key, by a node that brings values") {
    handshake peer(handshake::side::peer, key), node(handshake::side::node, key);
    CHECK(meet(peer, node).empty());
    CHECK(node.other() == handshake::side::peer);
    CHECK(peer.other() == handshake::side::node);
  }
  SECTION("another key") {
    handshake owner(handshake::side::owner, key), node(handshake::side::node, other);
    CHECK_THROWS_WITH(meet(owner, node), "it has another key");
    handshake peer(handshake::side::peer, key), again(handshake::side::node, other);
    CHECK_THROWS_WITH(meet(peer, again), "it has another key");
  }
  SECTION("an owner that replays what another one sent") {
    handshake owner(handshake::side::owner, key), node(handshake::side::node, key),
        again(handshake::side::node, key);
    const auto opening = owner.opening();
    const auto proof = owner.take(node.take(opening));
    again.take(opening);
    CHECK_THROWS_WITH(again.take(proof), "it has another key");
  }
  SECTION("a node that answers with the owner's own words") {
    handshake owner(handshake::side::owner, key);
    auto reflected = owner.opening();
    reflected.resize(owner.expects());
    CHECK_THROWS_WITH(owner.take(reflected), "it has another key");
  }
  SECTION("anything else, of any length") {
    std::uint64_t state = 1;
    for (int i = 0; i < 10'000; ++i) {
      handshake node(handshake::side::node, key);
      std::vector<std::byte> bytes(i % 3 == 0 ? static_cast<std::size_t>(i % 100) : node.expects());
      for (auto& b : bytes)
        b = static_cast<std::byte>((state = state * 6364136223846793005U + 1) >> 56);
      CHECK_THROWS_AS(node.take(bytes), bytes_error);
    }
  }
}

TEST_CASE("a function of this process is refused on a node, with the user's line") {
  pair_of_machines all;
  runtime rt(all.owner());
  const auto far = cpu(0, node(1));
  const auto x = ones({3}).to(far);
  const auto text = error_of([&] {
    call("mine", {x}, output_type{float32, {3}}, [](const inputs&, const outputs&) {}).wait();
  });
  CHECK(text.find("mine: ") == 0);
  CHECK(text.find("cpu:0@1") != std::string::npos);
  CHECK(text.find("links_test.cpp:") != std::string::npos);
  CHECK(sum(x).item<float>() == 3);
}

TEST_CASE("an owner that goes leaves nothing behind, whatever it had asked for") {
  pair_of_machines all;
  {
    runtime rt(all.owner());
    const auto far = cpu(0, node(1));
    auto x = normal({600, 600}).to(far);
    for (int i = 0; i < 200; ++i) x = tanh(matmul(x, x));
    rt.cancel_all();
  }
  CHECK(comes_true([&] { return all.node.owners() == 0 && all.far.pending() == 0; }));
  CHECK(all.far.memory().live == 0);
  const runtime again(all.owner());
  CHECK(again.devices().size() == 3);
}

TEST_CASE("a node ends although an owner has stopped to read what it asked for") {
  const troupe::testing::temporary_folder folder;
  const auto path = key_in(folder, "key", "0123456789abcdef0123456789abcdef\n");
  runtime far({.lanes = 1});
  std::optional<raw_owner> who;
  {
    const node_server server(far, {.listen = "127.0.0.1:0", .key = path});
    ask_in_silence(who.emplace(server.port(), secret_key::from_file(path, {})));
    // The first bytes of the node are here: the rest waits for room.
    CHECK(comes_true([&] {
      int here = 0;
      return ::ioctl(who->socket(), FIONREAD, &here) == 0 && here > 10'000;
    }));
  }
  who.reset();
  far.wait_all();
  CHECK(far.memory().live == 0);
}

TEST_CASE("a node turns away what is no owner, and goes on") {
  pair_of_machines all;
  const auto talk = [&](const std::string& bytes) {
    const int fd = connected_to(all.node.port());
    (void)!::write(fd, bytes.data(), bytes.size());
    std::string answer(4096, '\0');
    std::size_t have = 0;
    for (ssize_t n = 1; n > 0 && have < answer.size();
         have += static_cast<std::size_t>(n > 0 ? n : 0))
      n = ::read(fd, &answer[have], answer.size() - have);
    ::close(fd);
    return have;
  };
  CHECK(talk(std::string(40, 'x')) == 0);
  CHECK(talk("GET / HTTP/1.1\r\nHost: 127.0.0.1:7311\r\nAccept: */*\r\n\r\n") == 0);
  // A greeting is answered, a wrong proof behind it ends the connection.
  CHECK(talk("troupe-6" + std::string(32, 'n') + std::string(32, 'p')) == 72);
  runtime rt(all.owner());
  CHECK(sum(ones({5}).to(cpu(0, node(1)))).item<float>() == 5);
}
