// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "troupe/tasks/attributes.hpp"
#include "troupe/tasks/operation.hpp"
#include "troupe/tensor/ops/call_arguments.hpp"
#include "troupe/tensor/tensor.hpp"

/// Operations of the user's own: C++ code that becomes a task like any other. It runs when its
/// inputs are there, on a thread of its device, beside other tasks. That thread may be bound to one
/// core, and so are threads that the code starts. It may not wait for tensors. What it throws fails
/// its outputs. On a GPU, code that launches CUDA kernels: it gets the stream to launch them on,
/// and addresses of the GPU's memory.

namespace troupe {

/// The type that an output of a call will have.
struct output_type {
  troupe::dtype dtype;
  troupe::shape shape;
};

struct call_options {
  /// The time it takes, roughly. Absent: unknown, taken as a millisecond.
  std::optional<std::chrono::nanoseconds> cost = {};
  /// It waits for nothing and takes no lock that a thread of the program may hold, so that any
  /// thread may run it: the calling one at once, if that takes no longer than to pass it on. Give
  /// its `cost`. Of registered code, lanes run all the same.
  bool at_once = false;
  /// The place where it runs: the device that its inputs are on. Absent: that one; without inputs
  /// the default device.
  std::optional<troupe::device> device = {};
};

namespace detail {

/// A body that `call` takes: writes its outputs.
template <class F>
concept computes = requires(std::decay_t<F>& body, const inputs& in, outputs& out) {
  body(in, out);
};

}  // namespace detail

/// The CUDA stream of a task: a cudaStream_t.
class gpu_stream {
 public:
  explicit gpu_stream(void* handle) noexcept : handle_(handle) {}
  template <class Stream>
  operator Stream*() const noexcept {
    return static_cast<Stream*>(handle_);
  }

 private:
  void* handle_;
};

namespace detail {

/// A body that `call` takes for a GPU: launches on the stream what writes its outputs, and does not
/// wait for it.
template <class F>
concept launches = requires(std::decay_t<F>& body, const inputs& in, outputs& out,
                            const gpu_stream& on) {
  body(in, out, on);
};

/// A body that `effect` takes.
template <class F>
concept acts = requires(std::decay_t<F>& body, const inputs& in) {
  body(in);
};

/// Code to run again and again, on several threads at once.
template <class F>
concept registers = computes<F> && std::is_copy_constructible_v<std::decay_t<F>> &&
    requires(const std::decay_t<F>& body, const inputs& in, outputs& out) {
  body(in, out);
};

/// A callable of any type, also one that can only be moved.
class call_body {
 public:
  virtual ~call_body() = default;
  virtual void run(const inputs& in, outputs& out, const gpu_stream& on) = 0;
  /// For a GPU.
  virtual bool launches_kernels() const noexcept = 0;
};

/// Does the work of the templates below. The name shows in errors and traces.
std::vector<tensor> submit_call(std::string_view name, const std::vector<tensor>& in,
                                std::span<const output_type> out, std::unique_ptr<call_body> body,
                                const call_options& options, caller where);

/// Notes code under its name, for ever.
void add_registered(std::string_view name, std::shared_ptr<call_body> body, caller where);
/// Does the work of `call` without a body.
std::vector<tensor> submit_registered(std::string_view name, const std::vector<tensor>& in,
                                      std::span<const output_type> out, const call_options& options,
                                      caller where);
/// The record of registered code; null if there is none.
const operation* find_registered(std::string_view name);
/// The attributes that a task of such a record runs with in this process.
attributes body_of_registered(const operation& one);
/// The names of all registered code.
std::vector<std::string> registered_names();

template <class F>
std::unique_ptr<call_body> make_call_body(F&& callable) {
  struct holder final : call_body {
    explicit holder(F&& f) : body(std::forward<F>(f)) {}
    void run(const inputs& in, outputs& out, const gpu_stream& on) override {
      if constexpr (launches<F>) body(in, out, on);
      else if constexpr (computes<F>) body(in, out);
      else body(in);
    }
    bool launches_kernels() const noexcept override { return launches<F>; }
    std::decay_t<F> body;
  };
  return std::make_unique<holder>(std::forward<F>(callable));
}

}  // namespace detail

/// Runs `body(const inputs&, outputs&)` once the inputs are there, and gives its one output:
///
///     tensor y = call("twice", {x}, {float32, {3}}, [](const inputs& in, outputs& out) {
///       auto from = in[0].span<float>();
///       auto into = out[0].span<float>();
///       for (std::size_t i = 0; i < from.size(); ++i) into[i] = 2 * from[i];
///     });
///
/// Or, of tensors on a GPU, `body(const inputs&, outputs&, const gpu_stream&)`:
///
///     tensor y = call("twice", {x}, {float32, {3}},
///                     [](const inputs& in, outputs& out, const gpu_stream& on) {
///                       twice<<<1, 3, 0, on>>>(out[0].span<float>().data(),
///                       in[0].span<float>().data());
///                     });
template <class F>
requires detail::computes<F> || detail::launches<F> tensor call(std::string_view name,
                                                                const std::vector<tensor>& in,
                                                                const output_type& out, F&& body,
                                                                const call_options& options = {},
                                                                caller where = caller::current()) {
  return std::move(detail::submit_call(
      name, in, {&out, 1}, detail::make_call_body(std::forward<F>(body)), options, where)[0]);
}

/// The same with any number of outputs.
template <class F>
requires detail::computes<F> || detail::launches<F> std::vector<tensor> call(
    std::string_view name, const std::vector<tensor>& in, const std::vector<output_type>& out,
    F&& body, const call_options& options = {}, caller where = caller::current()) {
  return detail::submit_call(name, in, out, detail::make_call_body(std::forward<F>(body)), options,
                             where);
}

/// Registers `body(const inputs&, outputs&)` under a name, for as long as the process lives: code
/// that has a name runs on other machines, too, if the program of the node has registered it. It
/// may run on several threads at once, and again if a node is lost, and has to give the same then.
/// Throws if the name is that of an operation, or registered already.
///
///     register_operation("twice", [](const inputs& in, outputs& out) { ... });
///     tensor y = call("twice", {x}, {float32, {3}});
template <detail::registers F>
void register_operation(std::string_view name, F&& body, caller where = caller::current()) {
  detail::add_registered(name, detail::make_call_body(std::forward<F>(body)), where);
}

/// Runs what is registered under a name, and gives its one output: on the device of the inputs, if
/// that is a CPU device of this process or of a node whose program has registered it. Else the
/// inputs are brought here, and the output back. Throws if neither has registered it.
tensor call(std::string_view name, const std::vector<tensor>& in, const output_type& out,
            const call_options& options = {}, caller where = caller::current());

/// The same with any number of outputs.
std::vector<tensor> call(std::string_view name, const std::vector<tensor>& in,
                         const std::vector<output_type>& out, const call_options& options = {},
                         caller where = caller::current());

/// Runs `body(const inputs&)` for what it does. Gives an empty tensor that is ready once it ran:
/// wait for it, or make it an input of what has to come later.
template <detail::acts F>
tensor effect(std::string_view name, const std::vector<tensor>& in, F&& body,
              const call_options& options = {}, caller where = caller::current()) {
  const output_type none{boolean, {0}};
  return std::move(detail::submit_call(
      name, in, {&none, 1}, detail::make_call_body(std::forward<F>(body)), options, where)[0]);
}

}  // namespace troupe
