// SPDX-License-Identifier: MIT
#include "troupe/tensor/program/graph.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <ranges>

#include "troupe/tasks/deadline.hpp"
#include "troupe/tasks/memory_budget.hpp"
#include "troupe/tasks/priority.hpp"
#include "troupe/tasks/small_vector.hpp"

namespace troupe {

namespace {

/// Moves the random numbers of a step to where those of this call begin, unless they are a key's.
void draw_from(task& t, random_source begin) noexcept {
  auto* source = const_cast<random_source*>(&t.attributes.as<random_source>());
  if (!source->is_of_key()) *source = {begin.key, begin.counter + source->counter};
}

}  // namespace

parameter_source source_of(std::vector<update_numbers> numbers, caller where) {
  auto next = [numbers, where] {
    std::vector<attributes> out;
    for (const auto& one : numbers) out.emplace_back(one.next(where));
    return out;
  };
  return {std::move(next), std::move(numbers)};
}

parameter_source source_that_counts(std::vector<std::shared_ptr<place>> counters, caller where) {
  auto next = [counters, where] {
    for (const auto& one : counters) count_up(*one, where);
    return std::vector<attributes>();
  };
  return {std::move(next), {}, std::move(counters)};
}

std::vector<std::shared_ptr<place>> graph::counters() const {
  std::vector<std::shared_ptr<place>> out;
  const auto add = [&](const std::shared_ptr<place>& one) {
    if (one && std::ranges::find(out, one) == out.end()) out.push_back(one);
  };
  for (const auto& source : sources) {
    for (const auto& one : source.numbers) add(one.steps), add(one.own);
    for (const auto& one : source.counters) add(one);
  }
  return out;
}

void graph::rename(std::span<const int> now) {
  const auto change = [&](int& number) {
    if (number >= 0) number = now[static_cast<std::size_t>(number)];
  };
  for (auto& s : steps) {
    for (auto& in : s.inputs) change(in.value);
    for (auto& number : s.outputs) change(number);
  }
  for (auto& r : results) change(r.value);
  for (auto& [to, r] : writes) change(r.value);
  for (auto& [to, r] : gradients) {
    if (r) change(r->value);
  }
}

void graph::add_constants(std::span<const int> numbers, std::span<const tensor> values) {
  const auto first = first_computed();
  std::vector<int> now(types.size());
  for (std::size_t i = 0; i < now.size(); ++i)
    now[i] = static_cast<int>(i < first ? i : i + numbers.size());
  std::vector<tensor_type> added;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    now[static_cast<std::size_t>(numbers[i])] = static_cast<int>(first + i);
    added.push_back(types[static_cast<std::size_t>(numbers[i])]);
    constants.push_back(values[i].source());
  }
  if (origins.empty()) {
    origins.resize(types.size());
    std::iota(origins.begin(), origins.end(), 0);
  }
  std::vector<int> added_origins;
  for (const int number : numbers)
    added_origins.push_back(origins[static_cast<std::size_t>(number)]);
  origins.insert(origins.begin() + static_cast<std::ptrdiff_t>(first), added_origins.begin(),
                 added_origins.end());
  types.insert(types.begin() + static_cast<std::ptrdiff_t>(first), added.begin(), added.end());
  folded += numbers.size();
  rename(now);
}

bool graph::lacks_constants() const noexcept {
  return std::any_of(constants.end() - static_cast<std::ptrdiff_t>(folded), constants.end(),
                     [](const value_ref& v) { return v->failed(); });
}

graph graph::sketch() const {
  graph out;
  out.arguments = arguments;
  out.places = places;
  out.constants = constants;
  for (const auto& s : steps)
    out.steps.push_back({s.op,
                         s.device,
                         s.call_site,
                         s.kernel,
                         {},
                         0,
                         0,
                         s.given.copy(),
                         s.inputs,
                         s.outputs,
                         s.renewed});
  out.results = results;
  out.writes = writes;
  out.gradients = gradients;
  out.sources = sources;
  out.types = types;
  return out;
}

