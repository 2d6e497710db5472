// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "troupe/links/connection.hpp"
#include "troupe/links/handshake.hpp"
#include "troupe/links/lent_memory.hpp"
#include "troupe/nodes/node_server.hpp"
#include "troupe/tasks/byte_stream.hpp"
#include "troupe/tests/nodes/long_way.hpp"
#include "troupe/tests/nodes/raw_owner.hpp"
#include "troupe/tests/nodes/tested_nodes.hpp"
#include "troupe/troupe.hpp"

using namespace troupe;
using troupe::testing::comes_true;
using troupe::testing::long_way;
using troupe::testing::raw_owner;
using troupe::testing::set_variable;
using troupe::testing::tested_nodes;

namespace {

constexpr std::size_t card_bytes = 12, its_bytes = 100'000;
const secret_key::digest the_proof{std::byte{1}, std::byte{2}};

std::uint64_t place_of(const void* address) { return reinterpret_cast<std::uint64_t>(address); }

/// A process that lends some bytes, all 7, until it is told to end that.
class lending_process {
 public:
  lending_process() {
    REQUIRE((::pipe(to_it_) == 0 && ::pipe(from_it_) == 0));
    child_ = ::fork();
    if (child_ == 0) lend();
    ::close(to_it_[0]);
    card.resize(card_bytes);
    REQUIRE(::read(from_it_[0], card.data(), card_bytes) == card_bytes);
    REQUIRE(::read(from_it_[0], &place, sizeof place) == sizeof place);
  }
  lending_process(const lending_process&) = delete;
  lending_process& operator=(const lending_process&) = delete;
  ~lending_process() {
    kill();
    for (const int fd : {to_it_[1], from_it_[0], from_it_[1]}) ::close(fd);
  }

  void end_lending() {
    REQUIRE(::write(to_it_[1], "e", 1) == 1);
    char told = 0;
    REQUIRE(::read(from_it_[0], &told, 1) == 1);
  }
  void kill() {
    if (child_ > 0) {
      ::kill(child_, SIGKILL);
      ::waitpid(child_, nullptr, 0);
    }
    child_ = 0;
  }

  /// Returns its reader; none, and says so, where the system does not allow it.
  std::optional<lender> reader() const {
    auto one = lender::of(card);
    if (one) one->expect(the_proof);
    if (one && one->lends()) return one;
    WARN("the system does not let processes read each other's memory");
    return std::nullopt;
  }

  std::vector<std::byte> card;
  std::uint64_t place = 0;  ///< of the bytes

 private:
  [[noreturn]] void lend() {
    ::close(to_it_[1]);
    const std::vector<std::byte> lent(its_bytes, std::byte{7});
    lent_memory own;
    own.prove(the_proof);
    const auto about = own.card();
    const auto first = place_of(lent.data());
    (void)!::write(from_it_[1], about.data(), about.size());
    (void)!::write(from_it_[1], &first, sizeof first);
    char told = 0;
    if (::read(to_it_[0], &told, 1) == 1) own.end();
    (void)!::write(from_it_[1], &told, 1);
    (void)!::read(to_it_[0], &told, 1);
    ::_exit(0);
  }

  int to_it_[2] = {}, from_it_[2] = {};
  pid_t child_ = 0;
};

/// The frames that a connection gives to be sent.
std::size_t taken_from(connection& link) {
  std::vector<char> out;
  link.take(out, std::size_t{4} << 20);
  return out.size();
}

}  // namespace

TEST_CASE("memory that was lent is read until its end, and not believed afterwards") {
  lending_process other;
  const auto reader = other.reader();
  if (!reader) return;
  std::vector<std::byte> to(its_bytes);
  reader->read(other.place, to);
  CHECK(to == std::vector(its_bytes, std::byte{7}));
  CHECK_THROWS_AS(reader->read(8, to), unreadable_memory);  // nothing lies there
  std::vector<std::byte> more(std::size_t{256} << 20);
  CHECK_THROWS_AS(reader->read(other.place, more), unreadable_memory);  // nor behind it
  other.end_lending();
  CHECK_THROWS_WITH(reader->read(other.place, to), "its memory is not lent any more");
}

TEST_CASE("a process that lacks the proof, or has another, lends nothing") {
  lending_process other;
  auto reader = lender::of(other.card);
  REQUIRE(reader);
  CHECK_FALSE(reader->lends());
  reader->expect({std::byte{1}});
  CHECK_FALSE(reader->lends());
  // The first bytes of what many know are no proof.
  auto elsewhere = other.card;
  elsewhere[4] ^= std::byte{64};
  auto wrong = lender::of(elsewhere);
  REQUIRE(wrong);
  wrong->expect(the_proof);
  CHECK_FALSE(wrong->lends());
}

