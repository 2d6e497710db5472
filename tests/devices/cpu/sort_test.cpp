// SPDX-License-Identifier: MIT
#include <atomic>
#include <thread>

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/cpu/cpu_kernels.hpp"
#include "troupe/devices/cpu/phases.hpp"
#include "troupe/tests/devices/cpu/kernel_runner.hpp"
#include "troupe/tests/effort.hpp"

namespace troupe::testing {

namespace {

owned scattered_numbers(dtype type, const indices& shape) {
  owned x(type, shape);
  return x.set([&](std::int64_t i) {
    return type == boolean ? i % 3 == 0 : static_cast<double>(i * 7919 % 100'003 - 50'000);
  });
}

}  // namespace

TEST_CASE("steps of a phase begin once those before have ended, on any number of threads") {
  constexpr std::int64_t width = 7, count = 40;
  cpu_kernels::phases subject;
  std::atomic<std::int64_t> ended = 0, early = 0, wrong = 0;
  const auto work = [&](std::int64_t chunks) {
    subject.run(chunks, width, [&](std::int64_t phase, std::int64_t step) {
      early += ended.load() < phase * width;
      wrong += step < 0 || step >= width;
      ++ended;
    });
  };
  std::thread other([&] {
    for (std::int64_t i = 0; i < width * count / 2; ++i) work(1);
  });
  work(width * count / 2);
  other.join();
  CHECK(ended == width * count);
  CHECK(early == 0);
  CHECK(wrong == 0);
}

TEST_CASE(
    "sorts give the same bits in whatever order and on however many threads their chunks run") {
  const sort_attributes descending{true};
  const topk_attributes few{10}, many{60'000};
  const axis_attributes last{1};
  const std::int64_t longest = cases(1'000'000);
  for (const auto type : {boolean, int32, int64, float32, float64}) {
    CAPTURE(name(type));
    for (const indices& shape : {indices{3, 100'000}, indices{300, 200}, indices{1, longest}}) {
      const auto x = scattered_numbers(type, shape);
      CHECK(threads_do_not_matter(cpu_kernels::sort_kernel(type), {x}, type, shape, &descending));
      CHECK(
          threads_do_not_matter(cpu_kernels::argsort_kernel(type), {x}, int64, shape, &descending));
      for (const auto& top : {few, many}) {
        if (top.count > shape[1]) continue;
        CHECK(threads_do_not_matter(cpu_kernels::argtopk_kernel(type), {x}, int64,
                                    {shape[0], top.count}, &top));
      }
      for (const auto op : {cumulative_op::sum, cumulative_op::prod, cumulative_op::max,
                            cumulative_op::logsumexp}) {
        CHECK(threads_do_not_matter(cpu_kernels::cumulative_kernel(op, type), {x},
                                    cumulative_result(op, type), shape, &last));
      }
    }
  }
}

}  // namespace troupe::testing
