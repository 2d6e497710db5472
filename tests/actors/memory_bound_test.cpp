// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <atomic>

#include "troupe/actors/runtime.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tests/actors/test_operations.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int operations = 100'000;
#else
constexpr int operations = 1'000'000;
#endif
constexpr std::size_t mebibyte = std::size_t{1} << 20;

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
  // For each lane one waiting result and one being computed, plus those of the consumers at work.
  CHECK(rt.memory().peak <= static_cast<std::size_t>(2 * lanes + 2) * mebibyte);
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
  runtime rt({.lanes = GENERATE(1, 2), .cpu_devices = 2, .memory_limit = 8 * mebibyte});
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
  CHECK(rt.memory(cpu(1)).peak <= 8 * mebibyte);
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
