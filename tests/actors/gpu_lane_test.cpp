// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <thread>

#include "troupe/actors/actor_engine.hpp"
#include "troupe/devices/cpu/cpu_driver.hpp"
#include "troupe/tasks/gpu_execution.hpp"
#include "troupe/tasks/synchronous_engine.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/waiting.hpp"
#include "troupe/tests/actors/random_program.hpp"
#include "troupe/tests/memory_sizes.hpp"

using namespace troupe;
using namespace troupe::testing;
using Catch::Contains;

namespace {

/// Engine with CPU devices and fake GPUs.
struct machine {
  explicit machine(int gpus = 1, int lanes = 2, std::size_t memory_limit = 1024 * mebibyte,
                   std::size_t capacity = 1024 * mebibyte) {
    auto all = make_cpu_drivers({1, lanes, memory_limit});
    for (int i = 0; i < gpus; ++i) {
      fakes.push_back(std::make_shared<fake_gpu>(i, capacity));
      all.push_back(fakes.back());
    }
    engine = std::make_unique<actor_engine>(std::move(all), memory_limit, 8192, 1024);
  }
  std::vector<std::shared_ptr<fake_gpu>> fakes;
  std::unique_ptr<actor_engine> engine;
};

const how on_gpu{.device = gpu(0)};

/// Returns the results of a random program on the synchronous engine, with as many devices.
std::vector<outcome> expected_of(unsigned seed, int gpus) {
  auto all = make_cpu_drivers({1, 1, 1024 * mebibyte});
  for (int i = 0; i < gpus; ++i) all.push_back(std::make_shared<fake_gpu>(i));
  synchronous_engine oracle(std::move(all));
  return run_random_program(oracle, seed);
}

}  // namespace

TEST_CASE("a chain on a GPU is put on its stream without waiting for it") {
  machine m;
  auto& e = *m.engine;
  gate g;
  auto x = gated(e, g, {}, {.nanoseconds = 1000, .device = gpu(0)});
  REQUIRE(g.await_inside(1));
  for (int i = 0; i < 100; ++i) x = increment(e, x, 1000);
  // The lane has room for all of it: no task waits for the first to end.
  for (bool all = false; !all;) {
    all = true;
    for (const auto& t : e.tasks()) all = all && t.lane >= 0;
  }
  g.open();
  CHECK(x.item<double>() == 101);
}

TEST_CASE("a GPU has some milliseconds of work behind a long task, though the next one is short") {
  machine m;
  auto& e = *m.engine;
  constexpr float ten_milliseconds = 1e7;
  gate g;
  auto x = gated(e, g, {}, {.nanoseconds = ten_milliseconds, .device = gpu(0)});
  REQUIRE(g.await_inside(1));
  for (const auto time : {1000.f, ten_milliseconds, 1000.f}) x = increment(e, x, time);
  const auto held = [&] {
    std::vector<std::uint64_t> out;
    for (const auto& t : e.tasks()) {
      if (t.lane < 0) out.push_back(t.sequence);
    }
    return out;
  };
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (held().size() > 1 && std::chrono::steady_clock::now() < deadline)
    std::this_thread::yield();
  CHECK(held() == std::vector<std::uint64_t>{4});
  g.open();
  CHECK(x.item<double>() == 4);
}

