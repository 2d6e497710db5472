// SPDX-License-Identifier: MIT
#include "troupe/tests/actors/ordering_bench.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

using lines = std::vector<std::string>;

}  // namespace

TEST_CASE(
    "a list shows the lane of each task in flight, the ready tasks, and what each task waits for") {
  ordering_bench bench(2);
  const auto a = bench.add(long_task), b = bench.add(long_task), c = bench.add(long_task);
  bench.add(long_task, {a, b});
  bench.add(long_task, {c, c});
  bench.release();
  CHECK(bench.list() ==
        lines{"1 sent on 0", "2 sent on 1", "3 ready", "4 waiting for 1 2", "5 waiting for 3"});
  bench.end(2);
  bench.release();
  CHECK(bench.list() == lines{"1 sent on 0", "3 sent on 1", "4 waiting for 1", "5 waiting for 3"});
}

TEST_CASE(
    "a lane's status separates the running task from those behind it and those ended but "
    "unreported") {
  ordering_bench bench(1);
  auto v = bench.add(short_task);
  for (int i = 0; i < 3; ++i) v = bench.add(short_task, {v});
  bench.release();
  std::vector<lane_status> statuses(1);
  CHECK(bench.list(statuses) ==
        lines{"1 sent on 0", "2 sent on 0 for 1", "3 sent on 0 for 2", "4 sent on 0 for 3"});
  statuses[0].begin(2, 0);
  CHECK(bench.list(statuses) == lines{"2 running on 0", "3 sent on 0 for 2", "4 sent on 0 for 3"});
  statuses[0].rest();
  CHECK(bench.list(statuses) == lines{"3 sent on 0", "4 sent on 0 for 3"});
  bench.end(1);
  bench.end(2);
  CHECK(bench.list(statuses) == lines{"3 sent on 0", "4 sent on 0 for 3"});
  statuses[0].begin(4, 0);
  CHECK(bench.list(statuses) == lines{"4 running on 0"});
}

TEST_CASE("a value of another ordering is waited for until it is ready, reported or not") {
  ordering_bench bench(1);
  const auto elsewhere = make_value(1, 1);
  const auto a = bench.add(short_task);
  bench.add(short_task, {elsewhere, a});
  bench.release();
  CHECK(bench.list() == lines{"1 sent on 0", "2 waiting for 1"});
  bench.end(1);
  CHECK(bench.list() == lines{"2 waiting for 1"});
  elsewhere->allocate(bench.device_memory());
  elsewhere->succeed();
  CHECK(bench.list() == lines{"2 waiting"});
}

TEST_CASE("a list separates tasks without memory from tasks held back") {
  ordering_bench bench(2, 4096);
  bench.add(long_task, {}, 3 * 1024 / 8);
  bench.add(long_task, {}, 2 * 1024 / 8);
  bench.release();
  CHECK(bench.list() == lines{"1 sent on 0", "2 no memory"});

  ordering_bench roomy(2);
  value_ref state = roomy.add(long_task);
  for (int i = 0; i < 4; ++i)
    state = roomy.add(medium_task, {roomy.add(medium_task, {}, 1'024), state});
  roomy.release();
  CHECK(roomy.list() == lines{"1 sent on 0", "2 sent on 1", "3 waiting for 1 2", "4 sent on 1",
                              "5 waiting for 3 4", "6 sent on 1", "7 waiting for 5 6", "8 early",
                              "9 waiting for 7 8"});
}

TEST_CASE("a task in flight lists its output types even after its lane has released the value") {
  ordering_bench bench(1);
  const auto v = bench.add(short_task, {}, 6);
  bench.add(long_task, {v}, 3);
  bench.release();
  bench.run(1);
  std::vector<task_state> all;
  bench.subject().list(all, {}, 5);
  REQUIRE(all.size() == 2);
  for (const auto& s : all) {
    REQUIRE(s.outputs.size() == 1);
    CHECK(s.outputs[0] == tensor_type{{s.sequence == 1 ? 6 : 3}, int64, cpu()});
    CHECK(s.name == "simulated");
    CHECK(s.lane == 5);
    CHECK(s.estimate == (s.sequence == 1 ? short_task : long_task));
  }
}
