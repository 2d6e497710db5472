// SPDX-License-Identifier: MIT
#include "troupe/actors/client_rhythm.hpp"

#include <catch2/catch.hpp>

using namespace troupe;

namespace {

using way = client_rhythm::way;

/// Thread that submits tasks and reads, again and again, in a world where intervals take so long.
struct client {
  ticks computing, passing_on;
  ticks jointly = 0;  ///< 0: nobody takes part
  client_rhythm rhythm{};
  ticks time = 1;
  int joint = 0;  ///< intervals that it computed jointly with others

  /// Runs intervals of ten tasks; returns the number of those that the thread computed.
  int run(int intervals, float nanoseconds = 5'000) {
    int computed = 0;
    for (int i = 0; i < intervals; ++i) {
      rhythm.begin(time);
      auto taken = way::passing_on;
      for (int k = 0; k < 10; ++k) taken = rhythm.submits(nanoseconds, nanoseconds);
      computed += rhythm.computes();
      joint += taken == way::jointly;
      const bool joined = taken == way::jointly && jointly > 0;
      if (joined) rhythm.joined();
      time += joined ? jointly : rhythm.computes() ? computing : passing_on;
    }
    return computed;
  }
};

}  // namespace

TEST_CASE("a client's thread takes the quicker way, and tries the other now and then") {
  client quick_alone{.computing = 100'000, .passing_on = 130'000};
  quick_alone.run(100);
  const int computed = quick_alone.run(4'000);
  CHECK(computed > 3'700);
  CHECK(computed < 4'000);

  client quick_together{.computing = 130'000, .passing_on = 100'000};
  quick_together.run(100);
  const int tried = quick_together.run(4'000);
  CHECK(tried > 0);
  CHECK(tried < 300);
}

TEST_CASE("a client's thread lets others take part where that is quicker by a twentieth") {
  client quick{.computing = 100'000, .passing_on = 130'000, .jointly = 80'000};
  quick.run(8'000);
  CHECK(quick.joint > 7'400);
  client as_quick{.computing = 100'000, .passing_on = 130'000, .jointly = 97'000};
  as_quick.run(8'000);
  CHECK(as_quick.joint > 0);
  CHECK(as_quick.joint < 400);
  client slow{.computing = 100'000, .passing_on = 130'000, .jointly = 150'000};
  slow.run(8'000);
  CHECK(slow.joint < 100);

  std::swap(quick.computing, quick.jointly);
  quick.run(1'000);
  quick.joint = 0;
  quick.run(4'000);
  CHECK(quick.joint < 300);
}

TEST_CASE("a client's thread waits for others that have to be woken now and then") {
  client one{.computing = 100'000, .passing_on = 130'000, .jointly = 70'000};
  one.run(3'000);
  one.joint = 0;
  for (int i = 0; i < 100; ++i) {
    one.jointly = 115'000;
    one.run(4);
    one.jointly = 70'000;
    one.run(96);
  }
  CHECK(one.joint > 9'000);
}

TEST_CASE("a client's thread judges joint computing by times in which others took part") {
  client one{.computing = 100'000, .passing_on = 130'000};
  one.run(2'000);
  one.jointly = 70'000;
  one.run(1'000);
  one.joint = 0;
  one.run(1'000);
  CHECK(one.joint > 900);
  for (int i = 0; i < 20; ++i) {  // others have no core for a while
    one.jointly = 0;
    one.run(20);
    one.jointly = 70'000;
    one.joint = 0;
    one.run(80);
    CHECK(one.joint >= 60);
  }

  one.jointly = 0;  // for good, so that it is no longer the quickest
  std::swap(one.computing, one.passing_on);
  one.run(2'000);
  CHECK(one.run(4'000) < 600);
}

TEST_CASE("a client's thread notices that the other way has become the quicker one") {
  client one{.computing = 100'000, .passing_on = 130'000};
  one.run(1'000);
  std::swap(one.computing, one.passing_on);
  one.run(1'000);
  CHECK(one.run(4'000) < 300);
}

TEST_CASE("a client's thread seldom tries what is slower by far, and still notices a change") {
  client one{.computing = 100'000, .passing_on = 300'000};
  one.run(20'000);
  const int passed_on = 20'000 - one.run(20'000);
  CHECK(passed_on > 0);
  CHECK(passed_on < 100);
  std::swap(one.computing, one.passing_on);
  one.run(8'000);
  CHECK(one.run(4'000) < 300);
}

TEST_CASE("a client's thread gives up a trial that is slower by far") {
  client one{.computing = 100'000, .passing_on = 300'000};
  const int passed_on = 200 - one.run(200);
  CHECK(passed_on > 0);
  CHECK(passed_on <= 12);
}

TEST_CASE("a client's thread passes little work on only to try, or where that is quicker") {
  client alone{.computing = 10'000, .passing_on = 13'000};
  CHECK(alone.run(1'000, 500) > 990);
  client together{.computing = 13'000, .passing_on = 10'000};
  CHECK(together.run(1'000, 500) > 990);
  together.run(1'000, 500);
  CHECK(together.run(4'000, 500) < 300);
}

TEST_CASE("a client's thread sees that work is little which was guessed to be much, or much") {
  client little{.computing = 10'000, .passing_on = 13'000};
  CHECK(little.run(1'000, 5'000) > 990);
  client much{.computing = 130'000, .passing_on = 100'000};
  much.run(200, 500);
  CHECK(much.run(1'000, 500) < 100);
}

TEST_CASE("a client's thread soon lets others take part in little work, where that is quicker") {
  client quick{.computing = 10'000, .passing_on = 13'000, .jointly = 9'000};
  quick.run(400, 500);
  quick.joint = 0;
  CHECK(quick.run(1'000, 500) == 1'000);
  CHECK(quick.joint == 1'000);
  client slow{.computing = 10'000, .passing_on = 13'000, .jointly = 11'000};
  slow.run(2'000, 500);
  CHECK(slow.joint > 0);
  CHECK(slow.joint <= 48);
}

TEST_CASE("a client's thread tries to pass much on, also where little work comes in between") {
  client one{.computing = 400'000, .passing_on = 110'000};
  int computed = 0;
  for (int i = 0; i < 2'000; ++i) {
    one.run(1, 40'000);  // more than was to be expected
    computed += one.run(1, 40'000);
    std::swap(one.computing, one.passing_on);
    one.run(2, 500);
    std::swap(one.computing, one.passing_on);
  }
  CHECK(computed < 200);
}

TEST_CASE("a client's thread that takes long and short steps in turns learns of the long ones") {
  client one{.computing = 100'000, .passing_on = 130'000};
  int computed = 0;
  for (int i = 0; i < 2'000; ++i) {
    one.run(1, 100);
    computed += one.run(1);
  }
  CHECK(computed > 1'700);
}

TEST_CASE("a client's thread passes on what is much, or more than it was") {
  client much{.computing = 1, .passing_on = 1'000'000};
  CHECK(much.run(1'000, 140'000) > 0);
  client long_tasks{.computing = 1, .passing_on = 1'000'000};
  CHECK(long_tasks.run(1'000, 160'000) == 0);

  client cheaper_than_guessed{.computing = 100'000, .passing_on = 130'000};
  int computed_of_them = 0;
  for (int i = 0; i < 1'000; ++i) {
    auto& one = cheaper_than_guessed;
    one.rhythm.begin(one.time);
    computed_of_them += one.rhythm.submits(200'000, 40'000) != way::passing_on;
    one.time += one.rhythm.computes() ? one.computing : one.passing_on;
  }
  CHECK(computed_of_them > 900);

  client more{.computing = 100'000, .passing_on = 130'000};
  more.run(100);
  REQUIRE(more.run(1) == 1);
  more.rhythm.begin(more.time);
  int computed = 0;
  for (int k = 0; k < 1'000; ++k) computed += more.rhythm.submits(5'000, 5'000) != way::passing_on;
  CHECK(computed >= 10);
  CHECK(computed <= 15);
}
