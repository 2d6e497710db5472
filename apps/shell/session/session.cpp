// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/session/session.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <string>
#include <thread>

#include "troupe/apps/shell/commands/command.hpp"
#include "troupe/apps/shell/session/copy_to_engine.hpp"
#include "troupe/apps/shell/session/progress.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tasks/priority.hpp"
#include "troupe/tasks/wait_watch.hpp"
#include "troupe/tensor/caller_at.hpp"
#include "troupe/tensor/program/capture.hpp"

namespace troupe::shell {

namespace {

constexpr std::size_t most_outputs = 100;
constexpr double long_wait = 0.3;  // seconds
constexpr int most_scripts = 50;   // within each other

/// The session itself tells of failures.
session_options without_telling(session_options options) {
  options.engine.tell_failures = false;
  return options;
}

}  // namespace

session::session(session_options options, report& to)
    : options_(without_telling(std::move(options))),
      report_(to),
      runtime_(std::make_unique<runtime>(options_.engine)),
      evaluator_(std::make_unique<evaluator>(symbols_, *this)) {}

session::~session() = default;

bool session::enter(const std::string& typed) {
  const bool blank = typed.find_first_not_of(" \t\r\n") == std::string::npos;
  const std::string text(blank ? tutor_.suggestion() : typed);
  if (blank) report_.text(text + "\n");
  const bool was_teaching = tutor_.teaching();
  outcome_ = {};
  here_ = {std::string(sources::input_file), number_, false};
  report_.about(number_);
  sources_.add_input(number_, text);
  starts_.push_back(now());
  const bool good = attempt([&] {
    if (is_command(text)) run_one_command(sources_.input(number_));
    else run_statements(text);
  });
  ++number_;
  outcome_.good = good;
  if (was_teaching) tutor_.look(*this, outcome_);
  return good;
}

void session::run_one_command(std::string_view text) {
  struct noted {
    bool& running;
    std::string_view& command;
    bool before;
    std::string_view command_before;
    ~noted() {
      running = before;
      command = command_before;
    }
  } guard{running_command_, command_, running_command_, command_};
  running_command_ = true;
  command_ = text;
  run_command(*this, text);
  kept_.push_back({number_, std::string(text), here_});
}

void session::run_statements(const std::string& text) {
  struct kept {
    session& of;
    const std::string& text;
    std::size_t ran = 0;  // start of the first statement that has not run to its end
    ~kept() {
      if (text.find_first_not_of(" \t\r\n") < ran)
        of.kept_.push_back({of.number_, text.substr(0, ran), of.here_});
    }
  } guard{*this, text};
  const with_priority given(priority_);
  for (const auto& s : parse(text, symbols_, here_)) {
    guard.ran = s.span.begin;
    evaluator_->run(s);
  }
  guard.ran = text.size();
}

bool session::run_script(const std::string& name, const std::string& text) {
  struct restored {
    origin& current;
    origin before;
    int& depth;
    bool& command;
    bool within_command;
    std::size_t& piece;
    std::size_t piece_before;
    ~restored() {
      current = before;
      --depth;
      command = within_command;
      piece = piece_before;
    }
  } guard{here_, here_, ++scripts_, running_command_, running_command_, piece_begin_, piece_begin_};
  here_ = {name, 1, true};
  piece_begin_ = 0;
  if (!running_command_) starts_.push_back(now());
  running_command_ = false;
  sources_.add_file(name, text);
  return attempt([&] {
    if (scripts_ > most_scripts) throw error(name + ": scripts that run scripts without end?", {});
    run_lines(text);
  });
}

/// Runs a script, in pieces between the lines that are commands.
void session::run_lines(const std::string& text) {
  std::string piece;
  unsigned line = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    ++line;
    const auto end = std::min(text.find('\n', begin), text.size());
    const auto here = std::string_view(text).substr(begin, end - begin);
    if (is_command(here) && is_whole(piece)) {
      run_statements(piece);
      run_script_command(here, line);
      if (ended_) return;
      piece.clear();
      piece_begin_ = end + 1;
      here_.line = line + 1;
    } else {
      piece.append(here).append(end < text.size() ? "\n" : "");
    }
    begin = end + 1;
  }
  run_statements(piece);
}

/// Returns true if a piece of a script ends at the end of a statement.
bool session::is_whole(const std::string& piece) {
  try {
    parse(piece, symbols_, here_);
  } catch (const incomplete_input&) { return false; } catch (const syntax_error&) {
  }  // it is said when the piece is run
  return true;
}

void session::run_script_command(std::string_view text, unsigned line) {
  struct restored {
    origin& current;
    origin before;
    ~restored() { current = before; }
  } const guard{here_, here_};
  here_.line = line;
  here_.counts_lines = false;
  try {
    run_one_command(text);
  } catch (const syntax_error& e) {
    throw error(e.what(), caller_at(here_.file, line));
  } catch (const error& e) {
    if (e.where().line() > 0) throw;
    throw error(e.what(), caller_at(here_.file, line));
  }
}

