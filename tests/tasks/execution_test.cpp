// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <latch>
#include <thread>
#include <vector>

#include "troupe/devices/cpu/cpu_driver.hpp"
#include "troupe/tasks/binding.hpp"
#include "troupe/tasks/engine.hpp"
#include "troupe/tests/actors/simulated_task.hpp"

using namespace troupe;
using testing::make_value;

namespace {

constexpr std::int64_t chunk_count = 64;

/// Counts of a kernel of these tests, and instructions when to throw.
struct script {
  std::atomic<int> runs[chunk_count] = {};
  std::atomic<int> ended = 0;
  std::atomic<int> finishes = 0;
  std::int64_t chunks = chunk_count;
  std::int64_t failing_chunk = -1;
  bool later_ones_fail_too = false;
  bool throws_a_number = false;
  bool finish_throws = false;
  bool finished_early = false;
  bool waiting_allowed = false;
};

script& of(const kernel_args& args) { return **static_cast<script* const*>(args.attributes); }

void run(const kernel_args& args, std::int64_t first, std::int64_t last) {
  auto& s = of(args);
  if (!working_scope::active()) s.waiting_allowed = true;
  for (auto i = first; i < last; ++i) {
    ++s.runs[i];
    static_cast<std::int64_t*>(args.scratch)[i] = i + 1;
    if (i == s.failing_chunk || (s.later_ones_fail_too && i > s.failing_chunk)) {
      if (s.throws_a_number) throw 42;
      throw std::runtime_error("chunk " + std::to_string(i));
    }
    ++s.ended;
  }
}

void finish(const kernel_args& args) {
  auto& s = of(args);
  ++s.finishes;
  s.finished_early |= s.ended != s.chunks;
  if (s.finish_throws) {
    if (s.throws_a_number) throw 42;
    throw std::runtime_error("at the end");
  }
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < s.chunks; ++i) sum += static_cast<std::int64_t*>(args.scratch)[i];
  args.outputs[0].as<std::int64_t>()[0] = sum;
}

const kernel summing_kernel{
    .run = run,
    .chunks = [](const kernel_args& args) { return of(args).chunks; },
    .scratch_bytes = [](const kernel_args&) { return sizeof(std::int64_t) * chunk_count; },
    .finish = finish};

struct fixture {
  std::shared_ptr<driver> device = make_cpu_drivers({1, 4, std::size_t{1} << 30})[0];
  script counts;
  value_ref out = make_value(0, 1);
  task_ptr t =
      std::make_unique<task>(testing::simulated_operation, cpu(), std::source_location::current());
  reference<shared_run> shared;

  fixture() {
    t->attributes = &counts;
    t->kernel = &summing_kernel;
    t->add_output(out);
    shared = reference<shared_run>(new shared_run(*t, *device, 3));
  }

  /// Runs the task by its owner and helpers, all of which try to start it; returns how many of them
  /// had it to themselves in the end.
  int run_by(int threads, std::int64_t chunks_to_run = -1) {
    std::atomic<int> last = 0;
    std::atomic<std::int64_t> ran = 0;
    std::latch start(threads);
    std::vector<std::thread> all;
    for (int i = 0; i < threads; ++i)
      all.emplace_back([&, i, mine = shared] {
        start.arrive_and_wait();
        const bool owner = i == 0;
        if (owner ? mine->claim() : mine->try_claim()) mine->start();
        while (!mine->opened()) std::this_thread::yield();
        std::int64_t chunks = 0;
        ticks until = 0;
        last += mine->join(i, owner, chunks, until);
        ran += chunks;
      });
    for (auto& one : all) one.join();
    CHECK(ran == (chunks_to_run < 0 ? counts.chunks : chunks_to_run));
    return last;
  }
};

}  // namespace

TEST_CASE("threads that share a task run each chunk once, and one of them settles it") {
  const auto threads = GENERATE(1, 2, 5);
  for (int round = 0; round < 200; ++round) {
    fixture s;
    REQUIRE(s.run_by(threads) == 1);
    for (const auto& times : s.counts.runs) REQUIRE(times == 1);
    REQUIRE(s.counts.finishes == 1);
    REQUIRE_FALSE(s.counts.finished_early);
    REQUIRE_FALSE(s.counts.waiting_allowed);
    REQUIRE(s.out->ready());
    REQUIRE(*static_cast<std::int64_t*>(s.out->data()) == chunk_count * (chunk_count + 1) / 2);
    REQUIRE(s.device->memory()->live() == 0);  // scratch memory has been given back
  }
}

TEST_CASE("a chunk that throws fails a shared task, with its text") {
  for (int round = 0; round < 100; ++round) {
    fixture s;
    s.counts.failing_chunk = round % chunk_count;
    REQUIRE(s.run_by(3) == 1);
    REQUIRE(s.out->failed());
    REQUIRE(s.counts.finishes == 0);
    const auto expected = "simulated: chunk " + std::to_string(round % chunk_count);
    REQUIRE_THAT(s.out->why()->text, Catch::StartsWith(expected));
    REQUIRE(s.t->origin == s.out->why());
  }
}

TEST_CASE("the first of several failing chunks gives the reason, whichever thread ran it") {
  for (int round = 0; round < 200; ++round) {
    fixture s;
    s.counts.failing_chunk = round % chunk_count;
    s.counts.later_ones_fail_too = true;
    REQUIRE(s.run_by(3) == 1);
    const auto expected = "simulated: chunk " + std::to_string(round % chunk_count) + " on cpu:0";
    REQUIRE_THAT(s.out->why()->text, Catch::StartsWith(expected));
  }
}

