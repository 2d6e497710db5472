// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/lessons/lesson.hpp"
#include "troupe/apps/shell/session/session.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/text/quantities.hpp"

namespace troupe::shell {

namespace {

/// Returns a sentence such as "Here each took 1.20 us."
std::string time_of_each(const outcome& o) {
  const auto tasks = static_cast<double>(o.timing->overlap.tasks);
  return "Here each took " + duration_text(o.timing->finished / tasks) + ".";
}

lesson submitting() {
  return {"submitting and showing",
          {{"An operation is submitted and the prompt is back at once; its result comes later.",
            "a = uniform(2000, 2000)", array_is_named("a"),
            "a has a shape already; its elements follow."},
           {"This product takes a while, and the prompt does not wait for it.", "b = a @ a",
            array_is_named("b"),
            "The line above says how far b is, the prompt how many tasks are pending."},
           {"To show a value is to wait for it.", "b[0, 0]", value_was_shown(),
            "Showing waited for b, and for nothing else."}}};
}

lesson independent_work() {
  return {
      "independent work overlaps",
      {{"Two lanes, which run tasks, whatever this machine has.", ":lanes 2", lanes_at_least(2),
        "A lane runs one task at a time. The next lesson begins with the usual number."},
       {"Let every product take 300 ms longer, which it sleeps, so that there is something to "
        "see.",
        ":slow 300ms matmul", is_slow("matmul", 0.1),
        "Two of them will take 600 ms if they go one after the other."},
       {"Something to compute with.", "a = uniform(200, 200)", array_is_named("a"), "Submitted."},
       {"These two products do not need each other. What stands in braces is submitted at "
        "once.",
        "time { x = a @ a; y = a @ a }", tasks_overlapped(),
        "Finished in the time of one: the overlap factor says how many lanes were busy on "
        "average."},
       {"This is what ran when on which lane.", ":timeline", command_is(":timeline"),
        "Side by side: nobody had to say so."},
       {"Back to the usual speed.", ":slow off", nothing_is_slow(),
        "Lesson 3 has two products of which one needs the other."}}};
}

lesson data_order() {
  return {
      "data makes order",
      {{"Let every product take 300 ms longer again.", ":slow 300ms matmul", is_slow("matmul", 0.1),
        "Two that are independent take 300 ms where there are two lanes."},
       {"Something to compute with.", "a = uniform(200, 200)", array_is_named("a"), "Submitted."},
       {"y needs x here.", "time { x = a @ a; y = x @ a }", tasks_kept_data_order(),
        "y began when x was there: the time of both, however many lanes there are."},
       {"What y was computed from:", ":graph y", command_is(":graph"),
        "Such edges of data are the only order there is."},
       {"Back to the usual speed.", ":slow off", nothing_is_slow(),
        "Without :slow, lanes that are free take a share of large products."}}};
}

lesson order_of_statements() {
  return {
      "in_order against together, and more lanes",
      {{"Two lanes to begin with.", ":lanes 2", lanes_at_least(2), "Two tasks at a time."},
       {"Let every operation take 30 ms longer, so that there is something to see.", ":slow 30ms",
        is_slow("", 0.01), "Five of them will take 150 ms if they go one after the other."},
       {"in_order waits for each operation before it submits the next, as most libraries do.",
        "time { in_order { a = ones(9); b = ones(9) + 1; c = ones(9) * 2 } }", tasks_ran_alone(),
        "One after the other, though nothing made that necessary."},
       {"Together:", "time { a = ones(9); b = ones(9) + 1; c = ones(9) * 2 }", tasks_overlapped(),
        "What is independent overlaps: nothing but data makes order."},
       {"With more lanes more of them can.", ":lanes 4", lanes_at_least(3),
        "Your variables came along."},
       {"Once more:", "time { a = ones(9); b = ones(9) + 1; c = ones(9) * 2 }", tasks_overlapped(),
        "Bounded by the longest chain of tasks that need each other now: the critical path."},
       {"Back to the usual speed.", ":slow off", nothing_is_slow(),
        "The next lesson begins with the usual number of lanes."}}};
}

lesson sizes() {
  return {"small operations and large",
          {{"A number to begin with.", "s = zeros(1)", array_is_named("s"), "Submitted."},
           {"A thousand small operations, each of which needs the one before.",
            "time { repeat 1000 { s = s + 1 } }", tasks_were_timed(1'000),
            "They travel between the actors in batches.", time_of_each},
           {"One large operation: all lanes take a share of it.",
            "time { x = uniform(2000, 2000); y = x @ x }", tasks_were_timed(2),
            "Work is what all lanes did together; finished in is what you waited."}}};
}

lesson copies() {
  return {"computing and copying",
          {{"Two CPU devices share the cores; each has memory of its own.", ":devices 2",
            devices_at_least(2), "cpu:0 and cpu:1."},
           {"Something large on the first one.", "a = uniform(1500, 1500)", array_is_named("a"),
            "Submitted."},
           {"A copy goes to the other device while the first one computes.",
            "time { b = a @ a; c = a.to(cpu(1)); d = c + 1 }", something_was_copied(),
            "Copies have a lane of their own."},
           {"What ran when:", ":timeline", command_is(":timeline"),
            "The copy needed nobody's time to compute."}}};
}

lesson errors() {
  return {
      "errors travel along edges, and cancelling",
      {{"An index that is out of bounds shows only when it runs. Nothing happens here yet.",
        "x = take(arange(3), [7]); y = x + 1", array_is_named("y"),
        "Both have a shape, neither is read."},
       {"Reading y says what failed, where, and from which input.", "y",
        mistake_tells("out of bounds"), "The error travelled from x to y, and to nothing else."},
       {"A failure that nobody reads:", "z = take(arange(3), [9])", array_is_named("z"),
        "It fails, and nobody is told."},
       {"To wait for everything is to be told.", "wait_all", mistake_tells("out of bounds"),
        "wait_all tells of the first failure that nobody was told of."},
       {"A lot to do: let every product take 20 s longer.", ":slow 20s matmul",
        is_slow("matmul", 1), "It sleeps for so long."},
       {"Twenty of them:", "repeat 20 { b = ones(2, 2) @ ones(2, 2) }", array_is_named("b"),
        "Submitted."},
       {"What has not ended its sleep can be cancelled. Ctrl-C twice does the same.", ":cancel",
        command_is(":cancel"), "What was cancelled fails, and so does what needs it."},
       {"Reading what was cancelled:", "b", mistake_tells("cancelled"),
        "An error like any other, but wait_all does not tell of it."},
       {"Back to the usual speed.", ":slow off", nothing_is_slow(),
        "What you submit from now on is not cancelled."}}};
}

lesson messages() {
  return {"the actors, message by message",
          {{"The actors and what they have handled:", ":actors", command_is(":actors"),
            "The frontend takes what you type, a dependency actor orders it, lanes run it."},
           {"Who says what to whom, one message at a time:", ":step sum(ones(2) + 1)",
            command_is(":step"),
            "That is all there is: tasks go out in batches, and come back when they are done."}}};
}

}  // namespace

std::span<const lesson> all_lessons() {
  static const auto& all = *new std::vector<lesson>{
      submitting(), independent_work(), data_order(), order_of_statements(),
      sizes(),      copies(),           errors(),     messages()};
  return all;
}

std::string_view tutor::suggestion() const noexcept {
  return lesson_ ? lesson_->steps[step_].input : std::string_view();
}

void tutor::begin(session& s, std::size_t number) {
  const auto lessons = all_lessons();
  if (number < 1 || number > lessons.size())
    throw error("there are lessons 1 to " + std::to_string(lessons.size()), {});
  if (s.restore_defaults()) s.reporting().text("    back to the usual lanes, devices and speed\n");
  lesson_ = &lessons[number - 1];
  number_ = number;
  step_ = 0;
  s.reporting().text("\n    Lesson " + std::to_string(number) + ": " + std::string(lesson_->title) +
                     "\n");
  tell(s);
}

void tutor::tell(session& s) const {
  const auto& step = lesson_->steps[step_];
  s.reporting().text("\n    " + std::string(step.say) +
                     "\n    Try (Enter alone types it):  " + std::string(step.input) + "\n");
}

void tutor::look(session& s, const outcome& o) {
  if (!lesson_) return;
  const auto& step = lesson_->steps[step_];
  if (const auto lacking = step.lacks(s, o); !lacking.empty()) {
    s.reporting().text("    Not quite yet: " + lacking + ". Try:  " + std::string(step.input) +
                       "\n");
    return;
  }
  s.reporting().text("    " + std::string(step.seen) +
                     (step.measured ? " " + step.measured(o) : "") + "\n");
  if (++step_ < lesson_->steps.size()) return tell(s);
  lesson_ = nullptr;
  const auto next = number_ + 1;
  s.reporting().text(next <= all_lessons().size()
                         ? "\n    That was lesson " + std::to_string(number_) + ". :lesson " +
                               std::to_string(next) +
                               " goes on: " + std::string(all_lessons()[number_].title) + ".\n"
                         : "\n    That was the last lesson. :help shows what else there is.\n");
}

}  // namespace troupe::shell
