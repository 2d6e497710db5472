// SPDX-License-Identifier: MIT
#include "troupe/actors/joint_runs.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "troupe/devices/cpu/cpu_driver.hpp"
#include "troupe/tests/actors/simulated_task.hpp"

using namespace troupe;
using testing::make_value;

namespace {

constexpr std::int64_t pieces = 8;

/// Counts of a kernel whose first chunk takes until another thread has run one, if it is to.
struct joint_script {
  std::atomic<int> runs[pieces] = {};
  std::atomic<int> all = 0;
  bool waits = false;
};

struct told {
  joint_script* by;
};

void run_pieces(const kernel_args& args, std::int64_t first, std::int64_t last) {
  auto& s = *static_cast<const told*>(args.attributes)->by;
  for (auto i = first; i < last; ++i) {
    ++s.runs[i];
    ++s.all;
    if (s.waits && i == 0) {
      while (s.all < 2) std::this_thread::yield();
    }
  }
  if (first == 0) args.outputs[0].as<std::int64_t>()[0] = 42;
}

constexpr kernel in_pieces{.run = run_pieces, .chunks = [](const kernel_args&) { return pieces; }};
constexpr kernel in_one_piece{.run = run_pieces};

struct shared_work {
  std::shared_ptr<driver> device = make_cpu_drivers({1, 2, std::size_t{1} << 30})[0];
  joint_script counts;
  value_ref out = make_value(0, 1);
  joint_runs runs;
  task_event event;

  task_ptr make(float estimate, const kernel& of = in_pieces) {
    task_ptr t(new task(testing::simulated_operation, cpu(), std::source_location::current()));
    t->attributes = told{&counts};
    t->kernel = &of;
    t->estimate = estimate;
    out = make_value(0, 1);
    t->add_output(out);
    return t;
  }
  bool run(task& t) {
    event = {};
    event.started = now();
    return runs.run(t, *device, event);
  }
};

}  // namespace

TEST_CASE("a thread that looks for work joins what another one computes") {
  for (int round = 0; round < 100; ++round) {
    shared_work f;
    f.counts.waits = true;
    const auto t = f.make(20'000);
    std::optional<task_event> joined;
    std::thread other([&] {
      while (!joined) {
        if (f.runs.any(*f.device)) joined = f.runs.join(*f.device);
      }
    });
    REQUIRE(f.run(*t));
    REQUIRE(f.out->ready());
    other.join();
    for (const auto& times : f.counts.runs) REQUIRE(times == 1);
    REQUIRE(f.event.share + joined->share == 1);
    REQUIRE(joined->share > 0);
    REQUIRE(joined->sequence == t->sequence);
    REQUIRE_FALSE(f.runs.any(*f.device));
  }
}

TEST_CASE("threads that compute at the same time share one run, and the others' are whole") {
  shared_work f;
  std::vector<std::thread> all;
  std::atomic<int> computing = 3;
  std::atomic<int> wrong = 0;
  for (int i = 0; i < 3; ++i) {
    all.emplace_back([&] {
      for (int round = 0; round < 300; ++round) {
        joint_script counts;
        const auto out = make_value(0, 1);
        task t(testing::simulated_operation, cpu(), std::source_location::current());
        t.attributes = told{&counts};
        t.kernel = &in_pieces;
        t.estimate = 20'000;
        t.add_output(out);
        task_event event;
        wrong += !f.runs.run(t, *f.device, event) || !out->ready() || counts.all != pieces;
      }
      --computing;
    });
  }
  while (computing > 0) f.runs.join(*f.device);
  for (auto& one : all) one.join();
  CHECK(wrong == 0);
}

TEST_CASE("what is short, of one piece, or on a device with one lane is not shared") {
  shared_work f;
  CHECK_FALSE(f.run(*f.make(2'000)));
  CHECK_FALSE(f.run(*f.make(20'000, in_one_piece)));
  CHECK(f.run(*f.make(20'000)));
  CHECK(f.event.share == 1);
  f.device = make_cpu_drivers({1, 1, std::size_t{1} << 30})[0];
  CHECK_FALSE(f.run(*f.make(20'000)));
}

TEST_CASE("nobody joins on a thread of another device") {
  shared_work f;
  f.counts.waits = true;
  const auto others = make_cpu_drivers({1, 2, std::size_t{1} << 30})[0];
  const auto t = f.make(20'000);
  std::thread own([&] {
    while (!f.runs.any(*f.device)) std::this_thread::yield();
    CHECK_FALSE(f.runs.any(*others));
    CHECK_FALSE(f.runs.join(*others));
    CHECK(f.runs.join(*f.device));
  });
  CHECK(f.run(*t));
  own.join();
}

TEST_CASE("a thread is woken for runs that follow each other, less often if it does not come") {
  shared_work f;
  const auto runs_until_woken = [&] {
    int count = 0;
    while (count < 2'000 && !f.runs.wants_thread()) {
      f.run(*f.make(20'000));
      ++count;
    }
    return count;
  };
  const int first = runs_until_woken();
  CHECK(first < 100);  // one that takes long, since the thread had to wait, begins anew
  runs_until_woken();
  CHECK(runs_until_woken() > first);

  // One is woken at once again when others have just begun to be let in.
  for (int i = 0; i < 3; ++i) runs_until_woken();
  f.runs.expect_others(now());
  CHECK(runs_until_woken() < 100);

  // With long pauses between them, a thread would have gone to sleep again.
  shared_work apart;
  for (int i = 0; i < 100; ++i) {
    apart.event.started = now() + 1'000'000 * static_cast<ticks>(i + 1);
    apart.runs.run(*apart.make(20'000), *apart.device, apart.event);
  }
  CHECK_FALSE(apart.runs.wants_thread());
}
