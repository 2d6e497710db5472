// SPDX-License-Identifier: MIT
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <vector>

#include "troupe/tests/error_of.hpp"
#include "troupe/tests/nodes/tested_node.hpp"
#include "troupe/troupe.hpp"

using namespace troupe;
using troupe::testing::error_of;

namespace {

/// Doubles its input, and tells which process did so.
void twice(const inputs& in, outputs& out) {
  const auto from = in[0].span<float>();
  const auto into = out[0].span<float>();
  for (std::size_t i = 0; i < from.size(); ++i) into[i] = 2 * from[i];
  out[1].span<std::int64_t>()[0] = ::getpid();
}

/// A node whose program registers `twice` under a name, in a process of its own. What this process
/// has registered so far is there, too.
class program_with_code {
 public:
  program_with_code(const std::string& key, const std::string& name) {
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    pid_ = ::fork();
    if (pid_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      try {
        serve(key, name, ends[1]);
      } catch (...) {}  // Catch is the parent's
      ::_exit(1);
    }
    ::close(ends[1]);
    std::uint16_t port = 0;
    REQUIRE(::read(ends[0], &port, sizeof port) == sizeof port);
    ::close(ends[0]);
    address_ = "127.0.0.1:" + std::to_string(port);
  }
  program_with_code(const program_with_code&) = delete;
  program_with_code& operator=(const program_with_code&) = delete;
  ~program_with_code() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }

  ::pid_t pid() const noexcept { return pid_; }
  const std::string& address() const noexcept { return address_; }

 private:
  static void serve(const std::string& key, const std::string& name, int tells) {
    if (!name.empty()) register_operation(name, twice);
    runtime rt({.lanes = 1});
    const node_server server(rt, {.listen = "127.0.0.1:0", .key = key});
    const auto port = server.port();
    if (::write(tells, &port, sizeof port) != sizeof port) return;
    for (;;) ::pause();
  }

  ::pid_t pid_ = -1;
  std::string address_;
};

struct key_for_programs {
  troupe::testing::temporary_folder folder;
  std::string key = troupe::testing::key_in(folder, "key", "0123456789abcdef0123456789abcdef\n");

  runtime_options with(std::vector<std::string> addresses) const {
    return {.lanes = 1, .tell_failures = false, .nodes = std::move(addresses), .key = key};
  }
};

const std::vector<output_type> two_results{{float32, {3}}, {int64, {}}};

}  // namespace

TEST_CASE("code with a name runs on a node whose program has registered it") {
  const key_for_programs k;
  const program_with_code far(k.key, "twice there");
  runtime rt(k.with({far.address()}));
  const auto x = tensor{1.F, 2.F, 3.F}.to(cpu(0, node(1))) + 1;
  const auto y = call("twice there", {x}, two_results);
  CHECK(y[0].device() == cpu(0, node(1)));
  CHECK(y[0].to(cpu()).to_vector<float>() == std::vector<float>{4, 6, 8});
  CHECK(y[1].item<std::int64_t>() == far.pid());
  CHECK(call("twice there", {y[0]}, two_results)[0].to(cpu()).to_vector<float>() ==
        std::vector<float>{8, 12, 16});
}

TEST_CASE("code that a node lacks runs here, and its results go where the inputs were") {
  const key_for_programs k;
  const program_with_code far(k.key, "");
  register_operation("twice here", twice);
  runtime rt(k.with({far.address()}));
  const auto x = tensor{1.F, 2.F, 3.F};
  for (const auto where : {cpu(), cpu(0, node(1))}) {
    const auto y = call("twice here", {x.to(where)}, two_results);
    CHECK(y[0].device() == where);
    CHECK((y[0] + 1).to(cpu()).to_vector<float>() == std::vector<float>{3, 5, 7});
    CHECK(y[1].item<std::int64_t>() == ::getpid());
  }
}

TEST_CASE("code that nobody has registered is an error that names it and the user's line") {
  const key_for_programs k;
  const program_with_code far(k.key, "");
  runtime rt(k.with({far.address()}));
  for (const auto where : {cpu(), cpu(0, node(1))}) {
    const auto x = ones({3}, {.device = where});
    const auto line = std::to_string(__LINE__ + 1);
    const auto text = error_of([&] { call("nobody's", {x}, output_type{float32, {3}}); });
    CHECK(text.find("nobody's: nobody has registered it") == 0);
    CHECK(text.find("registered_test.cpp:" + line) != std::string::npos);
  }
}

TEST_CASE("a name is registered once, and not in place of an operation") {
  register_operation("once", twice);
  CHECK(error_of([] {
          register_operation("once", twice);
        }).find("\"once\" is registered already") == 0);
  CHECK(error_of([] {
          register_operation("matmul", twice);
        }).find("\"matmul\" is the name of an operation") == 0);
}

TEST_CASE("what registered code throws fails its results, here and on a node") {
  const key_for_programs k;
  const auto far = [&] {
    register_operation(
        "too dark", [](const inputs&, outputs&) { throw std::runtime_error("too dark to see"); });
    return std::make_unique<program_with_code>(k.key, "");  // has a copy of what is registered here
  }();
  runtime rt(k.with({far->address()}));
  for (const auto where : {cpu(), cpu(0, node(1))}) {
    const auto y = call("too dark", {ones({3}, {.device = where})}, output_type{float32, {3}});
    const auto line = std::to_string(__LINE__ - 1);
    const auto text = error_of([&] { y.wait(); });
    CHECK(text.find("too dark: too dark to see") == 0);
    CHECK(text.find("registered_test.cpp:" + line) != std::string::npos);
  }
}

TEST_CASE("registered code is run again on a node that takes a lost one's place, if that has it") {
  const bool has_it = GENERATE(true, false);
  const std::string name = has_it ? "twice again" : "twice elsewhere";
  const key_for_programs k;
  auto first = std::make_unique<program_with_code>(k.key, name);
  const program_with_code second(k.key, has_it ? name : "");
  runtime rt(k.with({first->address(), second.address()}));
  const auto x = tensor{1.F, 2.F, 3.F}.to(cpu(0, node(1)));
  const auto y = call(name, {x}, two_results);
  REQUIRE(y[1].item<std::int64_t>() == first->pid());
  first = nullptr;
  const auto z = (y[0] + 1).to(cpu());
  if (has_it) {
    CHECK(z.to_vector<float>() == std::vector<float>{3, 5, 7});
  } else {
    const auto text = error_of([&] { z.wait(); });
    CHECK(text.find("its program has not registered \"twice elsewhere\"") != std::string::npos);
  }
}
