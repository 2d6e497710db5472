// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <semaphore>
#include <thread>

#include "troupe/actors/runtime.hpp"
#include "troupe/tasks/priority.hpp"
#include "troupe/tensor/ops/call.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/from_buffer.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/random.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tests/actors/test_operations.hpp"
#include "troupe/tests/effort.hpp"
#include "troupe/tests/memory_sizes.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

constexpr int operations = sanitized ? 100'000 : 1'000'000;

/// Counter of living tasks, kept in their attributes.
struct living {
  std::atomic<int>* count;
  explicit living(std::atomic<int>& c) : count(&c) { ++c; }
  living(living&& other) noexcept : count(std::exchange(other.count, nullptr)) {}
  living(const living& other) : count(other.count) { ++*count; }
  ~living() {
    if (count) --*count;
  }
};

tensor total(engine& e, const tensor& x, float nanoseconds) {
  return call(e, {x}, {},
              [](const kernel_args& a, auto, auto) {
                double sum = 0;
                for (auto v : std::span(begin(a.inputs[0]), end(a.inputs[0]))) sum += v;
                *begin(a.outputs[0]) = sum;
              },
              {.nanoseconds = nanoseconds});
}

}  // namespace

TEST_CASE("a million operations without a sync point take bounded memory for tensors and tasks") {
  runtime rt({.lanes = 2, .cpu_devices = 1, .max_pending = 1'024, .trace_events = 100'000});
  auto& e = rt.engine();
  std::atomic<int> alive = 0, most = 0;
  const auto one = filled(e, {64}, 1);
  tensor x = filled(e, {64}, 0);
  for (int i = 0; i < operations; ++i) {
    x = call(e, {x, one}, {64}, [counted = living(alive)](const kernel_args& a, auto, auto) {
      for (int k = 0; k < 64; ++k)
        begin(a.outputs[0])[k] = begin(a.inputs[0])[k] + begin(a.inputs[1])[k];
    });
    most = std::max(most.load(), alive.load());
  }
  CHECK(x.to_vector<double>() == std::vector<double>(64, operations));
  CHECK(most <= 2 * 1'024);
  CHECK(rt.memory().peak <= 2 * 1'024 * 512);
  std::uint64_t pending = 0;
  for (const auto& sample : rt.trace().counters) pending = std::max(pending, sample.pending_tasks);
  CHECK(pending > 0);
  CHECK(pending <= 1'024);
  rt.wait_all();
  CHECK(rt.memory().live == 2 * 512);
}

TEST_CASE("a producer that could run far ahead keeps to the memory limit") {
  const std::int64_t elements =
      GENERATE(1 << 17, (1 << 17) + 1, 150'000);  // the pool rounds sizes up
  INFO(elements << " elements");
  runtime rt({.lanes = GENERATE(1, 2, 4), .cpu_devices = 1, .memory_limit = 16 * mebibyte});
  auto& e = rt.engine();
  std::vector<tensor> totals;
  for (int i = 0; i < 200; ++i) totals.push_back(total(e, filled(e, {elements}, i), 200'000));
  for (int i = 0; i < 200; ++i)
    REQUIRE(totals[static_cast<std::size_t>(i)].item<double>() ==
            static_cast<double>(i * elements));
  CHECK(rt.memory().peak <= 16 * mebibyte);
}

TEST_CASE("a device is not idle where its results only wait for another device") {
  std::counting_semaphore<4> computed(0);
  runtime rt({.lanes = 1, .cpu_devices = 2});
  auto& e = rt.engine();
  gate other;
  const auto body = [way = other.through()](const inputs&, outputs& into) {
    way.pass();
    std::ranges::fill(into[0].span<double>(), 2.);
  };
  const tensor waited_for = call("other", {}, {float64, {1024}}, body, {.device = cpu(1)});
  REQUIRE(other.await_inside(1));
  const tensor there = to(waited_for, cpu());
  const tensor much = ones({1024, 64}, float64);
  much.wait();
  std::vector<tensor> sums;
  for (int i = 0; i < 4; ++i)
    sums.push_back(call(e, {much}, {1024},
                        [&](const kernel_args& a, auto, auto) {
                          std::fill_n(begin(a.outputs[0]), 1024, 1);
                          computed.release();
                        }) +
                   there);
  for (int i = 0; i < 4; ++i) CHECK(computed.try_acquire_for(std::chrono::seconds(30)));
  other.open();
  for (const auto& s : sums) CHECK(s.to_vector<double>() == std::vector<double>(1024, 3));
}

TEST_CASE("what a thread waits for is computed, though nothing else can use it yet") {
  runtime rt({.lanes = 2, .cpu_devices = 1});
  auto& e = rt.engine();
  gate g;
  const tensor hangs = gated(e, g);
  REQUIRE(g.await_inside(1));
  std::vector<tensor> parts, sums;
  for (int i = 0; i < 6; ++i) {
    parts.push_back(call(e, {}, {1024}, [i](const kernel_args& a, auto, auto) {
      std::fill_n(begin(a.outputs[0]), 1024, i);
    }));
    sums.push_back(parts.back() + hangs);
  }
  CHECK(parts[5].wait_for(std::chrono::seconds(30)));  // beyond what may be computed ahead
  CHECK(parts[5].ready());
  g.open();
  for (int i = 0; i < 6; ++i)
    CHECK(sums[static_cast<std::size_t>(i)].to_vector<double>() ==
          std::vector<double>(1024, i + 1));
}

TEST_CASE("a producer keeps to the pace of a slower consumer, far below the memory limit") {
  const int lanes = GENERATE(1, 2, 4);
  constexpr std::int64_t elements = 1 << 17;
  runtime rt({.lanes = lanes, .cpu_devices = 1});
  auto& e = rt.engine();
  gate all_submitted, g;  // all producers and consumers are known before anything is produced
  const tensor start = gated(e, all_submitted);
  tensor state = gated(e, g);
  for (int i = 0; i < 100; ++i) {
    const auto part = call(e, {start}, {elements}, [i](const kernel_args& a, auto, auto) {
      std::fill_n(begin(a.outputs[0]), elements, i);
    });
    state = call(e, {part, state}, {}, [](const kernel_args& a, auto, auto) {
      *begin(a.outputs[0]) = begin(a.inputs[0])[elements - 1] + *begin(a.inputs[1]);
    });
  }
  all_submitted.open();
  REQUIRE(g.await_inside(1));
  filled(e, {}, 0).wait_for(std::chrono::milliseconds(50));
  g.open();
  state.wait();
  // For each lane one waiting result and one being computed, plus those of the consumers at work
  // and next: a few, since control may hear late, on a busy machine, that one has ended.
  CHECK(rt.memory().peak <= static_cast<std::size_t>(2 * lanes + 3) * mebibyte);
  CHECK(rt.memory().peak >= mebibyte);
}

TEST_CASE("a waiting task does not delay work that does not need it, whatever memory that takes") {
  runtime rt({.lanes = GENERATE(2, 4), .cpu_devices = 1});
  auto& e = rt.engine();
  gate g;
  const auto slow = gated(e, g);
  const auto waits = increment(e, slow);
  const std::int64_t n = 1 << 17;
  std::vector<tensor> kept{
      filled(e, {n}, 0)};  // as a training step keeps values for the backward pass
  for (int i = 0; i < 20; ++i) kept.push_back(increment(e, kept.back()));
  tensor back = kept.back();
  for (int i = 19; i >= 0; --i) back = plus(e, back, kept[static_cast<std::size_t>(i)]);
  std::vector<tensor> parts;  // none of which can be used before all are ready
  for (int i = 0; i < 20; ++i) parts.push_back(filled(e, {n}, i));
  const auto whole = call(e, parts, {}, [](const kernel_args& a, auto, auto) {
    double sum = 0;
    for (const auto& part : a.inputs) sum += begin(part)[n - 1];
    *begin(a.outputs[0]) = sum;
  });
  CHECK(back.wait_for(std::chrono::seconds(30)));
  CHECK(whole.wait_for(std::chrono::seconds(30)));
  CHECK(waits.source()->pending());
  g.open();
  CHECK(back.to_vector<double>()[5] == 210);
  CHECK(whole.item<double>() == 190);
}

TEST_CASE("a producer whose results are copied to another device keeps to both devices' limits") {
  const int lanes = GENERATE(1, 2);
  runtime rt({.lanes = lanes, .cpu_devices = 2, .memory_limit = 8 * mebibyte});
  auto& e = rt.engine();
  std::vector<tensor> totals;
  gate g;
  const auto wait = gated(e, g, {}, {.nanoseconds = 1e6, .device = cpu(1)});
  for (int i = 0; i < 100; ++i)
    totals.push_back(call(
        e, {to(filled(e, {1 << 17}, i), cpu(1)), wait}, {},
        [](const kernel_args& a, auto, auto) { *begin(a.outputs[0]) = begin(a.inputs[0])[99]; }));
  REQUIRE(g.await_inside(1));
  filled(e, {}, 0).wait_for(std::chrono::milliseconds(100));
  g.open();
  for (int i = 0; i < 100; ++i) REQUIRE(totals[static_cast<std::size_t>(i)].item<double>() == i);
  CHECK(rt.memory(cpu(0)).peak <= 8 * mebibyte);
  // With two lanes, later results may be there first: then the one whose turn it is goes beyond.
  CHECK(rt.memory(cpu(1)).peak <= static_cast<std::size_t>(lanes > 1 ? 9 : 8) * mebibyte);
}

TEST_CASE("chains over another device and back keep to a limit that is a few of their arrays") {
  constexpr std::size_t limit = std::size_t{12} << 20;
  runtime rt({.lanes = 2, .cpu_devices = 2, .memory_limit = limit, .strict_memory = true});
  tensor state = zeros({256, 256});
  for (int step = 0; step < 200; ++step) {  // 14 arrays of 256 KiB are live at a time
    const auto input = uniform({256, 256});
    tensor y = input * (state * 0.0 + 1);
    std::vector<tensor> kept;
    for (int k = 0; k < 10; ++k) {
      y = tanh(matmul(y, input) * 0.01);
      kept.push_back(y);
      if (k == 4) y = (to(y, cpu(1)) * 1.01).to(cpu(0));
    }
    state = kept[0];
    for (const auto& one : kept) state = state + one;
  }
  CHECK_NOTHROW(state.wait());
  CHECK(rt.memory().peak <= limit);
}

TEST_CASE("a task that takes more than the limit runs nevertheless") {
  runtime rt({.lanes = 2, .cpu_devices = 2, .memory_limit = mebibyte});
  auto& e = rt.engine();
  const auto x = filled(e, {1 << 19}, 2);
  const auto y = plus(e, x, x), z = to(y, cpu(1));
  CHECK(z.to_vector<double>()[12] == 4);
}

TEST_CASE("values held by the user do not stop work at the limit") {
  runtime rt({.lanes = 4, .cpu_devices = 1, .memory_limit = mebibyte});
  auto& e = rt.engine();
  std::vector<tensor> held;
  for (int i = 0; i < 64; ++i) held.push_back(filled(e, {1 << 15}, i));
  const auto sum = plus(e, held[3], held[60]);
  CHECK(sum.to_vector<double>()[5] == 63);
}

TEST_CASE("tasks with tiny or no outputs are not delayed by the limit") {
  runtime rt({.lanes = 2, .cpu_devices = 1, .memory_limit = mebibyte});
  auto& e = rt.engine();
  const auto full = filled(e, {1 << 17}, 0);
  full.wait();
  gate g;
  const auto running = gated(e, g);
  CHECK(filled(e, {2}, 5).wait_for(std::chrono::seconds(30)));
  CHECK(filled(e, {0}, 5).wait_for(std::chrono::seconds(30)));
}

TEST_CASE("no memory is live once everything is released") {
  runtime rt({.lanes = 4, .cpu_devices = 2});
  auto& e = rt.engine();
  for (int i = 0; i < 300; ++i) {
    const auto x = filled(e, {1'000}, i);
    const auto y = to(plus(e, x, x, {.nanoseconds = 60'000, .chunks = -1}), cpu(1));
    if (i % 3 == 0) failing(e, "on purpose", {y});
  }
  CHECK_THROWS_AS(rt.wait_all(), task_error);
  CHECK(rt.memory(cpu(0)).live == 0);
  CHECK(rt.memory(cpu(1)).live == 0);
}

TEST_CASE("data of the program keep to the memory limit without a sync point") {
  constexpr std::int64_t elements = 1 << 19;  // 4 MiB
  const bool copied = GENERATE(true, false);
  runtime rt({.lanes = GENERATE(1, 2), .cpu_devices = 1, .memory_limit = 64 * mebibyte});
  auto& e = rt.engine();
  std::vector<tensor> totals;
  gate g;
  const auto slow = gated(e, g);
  for (int i = 0; i < 100; ++i) {
    std::vector<double> batch(elements, i);
    const auto x =
        copied ? from_data(batch, {elements}) : from_buffer(std::move(batch), {elements});
    totals.push_back(total(e, plus(e, x, x), 200'000));
    if (i == 3) g.open();
  }
  for (int i = 0; i < 100; ++i)
    REQUIRE(totals[static_cast<std::size_t>(i)].item<double>() ==
            static_cast<double>(2 * i * elements));
  CHECK(rt.memory().peak <= 64 * mebibyte);
  rt.wait_all();
  totals.clear();
  CHECK(rt.memory().live == 0);
}

TEST_CASE("a program may hold more data than the limit") {
  runtime rt({.lanes = 2, .cpu_devices = 1, .memory_limit = mebibyte});
  auto& e = rt.engine();
  std::vector<tensor> held;
  const std::vector<double> batch(1 << 15, 1);
  for (int i = 0; i < 20; ++i) {
    held.push_back(from_data(batch));
    held.push_back(plus(e, held.back(), held.back()));
  }
  CHECK(held.back().to_vector<double>()[7] == 2);
}

TEST_CASE("an operation that makes a tensor of data does not wait for memory") {
  runtime rt({.lanes = 1, .cpu_devices = 1, .memory_limit = mebibyte});
  auto& e = rt.engine();
  const auto held = from_data(std::vector<double>(1 << 17, 1));
  const auto made = call(e, {}, {}, [](const kernel_args& a, auto, auto) {
    const auto inner = from_data(std::vector<double>(1 << 16, 3));
    *begin(a.outputs[0]) = static_cast<double>(inner.shape().size());
  });
  CHECK(made.item<double>() == 1 << 16);
}

TEST_CASE("a task without memory is computed while other threads keep the lanes busy") {
  runtime rt({.lanes = 2, .cpu_devices = 1, .memory_limit = 64 * mebibyte});
  auto& e = rt.engine();
  const auto held = filled(e, {60 << 17}, 1);
  held.wait();
  std::atomic<bool> over = false;
  std::jthread other([&] {
    while (!over) {
      const auto a = total(e, held, 0), b = total(e, held, 0), c = total(e, held, 0);
      a.wait();
    }
  });
  const auto starved = filled(e, {8 << 17}, 2);
  CHECK(starved.wait_for(std::chrono::seconds(60)));
  over = true;
}

TEST_CASE("memory that the program gives away is read where it lies, counted and given back once") {
  std::atomic<int> given_back = 0;
  std::vector<double> mine(1 << 17, 2);
  {
    runtime rt({.lanes = 2, .cpu_devices = 1});
    auto& e = rt.engine();
    auto x = from_buffer(mine.data(), {1 << 17}, [&](double*) { ++given_back; });
    CHECK(x.source()->data() == mine.data());
    CHECK(rt.memory().live == mebibyte);
    x = increment(e, x);  // not in place
    CHECK(x.to_vector<double>()[5] == 3);
    CHECK(mine[5] == 2);
    rt.wait_all();
    CHECK(given_back == 1);
    CHECK(rt.memory().live == mebibyte);
    x = from_buffer(mine.data(), {1 << 17}, [&](double*) { ++given_back; });
  }
  CHECK(given_back == 2);
}

TEST_CASE("under a strict limit, values and data that do not fit fail in one line") {
  runtime rt({.lanes = 2, .cpu_devices = 1, .memory_limit = 4 * mebibyte, .strict_memory = true});
  auto& e = rt.engine();
  const auto small = filled(e, {1 << 17}, 1);
  const auto large = filled(e, {1 << 20}, 1);
  const auto after = plus(e, small, small);
  CHECK_THAT(error_of(large),
             Catch::Contains("body: out of memory: 8.0 MiB do not fit under the memory limit of "
                             "4.0 MiB, of which "));
  CHECK(error_of(large).find('\n') == std::string::npos);
  CHECK(error_of(plus(e, large, large)) == error_of(large));
  CHECK(after.to_vector<double>()[3] == 2);
  rt.wait_all();
  CHECK_THROWS_WITH(from_data(std::vector<double>(1 << 19)),
                    Catch::Contains("from_data: out of memory: 4.0 MiB do not fit under the memory "
                                    "limit of 4.0 MiB, of which 2.0 MiB are in use (memory_bound"));
  CHECK(from_data(std::vector<double>(1 << 17, 4)).to_vector<double>()[1] == 4);
}

TEST_CASE("under a strict limit, what is written over its input needs no memory") {
  runtime rt({.lanes = 2, .cpu_devices = 1, .memory_limit = 6 * mebibyte, .strict_memory = true});
  auto x = ones({1 << 20});
  x.wait();
  for (int i = 0; i < 20; ++i) x += 1;
  for (int i = 0; i < 20; ++i) x = x + 1;
  for (int i = 0; i < 20; ++i) {
    x = x * 1;
    x.wait();
  }
  CHECK(x.to_vector<float>()[7] == 41);
  CHECK(rt.memory().peak <= 6 * mebibyte);
  const auto held = x;
  CHECK_THAT(error_of(x + 1), Catch::Contains("out of memory: 4.0 MiB do not fit"));
}

TEST_CASE("a strict limit that the program fills by itself leaves no task waiting") {
  runtime rt({.lanes = GENERATE(1, 2, 8),
              .cpu_devices = 1,
              .memory_limit = 4 * mebibyte,
              .strict_memory = true});
  auto& e = rt.engine();
  const auto held = filled(e, {3 << 17}, 1);
  held.wait();
  gate g;
  const auto before = gated(e, g);
  REQUIRE(g.await_inside(1));
  const auto low = filled(e, {2 << 17}, 1);
  std::vector<tensor> high;
  {
    const with_priority above(1);
    for (int i = 0; i < 100; ++i) high.push_back(filled(e, {2 << 17}, 1));
  }
  g.open();
  for (const auto& one : high) {
    try {
      one.wait_for(std::chrono::seconds(30));
    } catch (const task_error&) {}
    if (!one.failed()) rt.cancel_all();
    REQUIRE_THAT(error_of(one),
                 Catch::Contains("2.0 MiB do not fit under the memory limit of 4.0 MiB"));
  }
  CHECK_THAT(error_of(low), Catch::Contains("do not fit"));
}

TEST_CASE("the scratch memory of a product counts under a strict limit") {
  runtime rt({.lanes = 2, .cpu_devices = 1, .memory_limit = 13 * mebibyte, .strict_memory = true});
  const auto a = from_data(std::vector<double>(1 << 18, 1), {512, 512});  // 2 MiB
  const auto b = from_data(std::vector<double>(1 << 20, 1), {1024, 1024})[range{.step = 2}](
      every, range{.step = 2});
  CHECK_THAT(error_of(matmul(a, b)), Catch::Contains("out of memory"));
  CHECK(matmul(a, a).to_vector<double>()[0] == 512);
}
