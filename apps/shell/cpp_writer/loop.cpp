// SPDX-License-Identifier: MIT
#include <utility>

#include "troupe/apps/shell/cpp_writer/writer.hpp"

namespace troupe::shell::cpp {

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
  if (over.is == kind::array) {
    const auto rows =
        fresh("rows", over.variable ? value{.is = kind::array, .text = over.text} : over);
    const auto at = unused_name("i");
    count_turns(at, constant_of(0), {.text = rows.text + ".shape()[0]"}, 1);
    assign(s.name, {.is = kind::array, .text = rows.text + "[" + at + "]"}, where);
  } else if (over.is == kind::list && !over.items.empty()) {
    for (const auto& one : over.items) {
      if (type_of(one.is).empty() || one.is != over.items[0].is)
        refuse("a loop over a list of mixed things", where);
    }
    over_items(s, over.items[0].is, "{" + comma_list(over.items) + "}");
  } else if (over.is == kind::arrays || over.is == kind::sizes) {
    const bool arrays = over.is == kind::arrays;
    const auto all = fresh("items", {.is = over.is, .text = over.text});
    over_items(s, arrays ? kind::array : kind::integer, all.text);
  } else {
    refuse("a loop over " + std::string(name_of(over.is)), where);
  }
  run_loop(s.body);
}

void writer::over_items(const iteration& s, kind of, const std::string& items) {
  const std::string reference = of == kind::array ? "&" : "";
  const auto item = unused_name(symbols_.name(s.name) + "_now");
  open_braces("for (const " + std::string(type_of(of)) + reference + " " + item + " : " + items +
              ")");
  assign(s.name, {.is = of, .text = item}, s.over.call_site);
}

void writer::count_over(const iteration& s, const value& over) {
  const auto where = s.over.call_site;
  const auto& name = symbols_.name(s.name);
  const auto &start = over.items[0], &stop = over.items[1], &step = over.items[2];
  const auto by = step.is == kind::none ? scalar(1) : step.constant.value_or(scalar(0));
  if (by.real() == 0) refuse("a loop whose step is not a number", where);
  if (stop.is == kind::none) refuse("a loop without an end", where);
  const bool own = mentions(compound_, name) == mentions(all_text_, name);
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
