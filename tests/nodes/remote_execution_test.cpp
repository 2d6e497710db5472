// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>
#include <map>
#include <memory>
#include <string>

#include "troupe/tasks/gpu_execution.hpp"
#include "troupe/tasks/task_stream.hpp"
#include "troupe/tensor/ops/list.hpp"
#include "troupe/tests/devices/cuda/fake_gpu.hpp"
#include "troupe/troupe.hpp"

using namespace troupe;
using troupe::testing::fake_gpu;

namespace {

/// Tasks that all fail, with the reasons that nobody has asked for.
class failing_stream final : public task_stream {
 public:
  std::uint64_t put(const task&) override {
    kept.emplace(++tasks_, "no");
    return tasks_;
  }
  void store(void*, const value_ref&, const std::byte*, std::size_t) override {}
  std::string failure_of(std::uint64_t number) override {
    auto found = kept.extract(number);
    return found.empty() ? std::string() : found.mapped();
  }
  void cancel(std::span<const std::uint64_t>) override {}
  remote_runs runs_since(ticks) override { return {}; }
  void copy(void*, const void*, std::size_t) override {}
  std::unique_ptr<event> record() override { return nullptr; }
  void wait(const event&) override {}

  std::map<std::uint64_t, std::string> kept;

 private:
  std::uint64_t tasks_ = 0;
};

task_ptr task_on(device where, const value_ref& in) {
  task_ptr t(new task(*find_operation("exp"), where, {}));
  if (in) {
    auto& input = t->inputs.emplace_back();
    input.source = in;
    input.element = in->element;
  }
  t->add_output(value_ref(new value(float32, where, shape{3})));
  return t;
}

}  // namespace

TEST_CASE("of each task on another machine the reason of its failure is asked for, and not kept") {
  fake_gpu gpu;
  failing_stream stream;
  const auto first = task_on(gpu.id(), {});
  const value_ref between = first->outputs[0];
  const auto second = task_on(gpu.id(), between);
  const value_ref last = second->outputs[0];
  gpu_execution one(*first), other(*second);
  REQUIRE(one.start(gpu, stream) == gpu_execution::started::on_stream);
  REQUIRE(other.start(gpu, stream) == gpu_execution::started::on_stream);
  CHECK(stream.kept.size() == 2);
  one.settle();
  other.settle();
  CHECK(last->failed());
  CHECK(last->why() == between->why());
  CHECK(stream.kept.empty());
}
