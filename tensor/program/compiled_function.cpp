// SPDX-License-Identifier: MIT
#include "troupe/tensor/program/compiled_function.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <sstream>
#include <string_view>

#include "troupe/tasks/small_vector.hpp"
#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/batching/batching.hpp"
#include "troupe/tensor/program/capture.hpp"
#include "troupe/tensor/program/eager_call.hpp"
#include "troupe/tensor/program/graph_text.hpp"
#include "troupe/tensor/program/passes.hpp"
#include "troupe/tensor/program/program.hpp"
#include "troupe/tensor/program/program_cache.hpp"

namespace troupe::detail {

namespace {

constexpr std::uint64_t many_captures = 64;

/// Key of the program for some arguments, among a function's programs. It is made at each call: of
/// words, on the stack.
class kind_of_call {
 public:
  kind_of_call(const engine& on, std::span<const tensor> in, const std::string& others) {
    add(changes_of_course.load(std::memory_order_relaxed));
    add(in.size() << 32 | on.id());
    add(packed(default_device()));
    for (const auto& x : in) add(x);
    add(others.size());
    for (std::size_t at = 0; at < others.size(); at += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, others.data() + at, std::min(sizeof word, others.size() - at));
      add(word);
    }
  }

  operator std::string_view() const noexcept {
    return {reinterpret_cast<const char*>(words_.begin()), words_.size() * sizeof(std::uint64_t)};
  }

 private:
  static std::uint64_t packed(device d) noexcept {
    return std::uint64_t{static_cast<std::uint16_t>(d.index)} << 16 | std::uint64_t{d.node} << 8 |
           static_cast<std::uint64_t>(d.kind);
  }

  void add(std::uint64_t word) { words_.emplace_back(word); }
  void add(const std::int64_t* sizes, int count) {
    for (int i = 0; i < count; ++i) add(static_cast<std::uint64_t>(sizes[i]));
  }
  void add(const tensor& x) {
    const auto& v = *x.source();
    const auto rank = static_cast<std::uint64_t>(v.dims().rank());
    const std::uint64_t part = x.part() ? 1 : 0, collects = x.node() ? 1 : 0;
    add(packed(v.device) << 32 | collects << 17 | part << 16 | rank << 8 | number_of(v.element));
    add(v.dims().data(), v.dims().rank());
    if (!x.part()) return;
    const auto& view = x.part()->layout;
    add(static_cast<std::uint64_t>(view.offset));
    add(static_cast<std::uint64_t>(view.dims.rank()));
    add(view.dims.data(), view.dims.rank());
    add(view.strides, view.dims.rank());
  }

