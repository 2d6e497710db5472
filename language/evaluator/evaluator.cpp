// SPDX-License-Identifier: MIT
#include "troupe/language/evaluator/evaluator.hpp"

#include <complex>
#include <limits>
#include <numbers>
#include <set>
#include <utility>

#include "troupe/language/evaluator/word.hpp"
#include "troupe/tasks/clock.hpp"
#include "troupe/tasks/engine.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tensor/program/place.hpp"
#include "troupe/tensor/tensor_options.hpp"

namespace troupe::language {

evaluator::evaluator(symbol_table& symbols, evaluator_host& around)
    : symbols_(symbols), host_(around) {
  const auto add = [&](std::string_view name, dynamic_value value) {
    const auto s = symbols_.of(name);
    if (builtins_.size() <= s) builtins_.resize(s + 1);
    builtins_[s] = std::move(value);
  };
  for (const auto& w : all_words()) add(w.name, &w);
  for (const auto t : all_dtypes) add(name(t), t);
  add("pi", scalar(std::numbers::pi));
  add("e", scalar(std::numbers::e));
  using limits = std::numeric_limits<double>;
  add("inf", scalar(limits::infinity()));
  add("nan", scalar(limits::quiet_NaN()));
  add("infj", scalar(std::complex<double>(0, limits::infinity())));
  add("nanj", scalar(std::complex<double>(0, limits::quiet_NaN())));
}

// Variables.

std::vector<symbol> evaluator::names() const {
  std::vector<symbol> all;
  for (std::size_t i = 0; i < globals_.size(); ++i) {
    if (globals_[i]) all.push_back(static_cast<symbol>(i));
  }
  return all;
}

const dynamic_value* evaluator::find(symbol name) const noexcept {
  if (frame_) {
    for (const auto& [s, value] : frame_->locals) {
      if (s == name) return &value;
    }
  }
  if (name < globals_.size() && globals_[name]) return &*globals_[name];
  if (name < builtins_.size() && builtins_[name]) return &*builtins_[name];
  return nullptr;
}

/// Returns the variable that an assignment changes; null if it makes one.
dynamic_value* evaluator::own_variable(symbol name) noexcept {
  if (frame_ && !shared_.contains(name)) {
    for (auto& [s, value] : frame_->locals) {
      if (s == name) return &value;
    }
    return nullptr;
  }
  return name < globals_.size() && globals_[name] ? &*globals_[name] : nullptr;
}

void evaluator::assign(symbol name, dynamic_value value) {
  if (auto* const own = own_variable(name)) {
    const bool of_all = !frame_ || shared_.contains(name);  // what compiled functions may use
    if (of_all && (!std::holds_alternative<tensor>(value) || troupe::detail::arrays_were_read))
      ++troupe::detail::other_ways;
    *own = std::move(value);
    return;
  }
  if (frame_ && !shared_.contains(name)) {
    frame_->locals.emplace_back(name, std::move(value));
    return;
  }
  if (globals_.size() <= name) globals_.resize(symbols_.size());
  globals_[name] = std::move(value);
}

void evaluator::forget_all() { globals_.clear(); }

void evaluator::unknown(symbol name, caller where) const {
  constexpr std::size_t longest = 60;
  std::vector<std::string_view> known;
  for (std::size_t i = 0; i < symbols_.size(); ++i) {
    if (find(static_cast<symbol>(i))) known.push_back(symbols_.name(static_cast<symbol>(i)));
  }
  const auto& text = symbols_.name(name);
  const auto shown = text.size() > longest ? text.substr(0, longest) + "..." : text;
  throw error("nothing is named " + shown + suggestion_for_name(text, known), where);
}

// Statements.

void evaluator::run(const statement& s) {
  jump_ = nullptr;  // an error may have ended the loop
  passed_.clear();
  const troupe::detail::notices_other_arrays noticing;
  run_statement(s, true);
}

dynamic_value evaluator::run_statement(const statement& s, bool outermost) {
  host_.look_up();
  return std::visit([&](const auto& node) { return execute(node, outermost, s.quiet); }, s.node);
}

dynamic_value evaluator::run_block(const block& statements) {
  dynamic_value last;
  for (const auto& s : statements) {
    last = {};  // nothing else may have the list that a statement adds to
    last = run_statement(s, false);
    if (jump_) break;
  }
  return last;
}

/// Runs the body of a loop once. Returns false if it ended the loop.
bool evaluator::run_turn(const block& body, dynamic_value& last) {
  host_.look_up();
  last = {};
  last = run_block(body);
  const auto* jumped = std::exchange(jump_, nullptr);
  return !jumped || !jumped->ends_loop;
}

dynamic_value evaluator::settled(const expression& e) {
  auto value = evaluate(e);
  return std::holds_alternative<sequence_literal>(e.node)
             ? settled_list(std::move(value), e.call_site)
             : value;
}

/// Returns the new value of `x += 1`.
dynamic_value evaluator::updated(const assignment& s) {
  const auto* found = find(s.targets[0]);
  if (!found) unknown(s.targets[0], s.call_site);
  return updated(*found, *s.op, s.value);
}

dynamic_value evaluator::updated(dynamic_value before, binary_operator op, const expression& by) {
  const auto value = evaluate(by);
  if (op == binary_operator::add) {
    if (auto both = joined(before, false, value, is_written_list(by), by.call_site)) return *both;
  }
  return finished(apply(op, before, value, by.call_site), by.call_site);
}

/// Returns the new value of `r = append(r, x)`, and nothing for other statements. Nobody notices if
/// a list changes that the variable alone has: a loop of these takes no quadratic time.
std::optional<dynamic_value> evaluator::appended(const assignment& s) {
  const auto* const call = std::get_if<call_expression>(&s.value.node);
  if (s.targets.size() != 1 || !call || call->arguments.size() != 2 || !call->named.empty())
    return {};
  const auto* const f = std::get_if<name_use>(&call->function->node);
  const auto* const grows = std::get_if<name_use>(&call->arguments[0].node);
  if (!f || !grows || grows->name != s.targets[0]) return {};
  const auto* const what = find(f->name);
  if (!what || !std::holds_alternative<const word*>(*what) ||
      std::get<const word*>(*what)->name != "append")
    return {};
  const auto where = s.value.call_site;
  auto item = evaluate(call->arguments[1]);
  auto* const own = own_variable(grows->name);
  auto* const items = own ? std::get_if<std::shared_ptr<const list>>(own) : nullptr;
  if (!items || items->use_count() > 1)
    return finished(invoke(*what, {evaluate(call->arguments[0]), std::move(item)}, {}, where),
                    where);
  if (in_order_ > 0) wait_for(item, where);
  (*items)->room = host_.room_for((*items)->items.size() + 1, where);
  std::const_pointer_cast<list>(*items)->items.push_back(std::move(item));
  return *own;
}

dynamic_value evaluator::execute(const assignment& s, bool outermost, bool quiet) {
  if (s.targets.size() > 1) return unpack(s, outermost && !quiet);
  std::optional<dynamic_value> longer;
  if (!s.op) longer = appended(s);
  auto value = longer ? *std::move(longer) : s.op ? updated(s) : settled(s.value);
  assign(s.targets[0], value);
  if (outermost && !quiet) host_.assigned(s.targets[0], value);
  return value;
}

/// Returns the values of several names. Those that are written one by one are what each is alone.
std::vector<dynamic_value> evaluator::parts_of(const expression& e, std::size_t names) {
  std::vector<dynamic_value> parts;
  std::size_t size = 1;
  const auto value =
      std::holds_alternative<sequence_literal>(e.node) ? dynamic_value() : settled(e);
  if (const auto* written = std::get_if<sequence_literal>(&e.node)) {
    for (const auto& one : written->items) parts.push_back(settled(one));
    size = parts.size();
  } else if (const auto* items = std::get_if<std::shared_ptr<const list>>(&value)) {
    parts = (*items)->items;
    size = parts.size();
  } else if (const auto* array = std::get_if<tensor>(&value); array && array->rank() > 0) {
    size = static_cast<std::size_t>(array->shape()[0]);
    for (std::size_t i = 0; i < size && size == names; ++i)
      parts.emplace_back((*array)[index(static_cast<std::int64_t>(i), e.call_site)]);
  }
  if (size != names)
    throw error(std::to_string(size) + (size == 1 ? " value" : " values") + " for " +
                    std::to_string(names) + " names",
                e.call_site);
  return parts;
}

dynamic_value evaluator::unpack(const assignment& s, bool tells) {
  list parts{parts_of(s.value, s.targets.size())};
  for (std::size_t i = 0; i < s.targets.size(); ++i) {
    assign(s.targets[i], parts.items[i]);
    if (tells) host_.assigned(s.targets[i], parts.items[i]);
  }
  return std::make_shared<const list>(std::move(parts));
}

dynamic_value evaluator::execute(const evaluation& s, bool outermost, bool quiet) {
  auto value = settled(s.value);
  if (outermost) host_.result(value, quiet, s.value.call_site);
  return value;
}

dynamic_value evaluator::execute(const declaration& s, bool, bool) {
  host_.declared(s);
  return {};
}

dynamic_value evaluator::execute(const definition& s, bool, bool) {
  const auto& name = symbols_.name(s.name);
  const auto names = names_of(s.parameters);
  auto f = function_of(name, name + "(" + names_text(names) + ")", names, s.name,
                       [this, name, parameters = s.parameters, body = s.body](caller where) {
                         for (const auto& one : parameters) check_type(name, one, where);
                         return run_block(*body);
                       });
  assign(s.name, f);
  return {};
}

/// Throws unless an argument of a function has the type that its parameter wants.
void evaluator::check_type(const std::string& f, const parameter_declaration& p, caller where) {
  if (!p.type) return;
  const auto& given = *find(p.name);
  const auto* array = std::get_if<tensor>(&given);
  if (array && array_type{array->dtype(where), array->shape()} == *p.type) return;
  throw error(f + ": " + symbols_.name(p.name) + " is to be " +
                  to_string(tensor_type{p.type->dims, p.type->element, {}}) + ", not " +
                  describe(given),
              where);
}

dynamic_value evaluator::execute(const repetition& s, bool, bool) {
  const auto count = to_integer(there(s.count), "repeat", s.count.call_site);
  if (count < 0) throw error("repeat: the count is negative", s.count.call_site);
  dynamic_value last;
  for (std::int64_t i = 0; i < count && run_turn(s.body, last); ++i) {}
  return last;
}

dynamic_value evaluator::execute(const iteration& s, bool, bool) {
  const auto over = evaluate(s.over);
  dynamic_value last;
  const auto once = [&](dynamic_value item) {
    assign(s.name, std::move(item));
    return run_turn(s.body, last);
  };
  if (const auto* r = std::get_if<range>(&over)) {
    const auto start = r->start.value_or(0);
    if (!r->stop) throw error("for: the range has no end", s.over.call_site);
    if (r->step == 0) throw error("for: the step is 0", s.over.call_site);
    for (auto i = start; r->step > 0 ? i < *r->stop : i > *r->stop;) {
      if (!once(scalar(i)) || __builtin_add_overflow(i, r->step, &i)) break;
    }
  } else if (const auto* items = std::get_if<std::shared_ptr<const list>>(&over)) {
    const auto held = *items;
    for (const auto& one : held->items) {
      if (!once(one)) break;
    }
  } else if (const auto* array = std::get_if<tensor>(&over); array && array->rank() > 0) {
    for (std::int64_t i = 0; i < array->shape()[0]; ++i) {
      if (!once((*array)[index(i, s.over.call_site)])) break;
    }
  } else {
    throw error("for: goes over a range, a list or the rows of an array, not " + describe(over),
                s.over.call_site);
  }
  return last;
}

dynamic_value evaluator::execute(const conditional_loop& s, bool, bool) {
  dynamic_value last;
  while (to_truth(there(s.condition), "while", s.condition.call_site) && run_turn(s.body, last)) {}
  return last;
}

dynamic_value evaluator::execute(const jump& s, bool, bool) {
  jump_ = &s;
  return {};
}

dynamic_value evaluator::execute(const choice& s, bool, bool) {
  return run_block(to_truth(there(s.condition), "if", s.condition.call_site) ? s.when_true
                                                                             : s.when_false);
}

dynamic_value evaluator::execute(const placement& s, bool, bool) {
  const auto where = evaluate(s.device);
  const auto* place = std::get_if<device>(&where);
  if (!place)
    throw error("on: wants a device, such as cpu(1), not " + describe(where), s.device.call_site);
  host_.home().at(*place, "on", s.device.call_site);
  const on_device guard(*place);
  return run_block(s.body);
}

dynamic_value evaluator::execute(const in_order& s, bool, bool) {
  struct counted {
    explicit counted(int& n) : count(n) { ++count; }
    ~counted() { --count; }
    int& count;
  } guard(in_order_);
  return run_block(s.body);
}

dynamic_value evaluator::execute(const timing& s, bool, bool) {
  host_.wait_all();  // earlier tasks are not part of it
  const auto start = now();
  auto last = run_block(s.body);
  const auto submitted = now();
  host_.wait_all();
  host_.timed({start, submitted, now()});
  return last;
}

dynamic_value evaluator::execute(const waiting& s, bool, bool) {
  if (s.values.empty()) host_.wait_all();
  for (const auto& one : s.values) wait_for(evaluate(one), one.call_site);
  return {};
}

dynamic_value evaluator::execute(const printing& s, bool, bool) {
  for (const auto& one : s.values) host_.print(settled(one), one.call_site);
  return {};
}

dynamic_value evaluator::execute(const removal& s, bool, bool) {
  for (const auto name : s.names) {
    if (frame_) {
      std::erase_if(frame_->locals, [&](const auto& one) { return one.first == name; });
    } else {
      if (name >= globals_.size() || !globals_[name]) unknown(name, {});
      globals_[name].reset();
    }
  }
  return {};
}

void evaluator::wait_for(const dynamic_value& x, caller where) {
  if (const auto* array = std::get_if<tensor>(&x)) return host_.wait(*array, where);
  std::set<const list*> seen;  // a list may hold another one many times
  std::vector<const list*> open;
  const auto look_into = [&](const dynamic_value& one) {
    if (const auto* array = std::get_if<tensor>(&one)) host_.wait(*array, where);
    if (const auto* items = std::get_if<std::shared_ptr<const list>>(&one)) {
      if (seen.insert(items->get()).second) open.push_back(items->get());
    }
  };
  look_into(x);
  while (!open.empty()) {
    const auto* next = open.back();
    open.pop_back();
    for (const auto& one : next->items) look_into(one);
  }
}

}  // namespace troupe::language