void graph::note_last_uses() {
  std::vector<bool> needed(types.size());
  for_each_result([&](int number) { needed[static_cast<std::size_t>(number)] = true; });
  for (auto& s : std::views::reverse(steps)) {
    for (const auto& in : s.inputs) {
      if (in.value < 0 || needed[static_cast<std::size_t>(in.value)]) continue;
      needed[static_cast<std::size_t>(in.value)] = true;
      s.last_read.push_back(in.value);
    }
    for (std::size_t i = 0; i < writes.size(); ++i) {
      if (std::ranges::find(s.outputs, writes[i].second.value) != s.outputs.end())
        s.replaces.push_back(i);
    }
  }
}

/// Throws for a variable whose array is of another runtime, as the function would.
void graph::refuse_variable(int number) const {
  for (const auto& s : steps) {
    for (const auto& in : s.inputs) {
      if (in.value == number)
        throw error(std::string(s.op->name) + ": inputs of different runtimes", s.call_site);
    }
  }
  throw error("compile: a variable of another runtime than the arguments", {});
}

std::vector<tensor> graph::run(engine& on, std::span<const tensor> in,
                               std::vector<value_ref>* computed) const {
  std::vector<std::vector<attributes>> renewed;
  for (const auto& source : sources) renewed.push_back(source.next());
  small_vector<value_ref, 16> values;
  values.reserve(types.size());
  const auto value_at = [&](int number) -> value_ref& {
    return values[static_cast<std::size_t>(number)];
  };
  for (const auto& x : in) values.emplace_back(x.source());
  for (const auto& one : places) {
    const auto& array = one->read().source();
    if (array->engine != on.id()) refuse_variable(static_cast<int>(values.size()));
    values.emplace_back(array);
  }
  for (const auto& one : constants) values.emplace_back(one);
  while (values.size() < types.size()) values.emplace_back();
  if (computed) {
    computed->resize(types.size());
    for (std::size_t i = 0; i < constants.size(); ++i)
      (*computed)[first_constant() + i] = constants[i];
  }
  const auto result = [&](const program_result& r) {
    tensor whole(value_at(r.value));
    if (r.part) whole = whole.viewed(r.part->layout);
    return whole;
  };
  random_source numbers{};
  if (random_numbers > 0) numbers = {on.random_key(), on.take_random(random_numbers)};
  for (const auto& s : steps) {
    task_ptr t(new task(*s.op, s.device, s.call_site));
    for (const auto& one : s.inputs) {
      auto& to = t->inputs.emplace_back();
      if (one.value >= 0) to.source = value_at(one.value);
      to.part = one.part;
      to.immediate = one.immediate;
      to.element = one.element;
      to.written = one.written;
    }
    for (const int number : s.outputs) {
      const auto& type = types[static_cast<std::size_t>(number)];
      value_ref out(new value(type));
      out->engine = on.id();
      t->add_output(out.twin());
      if (computed) (*computed)[static_cast<std::size_t>(number)] = out;
      value_at(number) = std::move(out);
    }
    t->output_bytes += s.scratch;
    t->kernel = s.kernel;
    t->cost = s.cost;
    t->estimate = s.estimate;
    t->engine = on.id();
    t->attributes =
        s.renewed ? std::move(renewed[s.renewed->source][s.renewed->position]) : s.given.copy();
    if (s.op->random) draw_from(*t, numbers);
    if (s.op->timed) begin_timed(*t, deadline_after(s.given.as<deadline>().given, s.call_site));
    t->budget = budget_scope::grant_for(s.device);
    t->priority = with_priority::current();
    // The step may write over values that nobody else holds when it runs.
    for (const int number : s.last_read) value_at(number) = nullptr;
    for (const auto i : s.replaces) writes[i].first->write(result(writes[i].second));
    on.mark(*t);
    on.submit(std::move(t));
  }
  for (const auto& [to, what] : writes) {
    if (static_cast<std::size_t>(what.value) < first_computed()) to->write(result(what));
  }
  for (const auto& [to, sum] : gradients) to->write_gradient(sum ? result(*sum) : tensor());
  std::vector<tensor> out;
  out.reserve(results.size());
  for (const auto& r : results) out.push_back(result(r));
  return out;
}