  small_vector<std::uint64_t, 32> words_;
};

/// Returns the engine that all arguments belong to; null if the function itself will refuse them.
engine* home_of(std::span<const tensor> in, caller where) {
  if (in.empty()) return &engine::current("compile", where);
  for (const auto& x : in) {
    if (!x.defined() || x.source()->engine != in[0].source()->engine) return nullptr;
  }
  return &engine::of(*in[0].source(), "compile", where);
}

std::string counted(std::size_t n, std::string_view what) {
  auto out = std::to_string(n);
  out.append(" ").append(what);
  return n == 1 ? out : out + 's';
}

std::string inputs_text(const graph& p) {
  std::string out;
  for (std::size_t i = 0; i < p.arguments; ++i)
    out.append(i > 0 ? ", " : "").append(to_string(p.types[i]));
  return out;
}

/// Returns the bytes that are kept for a program as it was captured, and as it runs.
std::size_t bytes_of(const graph& p, const graph& runs) {
  auto bytes = p.steps.size() * sizeof(program_step) + p.types.size() * sizeof(tensor_type);
  for (const auto& one : runs.constants) bytes += one->bytes();
  return bytes;
}

/// Changes a program of an engine for speed; returns what was done.
std::string optimise(graph& p, engine& on, bool with_constants) {
  std::ostringstream told;
  told << '(' << inputs_text(p) << "): " << counted(p.steps.size(), "operation");
  if (!p.places.empty()) told << ", " << counted(p.places.size(), "variable");
  if (!p.constants.empty()) told << ", " << counted(p.constants.size(), "constant");
  told << '\n';
  if (const auto dead = remove_dead_steps(p))
    told << "  " << counted(dead, "operation") << " left out, which nobody needs\n";
  for (const auto& line : merge_repeated_steps(p)) told << "  " << line << '\n';
  if (with_constants) {
    for (const auto& line : fold_constants(p, on)) told << "  " << line << '\n';
  }
  for (const auto& line : bypass_copies(p)) told << "  " << line << '\n';
  for (const auto& line : fuse_rows(p)) told << "  " << line << '\n';
  for (const auto& line : fuse_elementwise(p, on)) told << "  " << line << '\n';
  if (const auto packed = pack(p)) told << "  " << counted(packed, "operation") << " packed\n";
  told << "  " << counted(p.steps.size(), "task") << '\n';
  return std::move(told).str();
}

graph captured(engine& on, std::span<const tensor> in, const compiled_function::body& f,
               caller where) {
  capture into(on, where);
  std::vector<tensor> arguments;
  for (const auto& x : in) arguments.push_back(into.argument(x));
  const auto before = on.random_state();
  const capture::scope capturing(into);
  const auto results = f(arguments);
  const auto after = on.random_state();  // other threads may have drawn some
  if (before.key != after.key || before.counter > after.counter)
    throw error(
        "compile: random numbers were seeded while the function was captured; a compiled "
        "function would not seed them again, give its random numbers a key",
        where);
  return into.finish(results);
}

/// Captures a function and makes a program of it that is ready to run.
std::shared_ptr<captured_program> made(engine& on, std::span<const tensor> in,
                                       const compiled_function::body& f, bool fold_constants,
                                       caller where) {
  auto one = std::make_shared<captured_program>();
  one->runs = captured(on, in, f, where);
  one->captured = one->runs.sketch();
  one->told = optimise(one->runs, on, fold_constants);
  one->runs.note_last_uses();
  one->bytes = bytes_of(one->captured, one->runs);
  one->compared_at = one->sign();
  return one;
}

/// Error of a function that does not do what it did when it was captured.
struct function_changed : error {
  using error::error;
};

/// Throws if it does not.
void refuse_difference(const graph& before, const graph& again, caller where) {
  if (const auto found = difference(before, again))
    throw function_changed("compile: the function does not do what it did when it was captured: " +
                               *found + "; what decides that must be an argument",
                           where);
}

/// The same; returns what it does.
graph check(const captured_program& one, engine& on, std::span<const tensor> in,
            const compiled_function::body& f, caller where) {
  auto again = captured(on, in, f, where);
  refuse_difference(one.captured, again, where);
  return again;
}

/// Captures a function for arguments of these types, which are no views: which part of their values
/// they are is not in a program's text.
graph captured_for(engine& on, std::span<const tensor> in, const compiled_function::body& f,
                   caller where) {
  std::vector<tensor> whole;
  for (const auto& x : in) whole.emplace_back(value_ref(new value(x.type(where))));
  try {
    auto out = captured(on, whole, f, where);
    remove_dead_steps(out, dead_draws::kept);
    return out;
  } catch (const first_call_needed&) {
    throw error("program: call the function first: layers or an optimiser in it have no sizes yet",
                where);
  }
}

/// Returns a function that does what it did when it was captured as `before`, or throws.
compiled_function::body unchanged(compiled_function::body f, const graph& before, caller where) {
  return [f = std::move(f), before = std::make_shared<const graph>(before.sketch()),
          where](std::span<const tensor> in) {
    if (!batching::active()) {
      const capture::aside outside;
      const no_grad plain;
      auto& on = engine::current("program", where);
      refuse_difference(*before, captured_for(on, in, f, where), where);
    }
    return f(in);
  };
}

void warn_of_many(std::uint64_t captures, caller where) {
  std::fprintf(stderr,
               "troupe: a function was captured %llu times, for other shapes, dtypes or numbers "
               "each time, or since it did something else%s\n",
               static_cast<unsigned long long>(captures), call_site_text(where).c_str());
}

}  // namespace