TEST_CASE("a loop that runs ahead on a GPU passes its memory on, but what somebody holds") {
  const bool in_place = GENERATE(false, true);
  machine m;
  auto& e = *m.engine;
  static constexpr std::int64_t n = 1 << 16;
  static constexpr std::size_t bytes = n * sizeof(double);
  gate g;
  const auto first = gated(e, g, {}, {.nanoseconds = 1000, .device = gpu(0)});
  REQUIRE(g.await_inside(1));
  const auto next = [&](const tensor& x) {
    if (in_place) return increment(e, x, 1000);
    return call(e, {x}, {n},
                [](const kernel_args& a, auto, auto) {
                  for (std::int64_t i = 0; i < n; ++i)
                    begin(a.outputs[0])[i] = begin(a.inputs[0])[n - 1 - i] + 1;
                },
                {.nanoseconds = 1000});
  };
  auto x = filled(e, {n}, 0, {.nanoseconds = 1000, .device = gpu(0)});
  std::vector<tensor> held;
  for (int i = 1; i <= 200; ++i) {
    x = next(x);
    if (i % 50 == 0) held.push_back(x);
  }
  for (bool all = false; !all;) {
    all = true;
    for (const auto& t : e.tasks()) all = all && t.lane >= 0;
  }
  CHECK(m.fakes[0]->memory()->live() < (held.size() + 5) * bytes);
  g.open();
  for (std::size_t i = 0; i < held.size(); ++i)
    CHECK(held[i].to_vector<double>() == std::vector<double>(n, 50. * static_cast<double>(i + 1)));
}

TEST_CASE("a GPU has the next task on its stream, however long tasks are taken to be") {
  machine m;
  auto& e = *m.engine;
  constexpr double seconds = 1e9;
  gate g;
  auto x = gated(e, g, {}, {.nanoseconds = seconds, .device = gpu(0)});
  REQUIRE(g.await_inside(1));
  x = increment(e, increment(e, x, seconds), seconds);
  for (std::size_t held = 0; held != 1;) {  // the third
    held = 0;
    for (const auto& t : e.tasks()) held += t.lane < 0;
  }
  g.open();
  CHECK(x.item<double>() == 3);
}

TEST_CASE("data goes to a GPU, through it and back") {
  machine m(2);
  auto& e = *m.engine;
  const auto x = filled(e, {1000}, 1);
  const auto y = increment(e, to(x, gpu(0))), z = increment(e, to(y, gpu(1))),
             back = plus(e, to(z, cpu(0)), x);
  CHECK(back.to_vector<double>() == std::vector<double>(1000, 4));
  CHECK(y.to_vector<double>() == std::vector<double>(1000, 2));
}

TEST_CASE("a GPU's memory is returned, and a value too large for it fails alone") {
  machine m(1, 2, 1024 * mebibyte, 4 * mebibyte);
  auto& e = *m.engine;
  {
    const auto large = filled(e, {1 << 20}, 1, on_gpu);  // 8 MiB
    CHECK_THAT(error_of(large), Contains("out of memory: 8.0 MiB cannot be had on gpu:0"));
    CHECK(error_of(increment(e, large)) == error_of(large));
    auto x = filled(e, {1 << 16}, 1, on_gpu);
    for (int i = 0; i < 100; ++i) x = increment(e, x);
    CHECK(x.to_vector<double>()[0] == 101);
  }
  CHECK_NOTHROW(e.wait_all());  // all of it has been read
  CHECK(m.fakes[0]->memory()->live() == 0);
}

TEST_CASE("a task on a GPU that is tried again takes its memory once") {
  static const kernel with_scratch{
      .launch = launch_body,
      .launch_scratch_bytes = [](const kernel_args&, stream&) { return 2 * mebibyte; }};
  fake_gpu fake(0, 4 * mebibyte);  // holds 6 MiB with its gaps
  const auto on = fake.open_stream();
  auto t = make_body(
      {}, [](auto&, auto, auto) {}, on_gpu, caller::current());
  t->kernel = &with_scratch;
  const value_ref out(new value({{1 << 19}, float64, gpu(0)}));  // 4 MiB
  t->add_output(out);
  gpu_execution run(*t);
  {
    const buffer held(fake.memory(), mebibyte);
    const auto before = fake.memory()->live();
    CHECK(run.start(fake, *on, nullptr, false) == gpu_execution::started::no_memory);
    CHECK(fake.memory()->live() == before);
  }
  REQUIRE(run.start(fake, *on, nullptr, true) == gpu_execution::started::on_stream);
  on->record()->wait();
  run.settle();
  CHECK(out->ready());
}