TEST_CASE("neither this process, nor one that is not there or is another user's, is read") {
  const lent_memory own;
  CHECK_FALSE(lender::of(own.card()));
  const auto of_process = [](std::uint32_t number) {
    std::vector<std::byte> card;
    byte_writer out(card);
    out.put(number);
    out.put(std::uint64_t{4096});
    return lender::of(card).has_value();
  };
  CHECK_FALSE(of_process(0));
  CHECK_FALSE(of_process(0x8000'0000));
  CHECK_FALSE(of_process(0x7fff'ffff));
  auto card = own.card();
  CHECK_THROWS_AS(lender::of(std::span(card).first(card_bytes - 1)), bytes_error);
  card.push_back({});
  CHECK_THROWS_AS(lender::of(card), bytes_error);
}

TEST_CASE("the memory of a process that has ended is not read") {
  lending_process other;
  const auto reader = other.reader();
  if (!reader) return;
  other.kill();
  std::vector<std::byte> to(1);
  CHECK_THROWS_AS(reader->read(other.place, to), bytes_error);
  CHECK_FALSE(lender::of(other.card));
}

TEST_CASE("the proof is another one for each end, connection and challenge") {
  const secret_key key(std::vector<std::byte>(16, std::byte{3}));
  const auto shaken = [&] {
    handshake calling(handshake::side::owner, key), called(handshake::side::node, key);
    called.take(calling.take(called.take(calling.opening())));
    return std::pair(calling, called);
  };
  const auto [calling, called] = shaken();
  const auto another = shaken().first;
  const secret_key::digest one{std::byte{1}}, other{std::byte{2}};
  using end = handshake::end;
  CHECK(calling.memory_proof(end::called, one) == called.memory_proof(end::called, one));
  CHECK(calling.memory_proof(end::calling, one) == called.memory_proof(end::calling, one));
  CHECK(calling.memory_proof(end::called, one) != calling.memory_proof(end::calling, one));
  CHECK(calling.memory_proof(end::called, one) != calling.memory_proof(end::called, other));
  CHECK(calling.memory_proof(end::called, one) != another.memory_proof(end::called, one));
}

TEST_CASE("what a connection lends is held until it was read, and so many chunks at most") {
  connection link([] {}, [](const std::string&) {});
  const auto bytes = std::make_shared<std::vector<std::byte>>(20 * chunk_bytes + 1);
  link.lend();
  link.send_bulk(frame_kind::store, 1, *bytes, 0, bytes);
  CHECK(taken_from(link) < 16 * 100);
  CHECK(taken_from(link) == 0);
  for (int i = 0; i < 16; ++i) link.returned();
  CHECK_THROWS_AS(link.returned(), bytes_error);
  CHECK(bytes.use_count() == 2);
  CHECK(taken_from(link) > 0);  // the last five
  CHECK(bytes.use_count() == 6);
  link.drop_all();
  CHECK(bytes.use_count() == 1);
}

TEST_CASE("values between processes on one machine need no network, unless that is asked for") {
  constexpr std::int64_t count = 3'000'000;
  const std::string lends = GENERATE("1", "0");
  const set_variable here("TROUPE_LENT_MEMORY", lends);
  tested_nodes near(2);
  long_way way(near.options.nodes->front(), [](int) { return long_way::delay(0); });
  near.options.nodes->front() = way.address();
  runtime rt(near.options);
  const auto x = arange(count, {.dtype = float32});
  const auto there = x.to(cpu(0, node(1))) + 1;
  const auto elsewhere = there.to(cpu(0, node(2))) * 2;
  const auto back = (elsewhere.to(cpu(0, node(1))) - 2).to(cpu());
  CHECK((back == 2 * x).all().item<bool>());
  // Small values and large ones, of which the small ones must not be faster.
  const auto far = cpu(0, node(1));
  std::vector<tensor> sums;
  for (int i = 0; i < 20; ++i)
    sums.push_back(
        sum(full({i % 2 == 0 ? 1'000'000 : 10}, static_cast<float>(i)).to(far)).to(cpu()));
  for (int i = 0; i < 20; ++i)
    CHECK(sums[static_cast<std::size_t>(i)].item<float>() ==
          static_cast<float>(i * (i % 2 == 0 ? 1'000'000 : 10)));
  const auto bytes = way.bytes();
  CAPTURE(bytes);
  if (lends == "0") CHECK(bytes > 6 * 4 * count);
  // The first chunks may leave before both sides have met.
  else if (lending_process().reader()) CHECK(bytes < 2 * 4 * count);
}

TEST_CASE("what is said about lent memory out of turn ends a connection with a line") {
  using frames = std::vector<std::pair<frame_kind, std::vector<std::byte>>>;
  const std::vector<std::byte> challenge(32), none;
  static const lending_process other;  // the rows below are made once
  const auto& card = other.card;
  std::vector<std::byte> loan(chunk_header_bytes);
  byte_writer to_loan(loan);
  to_loan.put(frame_kind::store);
  to_loan.put(std::uint64_t{4096});
  to_loan.put(std::uint32_t{100});
  const auto [sent, line] = GENERATE_COPY(table<frames, std::string>({
      {{{frame_kind::lent, loan}}, "it lends memory that is not read"},
      {{{frame_kind::card, card}, {frame_kind::lent, loan}}, "it lends memory that is not read"},
      {{{frame_kind::returned, none}}, "it returns what it was not lent"},
      {{{frame_kind::proof, none}}, "a proof that nobody asked for"},
      {{{frame_kind::challenge, challenge}, {frame_kind::challenge, challenge}},
       "a challenge too many"},
      {{{frame_kind::card, card}, {frame_kind::card, card}}, "a second card"},
      {{{frame_kind::card, challenge}}, "a card that is too long"},
  }));
  CAPTURE(line);
  const troupe::testing::temporary_folder folder;
  const auto key = troupe::testing::key_in(folder, "key", "0123456789abcdef0123456789abcdef\n");
  runtime rt({.lanes = 1});
  std::mutex mutex;
  std::string log;
  const node_server server(rt, {.listen = "127.0.0.1:0", .key = key, .log = [&](const auto& text) {
                                  const std::lock_guard lock(mutex);
                                  log += text + '\n';
                                }});
  const raw_owner who(server.port(), secret_key::from_file(key, {}));
  for (const auto& [kind, body] : sent) who.send(kind, body);
  CHECK(comes_true([&] {
    const std::lock_guard lock(mutex);
    return log.find(": " + line + '\n') != std::string::npos;
  }));
}
