// SPDX-License-Identifier: MIT
#include <utility>

#include "troupe/apps/shell/cpp_writer/writer.hpp"

namespace troupe::shell::cpp {

namespace {

/// Returns true if the last statement has a value that C++ can return on every path.
bool gives_value(const block& statements) {
  if (statements.empty()) return false;
  const auto& last = statements.back().node;
  if (const auto* one = std::get_if<assignment>(&last)) return one->targets.size() == 1;
  if (const auto* one = std::get_if<language::choice>(&last))
    return gives_value(one->when_true) && gives_value(one->when_false);
  return std::holds_alternative<evaluation>(last);
}

}  // namespace

void writer::add(const block& statements, std::string_view source) {
  main_.source = source;
  for (const auto& s : statements) run(s);
}

void writer::run(const statement& s, value* result) {
  if (frame_->locals.empty()) frame_->statement = frame_->lines.size();
  const auto around = frame_->compound;
  if (!std::holds_alternative<assignment>(s.node))
    frame_->compound = frame_->source.substr(s.span.begin, s.span.end - s.span.begin);
  quiet_ = s.quiet;
  std::visit([&](const auto& node) { execute(node, result); }, s.node);
  frame_->compound = around;
}

/// Writes the statements of a block. With `result`, a function ends with them: the value of the
/// last one is its result.
void writer::run_block(const block& statements, value* result) {
  ++nesting_;
  for (const auto& s : statements) {
    const bool last = result && &s == &statements.back();
    run(s, last && gives_value(statements) ? result : nullptr);
    const bool nothing = std::holds_alternative<printing>(s.node) ||
                         std::holds_alternative<waiting>(s.node) ||
                         std::holds_alternative<removal>(s.node);
    if (last && !gives_value(statements)) result->is = nothing ? kind::none : kind::lost;
  }
  --nesting_;
}

void writer::open_braces(const std::string& head) {
  if (head == "else") frame_->lines.back() += " else {";
  else emit(head.empty() ? "{" : head + " {");
  frame_->locals.emplace_back();
}

void writer::close_braces() {
  for (const auto name : frame_->locals.back()) frame_->variables.erase(name);
  frame_->locals.pop_back();
  emit("}");
}

void writer::give_result(const value& x, value& result, std::source_location where) {
  result.is = x.is;
  if (x.is == kind::none || x.is == kind::lost) {
    if (!x.text.empty()) emit(x.text + ";");
  } else {
    if (type_of(x.is).empty()) refuse("a function that gives " + name_of(x.is), where);
    emit("return " + typed(x) + ";");
  }
}

// Assignments.

/// Gives a variable a value. A value of another kind makes another variable of C++; within braces,
/// which may run or not, it is refused.
void writer::assign(symbol name, value x, std::source_location where) {
  const auto& text = symbols_.name(name);
  const auto found = frame_->variables.find(name);
  const bool known = found != frame_->variables.end();
  const bool in_braces = !frame_->locals.empty();
  if (known && found->second.counter) refuse("another value for the loop's variable", where);
  if (x.is == kind::function) {
    if (in_braces || frame_ != &main_) refuse("a function that gets its name in braces", where);
    if (x.function->name.empty()) x.function->name = text;
    main_.variables[name] = std::move(x);
    return;
  }
  if (type_of(x.is).empty()) refuse(name_of(x.is) + " as a value", where);
  if (known && found->second.is == x.is) {
    frame_->changed.insert(found->second.text);
    emit(found->second.text + " = " + x.text + ";");
    return;
  }
  if (known && in_braces)
    refuse(text + " is " + name_of(found->second.is) + " or " + name_of(x.is) +
               ", as the program runs",
           where);
  const bool local = in_braces && mentions(frame_->compound, text) == mentions(all_text_, text);
  if (in_braces && !local && (find_word(text) || (frame_ != &main_ && find(name))))
    refuse(text + " is given a value within braces, and is something else before", where);
  const auto cpp_name = unused_name(text);
  const auto declaration = type_of(x.is) + " " + cpp_name;
  frame_->variables[name] = {.is = x.is, .text = cpp_name, .variable = true};
  if (local) frame_->locals.back().push_back(name);
  if (!in_braces || local) return emit(declaration + " = " + x.text + ";");
  emit_before(*frame_, declaration + (x.is == kind::array ? ";" : " = {};"));
  emit(cpp_name + " = " + x.text + ";");
}

void writer::execute(const assignment& s, value* result) {
  const auto where = s.value.call_site;
  if (s.targets.size() > 1) return unpack(s);
  auto x = settled(write(s.value), where);
  if (s.op) {  // x += 1
    const auto* old = find(s.targets[0]);
    if (!old) refuse("nothing is named " + symbols_.name(s.targets[0]) + " there", where);
    x = compute(*s.op, *old, std::move(x), where);
  }
  assign(s.targets[0], std::move(x), where);
  const auto* now = find(s.targets[0]);
  if (in_order_ > 0 && now->is == kind::array) emit(now->text + ".wait();");
  if (result) give_result(*now, *result, where);
}

/// Returns the values of several names, none of which is a variable that one of them may name.
std::vector<value> writer::parts_of(const expression& e, std::size_t names) {
  std::vector<value> parts;
  if (const auto* written = std::get_if<language::sequence_literal>(&e.node)) {
    for (const auto& one : written->items) {
      auto x = settled(write(one), one.call_site);
      x.variable = false;
      parts.push_back(fresh("part", x));
    }
    return parts;
  }
  auto x = settled(write(e), e.call_site);
  if (x.is != kind::arrays && x.is != kind::sizes)
    refuse("several names for " + name_of(x.is), e.call_site);
  x.variable = false;
  x = fresh("parts", x);
  for (std::size_t i = 0; i < names; ++i)
    parts.push_back(item_of(x, constant_of(static_cast<std::int64_t>(i)), e.call_site));
  return parts;
}

/// Writes `a, b = split(x, 2)`.
void writer::unpack(const assignment& s) {
  const auto parts = parts_of(s.value, s.targets.size());
  if (parts.size() != s.targets.size())
    refuse(
        std::to_string(parts.size()) + " values for " + std::to_string(s.targets.size()) + " names",
        s.value.call_site);
  for (std::size_t i = 0; i < parts.size(); ++i) assign(s.targets[i], parts[i], s.value.call_site);
}

void writer::execute(const evaluation& s, value* result) {
  const auto where = s.value.call_site;
  const bool outermost = nesting_ == 0, quiet = quiet_;
  const int before = acts_;
  auto x = settled(write(s.value), where);
  if (in_order_ > 0 && x.is == kind::array) {
    x = fresh("last", x);
    emit(x.text + ".wait();");
  }
  if (result) return give_result(x, *result, where);
  const bool computes =
      acts_ != before || x.is == kind::none || x.is == kind::lost || x.is == kind::array;
  if (outermost && !quiet && x.is != kind::none) emit(show(x, where));
  else if (computes && !x.variable && !x.text.empty()) emit(x.text + ";");
}

void writer::execute(const declaration& s, value*) {
  refuse("the arrays of a program", s.call_site);
}

void writer::execute(const definition& s, value*) {
  auto f = std::make_shared<function>();
  f->parameters = names_of(s.parameters);
  f->body = s.body;
  f->source = frame_->source;
  f->name = symbols_.name(s.name);
  assign(s.name, {.is = kind::function, .function = std::move(f)}, {});
}

void writer::execute(const language::choice& s, value* result) {
  value otherwise;
  open_braces("if (" + write_condition(s.condition).text + ")");
  run_block(s.when_true, result);
  close_braces();
  if (!s.when_false.empty()) {
    open_braces("else");
    run_block(s.when_false, result ? &otherwise : nullptr);
    close_braces();
  }
  if (result && result->is != otherwise.is)
    refuse("a function that gives " + name_of(result->is) + " or " + name_of(otherwise.is) +
               ", as the program runs",
           s.condition.call_site);
}

void writer::execute(const placement& s, value* result) {
  const auto where = write(s.device);
  if (where.is != kind::device) refuse("on: no device", s.device.call_site);
  open_braces("");
  emit("const on_device " + unused_name("guard") + "(" + where.text + ");");
  run_block(s.body, result);
  close_braces();
}

void writer::execute(const in_order& s, value* result) {
  ++in_order_;
  run_block(s.body, result);
  --in_order_;
}

void writer::execute(const timing& s, value*) {
  const auto since = unused_name("since");
  emit("rt.wait_all();\nconst ticks " + since + " = now();");
  const bool around = std::exchange(in_time_, true);
  run_block(s.body);
  in_time_ = around;
  emit("rt.wait_all();\nstd::cout << rt.overlap(" + since + ");");
  ++acts_;
}

void writer::execute(const waiting& s, value*) {
  if (s.values.empty()) emit("rt.wait_all();");
  for (const auto& one : s.values) {
    const auto x = settled(write(one), one.call_site);
    if (x.is == kind::arrays) emit("for (const auto& x : " + x.text + ") x.wait();");
    else if (x.is == kind::array) emit(within(x, of_atom) + ".wait();");
  }
}

void writer::execute(const printing& s, value*) {
  for (const auto& one : s.values) {
    emit(show(settled(write(one), one.call_site), one.call_site));
    ++acts_;
  }
}

void writer::execute(const removal& s, value*) {
  for (const auto name : s.names) frame_->variables.erase(name);  // C++ frees it with its braces
}

// Loops.

void writer::execute(const repetition& s, value*) {
  const auto count = as_integer(write(s.count), s.count.call_site);
  count_turns(unused_name("i"), constant_of(0), count, 1);
  run_loop(s.body);
}

void writer::execute(const conditional_loop& s, value*) {
  open_braces("while (" + write_condition(s.condition).text + ")");
  run_loop(s.body);
}

void writer::execute(const jump& s, value*) {
  if (in_time_) refuse("break or continue within time", s.call_site);
  emit(s.ends_loop ? "break;" : "continue;");
}

/// Writes the body of a loop and closes its braces.
void writer::run_loop(const block& body) {
  const bool around = std::exchange(in_time_, false);
  run_block(body);
  close_braces();
  in_time_ = around;
}

/// Opens the braces of a loop that counts. The language evaluates its end once.
void writer::count_turns(const std::string& name, const value& from, const value& to,
                         std::int64_t step) {
  std::string head = "for (std::int64_t " + name + " = " + from.text, end = to.text;
  if (!to.constant) {
    end = unused_name("end");
    head += ", " + end + " = " + to.text;
  }
  head += "; " + name + (step > 0 ? " < " : " > ") + end + "; ";
  head += step == 1 ? "++" + name : name + " += " + std::to_string(step);
  open_braces(head + ")");
}

void writer::execute(const iteration& s, value*) {
  const auto over = write(s.over);
  const auto where = s.over.call_site;
  if (over.is == kind::range) return count_over(s, over);
  if (over.is != kind::array) refuse("a loop over " + name_of(over.is), where);
  const auto rows = fresh("rows", {.is = kind::array, .text = over.text});  // its name may change
  const auto at = unused_name("i");
  count_turns(at, constant_of(0), {.text = rows.text + ".shape()[0]"}, 1);
  assign(s.name, {.is = kind::array, .text = rows.text + "[" + at + "]"}, where);
  run_loop(s.body);
}

void writer::count_over(const iteration& s, const value& over) {
  const auto where = s.over.call_site;
  const auto& name = symbols_.name(s.name);
  const auto &start = over.items[0], &stop = over.items[1], &step = over.items[2];
  const auto by = step.is == kind::none ? scalar(1) : step.constant.value_or(scalar(0));
  if (by.real() == 0) refuse("a loop whose step is not a number", where);
  if (stop.is == kind::none) refuse("a loop without an end", where);
  const bool own = mentions(frame_->compound, name) == mentions(all_text_, name);
  const auto counter = unused_name(own ? name : name + "_now");
  count_turns(counter, start.is == kind::none ? constant_of(0) : start, stop,
              static_cast<std::int64_t>(by.real()));
  const value now{.is = kind::integer, .text = counter, .variable = true, .counter = own};
  if (own) {
    frame_->variables[s.name] = now;
    frame_->locals.back().push_back(s.name);
  } else {
    assign(s.name, now, where);
  }
  run_loop(s.body);
}

}  // namespace troupe::shell::cpp
