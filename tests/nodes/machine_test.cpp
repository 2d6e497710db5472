// SPDX-License-Identifier: MIT
#include "troupe/links/machine.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "troupe/links/known_ways.hpp"
#include "troupe/links/network.hpp"
#include "troupe/links/remote_address.hpp"
#include "troupe/tasks/engine.hpp"
#include "troupe/tests/actors/simulated_task.hpp"
#include "troupe/tests/error_of.hpp"
#include "troupe/tests/nodes/tested_node.hpp"
#include "troupe/troupe.hpp"

using namespace troupe;
using namespace std::chrono_literals;

namespace {

/// Memory of the first device of a machine.
class played_memory final : public memory {
 public:
  explicit played_memory(std::shared_ptr<machine> far) noexcept : far_(std::move(far)) {}
  void* allocate(std::size_t size) override { return far_->new_address(size, 0); }
  void deallocate(void*, std::size_t) noexcept override {}
  std::size_t live() const noexcept override { return 0; }
  memory_statistics statistics() const override { return {}; }
  void trim() noexcept override {}

 private:
  std::shared_ptr<machine> far_;
};

/// A machine as its owner sees it, and the words of a node that is none.
struct played_machine {
  runtime rt{{.lanes = 1}};
  std::shared_ptr<machine> far = std::make_shared<machine>(
      1, std::make_shared<safe_copies>(rt.engine().devices()[0]->memory(), std::size_t{1} << 30),
      [](const std::string&) {});
  std::shared_ptr<connection> link;
  std::shared_ptr<frame_receiver> node;

  played_machine() { come(); }
  ~played_machine() { far->leave(); }

  /// A node takes the machine's place.
  void come() {
    link = std::make_shared<connection>([] {}, [](const std::string&) {});
    node = far->connect(link);
    std::vector<std::byte> body;
    byte_writer out(body);
    write_offer({.node = 7, .devices = {{cpu(), 1, 1 << 20, "played"}}, .registered = {}}, out);
    node->received(frame_kind::offer, body);
    sent();
  }
  /// Returns the bytes of frames that were sent since the last call.
  std::vector<char> sent() const {
    std::vector<char> out;
    link->take(out, 1 << 20);
    return out;
  }
  void tell_of_stores(std::uint64_t stores) const { tell({.stores = stores, .failures = {}}); }
  void tell(const node_news& news) const {
    std::vector<std::byte> body;
    byte_writer out(body);
    write_news(news, out);
    node->received(frame_kind::done, body);
  }
  void answer(const void* place) const {
    std::vector<std::byte> body;
    byte_writer out(body);
    out.put(remote_address::number(place));
    out.put(std::uint64_t{sizeof bytes_});
    out.put(std::uint64_t{0});
    out.put(part_kind::bytes);
    body.resize(body.size() + sizeof bytes_);
    node->received(frame_kind::part, body);
  }
  void* store() {
    auto* const place = far->new_address(sizeof bytes_, 0);
    last = far->store(place, nullptr, bytes_, sizeof bytes_);
    return place;
  }
  /// Makes a value of bytes that were on another machine, and begins to bring them.
  std::shared_ptr<origin> bring() {
    const auto from =
        std::make_shared<origin>(std::weak_ptr<machine>(), std::uint64_t{1}, sizeof bytes_);
    from->came_home(nullptr, bytes_, {});
    const auto number = remote_address::number(far->new_address(sizeof bytes_, 0));
    far->expect(number, sizeof bytes_, from, nullptr, [](arrival, const std::string&) {});
    far->bring(number);
    return from;
  }

  std::uint64_t last = 0;
  static constexpr std::byte bytes_[8] = {};
};

}  // namespace

TEST_CASE("values that are brought from other machines do not keep news of others back") {
  played_machine one;
  one.store();
  const auto from = one.bring();
  one.tell_of_stores(1);
  CHECK(one.far->reached({.stores = one.last}));
  one.store();
  one.tell_of_stores(2);
  CHECK_FALSE(one.far->reached({.stores = one.last}));
  one.tell_of_stores(3);
  CHECK(one.far->reached({.stores = one.last}));
}

TEST_CASE("values come home whose way back is long by what the node has learned of its tasks") {
  played_machine one;
  const std::shared_ptr<memory> there = std::make_shared<played_memory>(one.far);
  int alive = 0, runs = 0;
  std::vector<task_ptr> all;  // their outputs fail when they go without having run
  value_ref last;
  const auto compute = [&](int tasks) {
    for (int i = 0; i < tasks; ++i) {
      auto& t = all.emplace_back(testing::make_task(0, 20e6F, alive, runs));
      if (last) testing::read(*t, last);
      last = testing::make_value(0, 0, 100);
      last->allocate(there);
      t->add_output(last);
      one.far->run(*t, 0, {});
    }
    one.far->flush();
    one.sent();
  };
  const auto comes_home = [&] {
    std::vector<std::byte> command;
    byte_writer out(command);
    out.put(command_kind::send);
    out.put(remote_address::number(last->data()));
    const auto bytes = one.sent();
    const auto* const wanted = reinterpret_cast<const char*>(command.data());
    return !std::ranges::search(bytes, std::span(wanted, command.size())).empty();
  };
  compute(5);
  one.tell({.tasks = 5, .nanoseconds = 25e6F, .failures = {}});
  CHECK_FALSE(comes_home());
  compute(2);
  one.tell({.tasks = 7, .nanoseconds = 80e6F, .failures = {}});
  CHECK(comes_home());
}