TEST_CASE("a GPU that breaks fails its values, and everything else goes on") {
  machine m(2);
  auto& e = *m.engine;
  const auto good = filled(e, {3}, 1, on_gpu), other = filled(e, {3}, 1, {.device = gpu(1)}),
             host = filled(e, {3}, 1);
  e.wait_all();
  const auto bad = failing(e, "an illegal memory access", {good});
  const auto after = increment(e, bad), beside = increment(e, good), moved = to(beside, cpu(0));
  for (const auto& x : {bad, after, beside, moved})
    CHECK_THAT(error_of(x), Contains("gpu:0 is lost: an illegal memory access"));
  CHECK_THAT(error_of(filled(e, {2}, 1, on_gpu)), Contains("gpu:0 is lost"));
  CHECK(increment(e, other).to_vector<double>() == std::vector<double>(3, 2));
  CHECK(increment(e, host).to_vector<double>() == std::vector<double>(3, 2));
  CHECK_NOTHROW(e.wait_all());  // all of it has been read
}

TEST_CASE("a copy from a GPU begins before the host knows that its input is there") {
  machine m(2);
  auto& e = *m.engine;
  auto& fake = *m.fakes[0]->does;
  const auto place = GENERATE(cpu(0), gpu(1));
  const auto x = filled(e, {1000}, 1, on_gpu);
  e.wait_all();
  holding no_news(fake.news);
  const auto y = increment(e, x), z = to(y, place);
  REQUIRE(fake.await_copies(1));
  CHECK_FALSE(y.ready());
  CHECK_FALSE(z.ready());
  no_news.end();
  CHECK(z.to_vector<double>() == std::vector<double>(1000, 2));
}