bool session::finish() {
  here_ = {std::string(sources::input_file), number_, false};
  return attempt([&] { wait_all(); });
}

/// Runs an action of the user, and reports its mistake if there is one.
bool session::attempt(const std::function<void()>& what) {
  const wait_watch interruptible([this] { look_up(); });
  try {
    what();
    return true;
  } catch (const incomplete_input& e) {
    if (!running_command_ && !here_.counts_lines) throw;  // there may be more to come
    fail(mistake_of(e));
  } catch (const syntax_error& e) { fail(mistake_of(e)); } catch (const error& e) {
    fail(mistake_of(e));
  } catch (const stopped&) {
    fail({report_.chatty() && !ended_
              ? "stopped; what was submitted goes on, Ctrl-C again or :cancel cancels it"
              : "stopped"});
  } catch (const std::bad_alloc&) {
    fail({"there is no memory for that"});
  } catch (const std::exception& e) { fail({e.what()}); }
  return false;
}

void session::fail(mistake m) {
  report_.error(m);
  outcome_.facts = std::move(m.facts);
}

void session::refuse(const std::string& text, const syntax_error& why) {
  sources_.add_input(number_, text);
  report_.error(mistake_of(why));
  ++number_;
}

/// Quotes the line of the input that runs now.
mistake session::mistake_of(const syntax_error& e) const {
  mistake m{e.what()};
  if (running_command_) return m;  // its arguments begin elsewhere
  const auto text = here_.counts_lines ? sources_.file(here_.file) : sources_.input(number_);
  const auto begin = e.at().begin + (here_.counts_lines ? piece_begin_ : 0);
  const auto before = text.substr(0, begin);
  const auto line = here_.counts_lines ? std::count(before.begin(), before.end(), '\n') : 0;
  const auto first = here_.counts_lines ? 1 : here_.line;
  m.position = place_text(caller_at(here_.file, first + static_cast<unsigned>(line)));
  m.line = quote_at(text, begin);
  const auto most = std::max<std::size_t>(m.line->text.size() - m.line->begin, 1);
  m.line->length = std::clamp<std::size_t>(e.at().end - e.at().begin, 1, most);
  return m;
}

mistake session::mistake_of(const error& e) {
  const auto& where = e.where();
  mistake m{without_place(e.what(), where), where.line() > 0 ? place_text(where) : "",
            sources_.quote(where)};
  for (const auto& one : evaluator_->take_passed_calls())
    m.calls.push_back({one.name, place_text(one.place), one.times});
  return m;
}

expression session::parsed(std::string_view argument) {
  auto from = here_;
  from.column = static_cast<std::size_t>(argument.data() - command_.data());
  try {
    return parse_expression(argument, symbols_, from);
  } catch (const syntax_error& e) {
    const auto column = static_cast<unsigned>(from.column + e.at().begin + 1);
    throw error(e.what(), caller_at(from.file, from.line, column));
  }
}

dynamic_value session::evaluate(std::string_view argument) {
  const with_priority given(priority_);
  return evaluator_->settled(parsed(argument));
}

// Waiting.

void session::look_up() {
  if (stopping()) throw stopped();
}

template <class Done>
void session::wait_until(const Done& done, const std::function<std::string()>& what) {
  const auto start = now();
  bool told = false;
  struct silence {
    const session_options& options;
    const bool& told;
    ~silence() {
      if (told) options.waiting_for("");
    }
  } guard{options_, told};
  while (!done()) {
    look_up();
    if (!options_.waiting_for || seconds_between(start, now()) < long_wait) continue;
    told = true;
    options_.waiting_for(what());
  }
}

void session::wait(const tensor& x, caller where) {
  if (x.defined() && capture::owns(*x.source()))
    throw error(
        "the value is not known while the function is captured; what depends on a result "
        "cannot decide what is computed",
        where);
  if (x.ready(where)) return;
  wait_until([&] { return x.wait_for(std::chrono::milliseconds(100), where); },
             [&] { return progress_of(x); });
}

/// Waits until every task has ended or failed.
void session::settle_all() {
  const auto start = now();
  wait_until(
      [&] {
        if (runtime_->pending() == 0) return true;
        // Sleeps for a small part of the time waited already.
        const auto waited = seconds_between(start, now());
        if (waited < 200e-6) std::this_thread::yield();
        else
          std::this_thread::sleep_for(std::chrono::duration<double>(std::min(waited / 50, 0.01)));
        return runtime_->pending() == 0;
      },
      [&] { return pending_text(*this); });
}

void session::wait_all() {
  settle_all();
  runtime_->wait_all();
}

// Results of the evaluator.

std::string session::progress_of(const tensor& x) {
  if (x.ready()) return "ready";
  if (x.failed()) return "failed";
  const auto mine = x.source()->sequence;
  const auto all = runtime_->tasks();
  for (const auto& t : all) {
    if (t.sequence == mine) return progress_text(*this, t, all);
  }
  return x.ready() ? "ready" : "queued";
}