TEST_CASE("a node is told which task need not begin, behind the task, on another node, too") {
  played_machine one;
  auto* const from = one.store();
  std::uint64_t numbers[3];
  for (auto& number : numbers)
    number = one.far->copy(one.far->new_address(8, 0), from, sizeof one.bytes_);
  const auto told = [&] {
    std::vector<std::byte> command;
    byte_writer out(command);
    out.put(command_kind::cancel);
    out.put(std::uint64_t{2});
    const auto bytes = one.sent();
    const auto* const wanted = reinterpret_cast<const char*>(command.data());
    return !std::ranges::search(bytes, std::span(wanted, command.size())).empty();
  };
  one.far->cancel(std::span(&numbers[1], 1));
  CHECK(told());
  one.come();  // the copies wait for what they read, which is on its way
  CHECK_FALSE(told());
  one.tell_of_stores(1);
  CHECK(told());
}

TEST_CASE("who listens is told once, when a machine is so far or given up") {
  played_machine one;
  int first = 0, second = 0;
  one.store();
  one.far->notify({.stores = one.last}, [&first] { ++first; });
  one.store();
  one.far->notify({.stores = one.last}, [&second] { ++second; });
  one.tell_of_stores(1);
  CHECK(first == 1);
  CHECK(second == 0);
  one.far->notify({.stores = 1}, [&first] { ++first; });  // it is so far
  CHECK(first == 2);
  one.far->give_up("unplugged");
  CHECK(second == 1);
  one.far->notify({.stores = 9}, [&second] { ++second; });
  CHECK(second == 2);
  CHECK(first == 2);
}

TEST_CASE("what a node was not yet asked to give, it is not asked to give when that is over") {
  played_machine one;
  const auto* const place = one.store();
  one.tell_of_stores(1);
  one.node->closed("lost");
  one.come();  // with the value, which it has not told of
  one.far->give({.number = 5, .place = remote_address::number(place), .bytes = 8, .address = "x:1"},
                [](arrival, const std::string&) {});
  one.far->take_back(5);
  one.tell_of_stores(1);
  one.far->flush();
  CHECK(one.sent().empty());
}

TEST_CASE("commands wait for values that are on their way, and for nothing else") {
  played_machine one;
  auto *const first = one.store(), *const other = one.store();
  one.tell_of_stores(2);
  one.node->closed("lost");
  one.come();
  std::byte into[2][8];
  const auto late = one.far->fetch(into[0], other, 8), early = one.far->fetch(into[1], first, 8);
  one.far->flush();
  CHECK(one.sent().empty());
  one.tell_of_stores(1);  // the first
  CHECK_FALSE(one.sent().empty());
  one.answer(first);
  CHECK_FALSE(one.far->reached({.fetches = late}));
  one.tell_of_stores(2);
  CHECK_FALSE(one.sent().empty());
  one.answer(other);
  CHECK(one.far->reached({.fetches = early}));
}

TEST_CASE("memory of a value counts until the node is told to drop it") {
  played_machine one;
  auto* const place = one.store();
  one.tell_of_stores(1);
  int dropped = 0;
  SECTION("at once") {
    one.far->drop(place, [&] { ++dropped; });
    CHECK(dropped == 1);
  }
  const auto copied = std::make_shared<origin>(one.far, remote_address::number(place), 8);
  SECTION("when what was copied from it is here") {
    one.far->note_origin(copied);
    one.far->drop(place, [&] { ++dropped; });
    CHECK(dropped == 0);
    one.answer(place);
    CHECK(dropped == 1);
  }
  SECTION("or when there is no machine any more") {
    one.far->note_origin(copied);
    one.far->drop(place, [&] { ++dropped; });
    one.far->give_up("lost");
    CHECK(dropped == 1);
  }
}

TEST_CASE("that nodes do not reach each other is forgotten after a while, or when one moves") {
  known_ways all;
  all.note_host(1, "a:1");
  all.note_host(2, "b:1");
  const auto way = all.between(1, 2);
  CHECK(way == known_ways::way("a:1", "b:1"));
  const auto time = known_ways::clock::now();
  all.note_none(way, time);
  CHECK_FALSE(all.may_work(way, time + 5s));
  CHECK(all.may_work(way, time + known_ways::longest_memory));
  CHECK(all.may_work(all.between(2, 1), time));
  all.note_host(3, "c:1");
  CHECK_FALSE(all.may_work(way, time));
  all.note_host(2, "b:1");
  CHECK(all.may_work(way, time));
}

TEST_CASE("who calls over a network that has ended is told so at once") {
  const troupe::testing::temporary_folder folder;
  const auto key = secret_key::from_file(
      troupe::testing::key_in(folder, "key", "0123456789abcdef0123456789abcdef\n"),
      std::source_location::current());
  const auto nobody = [](const std::shared_ptr<connection>&, handshake::side) {
    return std::shared_ptr<frame_receiver>();
  };
  network listens;
  const auto port = listens.listen(
      network_address{"127.0.0.1", 0}, key, nobody, [](const std::string&) {},
      std::source_location::current());
  auto ended = std::make_unique<network>();
  const auto dial = ended->dialer_with(key);
  ended = nullptr;
  const auto text = troupe::testing::error_of([&] {
    dial(network_address{"127.0.0.1", port}, nobody, 500ms);
  });
  CHECK(text.find("has ended") != std::string::npos);
}