bool runs_as_it_is() noexcept {
  return capture::active() || recording::active() || batching::active() || task_log::active();
}

compiled_function::compiled_function(caller where, compile_options options, bool fixed)
    : where_(where),
      options_(options),
      fixed_(fixed),
      programs_(std::make_unique<program_cache>()) {}

compiled_function::~compiled_function() = default;

std::vector<tensor> compiled_function::call(std::span<const tensor> in, const std::string& others,
                                            const body& f) {
  auto* const on = home_of(in, where_);
  if (!on) return f(in);
  const kind_of_call kind(*on, in, others);
  const auto add = [&](bool fold_constants) {
    auto one = made(*on, in, f, fold_constants, where_);
    if (programs_->add(kind, one) == many_captures) warn_of_many(many_captures, where_);
    return one;
  };
  std::unique_lock<std::mutex> turn;
  try {
    auto one = programs_->find(kind);
    if (!one || !one->runs.writes.empty()) {
      turn = programs_->turn();
      one = programs_->find(kind);  // another thread may have made it meanwhile
    }
    if (one && !fixed_ && goes_another_way(*one, *on, in, f)) {
      programs_->forget(kind);
      one = nullptr;
    }
    if (!one) {
      if (!turn) turn = programs_->turn();
      one = add(true);
    }
    const auto earlier = one->calls.fetch_add(1);
    const bool looks = !fixed_ && earlier != 0 && (earlier & (earlier - 1)) == 0;
    if (looks && !options_.check) check(*one, *on, in, f, where_);
    if (one->runs.lacks_constants()) {  // each call fails in its own way
      programs_->forget(kind);
      const auto calls = one->calls.load();
      one = add(false);
      one->calls = calls;
    }
    if (options_.check) return checked_call(*on, *one, in, f);
    return one->runs.run(*on, in);
  } catch (const first_call_needed&) {
    programs_->forget(kind);
    if (turn) turn.unlock();
    return f(in);
  } catch (...) {  // the function may have changed: the next call does what it does now
    programs_->forget(kind);
    throw;
  }
}

/// Returns true if the function goes another way, through other layers, if there are signs of it.
bool compiled_function::goes_another_way(captured_program& one, engine& on,
                                         std::span<const tensor> in, const body& f) const {
  if (one.compared_at.load(std::memory_order_relaxed) == one.sign()) return false;
  if (difference(one.captured, captured(on, in, f, where_))) return true;
  one.compared_at.store(one.sign(), std::memory_order_relaxed);
  return false;
}

std::vector<tensor> compiled_function::checked_call(engine& on, const captured_program& one,
                                                    std::span<const tensor> in,
                                                    const body& f) const {
  const eager_call eager(on, check(one, on, in, f, where_), in, f);
  std::vector<value_ref> computed;
  auto results = one.runs.run(on, in, &computed);
  const auto found = eager.difference(one.runs, computed, results);
  if (!found.empty()) throw error("compile: " + found, where_);
  return results;
}

program compiled_function::as_program(std::span<const tensor> in, const body& f) const {
  auto* const on = home_of(in, where_);
  if (!on) throw error("program: arguments of one runtime are needed", where_);
  const auto all = captured_for(*on, in, f, where_);
  program::parts out{.text = graph_text(all), .arguments = {}, .body = unchanged(f, all, where_)};
  const auto names = value_names(all);
  for (const auto& x : in) out.arguments.emplace_back(x.type(where_));
  for (std::size_t i = 0; i < all.places.size(); ++i)
    out.variables.emplace_back(names[all.first_place() + i], all.places[i]);
  for (std::size_t i = 0; const auto& one : all.counters())
    out.variables.emplace_back(counter_name(i++), one);
  for (std::size_t i = 0; i < all.constants.size(); ++i)
    out.constants.add(names[all.first_constant() + i], tensor(all.constants[i]), where_);
  return program(std::move(out), where_);
}

std::string compiled_function::explain() const { return programs_->explain(); }

}  // namespace troupe::detail