trace_log session::latest_trace() const {
  ticks submitted =
      0;  // the latest task that ran; it may have run during a later input, which waited
  for (const auto& e : runtime_->trace().events) submitted = std::max(submitted, e.submitted);
  const auto start = std::upper_bound(starts_.begin(), starts_.end(), submitted);
  return start == starts_.begin() ? trace_log{} : runtime_->trace(*(start - 1));
}

void session::declared(const declaration& s) {
  throw error(symbols_.name(s.name) + ": only the text of a program declares its arrays",
              s.call_site);
}

void session::assigned(symbol name, const dynamic_value& value) {
  const auto* array = std::get_if<tensor>(&value);
  const bool asked = report_.chatty() && array && array->defined();
  report_.state(symbols_.name(name), value, asked ? progress_of(*array) : "");
}

void session::result(const dynamic_value& value, bool quiet, caller where) {
  if (std::holds_alternative<std::monostate>(value)) return;
  outputs_.insert_or_assign(number_, value);
  if (outputs_.size() > most_outputs) outputs_.erase(outputs_.begin());
  if (quiet) return;
  print(value, where);
  outcome_.showed_value = true;
}

void session::print(const dynamic_value& value, caller where) {
  const auto start = now();
  evaluator_->wait_for(value, where);
  try {
    report_.value(value, seconds_between(start, now()));
  } catch (const error& e) {  // its node was lost meanwhile
    throw error(without_place(e.what(), e.where()), where);
  }
}

void session::timed(const timed_block& t) {
  const block_timing seen{seconds_between(t.start, t.submitted),
                          seconds_between(t.start, t.finished), runtime_->overlap(t.start)};
  report_.timing(seen);
  outcome_.timing = seen;
}

dynamic_value session::output(std::uint64_t number, caller where) {
  if (outputs_.empty()) throw error("there is no output yet", where);
  if (number == 0) return outputs_.rbegin()->second;
  const auto found = outputs_.find(static_cast<unsigned>(number));
  if (found == outputs_.end() || number > ~0U)
    throw error("input " + std::to_string(number) + " has no output" +
                    (number < outputs_.begin()->first && outputs_.size() == most_outputs
                         ? " any more: the latest " + std::to_string(most_outputs) + " are kept"
                         : ""),
                where);
  return found->second;
}

std::string session::name_of(std::uint64_t sequence) const {
  for (const auto s : evaluator_->names()) {
    const auto* const array = std::get_if<tensor>(evaluator_->find(s));
    if (!array || !array->defined()) continue;
    const auto& v = *array->source();  // what failed stays with the engine that it failed in
    if (v.sequence == sequence && v.engine == runtime_->engine().id()) return symbols_.name(s);
  }
  return "";
}

// Restarts.

bool session::restore_defaults() {
  const bool changed =
      restarted_ || faults_.delay.count() > 0 || !faults_.failing.empty() || priority_ != 0;
  if (restarted_) restart(options_.engine);
  inject_faults({});
  restarted_ = false;
  priority_ = 0;
  return changed;
}

/// Starts an engine with these options, but without nodes that are lost and do not answer.
std::unique_ptr<runtime> session::new_engine(runtime_options with) {
  try {
    return std::make_unique<runtime>(with);
  } catch (const error&) {
    std::set<std::string> lost;
    for (const auto& d : engine().devices()) lost.insert(d->lost_node());
    const auto left_out =
        std::erase_if(*with.nodes, [&](const auto& address) { return lost.contains(address); });
    if (left_out == 0) throw;
  }
  auto out = std::make_unique<runtime>(with);
  reporting().text("    without nodes that are lost\n");
  return out;
}

void session::restart(const runtime_options& with) {
  settle_all();
  auto next = new_engine(with);
  const auto numbers = home().random_state();
  next->engine().seed(numbers.key, numbers.counter);
  // All is copied before anything changes: what does not fit leaves the session as it was.
  copies_to_engine copies;
  const auto copy = [&](const dynamic_value& x, const std::string& name) {
    return copies(x, name + " cannot be copied to the new engine");
  };
  std::vector<std::pair<symbol, dynamic_value>> variables;
  for (const auto s : evaluator_->names())
    variables.emplace_back(s, copy(*evaluator_->find(s), symbols_.name(s)));
  auto outputs = outputs_;
  for (auto& [number, value] : outputs) value = copy(value, "_" + std::to_string(number));
  for (auto& [name, value] : variables) evaluator_->assign(name, std::move(value));
  outputs_ = std::move(outputs);
  copies.commit();
  runtime_ = std::move(next);
  runtime_->inject_faults(faults_);
  restarted_ = true;
}

void session::inject_faults(const fault_plan& d) {
  faults_ = d;
  runtime_->inject_faults(d);
}

void session::reset() {
  evaluator_->forget_all();
  outputs_.clear();
  kept_.clear();
}

}  // namespace troupe::shell
