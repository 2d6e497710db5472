// SPDX-License-Identifier: MIT
#include "troupe/nn/data/dataset.hpp"

#include "troupe/nn/data/array_dataset.hpp"
#include "troupe/nn/data/batches.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::nn {

using namespace testing;

namespace {

/// Dataset in which sample i is i and {i, i * i}.
struct squares {
  std::int64_t count;
  std::unique_ptr<int> cannot_be_copied = {};

  std::int64_t size() const { return count; }
  std::vector<output_type> fields() const { return {{int64, {}}, {float32, {2}}}; }
  void read(std::int64_t i, outputs& into) const {
    into[0].span<std::int64_t>()[0] = i;
    const auto x = static_cast<float>(i);
    into[1] = std::vector<float>{x, x * x};
  }
};

/// Returns the first field of all samples.
std::vector<double> all_of(const dataset& d) {
  std::vector<double> out;
  for (auto& b : batches(d, {.size = 3, .seed = 0})) {
    for (const auto v : numbers(b[0])) out.push_back(v);
  }
  return out;
}

dataset counted(std::int64_t n) { return array_dataset(arange(n)); }

}  // namespace

TEST_CASE("a class with size, fields and read is a dataset, whose samples are read into batches") {
  test_engine e;
  const dataset data = squares{5};
  CHECK(data.size() == 5);
  CHECK(data.fields().size() == 2);
  batches all(data, {.size = 3});
  auto at = all.begin();
  CHECK(type_text((*at)[0]) == "int64[3]");
  CHECK(type_text((*at)[1]) == "float32[3,2]");
  CHECK(numbers((*at)[1]) == std::vector<double>{0, 0, 1, 1, 2, 4});
  ++at;
  CHECK(numbers((*at)[0]) == std::vector<double>{3, 4});
  CHECK(at->samples() == 2);
}

TEST_CASE("a function is a dataset, too") {
  test_engine e;
  const auto data = dataset_of(4, {{float64, {}}}, [](std::int64_t i, outputs& into) {
    into[0].span<double>()[0] = static_cast<double>(i) / 2;
  });
  CHECK(all_of(data) == std::vector<double>{0, .5, 1, 1.5});
}

TEST_CASE("map computes samples from samples, with other dtypes and shapes if declared") {
  test_engine e;
  const auto doubled = counted(4).map([](const inputs& in, outputs& into) {
    into[0].span<std::int64_t>()[0] = 2 * in[0].item<std::int64_t>();
  });
  CHECK(all_of(doubled) == std::vector<double>{0, 2, 4, 6});
  const auto pairs =
      dataset(squares{3}).map({{float64, {2, 2}}}, [](const inputs& in, outputs& into) {
        const auto i = static_cast<double>(in[0].item<std::int64_t>());
        const auto both = in[1].span<float>();
        into[0] = std::vector<double>{i, both[0], both[1], -1};
      });
  CHECK(all_of(pairs) == std::vector<double>{0, 0, 0, -1, 1, 1, 1, -1, 2, 2, 4, -1});
}

TEST_CASE("take selects samples by number, subset by range") {
  test_engine e;
  const auto data = counted(10);
  CHECK(all_of(data.take({7, 7, -1})) == std::vector<double>{7, 7, 9});
  CHECK(all_of(data.subset(range{2, -4})) == std::vector<double>{2, 3, 4, 5});
  CHECK(all_of(data.subset(range{.start = 1, .step = 4})) == std::vector<double>{1, 5, 9});
  CHECK(all_of(data.subset(range{.step = -3})) == std::vector<double>{9, 6, 3, 0});
  CHECK(data.subset(range{20, 30}).size() == 0);
  CHECK(all_of(data.subset(range{5, 9}).take({1, 0})) == std::vector<double>{6, 5});
  CHECK(TROUPE_ERROR_OF(data.take({1, 10})) == "take: there is no sample 10 among 10");
  CHECK(TROUPE_ERROR_OF(data.take({-11})) == "take: there is no sample -11 among 10");
  CHECK(TROUPE_ERROR_OF(data.subset(range{.step = 0})) == "subset: the step is 0");
}

