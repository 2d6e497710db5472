// SPDX-License-Identifier: MIT
#include "troupe/nn/data/batches.hpp"

#include "troupe/actors/runtime.hpp"
#include "troupe/nn/data/array_dataset.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/random.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::nn {

using namespace testing;

namespace {

std::vector<double> epoch_of(batches& all) {
  std::vector<double> out;
  for (auto& b : all) {
    for (const auto v : numbers(b[0])) out.push_back(v);
  }
  return out;
}

std::string text_of(const tensor& x) {
  try {
    x.wait();
  } catch (const task_error& e) { return e.what(); }
  return "it did not fail";
}

/// Returns ten numbers, of which the `bad` ones cannot be read.
dataset numbers_without(std::vector<std::int64_t> bad) {
  return dataset_of(10, {{int64, {}}}, [bad](std::int64_t i, outputs& into) {
    if (std::ranges::find(bad, i) != bad.end())
      throw std::runtime_error("no file " + std::to_string(i) + ".png");
    into[0].span<std::int64_t>()[0] = i;
  });
}

}  // namespace

TEST_CASE("a batch of two fields can be destructured; others are accessed by field") {
  test_engine e;
  const auto x = arange(4), y = arange(4) * 2;
  for (auto [a, b] : batches(array_dataset(x, y), {.size = 4})) CHECK(numbers(b) == numbers(a * 2));
  for (auto& b : batches(array_dataset({x, y, x + y}), {.size = 4})) {
    const auto [first, second, third] = b.fields<3>();
    CHECK(numbers(third) == numbers(first + second));
    CHECK_THROWS_WITH(b.fields<2>(),
                      Catch::StartsWith("batch: with 3 fields it is taken apart as 2"));
  }
  for (auto& b : batches(array_dataset(x), {.size = 4})) {
    const int line = __LINE__ - 1;
    CHECK(b.size() == 1);
    CHECK_THROWS_WITH(b.get<0>(),
                      "batch: with 1 field it is taken apart as two (batches_test.cpp:" +
                          std::to_string(line) + ")");
    CHECK_THROWS_WITH(b[1], Catch::StartsWith("batch: with 1 field it has no field 1"));
  }
}

TEST_CASE("each loop is an epoch with its own order, and a seed reproduces the orders") {
  test_engine e;
  const auto data = array_dataset(arange(40));
  batches a(data, {.size = 7, .shuffle = true, .seed = 3}),
      b(data, {.size = 7, .shuffle = true, .seed = 3});
  const auto first = epoch_of(a), second = epoch_of(a);
  CHECK(first != second);
  CHECK(a.epoch() == 2);
  CHECK(epoch_of(b) == first);
  CHECK(epoch_of(b) == second);
  auto sorted = first;
  std::ranges::sort(sorted);
  CHECK(sorted == numbers(arange(40)));
}

TEST_CASE("without a seed, one is drawn from the runtime's random numbers") {
  test_engine e;
  const auto data = array_dataset(arange(40));
  seed(5);
  batches a(data, {.size = 7, .shuffle = true}), other(data, {.size = 7, .shuffle = true});
  seed(5);
  batches b(data, {.size = 7, .shuffle = true});
  CHECK(a.seed() == b.seed());
  CHECK(a.seed() != other.seed());
  CHECK(epoch_of(a) == epoch_of(b));
}

TEST_CASE("an interrupted run continues where it stopped") {
  test_engine e;
  const batches_options options{.size = 3, .shuffle = true, .seed = 11};
  const auto data = array_dataset(arange(20));
  batches whole(data, options);
  epoch_of(whole);
  const auto second = epoch_of(whole), third = epoch_of(whole);
  batches again(data, options);
  again.resume(1, 4);
  CHECK(again.size() == 3);
  CHECK(epoch_of(again) == std::vector<double>(second.begin() + 12, second.end()));
  CHECK(again.size() == 7);
  CHECK(epoch_of(again) == third);
  again.resume(0, 100);
  CHECK(epoch_of(again).empty());
  CHECK(TROUPE_ERROR_OF(again.resume(-1)) == "batches: there is no batch 0 of epoch -1");
  CHECK(TROUPE_ERROR_OF(again.resume(INT64_MAX / 2)).starts_with("batches: there is no batch 0"));
}

TEST_CASE("loops over the same batches may be nested") {
  test_engine e;
  batches all(array_dataset(arange(4)), {.size = 2});
  int inner = 0;
  for (auto& a : all) {
    for (auto& b : all) inner += a.samples() == b.samples();
  }
  CHECK(inner == 4);
}

