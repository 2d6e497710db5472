// SPDX-License-Identifier: MIT
#include <chrono>
#include <string>
#include <thread>

#include "troupe/apps/demo/experiments.hpp"
#include "troupe/apps/demo/measurements.hpp"
#include "troupe/text/quantities.hpp"
#include "troupe/troupe.hpp"

namespace troupe::demo {

namespace {

using namespace std::chrono_literals;

constexpr auto step = 5ms;

/// Consumes a batch slowly; needs its own result for the batch before.
tensor consume(const tensor& batch, const tensor& before) {
  return call("consume", {batch, before}, {float32, {}},
              [](const inputs& in, outputs& out) {
                std::this_thread::sleep_for(step);
                out[0].span<float>()[0] = in[0].span<float>()[0] + in[1].span<float>()[0];
              },
              {.cost = step});
}

struct memory_use {
  double time = 0;
  double growth = 0;  ///< of resident memory, at its peak
  double peak = 0;    ///< of bytes in tensors
  trace_log log;
};

memory_use run(page& p, int lanes, int batches, bool wait_each_time, bool keep_trace) {
  restart_peak();
  const auto before = read_resident_memory();
  runtime rt({.lanes = lanes});
  memory_use m;
  const ticks start = now();
  tensor state = zeros({});
  for (int i = 0; i < batches; ++i) {
    state = consume(normal({1024, 512}), state);
    if (wait_each_time) state.wait();
  }
  state.wait();
  m.time = seconds_between(start, now());
  const auto after = read_resident_memory();
  m.growth = static_cast<double>(after.peak) - static_cast<double>(before.current);
  m.peak = static_cast<double>(rt.memory().peak);
  m.log = rt.trace(start);
  if (keep_trace) p.keep_trace(rt);
  return m;
}

}  // namespace

void show_memory(page& p) {
  constexpr std::size_t mebibyte = 1 << 20;
  const int batches = p.size(100, 10);
  p.text(R"(
A producer of batches of 2 MiB, and a consumer that takes 5 ms for each. Queueing all of it at once
takes no memory: a task gets memory when it runs. What is ready runs in the order of the program, so
one lane does what a loop with sync points does. With two lanes the producer may run ahead on the
second one, but by no more than a result for each lane that waits for its reader.)");
  p.code(R"(
runtime rt({.lanes = 2});
for (int i = 0; i < 100; ++i) {
  state = consume(normal({1024, 512}), state);   // an operation of our own, see call
  state.wait();                                  // or leave it out
}
)");

  table t(
      {std::to_string(batches) + " batches", "time", "peak of tensors", "growth of the process"});
  memory_use last;
  const auto add = [&](int lanes, bool wait_each_time, bool keep_trace) {
    last = run(p, lanes, batches, wait_each_time, keep_trace);
    t.add({std::to_string(lanes) + (lanes == 1 ? " lane, " : " lanes, ") +
               (wait_each_time ? "sync point per batch" : "no sync point"),
           duration_text(last.time), bytes_text(last.peak), bytes_text(last.growth)});
  };
  add(1, true, false);
  add(1, false, false);
  add(2, true, false);
  add(2, false, true);
  t.add({"all batches, if they were held at once", "", bytes_text(2.0 * batches * mebibyte), ""});
  p.figures(t);
  p.text(R"(
The growth is that of the resident memory, from before the runtime started to its peak: threads and
their stacks count too, and memory that was freed before may be used again.)");
  p.timeline("The last run", last.log);
}

}  // namespace troupe::demo