bool same_view(const view_ref& a, const view_ref& b) noexcept {
  if (!a || !b) return !a == !b;
  const auto &x = a->layout, &y = b->layout;
  return x.offset == y.offset && x.dims == y.dims &&
         std::equal(x.strides, x.strides + x.dims.rank(), y.strides);
}

bool same_input(const step_input& a, const step_input& b) noexcept {
  return a.value == b.value && a.element == b.element && a.immediate == b.immediate &&
         same_view(a.part, b.part);
}

namespace {

bool same_step(const program_step& a, const program_step& b) noexcept {
  return a.op == b.op && a.device == b.device && a.kernel == b.kernel && a.outputs == b.outputs &&
         std::ranges::equal(a.inputs, b.inputs, same_input);
}

/// Returns true if both make parameters of the same optimiser: its rate may change from call to
/// call.
bool same_source(const parameter_source& a, const parameter_source& b) noexcept {
  const auto same = [](const update_numbers& x, const update_numbers& y) {
    return x.rule == y.rule && x.given == y.given && x.steps == y.steps && x.own == y.own;
  };
  return std::ranges::equal(a.numbers, b.numbers, same) && a.counters == b.counters;
}

bool same_parameters(const program_step& a, const program_step& b) noexcept {
  if (a.renewed || b.renewed) return a.renewed == b.renewed;
  return !a.given.comparable() || a.given.equal(b.given);
}

bool same_result(const program_result& a, const program_result& b) noexcept {
  return a.value == b.value && same_view(a.part, b.part);
}

bool same_constant(const value_ref& a, const value_ref& b) noexcept {
  if (a == b) return true;
  return a->type() == b->type() && a->ready() && b->ready() && a->device.traits().host_memory &&
         std::memcmp(a->data(), b->data(), a->bytes()) == 0;
}

std::string described(const program_step& s) {
  return std::string(s.op->name) + call_site_text(s.call_site);
}

}  // namespace

std::optional<std::string> difference(const graph& first, const graph& again) {
  if (first.places != again.places) return "other variables are read";
  if (!std::ranges::equal(first.constants, again.constants, same_constant))
    return "other data are brought from outside";
  for (std::size_t i = 0; i < std::min(first.steps.size(), again.steps.size()); ++i) {
    const auto &a = first.steps[i], &b = again.steps[i];
    if (!same_step(a, b)) {
      if (a.op == b.op && a.call_site.line() == b.call_site.line())
        return described(b) + " has other inputs";
      return described(b) + " in place of " + described(a);
    }
    if (!same_parameters(a, b)) return described(b) + " has other parameters";
  }
  if (first.steps.size() < again.steps.size())
    return described(again.steps[first.steps.size()]) + " was not there";
  if (first.steps.size() > again.steps.size())
    return described(first.steps[again.steps.size()]) + " is missing";
  if (first.types != again.types) return "other shapes or dtypes";
  if (!std::ranges::equal(first.results, again.results, same_result)) return "other results";
  const auto same_write = [](auto& a, auto& b) {
    return a.first == b.first && same_result(a.second, b.second);
  };
  if (!std::ranges::equal(first.writes, again.writes, same_write))
    return "variables are assigned otherwise";
  const auto same_gradient = [](auto& a, auto& b) {
    return a.first == b.first && a.second.has_value() == b.second.has_value() &&
           (!a.second || same_result(*a.second, *b.second));
  };
  if (!std::ranges::equal(first.gradients, again.gradients, same_gradient))
    return "other gradients are left";
  if (!std::ranges::equal(first.sources, again.sources, same_source))
    return "another optimiser updates the variables";
  return {};
}

}  // namespace troupe
