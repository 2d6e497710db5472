// SPDX-License-Identifier: MIT
#include "troupe/nn/data/progress.hpp"

#include <sstream>

#include "troupe/actors/runtime.hpp"
#include "troupe/nn/data/array_dataset.hpp"
#include "troupe/nn/data/batches.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tests/actors/gate.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::nn {

using namespace testing;

namespace {

/// Terminal 80 characters wide whose clock stands still unless advanced.
struct screen {
  std::ostringstream text;
  double now = 0;

  progress_options options(std::string label = "") {
    return {
        .label = std::move(label), .out = &text, .terminal = true, .width = 80, .seconds = [this] {
          return now;
        }};
  }
  std::string all() const { return text.str(); }
  int draws() const { return static_cast<int>(std::ranges::count(all(), '\r')); }
  /// Returns the current text of the line.
  std::string line() const {
    const auto seen = all();
    const auto begin = seen.rfind('\r') + 1;
    return seen.substr(begin, seen.find("\x1b[K", begin) - begin);
  }
};

}  // namespace

TEST_CASE("a line has label, percentage, bar, count, rate, time left and the shown values") {
  const progress_state s{.label = "epoch 3",
                         .done = 450,
                         .total = 1'000,
                         .per_second = 14.9,
                         .seconds = 30,
                         .shown = {{"loss", "0.1234"}}};
  CHECK(progress_line(s, 80) ==
        "epoch 3  45% |##########              | 450/1000  14.9/s  0:37 left  loss 0.1234");
  CHECK(progress_line(s, 200).find("| 450/1000") == 14 + 40);
  CHECK(progress_line(s, 60) == "epoch 3  45% |#   | 450/1000  14.9/s  0:37 left  loss 0.1234");
  CHECK(progress_line(s, 40) == "epoch 3  45% 450/1000  14.9/s  0:37 left");
  CHECK(progress_line(s, 3) == "epo");
}