TEST_CASE(
    "an exception of any type, in a chunk or at the end, fails the task and does not propagate") {
  const bool at_the_end = GENERATE(false, true);
  fixture s;
  s.counts.throws_a_number = true;
  s.counts.finish_throws = at_the_end;
  s.counts.failing_chunk = at_the_end ? -1 : 7;
  CHECK(s.run_by(2) == 1);
  REQUIRE(s.out->failed());
  CHECK_THAT(s.out->why()->text, Catch::Contains("an exception that is no std::exception"));
}

TEST_CASE("an exception at the end fails the task with its text") {
  fixture s;
  s.counts.finish_throws = true;
  CHECK(s.run_by(2) == 1);
  REQUIRE(s.out->failed());
  CHECK_THAT(s.out->why()->text, Catch::StartsWith("simulated: at the end"));
}

TEST_CASE(
    "a helper that arrives after the end finds nothing to do, even after the task is destroyed") {
  fixture s;
  CHECK(s.run_by(1) == 1);
  s.t = nullptr;
  std::int64_t chunks = 0;
  ticks until = 0;
  CHECK_FALSE(s.shared->try_claim());
  CHECK_FALSE(s.shared->join(1, false, chunks, until));
  CHECK(chunks == 0);
}

TEST_CASE(
    "a helper that arrives first starts and runs a task, but cannot settle it before its owner has "
    "joined") {
  fixture s;
  REQUIRE(s.shared->try_claim());
  s.shared->start();
  std::int64_t chunks = 0;
  ticks until = 0;
  CHECK_FALSE(s.shared->join(1, false, chunks, until));
  CHECK(chunks == chunk_count);
  CHECK(s.out->pending());
  CHECK_FALSE(s.shared->claim());
  CHECK(s.shared->join(0, true, chunks, until));
  CHECK(chunks == 0);
  CHECK(s.out->ready());
}

TEST_CASE("a claim that is given up can be taken again") {
  fixture s;
  REQUIRE(s.shared->try_claim());
  CHECK_FALSE(s.shared->try_claim());
  s.shared->unclaim();
  CHECK_FALSE(s.shared->opened());
  CHECK(s.shared->claim());
  s.shared->start();
  std::int64_t chunks = 0;
  ticks until = 0;
  CHECK(s.shared->join(0, true, chunks, until));
}

TEST_CASE("a task settled without running goes back to its owner, and no helper can join") {
  fixture s;
  CHECK_FALSE(s.shared->opened());
  REQUIRE(s.shared->claim());
  s.shared->close();
  CHECK(s.shared->opened());
  std::int64_t chunks = 0;
  ticks until = 0;
  CHECK_FALSE(s.shared->join(1, false, chunks, until));
  CHECK(s.shared->join(0, true, chunks, until));
  CHECK(s.counts.ended == 0);
}

TEST_CASE("a shared task destroyed before it ran can no longer be started") {
  fixture s;
  s.t->shared = s.shared;
  s.t = nullptr;
  CHECK(s.out->failed());
  CHECK_FALSE(s.shared->try_claim());
}

TEST_CASE("a task with no chunks is settled by its owner") {
  fixture s;
  s.counts.chunks = 0;
  CHECK(s.run_by(2) == 1);
  CHECK(s.out->ready());
}

TEST_CASE("a task with a failed input is settled without running, with the input's failure") {
  fixture s;
  const auto broken = make_value(0, 5);
  const auto why = std::make_shared<failure>();
  broken->fail(why);
  testing::read(*s.t, broken);
  CHECK(s.run_by(2, 0) == 1);
  REQUIRE(s.out->failed());
  CHECK(s.out->why() == why);
  CHECK_FALSE(s.t->origin);
}

TEST_CASE("a thread that sees an output ready may take over its memory, if it is the only reader") {
  const auto device = make_cpu_drivers({1, 1, std::size_t{1} << 30})[0];
  const kernel nothing{.run = [](const kernel_args&, std::int64_t, std::int64_t) {}};
  for (int round = 0; round < 2'000; ++round) {
    const auto out = value_ref(new value(float64, cpu(), shape{100}));
    task t(testing::simulated_operation, cpu(), std::source_location::current());
    t.kernel = &nothing;
    t.add_output(out);
    std::atomic<bool> running = false;
    std::thread other([&] {
      running = true;
      execution(t, *device).run();
    });
    while (!running) std::this_thread::yield();
    while (out->pending()) {}
    const bool alone = out->unique();
    other.join();
    REQUIRE(alone);
  }
}

TEST_CASE("a task that lacked memory for an output still has all its inputs at the next attempt") {
  static constexpr operation in_place{
      .name = "in place", .doc = "", .in_place = operation::any_input};
  const auto device = make_cpu_drivers({1, 1, std::size_t{1} << 30})[0];
  const auto way = device->open_stream();
  task t(in_place, cpu(), std::source_location::current());
  auto& in = t.inputs.emplace_back();
  in.source = value_ref(new value(float64, cpu(), shape{100}));
  in.element = float64;
  in.source->allocate(device->memory());
  static_cast<double*>(in.source->data())[99] = 42;
  in.source->succeed();
  t.add_output(value_ref(new value(float64, cpu(), shape{100})));
  t.add_output(value_ref(new value(float64, cpu(), shape{std::int64_t{1} << 45})));
  binding bound;
  const kernel nothing;
  t.kernel = &nothing;
  CHECK_FALSE(bound.take(t, *device, *way, nullptr, false));
  REQUIRE(t.outputs.size() == 2);
  REQUIRE(in.source->data());
  CHECK(static_cast<double*>(in.source->data())[99] == 42);
  CHECK_FALSE(bound.take(t, *device, *way, nullptr, true));
  CHECK(t.outputs.empty());
}
