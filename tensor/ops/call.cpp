// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/call.hpp"

#include <map>
#include <mutex>
#include <string>

#include "troupe/devices/driver.hpp"
#include "troupe/tensor/launch.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/copy.hpp"

namespace troupe {

namespace {

constexpr std::chrono::nanoseconds unknown_cost = std::chrono::milliseconds(1);

struct call_attributes {
  std::unique_ptr<detail::call_body> body;
};

void run_body(const kernel_args& args, bool on_host, void* stream) {
  const auto& given = *static_cast<const call_attributes*>(args.attributes);
  const inputs in(args.inputs, on_host);
  outputs out(args.outputs, on_host);
  given.body->run(in, out, gpu_stream(stream));
  out.check_written();
}

constexpr kernel body_kernel{
    .run = [](const kernel_args& args, std::int64_t,
              std::int64_t) { run_body(args, true, nullptr); },
    .launch = [](const kernel_args& args, stream& on) { run_body(args, false, on.handle()); }};

/// The record for a name. Records are kept for ever, since traces and failures refer to them.
const operation& record(std::string_view name) {
  static auto& mutex = *new std::mutex;
  static auto& records = *new std::map<std::string, operation, std::less<>>;
  std::lock_guard lock(mutex);
  auto at = records.find(name);
  if (at == records.end()) {
    at = records.try_emplace(std::string(name)).first;
    at->second = {.name = at->first,
                  .doc = "An operation of the user's own.",
                  .kernel = [](const task&, const kernel_table&) { return &body_kernel; },
                  .flops_per_element = 0,
                  .narrow = narrow_dtypes::taken,
                  .gradient = differentiability::unknown};
  }
  return at->second;
}

home place_of(std::string_view name, const std::vector<tensor>& in, const call_options& options,
              caller where) {
  if (in.empty()) {
    auto& e = engine::current(name, where);
    const auto place = options.device.value_or(default_device());
    e.at(place, name, where);
    return {e, place};
  }
  std::vector<const tensor*> pointers;
  for (const auto& x : in) pointers.push_back(&x);
  const auto found = common_home(name, pointers, where);
  if (options.device && *options.device != found.device)
    throw error(std::string(name) + ": declared to run on " + to_string(*options.device) +
                    " but the inputs are on " + to_string(found.device),
                where);
  return found;
}

}  // namespace

std::vector<tensor> detail::submit_call(std::string_view name, const std::vector<tensor>& in,
                                        std::span<const output_type> out,
                                        std::unique_ptr<detail::call_body> body,
                                        const call_options& options, caller where) {
  const auto at = place_of(name, in, options, where);
  if (body->launches_kernels() == at.device.traits().synchronous)
    throw error(
        std::string(name) +
            (body->launches_kernels() ? ": CUDA kernels run on GPUs, not on "
                                      : ": C++ code runs on this machine's CPU devices, not on ") +
            to_string(at.device),
        where);
  task_ptr t(new task(record(name), at.device, where));
  t->attributes = call_attributes{std::move(body)};
  for (const auto& x : in) add_input(*t, contiguous(x, where));
  t->estimate = static_cast<float>(options.cost.value_or(unknown_cost).count());
  std::vector<tensor_type> types;
  for (const auto& o : out) types.push_back({o.shape, o.dtype, at.device});
  return launch(at.runtime, std::move(t), types);
}

}  // namespace troupe
