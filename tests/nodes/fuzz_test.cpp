// SPDX-License-Identifier: MIT
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "troupe/links/command_text.hpp"
#include "troupe/links/connection.hpp"
#include "troupe/links/remote_address.hpp"
#include "troupe/nodes/session.hpp"
#include "troupe/nodes/visits.hpp"
#include "troupe/tasks/parameter_codec.hpp"
#include "troupe/tensor/ops/list.hpp"
#include "troupe/tests/error_of.hpp"
#include "troupe/tests/nodes/tested_node.hpp"
#include "troupe/troupe.hpp"

using namespace troupe;
using troupe::testing::error_of;

namespace {

/// Gives values the numbers that an owner gives them.
class number_memory final : public memory {
 public:
  void* allocate(std::size_t bytes) override {
    return remote_address::address_of(1, 0, next_.fetch_add((bytes + 127) / 64 * 64));
  }
  void deallocate(void*, std::size_t) noexcept override {}
  std::size_t live() const noexcept override { return 0; }
  memory_statistics statistics() const override { return {}; }
  void trim() noexcept override {}

 private:
  std::atomic<std::uint64_t> next_ = 0;
};

using bytes = std::vector<std::byte>;

/// Frames as an owner sends them: two values, and tasks that read them.
struct conversation {
  std::shared_ptr<memory> numbers = std::make_shared<number_memory>();
  std::vector<std::pair<frame_kind, bytes>> frames;

  value_ref value_of(dtype element, const shape& dims) const {
    value_ref v(new value(element, cpu(0, node(1)), dims));
    v->allocate(numbers);
    return v;
  }
  void store(const value& v) {
    bytes body;
    byte_writer out(body);
    out.put(remote_address::number(v.data()));
    out.put(static_cast<std::uint64_t>(v.bytes()));
    out.put(std::uint64_t{0});
    out.put(std::uint8_t{0});
    body.resize(body.size() + v.bytes());
    frames.emplace_back(frame_kind::store, body);
  }
  template <class... Given>
  void run(const char* name, const std::vector<value_ref>& in, const value_ref& result,
           Given... given) {
    task t(*find_operation(name), cpu(0, node(1)), {});
    if constexpr (sizeof...(given) > 0) t.attributes = attributes(given...);
    for (const auto& v : in) {
      auto& one = t.inputs.emplace_back();
      one.source = v;
      one.element = v->element;
    }
    t.add_output(result);
    bytes body;
    byte_writer out(body);
    write_task(t, 0, out);
    out.put(command_kind::send);
    out.put(remote_address::number(result->data()));
    out.put(static_cast<std::uint64_t>(result->bytes()));
    frames.emplace_back(frame_kind::commands, body);
    t.drop_values();
  }

  conversation() {
    const auto a = value_of(float32, {4, 6}), b = value_of(int64, {3});
    store(*a);
    store(*b);
    run("exp", {a}, value_of(float32, {4, 6}));
    run("add", {a, a}, value_of(float32, {4, 6}));
    run("sum", {a}, value_of(float32, {4}), reduction_attributes{.axes = 2});
    run("take", {a, b}, value_of(float32, {3, 6}), axis_attributes{0});
    run("concatenate", {a, a}, value_of(float32, {8, 6}), axis_attributes{0});
    run("softmax", {a}, value_of(float32, {4, 6}), softmax_attributes{1});
    run("full", {}, value_of(float64, {5}), full_attributes{2.5});
    run("sort", {a}, value_of(float32, {4, 6}), sort_attributes{});
    run("cumsum", {a}, value_of(float32, {4, 6}), axis_attributes{1});
    command([&](byte_writer& out) {
      out.put(command_kind::cancel);
      out.put(std::uint64_t{9});
    });
    const auto c = value_of(float32, {4, 6}), d = value_of(float32, {4, 6});
    expect(*c, 1);
    expect(*d, 2);
    command([&](byte_writer& out) {
      out.put(command_kind::give);
      write_errand({.number = 1,
                    .place = remote_address::number(a->data()),
                    .bytes = a->bytes(),
                    .address = "127.0.0.1:1"},
                   out);
      out.put(command_kind::take_back);
      out.put(std::uint64_t{1});
    });
    command([&](byte_writer& out) {
      out.put(command_kind::fail);
      out.put(remote_address::number(d->data()));
      out.put(static_cast<std::uint64_t>(d->bytes()));
      out.put(std::uint8_t{0});
      out.put_text("it is lost");
    });
    command([&](byte_writer& out) {
      out.put(command_kind::clock);
      out.put(std::uint64_t{1});
      out.put(command_kind::trace);
      out.put(std::uint64_t{2});
      out.put(std::int64_t{0});
    });
    visit(*c, 1);
  }

