// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "troupe/tasks/engine.hpp"
#include "troupe/tasks/operation.hpp"
#include "troupe/tensor/launch.hpp"
#include "troupe/tensor/tensor.hpp"
#include "troupe/tests/actors/gate.hpp"
#include "troupe/tests/devices/cuda/fake_gpu.hpp"

namespace troupe::testing {

/// Work of an operation of these tests on chunks [first, last).
using body = std::function<void(const kernel_args&, std::int64_t first, std::int64_t last)>;

struct body_attributes {
  body run;
  std::int64_t chunks;
};

inline void run_body(const kernel_args& args, std::int64_t first, std::int64_t last) {
  static_cast<const body_attributes*>(args.attributes)->run(args, first, last);
}
inline std::int64_t chunks_of_body(const kernel_args& args) {
  return static_cast<const body_attributes*>(args.attributes)->chunks;
}

/// The body on a fake GPU. What it throws breaks the GPU.
inline void launch_body(const kernel_args& args, stream& on) {
  auto& fake = static_cast<fake_stream&>(on);
  fake.put([&args] { run_body(args, 0, std::max<std::int64_t>(chunks_of_body(args), 1)); });
}

inline const kernel body_kernel{.run = run_body, .launch = launch_body};
inline const kernel chunked_kernel{
    .run = run_body, .chunks = chunks_of_body, .launch = launch_body};

inline const operation body_operation{
    .name = "body",
    .doc = "For tests.",
    .kernel = [](const task&, const kernel_table&) { return &body_kernel; },
    .users_own = true};
inline const operation chunked_operation{
    .name = "chunked",
    .doc = "For tests.",
    .kernel = [](const task&, const kernel_table&) { return &chunked_kernel; },
    .users_own = true};
inline const operation in_place_operation{
    .name = "in_place",
    .doc = "For tests.",
    .kernel = [](const task&, const kernel_table&) { return &body_kernel; },
    .in_place = operation::any_input,
    .users_own = true};

/// Kernel on a fake GPU that finds a fault in its data and fails, as one with a bad index does. The
/// text of the fault is that of the attributes.
inline const kernel fault_kernel{
    .run =
        [](const kernel_args& args, std::int64_t, std::int64_t) {
          throw std::runtime_error(*static_cast<const std::string*>(args.attributes));
        },
    .launch =
        [](const kernel_args& args, stream& on) {
          static_cast<fake_stream&>(on).put([&args] { args.fault->happened = 1; });
        },
    .explain = [](const kernel_args& args,
                  const data_fault&) { return *static_cast<const std::string*>(args.attributes); }};
inline const operation fault_operation{
    .name = "fault",
    .doc = "For tests.",
    .kernel = [](const task&, const kernel_table&) { return &fault_kernel; },
    .users_own = true};

struct how {
  float nanoseconds = 0;     ///< estimate; 0: derived from the bytes it moves
  std::int64_t chunks = -1;  ///< 0 or more: lanes may share it
  bool in_place = false;
  troupe::device device = {};  ///< device if there are no inputs
};

inline task_ptr make_body(const std::vector<tensor>& in, body run, const how& h, caller where) {
  const auto& op = h.chunks >= 0 ? chunked_operation
                   : h.in_place  ? in_place_operation
                                 : body_operation;
  auto t = std::make_unique<task>(op, in.empty() ? h.device : in[0].device(), where);
  t->attributes = body_attributes{std::move(run), h.chunks};
  t->estimate = h.nanoseconds;
  for (const auto& x : in) add_input(*t, x);
  return t;
}

/// Runs `run` on whole tensors; the output is on their device.
inline tensor call(engine& e, const std::vector<tensor>& in, const shape& out, body run,
                   const how& h = {}, caller where = caller::current()) {
  auto t = make_body(in, std::move(run), h, where);
  const tensor_type type{out, float64, t->device};
  return launch(e, std::move(t), type);
}

/// Does the same with two outputs.
inline std::vector<tensor> call_two(engine& e, const std::vector<tensor>& in, const shape& out,
                                    body run, const how& h = {}, caller where = caller::current()) {
  auto t = make_body(in, std::move(run), h, where);
  const tensor_type types[] = {{out, float64, t->device}, {out, float64, t->device}};
  return launch(e, std::move(t), types);
}

inline double* begin(const array& a) { return a.as<double>(); }
inline double* end(const array& a) { return a.as<double>() + a.size(); }

inline tensor filled(engine& e, const shape& s, double number, const how& h = {},
                     caller where = caller::current()) {
  return call(
      e, {}, s,
      [number](const kernel_args& a, auto, auto) {
        std::fill(begin(a.outputs[0]), end(a.outputs[0]), number);
      },
      h, where);
}

/// Computes x + 1, in the memory of x if nothing else needs it.
inline tensor increment(engine& e, const tensor& x, float nanoseconds = 0,
                        caller where = caller::current()) {
  return call(
      e, {x}, x.shape(),
      [](const kernel_args& a, auto, auto) {
        std::transform(begin(a.inputs[0]), end(a.inputs[0]), begin(a.outputs[0]),
                       [](double v) { return v + 1; });
      },
      {.nanoseconds = nanoseconds, .in_place = true}, where);
}

/// Computes x + y in new memory.
inline tensor plus(engine& e, const tensor& x, const tensor& y, const how& h = {},
                   caller where = caller::current()) {
  return call(
      e, {x, y}, x.shape(),
      [](const kernel_args& a, auto, auto) {
        std::transform(begin(a.inputs[0]), end(a.inputs[0]), begin(a.inputs[1]),
                       begin(a.outputs[0]), std::plus());
      },
      h, where);
}

/// Returns a number that becomes ready once `g` is opened. The engine takes it for a millisecond's
/// work.
inline tensor gated(engine& e, const gate& g, const std::vector<tensor>& in = {},
                    how h = {.nanoseconds = 1e6}, caller where = caller::current()) {
  return call(
      e, in, {},
      [way = g.through()](const kernel_args& a, auto, auto) {
        way.pass();
        *begin(a.outputs[0]) = 1;
      },
      h, where);
}

/// Returns a tensor that fails with `text` once `in` is ready.
inline tensor failing(engine& e, const std::string& text, const std::vector<tensor>& in = {},
                      const how& h = {}, caller where = caller::current()) {
  return call(
      e, in, {}, [text](const kernel_args&, auto, auto) { throw std::runtime_error(text); }, h,
      where);
}

/// Returns a tensor that fails with `text` once `in` is ready; a fake GPU goes on working.
inline tensor at_fault(engine& e, const std::string& text, const std::vector<tensor>& in,
                       const shape& out = {}, caller where = caller::current()) {
  auto t = std::make_unique<task>(fault_operation, in[0].device(), where);
  t->attributes = text;
  for (const auto& x : in) add_input(*t, x);
  const tensor_type type{out, float64, t->device};
  return launch(e, std::move(t), type);
}

/// Returns the text of the error that reading a tensor throws; empty if it throws none.
inline std::string error_of(const tensor& x) {
  try {
    x.wait();
  } catch (const std::exception& e) { return e.what(); }
  return "";
}

}  // namespace troupe::testing
