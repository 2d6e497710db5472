// SPDX-License-Identifier: MIT
#include <algorithm>

#include "troupe/apps/shell/cpp_writer/writer.hpp"
#include "troupe/apps/shell/language/lexer.hpp"

namespace troupe::shell::cpp {

namespace {

/// Returns true if a loop's text may give its name another value: "=", "+=" or "," stands behind
/// it.
bool is_changed(std::string_view loop, std::string_view name) {
  const auto all = tokenise(loop);
  for (std::size_t i = 2; i + 1 < all.size(); ++i) {
    if (all[i].text == name && (all[i + 1].text.ends_with('=') || all[i + 1].is(",") ||
                                all[i - 1].is("for") || all[i - 1].is("del")))
      return true;
  }
  return false;
}

}  // namespace

void writer::execute(const repetition& s, value*) {
  const auto count = as_integer(write(s.count), s.count.call_site);
  count_turns(unused_name("i"), constant_of(0), count, 1);
  run_block(s.body);
  close_braces();
}

/// Opens the braces of a loop that counts. The language asks for its end once.
void writer::count_turns(const std::string& name, const value& from, const value& to,
                         std::int64_t step) {
  std::string head = "for (std::int64_t " + name + " = " + from.text, end = to.text;
  if (!to.constant) {
    end = unused_name("end");
    head += ", " + end + " = " + to.text;
  }
  head += "; " + name + (step > 0 ? " < " : " > ") + end + "; ";
  if (step == 1 || step == -1) head += (step > 0 ? "++" : "--") + name;
  else head += name + (step > 0 ? " += " : " -= ") + std::to_string(std::abs(step));
  open_braces(head + ")");
}

void writer::execute(const iteration& s, value*) {
  auto over = write(s.over);
  const auto where = s.over.call_site;
  if (over.listed) over = settled(std::move(over), where);
  if (over.is == kind::range) return count_over(s, over);
  if (over.is == kind::array) {
    const auto rows =
        fresh("rows", over.variable ? value{.is = kind::array, .text = over.text} : over);
    const auto at = unused_name("i");
    count_turns(at, constant_of(0), {.text = rows.text + ".shape()[0]"}, 1);
    assign(s.name, {.is = kind::array, .text = rows.text + "[" + at + "]"}, where);
  } else if (over.is == kind::list && !over.items.empty()) {
    over_items(s, over.items[0].is, list_of_items(over, where));
  } else if (over.is == kind::arrays || over.is == kind::sizes) {
    const bool arrays = over.is == kind::arrays;
    const auto all = fresh("items", {.is = over.is, .text = over.text});
    over_items(s, arrays ? kind::array : kind::integer, all.text);
  } else {
    refuse("a loop over " + std::string(name_of(over.is)), where);
  }
  run_block(s.body);
  close_braces();
}

/// "{0.5, 1.5}": items of one kind.
std::string writer::list_of_items(const value& list, std::source_location where) {
  std::string out;
  for (const auto& one : list.items) {
    if (type_of(one.is).empty() || one.is != list.items[0].is)
      refuse("a loop over a list of mixed things", where);
    out += (out.empty() ? "" : ", ") + typed(one);
  }
  return "{" + out + "}";
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
  const auto name = s.name;
  const auto &start = over.items[0], &stop = over.items[1], &step = over.items[2];
  const auto by = step.is == kind::none ? scalar(1) : step.constant.value_or(scalar(0));
  if (by.real() == 0) refuse("a loop whose step is not a number", where);
  if (stop.is == kind::none) refuse("a loop without an end", where);
  const auto loop = compound_;
  const bool own =
      mentions(loop, name) == mentions(all_text_, name) && !is_changed(loop, symbols_.name(name));
  const auto counter = unused_name(own ? symbols_.name(name) : symbols_.name(name) + "_now");
  count_turns(counter, start.is == kind::none ? constant_of(0) : start, stop,
              static_cast<std::int64_t>(by.real()));
  const value now{.is = kind::integer, .text = counter, .variable = true};
  if (own) {
    frame_->variables[name] = now;
    frame_->locals.back().push_back(name);
  } else {
    assign(name, now, where);
  }
  run_block(s.body);
  close_braces();
}

}  // namespace troupe::shell::cpp
