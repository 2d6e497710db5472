// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/call.hpp"

#include <array>
#include <map>
#include <mutex>
#include <string>

#include "troupe/devices/driver.hpp"
#include "troupe/devices/fork_lock.hpp"
#include "troupe/devices/made_once.hpp"
#include "troupe/tensor/launch.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/list.hpp"

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

/// Code with a name.
struct registered_code {
  operation record;
  std::shared_ptr<detail::call_body> body;
};

struct registered_codes {
  fork_lock mutex;
  std::map<std::string, registered_code, std::less<>> all;
};

/// All of it. It is kept for ever, as records are.
registered_codes& registry() {
  static constinit made_once<registered_codes> all;
  return all.get();
}

/// The body of a task that runs registered code.
class shared_body final : public detail::call_body {
 public:
  explicit shared_body(std::shared_ptr<detail::call_body> of) noexcept : of_(std::move(of)) {}
  void run(const inputs& in, outputs& out, const gpu_stream& on) override { of_->run(in, out, on); }
  bool launches_kernels() const noexcept override { return false; }

 private:
  std::shared_ptr<detail::call_body> of_;
};

operation record_named(std::string_view name, bool at_once = false) {
  return {.name = name,
          .doc = "An operation of the user's own.",
          .kernel = [](const task&, const kernel_table&) { return &body_kernel; },
          .flops_per_element = 0,
          .users_own = true,
          .at_once = at_once,
          .narrow = narrow_dtypes::taken,
          .gradient = differentiability::unknown};
}

struct records_by_name {
  fork_lock mutex;
  std::map<std::string, operation, std::less<>> records;
};

/// The record for a name. Records are kept for ever, since traces and failures refer to them.
const operation& record(std::string_view name, bool at_once) {
  static constinit made_once<records_by_name> made[2];
  auto& [mutex, records] = made[at_once].get();
  const std::lock_guard lock(mutex);
  auto at = records.find(name);
  if (at == records.end()) {
    at = records.try_emplace(std::string(name)).first;
    at->second = record_named(at->first, at_once);
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

/// The record of code that other programs have registered, for a name.
const operation& far_record(std::string_view name) {
  static constinit made_once<records_by_name> made;
  auto& [mutex, records] = made.get();
  const std::lock_guard lock(mutex);
  auto at = records.find(name);
  if (at == records.end()) {
    at = records.try_emplace(std::string(name)).first;
    at->second = record_named(at->first);
    at->second.registered = true;
  }
  return at->second;
}

std::vector<tensor> launch_call(const home& at, task_ptr t, const std::vector<tensor>& in,
                                std::span<const output_type> out, const call_options& options,
                                caller where) {
  for (const auto& x : in) add_input(*t, contiguous(x, where));
  t->estimate = static_cast<float>(options.cost.value_or(unknown_cost).count());
  std::vector<tensor_type> types;
  for (const auto& o : out) types.push_back({o.shape, o.dtype, at.device});
  return launch(at.runtime, std::move(t), types);
}

}  // namespace

namespace {

void check_name(std::string_view name, caller where) {
  if (name.empty()) throw error("an operation wants a name: messages tell it", where);
}

}  // namespace

std::vector<tensor> detail::submit_call(std::string_view name, const std::vector<tensor>& in,
                                        std::span<const output_type> out,
                                        std::unique_ptr<detail::call_body> body,
                                        const call_options& options, caller where) {
  check_name(name, where);
  const auto at = place_of(name, in, options, where);
  if (body->launches_kernels() == at.device.traits().synchronous)
    throw error(
        std::string(name) +
            (body->launches_kernels() ? ": CUDA kernels run on GPUs, not on "
                                      : ": C++ code runs on this machine's CPU devices, not on ") +
            to_string(at.device),
        where);
  task_ptr t(new task(record(name, options.at_once), at.device, where));
  t->attributes = call_attributes{std::move(body)};
  return launch_call(at, std::move(t), in, out, options, where);
}

void detail::add_registered(std::string_view name, std::shared_ptr<detail::call_body> body,
                            caller where) {
  check_name(name, where);
  if (find_operation(name))
    throw error('"' + std::string(name) + "\" is the name of an operation", where);
  auto& known = registry();
  const std::lock_guard lock(known.mutex);
  const auto [at, fresh] = known.all.try_emplace(std::string(name));
  if (!fresh) throw error('"' + std::string(name) + "\" is registered already", where);
  at->second.record = record_named(at->first);
  at->second.record.any_number = true;
  at->second.record.registered = true;
  at->second.body = std::move(body);
}

const operation* detail::find_registered(std::string_view name) {
  auto& known = registry();
  const std::lock_guard lock(known.mutex);
  const auto at = known.all.find(name);
  return at == known.all.end() ? nullptr : &at->second.record;
}

attributes detail::body_of_registered(const operation& one) {
  auto& known = registry();
  const std::lock_guard lock(known.mutex);
  return call_attributes{std::make_unique<shared_body>(known.all.find(one.name)->second.body)};
}

std::vector<std::string> detail::registered_names() {
  auto& known = registry();
  const std::lock_guard lock(known.mutex);
  std::vector<std::string> out;
  for (const auto& [name, one] : known.all) out.push_back(name);
  return out;
}

std::vector<tensor> detail::submit_registered(std::string_view name, const std::vector<tensor>& in,
                                              std::span<const output_type> out,
                                              const call_options& options, caller where) {
  const auto at = place_of(name, in, options, where);
  const bool is_here = at.device.node == 0 && at.device.traits().synchronous;
  const auto& where_it_is = at.runtime.at(at.device, name, where);
  if (!is_here && where_it_is.runs(name)) {
    task_ptr t(new task(far_record(name), at.device, where));
    return launch_call(at, std::move(t), in, out, options, where);
  }
  const auto* const here = find_registered(name);
  if (!here)
    throw error(std::string(name) + ": nobody has registered it, neither this program nor one at " +
                    to_string(at.device),
                where);
  const auto run = [&](const home& place, const std::vector<tensor>& given) {
    task_ptr t(new task(*here, place.device, where));
    t->attributes = body_of_registered(*here);
    return launch_call(place, std::move(t), given, out, options, where);
  };
  if (is_here) return run(at, in);
  std::vector<tensor> brought;
  for (const auto& x : in) brought.push_back(to(x, cpu(), where));
  auto results = run({at.runtime, cpu()}, brought);
  for (auto& y : results) y = to(y, at.device, where);
  return results;
}

tensor call(std::string_view name, const std::vector<tensor>& in, const output_type& out,
            const call_options& options, caller where) {
  return std::move(detail::submit_registered(name, in, {&out, 1}, options, where)[0]);
}

std::vector<tensor> call(std::string_view name, const std::vector<tensor>& in,
                         const std::vector<output_type>& out, const call_options& options,
                         caller where) {
  return detail::submit_registered(name, in, out, options, where);
}

}  // namespace troupe