TEST_CASE("a copy waits on its stream for the GPU, and ready values are copied meanwhile") {
  machine m;
  auto& e = *m.engine;
  const auto x = filled(e, {100'000}, 1, on_gpu);
  e.wait_all();
  gate g;
  const auto late = gated(e, g, {x}), waiting = to(late, cpu(0));
  REQUIRE(g.await_inside(1));
  CHECK(x.to_vector<double>()[0] == 1);
  CHECK(m.fakes[0]->does->copies_begun == 1);
  CHECK_FALSE(waiting.ready());
  g.open();
  CHECK(waiting.item<double>() == 1);
}

TEST_CASE("copies from one GPU to the host do not wait for those from another") {
  machine m(2);
  auto& e = *m.engine;
  const auto x = filled(e, {1000}, 1, on_gpu), y = filled(e, {1000}, 2, {.device = gpu(1)});
  e.wait_all();
  holding no_copies(m.fakes[0]->does->copies);
  const auto held = to(x, cpu(0));
  REQUIRE(m.fakes[0]->does->await_copies(1));
  const auto free = to(y, cpu(0));
  CHECK(free.wait_for(std::chrono::seconds(30)));
  CHECK_FALSE(held.ready());
  no_copies.end();
  CHECK(held.to_vector<double>() == std::vector<double>(1000, 1));
  CHECK(free.to_vector<double>() == std::vector<double>(1000, 2));
}

TEST_CASE("copies by a GPU are put on its stream without waiting for those before") {
  machine m;
  auto& e = *m.engine;
  auto& fake = *m.fakes[0]->does;
  gate g;
  const auto x = gated(e, g);
  std::vector<tensor> copies;
  for (int i = 0; i < 3; ++i) copies.push_back(to(x, gpu(0)));
  REQUIRE(g.await_inside(1));
  holding no_copies(fake.copies);
  g.open();
  CHECK(fake.await(fake.copies_put, 3));
  CHECK(fake.copies_begun <= 1);
  no_copies.end();
  for (const auto& one : copies) CHECK(to(one, cpu(0)).item<double>() == 1);
}

TEST_CASE("results of a GPU can be copied to several places before it has computed them") {
  machine m(2);
  auto& e = *m.engine;
  gate g;
  const auto x = gated(e, g, {}, {.nanoseconds = 1000, .device = gpu(0)}), y = increment(e, x);
  std::vector<tensor> copies;
  for (int i = 0; i < 10; ++i) {
    for (const auto place : {cpu(0), gpu(1)}) {
      for (const auto& one : {x, y}) copies.push_back(to(one, place));
    }
  }
  REQUIRE(g.await_inside(1));
  g.open();
  for (std::size_t i = 0; i < copies.size(); ++i)
    CHECK(copies[i].item<double>() == (i % 2 ? 2 : 1));
}

TEST_CASE(
    "a value that fails on the GPU while it is copied fails the copy, and keeps its memory until "
    "then") {
  machine m;
  auto& e = *m.engine;
  auto& fake = *m.fakes[0];
  const auto x = filled(e, {1}, 1, on_gpu);
  e.wait_all();
  tensor z;
  std::string error;
  holding no_copies(fake.does->copies);
  {
    holding no_news(fake.does->news);
    const auto bad = at_fault(e, "a bad index", {x}, {1 << 20});
    z = to(bad, cpu(0));
    REQUIRE(fake.does->await_copies(1));
    no_news.end();
    error = error_of(bad);
  }
  CHECK_THAT(error, Contains("fault: a bad index"));
  fake.memory()->trim();
  CHECK(fake.memory()->live() >= 8 * mebibyte);
  CHECK_FALSE(z.ready());
  no_copies.end();
  CHECK(error_of(z) == error);
  CHECK_NOTHROW(e.wait_all());  // all of it has been read
  CHECK(fake.memory()->live() < mebibyte);
}

TEST_CASE("a GPU that breaks while its values are copied fails the copies as well as the values") {
  const auto place = GENERATE(cpu(0), gpu(1));
  machine m(2);
  auto& e = *m.engine;
  gate g;
  const auto bad = call(e, {}, {},
                        [way = g.through()](auto&, auto, auto) {
                          way.pass();
                          throw std::runtime_error("fell off the bus");
                        },
                        {.nanoseconds = 1000, .device = gpu(0)});
  const auto y = increment(e, bad), z = to(y, place);
  REQUIRE(g.await_inside(1));
  g.open();
  CHECK_THAT(error_of(z), Contains("gpu:0 is lost: fell off the bus"));
  CHECK(error_of(z) == error_of(y));
  CHECK_THAT(error_of(filled(e, {2}, 1, on_gpu)), Contains("gpu:0 is lost"));
  CHECK(filled(e, {2}, 1, {.device = gpu(1)}).to_vector<double>()[0] == 1);
  CHECK_THROWS(e.wait_all());
}

TEST_CASE("tasks not yet on a GPU's stream can be cancelled") {
  machine m;
  auto& e = *m.engine;
  gate g;
  const auto first = gated(e, g, {}, {.nanoseconds = 1e9f, .device = gpu(0)});
  REQUIRE(g.await_inside(1));
  auto x = first;
  for (int i = 0; i < 10; ++i)
    x = call(e, {x}, {}, [](auto&, auto, auto) {}, {.nanoseconds = 1e9f});
  e.cancel_all();
  CHECK_THAT(error_of(x), Contains("cancelled"));
  g.open();
  CHECK(first.item<double>() == 1);
}

TEST_CASE("a single value that is not yet on a GPU's stream can be cancelled") {
  machine m;
  auto& e = *m.engine;
  gate g;
  const auto first = gated(e, g, {}, {.nanoseconds = 1e9f, .device = gpu(0)});
  REQUIRE(g.await_inside(1));
  const auto second = increment(e, first, 1e9f);  // on the stream already
  std::atomic<int> ran = 0;
  const auto counting = [&](const tensor& in) {
    return call(e, {in}, {}, [&](auto&, auto, auto) { ++ran; }, {.nanoseconds = 1e9f});
  };
  const auto x = counting(to(counting(to(counting(second), cpu(0))), gpu(0)));
  cancel(x);
  CHECK_THAT(error_of(x), Contains("cancelled"));
  while (e.tasks().size() > 2) {}  // those before it are cancelled, too
  g.open();
  CHECK(first.item<double>() == 1);
  CHECK_NOTHROW(e.wait_all());
  CHECK(ran == 0);
}

TEST_CASE("a GPU's value with a deadline is ready when the GPU has computed it, not before") {
  machine m;
  auto& e = *m.engine;
  gate g;
  const auto x = gated(e, g, {}, {.nanoseconds = 1000, .device = gpu(0)});
  REQUIRE(g.await_inside(1));
  const auto timed = x.within(std::chrono::hours(1)), copied = to(timed, cpu(0)),
             missed = x.within(std::chrono::milliseconds(1));
  CHECK_THAT(error_of(missed), Contains("within: not computed after 1 ms"));
  CHECK_FALSE(timed.ready());
  CHECK_FALSE(copied.ready());
  g.open();
  CHECK(copied.item<double>() == 1);
  CHECK(timed.item<double>() == 1);
  CHECK(increment(e, timed).item<double>() == 2);
}

TEST_CASE("an engine that ends with work on a GPU finishes the work") {
  tensor x;
  {
    machine m;
    x = filled(*m.engine, {10}, 1, on_gpu);
    for (int i = 0; i < 1000; ++i) x = increment(*m.engine, x);
  }
  CHECK(x.ready());
}

TEST_CASE("the trace shows tasks on a GPU in order, without overlap") {
  machine m;
  auto& e = *m.engine;
  auto x = filled(e, {10}, 1, on_gpu);
  for (int i = 0; i < 20; ++i) x = increment(e, x);
  x.wait();
  e.wait_all();
  ticks before = 0;
  int count = 0;
  for (const auto& one : e.trace(0).events) {
    if (one.device != gpu(0)) continue;
    CHECK(one.started >= before);
    CHECK(one.ended >= one.started);
    before = one.ended;
    ++count;
  }
  CHECK(count == 21);
}

TEST_CASE("random programs on CPUs and GPUs are bit-equal to the synchronous engine") {
  const int gpus = GENERATE(1, 2), lanes = GENERATE(1, 2, 8);
  for (unsigned seed = 1; seed <= 60; ++seed) {
    INFO("gpus " << gpus << ", lanes " << lanes << ", seed " << seed);
    const auto expected = expected_of(seed, gpus);
    machine m(gpus, lanes);
    REQUIRE(run_random_program(*m.engine, seed) == expected);
  }
}

TEST_CASE("cancelled random programs on GPUs end, and the results of tasks that ran are right") {
  const int gpus = GENERATE(1, 2);
  std::size_t cancelled = 0;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    INFO("gpus " << gpus << ", seed " << seed);
    const auto expected = expected_of(seed, gpus);
    machine m(gpus);
    std::vector<outcome> got;
    std::atomic<bool> ended = false;
    std::thread program([&] {
      got = run_random_program(*m.engine, seed);
      ended = true;
    });
    do {
      for (unsigned n = 0; n < 50 * (seed % 7); ++n) std::this_thread::yield();
      m.engine->cancel_all();
    } while (seed % 2 == 0 && !ended);
    program.join();
    // The last outcome may be the error of wait_all: the first failure among those that occurred.
    for (std::size_t i = 0; i + 1 < std::min(got.size(), expected.size()); ++i) {
      if (got[i] == expected[i]) continue;
      REQUIRE_THAT(got[i].error, Contains("cancelled"));
      ++cancelled;
    }
  }
  CHECK(cancelled > 0);
}