TEST_CASE("split divides into a first share and the rest, shuffled or not") {
  test_engine e;
  const auto [first, rest] = counted(10).split(0.7);
  CHECK(all_of(first) == std::vector<double>{0, 1, 2, 3, 4, 5, 6});
  CHECK(all_of(rest) == std::vector<double>{7, 8, 9});
  const auto [a, b] = counted(100).shuffled(1).split(0.5);
  auto all = all_of(a);
  CHECK_FALSE(std::ranges::is_sorted(all));
  for (const auto v : all_of(b)) all.push_back(v);
  std::ranges::sort(all);
  CHECK(all == numbers(arange(100)));
  CHECK(all_of(counted(9).shuffled(4)) == all_of(counted(9).shuffled(4)));
  CHECK(TROUPE_ERROR_OF(counted(4).split(80)) == "split: a share of 80.000000 of the samples");
  CHECK(TROUPE_ERROR_OF(counted(4).split(std::nan(""))) == "split: a share of nan of the samples");
}

TEST_CASE("batches of arrays in order are slices: parts of the same memory") {
  test_engine e;
  const auto x = arange(12).reshape({6, 2}), y = arange(6);
  batches all(array_dataset(x, y), {.size = 4});
  auto at = all.begin();
  CHECK((*at)[0].source() == x.source());
  CHECK((*at)[1].source() == y.source());
  CHECK(numbers((*++at)[0]) == std::vector<double>{8, 9, 10, 11});
  batches part(array_dataset(x).subset(range{2, 5}), {.size = 2});
  CHECK((*part.begin())[0].source() == x.source());
  CHECK(numbers((*part.begin())[0]) == std::vector<double>{4, 5, 6, 7});
}

TEST_CASE("arrays need not be contiguous, and keep the elements from the dataset's creation") {
  test_engine e;
  tensor x = arange(6).reshape({2, 3});
  const auto data = array_dataset(x.T());
  x += 100;
  CHECK(all_of(data) == std::vector<double>{0, 3, 1, 4, 2, 5});
  const auto read = data.map([](const inputs& in, outputs& into) {
    std::ranges::copy(in[0].span<std::int64_t>(), into[0].span<std::int64_t>().begin());
  });
  CHECK(all_of(read) == all_of(data));
}

TEST_CASE("mistakes in making a dataset are refused on the user's line") {
  test_engine e;
  const auto read = [](std::int64_t, outputs&) {};
  CHECK(TROUPE_ERROR_OF(dataset(squares{-1})) == "dataset: a size of -1");
  CHECK(TROUPE_ERROR_OF(dataset_of(3, {}, read)) == "dataset_of: the samples have no fields");
  CHECK(TROUPE_ERROR_OF(dataset_of(3, {{float32, {1, 1, 1, 1, 1, 1, 1, 1}}}, read)) ==
        "dataset_of: a field has 8 axes, and a batch one more than the 8 possible ones");
  CHECK(TROUPE_ERROR_OF(array_dataset(std::vector<tensor>{})) == "array_dataset: no tensors");
  CHECK(TROUPE_ERROR_OF(array_dataset(zeros({3, 2}), zeros({4}))) ==
        "array_dataset: sizes along axis 0 differ: float32[3,2] and float32[4]");
  CHECK(TROUPE_ERROR_OF(array_dataset(zeros({}))) ==
        "array_dataset: a scalar has no samples: float32[]");
  CHECK(TROUPE_ERROR_OF(array_dataset(tensor{})) == "array_dataset: the input names no array yet");
  CHECK(TROUPE_ERROR_OF(array_dataset(zeros({2}), zeros({2}, {.device = cpu(1)}))) ==
        "array_dataset: inputs on different devices: float32[2] on cpu:0 and float32[2] on cpu:1");
}

}  // namespace troupe::nn