  template <class Write>
  void command(const Write& write) {
    bytes body;
    byte_writer out(body);
    write(out);
    frames.emplace_back(frame_kind::commands, body);
  }
  static secret_key::digest ticket_of(std::uint8_t name) {
    secret_key::digest out{};
    out[0] = std::byte{name};
    return out;
  }
  void expect(const value& v, std::uint8_t ticket) {
    command([&](byte_writer& out) {
      out.put(command_kind::expect);
      out.put_bytes(ticket_of(ticket));
      out.put(remote_address::number(v.data()));
      out.put(static_cast<std::uint64_t>(v.bytes()));
      out.put(std::uint8_t{0});
    });
  }
  /// Frames of another node that brings a value.
  void visit(const value& v, std::uint8_t ticket) {
    bytes body;
    byte_writer out(body);
    out.put_bytes(ticket_of(ticket));
    out.put(remote_address::number(v.data()));
    brought.emplace_back(frame_kind::ticket, body);
    auto of_own = std::exchange(frames, {});
    store(v);
    brought.push_back(frames[0]);
    frames = std::move(of_own);
  }
  std::vector<std::pair<frame_kind, bytes>> brought;
};

/// A session without a network, whose answers are counted.
struct listener_of_session {
  std::shared_ptr<connection> link = std::make_shared<connection>([] {}, [](const std::string&) {});
  std::shared_ptr<visits> who_come = std::make_shared<visits>();
  std::shared_ptr<session> end;
  std::shared_ptr<frame_receiver> visitor = who_come->greet(link);

  explicit listener_of_session(const runtime& rt)
      : end(std::make_shared<session>(
            rt.engine(), *rt.options().memory_limit, link, [](const std::string&) {},
            session::neighbours{who_come, {}})) {}
  ~listener_of_session() {
    visitor->closed("the test is over");
    end->closed("the test is over");
  }

  bool takes(frame_kind kind, const bytes& body) { return takes(*end, kind, body); }
  /// Frames of another node; the number of this one is added to tickets.
  bool takes_visit(frame_kind kind, bytes body) {
    if (kind == frame_kind::ticket) {
      byte_writer out(body);
      out.put(who_come->node());
    }
    return takes(*visitor, kind, body);
  }

 private:
  static bool takes(frame_receiver& by, frame_kind kind, const bytes& body) {
    try {
      by.received(kind, body);
      return true;
    } catch (const std::exception&) { return false; }
  }
};

}  // namespace

TEST_CASE("a task that does not fit fails its value, which may be read, and not the connection") {
  runtime rt({.lanes = 1, .tell_failures = false});
  listener_of_session one(rt);
  conversation some;
  some.frames.clear();
  const auto a = some.value_of(float32, {4, 6}), wrong = some.value_of(float32, {5, 6});
  some.store(*a);
  some.run("exp", {a}, wrong);
  some.run("exp", {wrong}, some.value_of(float32, {5, 6}));
  some.run("exp", {a}, some.value_of(float32, {4, 6}));
  for (const auto& [kind, body] : some.frames) CHECK(one.takes(kind, body));
  std::vector<char> told;
  CHECK(troupe::testing::comes_true([&] {
    one.link->take(told, std::size_t{1} << 20);
    return std::string_view(told.data(), told.size()).find("other results than its inputs give") !=
           std::string_view::npos;
  }));
}

TEST_CASE("a session takes what an owner sends, and refuses it when its bytes were changed") {
  runtime rt({.lanes = 1, .memory_limit = std::size_t{1} << 20, .tell_failures = false});
  const conversation all;
  {
    listener_of_session one(rt);
    for (const auto& [kind, body] : all.frames) CHECK(one.takes(kind, body));
    for (const auto& [kind, body] : all.brought) CHECK(one.takes_visit(kind, body));
  }
  std::mt19937 random(7);
  const auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  constexpr auto kinds = static_cast<std::size_t>(last_frame_kind) + 1;
  const int rounds = std::getenv("TROUPE_LONG_TESTS") ? 100'000 : 500;
  int refused = 0;
  for (int i = 0; i < rounds; ++i) {
    listener_of_session one(rt);
    const auto change = [&](frame_kind& kind, bytes& body) {
      for (auto changes = below(3); changes > 0; --changes)
        body[below(body.size())] = static_cast<std::byte>(below(4) == 0 ? 0xff : below(256));
      if (below(10) == 0) body.resize(below(body.size()));
      if (below(20) == 0) kind = static_cast<frame_kind>(below(kinds + 1));
    };
    for (auto [kind, body] : all.frames) {
      change(kind, body);
      refused += !one.takes(kind, body);
    }
    for (auto [kind, body] : all.brought) {
      change(kind, body);
      refused += !one.takes_visit(kind, body);
    }
  }
  CHECK(refused > rounds);
  error_of([&] { rt.wait_all(); });  // some of these tasks fail
  CHECK(sum(ones({7})).item<float>() == 7);
}
