// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/session/report.hpp"

#include <ostream>

#include "troupe/language/evaluator/word.hpp"
#include "troupe/tensor/number_text.hpp"
#include "troupe/tensor/print.hpp"
#include "troupe/text/display_width.hpp"
#include "troupe/text/quantities.hpp"

namespace troupe::shell {

namespace {

constexpr double worth_telling = 100e-6;  // seconds

std::string of_range(const range& r) {
  const auto end = [](const std::optional<std::int64_t>& e) { return e ? std::to_string(*e) : ""; };
  return end(r.start) + ":" + end(r.stop) + (r.step == 1 ? "" : ":" + std::to_string(r.step));
}

/// Writes a list. Lists may hold lists, and the same one many times: after some items the rest is
/// left out.
class list_writer {
 public:
  std::string text_of(const list& items) {
    std::string out = "[";
    for (const auto& one : items.items) {
      if (&one != &items.items.front()) out += ", ";
      if (left_ == 0) return out + "...]";
      --left_;
      out += item(one);
    }
    return out + "]";
  }

 private:
  std::string item(const dynamic_value& x) {
    if (std::holds_alternative<std::monostate>(x)) return "none";
    if (const auto* array = std::get_if<tensor>(&x)) return numbers_text(*array);
    const auto* items = std::get_if<std::shared_ptr<const list>>(&x);
    return items ? text_of(**items) : to_text(x);
  }

  int left_ = 1'000;
};

struct writing {
  std::string operator()(std::monostate) const { return ""; }
  std::string operator()(scalar x) const {
    return x.is_real() ? real_text(x.real()) : to_string(x);
  }
  std::string operator()(const tensor& x) const { return to_string(x); }
  std::string operator()(const std::string& x) const { return x; }
  std::string operator()(dtype x) const { return std::string(name(x)); }
  std::string operator()(device x) const { return to_string(x); }
  std::string operator()(const range& x) const { return of_range(x); }
  std::string operator()(const std::shared_ptr<const list>& x) const {
    return list_writer().text_of(*x);
  }
  std::string operator()(const std::shared_ptr<const function>& f) const { return f->text; }
  std::string operator()(const word* w) const { return usage(*w) + "\n    " + std::string(w->doc); }
  std::string operator()(const std::shared_ptr<place>& x) const { return describe(x); }
};

}  // namespace

std::string to_text(const dynamic_value& x) { return std::visit(writing{}, x); }

void text_report::value(const dynamic_value& x, double waited) {
  if (std::holds_alternative<std::monostate>(x)) return;
  out_ << to_text(x) << '\n';
  if (chatty() && waited > worth_telling)
    out_ << colours_.paint(style::faint, "    waited " + duration_text(waited)) << '\n';
  out_.flush();
}

void text_report::state(const std::string& name, const dynamic_value& x,
                        const std::string& progress) {
  if (!chatty()) return;
  const auto* array = std::get_if<tensor>(&x);
  out_ << "    " << colours_.paint(style::name, name) << ": "
       << (array ? to_string(array->type()) : describe(x));
  if (!progress.empty()) out_ << ", " << colours_.paint(style::state, progress);
  out_ << '\n' << std::flush;
}

void text_report::timing(const block_timing& t) {
  const auto& o = t.overlap;
  const auto number = [&](const std::string& text) { return colours_.paint(style::number, text); };
  char factor[32];
  std::snprintf(factor, sizeof factor, "%.2f", o.factor());
  out_ << "    submitted in " << number(duration_text(t.submitted)) << ", finished in "
       << number(duration_text(t.finished)) << "\n    " << (o.partial ? "the latest " : "")
       << o.tasks << (o.tasks == 1 ? " task, work " : " tasks, work ")
       << number(duration_text(o.work)) << " on " << o.lanes.size()
       << (o.lanes.size() == 1 ? " lane" : " lanes") << ", overlap factor " << number(factor)
       << ", critical path " << number(duration_text(o.critical_path))
       << (o.partial ? "; a trace keeps no more, see :set trace_events\n" : "\n") << std::flush;
}

void text_report::error(const mistake& m) {
  out_.flush();
  errors_ << colours_.paint(style::error, "error:") << ' ' << m.facts;
  if (!m.position.empty()) errors_ << " (" << m.position << ")";
  errors_ << '\n';
  if (m.line) {
    auto line = m.line->text;
    for (auto& c : line) {
      if ((c >= 0 && c < ' ' && c != '\t') || c == '\x7f') c = '?';  // a terminal would obey them
    }
    const auto before = std::string_view(line).substr(0, m.line->begin);
    const auto marked = std::string_view(line).substr(before.size(), m.line->length);
    std::string marks = "^";
    for (int i = 1; i < display_width(marked); ++i) marks += '~';
    errors_ << "    " << line << "\n    " << blanks_under(before)
            << colours_.paint(style::caret, marks) << '\n';
  }
  constexpr std::size_t most_calls = 8;
  for (std::size_t i = 0; i < m.calls.size(); ++i) {
    if (i == most_calls) {
      errors_ << "  and " << m.calls.size() - i << " more calls\n";
      break;
    }
    const auto& one = m.calls[i];
    errors_ << "  in " << one.function << ", called from " << one.place;
    if (one.times > 1) errors_ << ", " << one.times << " times";
    errors_ << '\n';
  }
  errors_ << std::flush;
}

void text_report::text(const std::string& lines) { out_ << lines << std::flush; }

}  // namespace troupe::shell