TEST_CASE("without a total, a line has the count, the rate and the time it took") {
  CHECK(progress_line({.done = 7, .per_second = 0.05, .seconds = 4'000}, 80) ==
        "7  20.0 s each  1:06:40");
  CHECK(progress_line({.done = 7}, 80) == "7  0:00");
}

TEST_CASE("control characters and long text do not break lines") {
  CHECK(progress_line({.label = "a\nb\x1b[31m"}, 80) == R"(a\x0ab\x1b[31m  0  0:00)");
  CHECK(progress_line({.label = "größer"}, 3) == "grö");
  CHECK(progress_line({.done = 9, .total = 0}, 30).starts_with("100% |"));
  CHECK(progress_line({.done = 9, .total = 3}, 30).starts_with("100% |"));
}

TEST_CASE("a loop over a range draws at most ten times a second, and ends its line") {
  screen s;
  const std::vector<int> range(1'000);
  int seen = 0;
  for (auto& x : progress(range, s.options("count"))) {
    seen += x + 1;
    s.now += 0.01;
  }
  CHECK(seen == 1'000);
  CHECK(s.draws() >= 90);
  CHECK(s.draws() <= 103);
  CHECK(s.line() ==
        "count  100% |########################################| 1000/1000  100/s  0:10");
  CHECK(s.all().ends_with("\n"));
  CHECK(std::ranges::count(s.all(), '\n') == 1);
}

TEST_CASE("without a terminal nothing is drawn") {
  std::ostringstream out;
  for (auto& x : progress(std::vector<int>(5), {.out = &out})) (void)x;
  CHECK(out.str().empty());
}

TEST_CASE("the line ends on a break, on an exception, and for an empty range") {
  screen s;
  const std::vector<int> range(10);
  SECTION("break") {
    for (auto& x : progress(range, s.options())) {
      if (x == 0) break;
    }
    CHECK(s.line().find("| 0/10") != std::string::npos);
  }
  SECTION("exception") {
    CHECK_THROWS([&] {
      for (auto& x : progress(range, s.options())) throw std::runtime_error(std::to_string(x));
    }());
  }
  SECTION("empty") {
    for (auto& x : progress(std::vector<int>{}, s.options())) (void)x;
    CHECK(s.line().find("| 0/0") != std::string::npos);
  }
  CHECK(std::ranges::count(s.all(), '\n') == 1);
  CHECK(s.all().ends_with("\n"));
}

TEST_CASE("a range without a size has no total, unless one is given") {
  screen s;
  auto evens = std::views::iota(0, 20) | std::views::filter([](int i) { return i % 2 == 0; });
  for (auto i : progress(evens, s.options())) (void)i;
  CHECK(s.line().starts_with("10  "));
  auto known = s.options();
  known.total = 10;
  for (auto i : progress(evens, known)) (void)i;
  CHECK(s.line().find("| 10/10") != std::string::npos);
}

TEST_CASE("the rate is smoothed and the time left follows from it") {
  screen s;
  auto o = s.options();
  o.total = 100;
  progress_bar bar(o);
  for (int i = 0; i < 10; ++i) s.now += 1, bar.step();
  CHECK(s.line().ends_with("10/100  1.00/s  1:30 left"));
  s.now += 10;
  bar.step();  // the rate of 0.1 per second counts for three tenths
  CHECK(s.line().ends_with("11/100  0.73/s  2:02 left"));
}

TEST_CASE(
    "progress counts computed, not submitted, iterations, and showing a tensor waits for nothing") {
  runtime rt({.lanes = 1, .cpu_devices = 1});
  screen s;
  testing::gate first, second;
  const auto number = [](const testing::gate& g, float value) {
    return call("model", {}, {float32, {}},
                [way = g.through(), value](const inputs&, outputs& out) {
                  way.pass();
                  out[0].span<float>()[0] = value;
                });
  };
  auto o = s.options();
  o.total = 4;
  progress_bar bar(o);
  const auto a = number(first, 0.5f), b = number(second, 0.25f);
  for (const auto& x : {a, a, b, b}) bar.show("loss", x), bar.step();
  s.now += 1;
  bar.show("lr", 0.1);
  CHECK(s.line().find("| 0/4") != std::string::npos);
  CHECK(s.line().find("loss") == std::string::npos);
  first.open();
  a.wait();
  s.now += 1;
  bar.show("lr", 0.1);
  CHECK(s.line().find("| 2/4") != std::string::npos);
  CHECK(s.line().find("loss 0.5") != std::string::npos);
  SECTION("the last line says that the rest is under way") {
    bar.finish();
    CHECK(s.line().find("2/4 computed, the rest is under way") != std::string::npos);
  }
  SECTION("and one may wait for the rest all the same") {
    bar.finish();
    const auto drawn = s.draws();
    second.open();
    bar.wait();
    CHECK(b.ready());
    CHECK(s.draws() == drawn);
  }
  SECTION("or one waits for it") {
    second.open();
    bar.wait();
    bar.finish();
    CHECK(s.line().find("| 4/4 ") != std::string::npos);
    CHECK(s.line().find("loss 0.25") != std::string::npos);
  }
}

TEST_CASE("waiting for shown tensors is a sync point even if nothing is drawn") {
  runtime rt({.lanes = 1, .cpu_devices = 1});
  testing::gate closed;
  const auto x =
      call("model", {}, {float32, {}}, [way = closed.through()](const inputs&, outputs& out) {
        way.pass();
        out[0].span<float>()[0] = 1;
      });
  std::ostringstream out;
  progress_bar bar({.out = &out});
  bar.show("loss", x);
  CHECK_FALSE(x.ready());
  closed.open();
  bar.wait();
  CHECK(x.ready());
  CHECK(out.str().empty());
}

TEST_CASE("a failed tensor is shown as failed; one that is no single number is refused") {
  test_engine e;
  screen s;
  progress_bar bar(s.options());
  const auto bad = call("model", {}, {float32, {}},
                        [](const inputs&, outputs&) { throw std::runtime_error("on purpose"); });
  bar.show("loss", bad);
  bar.step();
  bar.finish();
  CHECK(s.line() == "1  0:00  loss failed");
  CHECK(TROUPE_ERROR_OF(bar.show("loss", zeros({3}))) ==
        "show: loss is float32[3], not one number");
  CHECK(TROUPE_ERROR_OF(bar.show("loss", tensor{})) == "type: the tensor names no array yet");
}

TEST_CASE("batches have a progress bar like other ranges") {
  test_engine e;
  screen s;
  batches all(array_dataset(arange(10)), {.size = 4});
  std::int64_t samples = 0;
  for (auto& b : progress(all, s.options("epoch 0"))) samples += b.samples();
  CHECK(s.line().find("| 3/3") != std::string::npos);
  for (auto& [x, y] : progress(batches(array_dataset(arange(10), arange(10)), {.size = 5})))
    samples += x.size() + y.size();
  CHECK(samples == 30);
}

}  // namespace troupe::nn