TEST_CASE("batches come in order, of an empty dataset none, and options out of range are refused") {
  test_engine e;
  const auto data = array_dataset(arange(10));
  batches in_order(data, {.size = 4, .prefetch = 0});
  CHECK(epoch_of(in_order) == numbers(arange(10)));
  CHECK(in_order.size() == 3);
  batches none(array_dataset(zeros({0, 3})), {.size = 4, .shuffle = true});
  CHECK(none.size() == 0);
  CHECK(epoch_of(none).empty());
  CHECK(TROUPE_ERROR_OF(batches(data, {.size = 0})) == "batches: a batch of 0 samples");
  CHECK(TROUPE_ERROR_OF(batches(data, {.prefetch = -1})) ==
        "batches: a prefetch of -1 batches, not 0 to 1024");
  CHECK(TROUPE_ERROR_OF(batches(data, {.device = cpu(7)})) ==
        "batches: there is no device cpu:7; this runtime has cpu:0, cpu:1");
}

TEST_CASE("batches without a runtime are refused") {
  const auto data = numbers_without({});
  CHECK(TROUPE_ERROR_OF(batches(data, {.size = 2})) ==
        "batches: no runtime is running; start one with `troupe::runtime rt;`");
}

TEST_CASE(
    "batches are on the requested device, or on that of the samples, or on the default device") {
  test_engine e;
  const auto there = zeros({4, 2}, {.device = cpu(1)});
  const auto place = [](const dataset& d, std::optional<device> asked) {
    return (*batches(d, {.size = 3, .shuffle = true, .device = asked}).begin())[0].device();
  };
  CHECK(place(array_dataset(there), {}) == cpu(1));
  CHECK(place(array_dataset(there), cpu(0)) == cpu(0));
  CHECK(place(numbers_without({}), cpu(1)) == cpu(1));
  CHECK(place(numbers_without({}), {}) == cpu(0));
  const on_device guard(cpu(1));
  CHECK(place(numbers_without({}), {}) == cpu(1));
}

TEST_CASE("a sample that cannot be read fails its batch, with its number and the user's line") {
  const int lanes = GENERATE(1, 4);
  runtime rt({.lanes = lanes, .cpu_devices = 1});
  std::vector<tensor> all;
  for (auto& b : batches(numbers_without({4, 5}), {.size = 3})) all.push_back(b[0]);
  const int line = __LINE__ - 1;
  const auto text = text_of(all[1]);
  CHECK(text ==
        "load: sample 4: no file 4.png on cpu:0 (batches_test.cpp:" + std::to_string(line) + ")");
  CHECK(text_of(sum(all[1]) + 1) == text);
  CHECK(numbers(all[0]) == std::vector<double>{0, 1, 2});
  CHECK(numbers(all[2]) == std::vector<double>{6, 7, 8});
  CHECK(numbers(all[3]) == std::vector<double>{9});
}

TEST_CASE(
    "a transform that throws, an unwritten field or a span of a wrong dtype fail the batch "
    "likewise") {
  test_engine e;
  const auto failure_of = [](auto transform) {
    const auto data = numbers_without({}).map(transform);
    return text_of((*batches(data, {.size = 2, .seed = 0}).begin())[0]);
  };
  using Catch::StartsWith;
  CHECK_THAT(failure_of([](const inputs&, outputs&) { throw std::runtime_error("too dark"); }),
             StartsWith("load: sample 0: too dark on cpu:0"));
  CHECK_THAT(failure_of([](const inputs&, outputs&) { throw 7; }),
             StartsWith("load: sample 0: an exception that is no std::exception"));
  CHECK_THAT(failure_of([](const inputs&, outputs&) {}),
             StartsWith("load: sample 0: output 0 is int64[] and was not written"));
  CHECK_THAT(failure_of([](const inputs&, outputs& into) { into[0].span<float>(); }),
             StartsWith("load: sample 0: output 0 is int64[], not float32"));
  CHECK_THAT(failure_of([](const inputs&, outputs& into) { into[1].span<float>(); }),
             StartsWith("load: sample 0: there is no output 1; it has 1"));
}

TEST_CASE("failed arrays fail the batches made of them") {
  runtime rt({.lanes = 2, .cpu_devices = 1});
  const auto x = call("broken", {}, {float32, {4, 2}},
                      [](const inputs&, outputs&) { throw std::runtime_error("on purpose"); });
  const auto read = array_dataset(x).map([](const inputs& in, outputs& into) {
    std::ranges::copy(in[0].span<float>(), into[0].span<float>().begin());
  });
  for (const auto& data : {array_dataset(x), read})
    CHECK_THAT(text_of((*batches(data, {.size = 2, .shuffle = true}).begin())[0]),
               Catch::StartsWith("broken: on purpose"));
}

TEST_CASE("random choices in a sample depend only on the seed, the epoch and the sample") {
  test_engine e;
  const auto data = dataset_of(6, {{float64, {}}}, [](auto, outputs& into, random_bits& bits) {
    into[0].span<double>()[0] = bits.uniform();
  });
  batches twos(data, {.size = 2, .seed = 4}), fours(data, {.size = 4, .seed = 4});
  const auto first = epoch_of(twos);
  CHECK(epoch_of(fours) == first);
  CHECK(epoch_of(twos) != first);
  for (const auto v : first) CHECK((v >= 0 && v < 1));
}

}  // namespace troupe::nn
