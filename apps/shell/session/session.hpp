// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "troupe/actors/runtime.hpp"
#include "troupe/apps/shell/lessons/lesson.hpp"
#include "troupe/apps/shell/session/report.hpp"
#include "troupe/apps/shell/session/sources.hpp"
#include "troupe/language/evaluator/evaluator.hpp"
#include "troupe/language/evaluator/evaluator_host.hpp"
#include "troupe/language/syntax/lexer.hpp"
#include "troupe/language/syntax/parser.hpp"
#include "troupe/tasks/clock.hpp"
#include "troupe/tasks/fault_injector.hpp"

namespace troupe::shell {

using namespace language;

struct session_options {
  runtime_options engine = {};  ///< at the start, and of each lesson
  bool terminal = false;        ///< the output goes to a terminal
  /// Returns the number of Ctrl-C since they were last handled; empty: none ever.
  std::function<int()> interrupted = {};
  /// Waits until the user asks for the next of many steps; false if they want no more. Empty: all
  /// steps follow at once.
  std::function<bool()> next_step = {};
  /// Shows what a long wait is for; an empty text when it is over.
  std::function<void(const std::string&)> waiting_for = {};
};

/// Statements, or a command, that succeeded. If the last statement of a text failed, the text
/// before it.
struct kept_input {
  unsigned number;
  std::string text;
  origin from;
};

/// State of the shell from the first input to the last: a runtime, variables, outputs, and the
/// texts of the inputs.
class session final : public evaluator_host {
 public:
  session(session_options options, report& to);
  ~session() override;

  /// Runs an input at the prompt, a statement or a command, and reports its results. Returns false
  /// if it was a mistake. Throws incomplete_input if more lines could complete it, and nothing
  /// else.
  bool enter(const std::string& text);
  /// Reports an input that never became complete.
  void refuse(const std::string& text, const syntax_error& why);
  /// Runs a whole script, as one input. Lines of it may be commands.
  bool run_script(const std::string& name, const std::string& text);
  /// Waits for everything. Reports failures that were not shown yet, and returns false if there are
  /// some.
  bool finish();

  /// Returns the number of the next input.
  unsigned next_input() const noexcept { return number_; }
  /// Returns true if an empty input has a meaning now.
  bool takes_blank_lines() const noexcept { return tutor_.teaching(); }
  /// Returns true once a command has ended the session.
  bool ended() const noexcept { return ended_; }
  void end() noexcept { ended_ = true; }

  // For commands.

  runtime& engine() noexcept { return *runtime_; }
  troupe::engine& home() override { return runtime_->engine(); }
  evaluator& variables() noexcept { return *evaluator_; }
  const evaluator& variables() const noexcept { return *evaluator_; }
  symbol_table& symbols() noexcept { return symbols_; }
  tutor& teacher() noexcept { return tutor_; }
  report& reporting() noexcept { return report_; }
  const sources& texts() const noexcept { return sources_; }
  const std::map<unsigned, dynamic_value>& outputs() const noexcept { return outputs_; }
  /// Returns the inputs that succeeded, in order, lines of scripts included.
  const std::vector<kept_input>& kept_inputs() const noexcept { return kept_; }
  const session_options& options() const noexcept { return options_; }
  /// Returns the value of an expression that is an argument of the command that runs now. Throws
  /// troupe::error with its place.
  dynamic_value evaluate(std::string_view argument);
  /// Returns the expression itself.
  expression parsed(std::string_view argument);
  void wait(const tensor& x, caller where) override;
  void wait_all() override;
  void look_up() override;
  /// Returns true if the user pressed Ctrl-C.
  bool stopping() const { return options_.interrupted && options_.interrupted() > 0; }
  /// Returns true to go on with the next of many steps: asks the user, if there is one.
  bool next_step() const { return !options_.next_step || options_.next_step(); }
  /// Starts another runtime and moves the variables and outputs to it once they are ready; random
  /// numbers go on where they were. Throws troupe::error, and changes nothing, if a value does not
  /// fit there.
  void restart(const runtime_options& with);
  /// Starts the runtime that the session began with, if another one runs, and ends injected faults.
  /// Returns true if that changed anything.
  bool restore_defaults();
  /// Makes operations slow or fail from now on, in later runtimes too.
  void inject_faults(const fault_plan& d);
  const fault_plan& faults() const noexcept { return faults_; }
  /// The priority of what later inputs compute, as in `with_priority`.
  int priority() const noexcept { return priority_; }
  void set_priority(int priority) noexcept { priority_ = priority; }
  /// Forgets variables, outputs and inputs.
  void reset();
  /// Returns the name of a value for messages: its variable, or its operation and the call site.
  std::string name_of(std::uint64_t sequence) const;
  /// Returns the trace since the latest input that submitted anything began.
  trace_log latest_trace() const;
  /// Returns the point in time from which `:profile` adds up; none if it was not started.
  const std::optional<ticks>& profiled_from() const noexcept { return profiled_from_; }
  void profile_from(const std::optional<ticks>& start) noexcept { profiled_from_ = start; }
  /// Returns an array's progress: "ready", "queued, waits for a".
  std::string progress_of(const tensor& x);

 private:
  std::unique_ptr<runtime> new_engine(runtime_options with);
  void declared(const declaration& s) override;
  void assigned(symbol name, const dynamic_value& value) override;
  void result(const dynamic_value& value, bool quiet, caller where) override;
  void print(const dynamic_value& value, caller where) override;
  void timed(const timed_block& t) override;
  dynamic_value output(std::uint64_t number, caller where) override;

  void run_statements(const std::string& text);
  void run_one_command(std::string_view text);
  void run_lines(const std::string& text);
  void run_script_command(std::string_view text, unsigned line);
  bool is_whole(const std::string& piece);
  void settle_all();
  bool attempt(const std::function<void()>& what);
  void fail(mistake m);
  mistake mistake_of(const error& e);
  mistake mistake_of(const syntax_error& e) const;
  template <class Done>
  void wait_until(const Done& done, const std::function<std::string()>& what);

  session_options options_;
  report& report_;
  symbol_table symbols_;
  sources sources_;
  std::unique_ptr<runtime> runtime_;
  bool restarted_ = false;  ///< with other options than the session's
  std::unique_ptr<evaluator> evaluator_;
  std::map<unsigned, dynamic_value> outputs_;
  std::vector<kept_input> kept_;
  std::vector<ticks> starts_;  ///< of the inputs, or of the script
  std::optional<ticks> profiled_from_;
  unsigned number_ = 1;
  int scripts_ = 0;  ///< depth of scripts within scripts
  origin here_;
  std::size_t piece_begin_ = 0;  ///< of a script, where what runs now begins
  bool running_command_ = false;
  std::string_view command_;  ///< its text
  bool ended_ = false;
  fault_plan faults_;
  int priority_ = 0;
  tutor tutor_;
  outcome outcome_;  ///< of the input that runs now
};

}  // namespace troupe::shell
