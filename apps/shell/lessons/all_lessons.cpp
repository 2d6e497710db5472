// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>

#include "troupe/apps/shell/lessons/lesson.hpp"
#include "troupe/apps/shell/session/session.hpp"

namespace troupe::shell {

namespace {

const tensor* array_named(session& s, std::string_view name) {
  const auto* found = s.variables().find(s.symbols().of(name));
  const auto* array = found ? std::get_if<tensor>(found) : nullptr;
  return array && array->defined() ? array : nullptr;
}

template <char name>
bool has_array(session& s, const outcome& o) {
  const char text[] = {name};
  return o.good && array_named(s, {text, 1});
}

bool showed(session&, const outcome& o) { return o.good && o.showed_value; }
bool was_good(session&, const outcome& o) { return o.good; }
bool timed(session&, const outcome& o) { return o.good && o.timing && o.timing->overlap.tasks > 1; }
bool was_mistake(session&, const outcome& o) { return !o.good; }

/// Two tasks at least ran at the same time, or there is only one lane.
bool overlapped(session& s, const outcome& o) {
  if (!timed(s, o)) return false;
  const auto log = s.latest_trace();
  if (*s.engine().options().lanes == 1) return true;
  for (const auto& a : log.events)
    for (const auto& b : log.events)
      if (a.sequence != b.sequence && a.started < b.ended && b.started < a.ended) return true;
  return false;
}

/// No task began before the tasks that it needs had ended.
bool in_data_order(session& s, const outcome& o) {
  if (!timed(s, o)) return false;
  const auto log = s.latest_trace();
  std::map<std::uint64_t, ticks> ended;
  for (const auto& e : log.events) ended[e.sequence] = std::max(ended[e.sequence], e.ended);
  bool depends = false;
  for (const auto& e : log.events)
    for (const auto input : e.inputs)
      if (const auto found = ended.find(input); found != ended.end()) {
        depends = true;
        if (e.started < found->second) return false;
      }
  return depends;
}

/// One after the other, though nothing made that necessary.
bool one_at_a_time(session& s, const outcome& o) {
  if (!timed(s, o)) return false;
  const auto log = s.latest_trace();
  for (const auto& a : log.events)
    for (const auto& b : log.events)
      if (a.sequence < b.sequence && b.started < a.ended) return false;
  return true;
}

bool many_tasks(session&, const outcome& o) {
  return o.good && o.timing && o.timing->overlap.tasks >= 1'000;
}

bool copied(session& s, const outcome& o) {
  if (!o.good) return false;
  const auto log = s.latest_trace();
  return std::any_of(log.events.begin(), log.events.end(), [&](const task_event& e) {
    return log.lanes[static_cast<std::size_t>(e.lane)].starts_with("copy");
  });
}

bool two_devices(session& s, const outcome& o) {
  return o.good && s.engine().devices().size() >= 2;
}

std::vector<lesson> make() {
  return {
      {"submitting and showing",
       {{"An operation is submitted and the prompt is back at once; its result comes later.",
         "a = uniform(2000, 2000)", has_array<'a'>, "a has a shape already; its elements follow."},
        {"This product takes a while, and the prompt does not wait for it.", "b = a @ a",
         has_array<'b'>,
         "The line above says how far b is, the prompt how many tasks are pending."},
        {"To show a value is to wait for it.", "b[0, 0]", showed,
         "Showing waited for b, and for nothing else."}}},
      {"independent work overlaps",
       {{"Something to compute with.", "a = uniform(1500, 1500)", has_array<'a'>, "Submitted."},
        {"These two products do not need each other. What stands in braces is submitted at once.",
         "time { x = a @ a; y = a @ a }", overlapped,
         "The overlap factor says how many lanes were busy on average."},
        {"This is what ran when on which lane.", ":timeline", was_good,
         "Side by side: nobody had to say so."}}},
      {"data makes order",
       {{"Something to compute with.", "a = uniform(1500, 1500)", has_array<'a'>, "Submitted."},
        {"y needs x here.", "time { x = a @ a; y = x @ a }", in_data_order,
         "y began when x was there. Lanes that were free helped with x, then with y."},
        {"What y was computed from:", ":graph y", was_good,
         "Arrows of data are the only order there is."}}},
      {"in_order against together, and more lanes",
       {{"Let every operation take 30 ms longer, so that there is something to see.", ":slow 30ms",
         was_good, "Five of them will take 150 ms if they go one after the other."},
        {"in_order waits for each operation before it submits the next, as most libraries do.",
         "time { in_order { a = ones(9); b = ones(9) + 1; c = ones(9) * 2 } }", one_at_a_time,
         "One after the other, though nothing made that necessary."},
        {"Together:", "time { a = ones(9); b = ones(9) + 1; c = ones(9) * 2 }", overlapped,
         "What is independent overlaps: nothing but data makes order."},
        {"With more lanes more of them can.", ":lanes 4", was_good, "Your variables came along."},
        {"Once more:", "time { a = ones(9); b = ones(9) + 1; c = ones(9) * 2 }", overlapped,
         "Bounded by the longest chain of tasks that need each other now: the critical path."},
        {"Back to the usual speed.", ":slow off", was_good, "And :lanes sets their number back."}}},
      {"small operations and large",
       {{"A number to begin with.", "s = zeros(1)", has_array<'s'>, "Submitted."},
        {"A thousand small operations, each of which needs the one before.",
         "time { repeat 1000 { s = s + 1 } }", many_tasks,
         "They travel between the actors in batches: well under a microsecond or two for each."},
        {"One large operation: all lanes take a share of it.",
         "time { x = uniform(2000, 2000); y = x @ x }", timed,
         "Work is what all lanes did together; finished in is what you waited."}}},
      {"computing and copying",
       {{"Two CPU devices share the cores; each has memory of its own.", ":devices 2", two_devices,
         "cpu:0 and cpu:1."},
        {"Something large on the first one.", "a = uniform(1500, 1500)", has_array<'a'>,
         "Submitted."},
        {"A copy goes to the other device while the first one computes.",
         "time { b = a @ a; c = a.to(cpu(1)); d = c + 1 }", copied,
         "Copies have a lane of their own."},
        {"What ran when:", ":timeline", was_good, "The copy needed nobody's time to compute."}}},
      {"errors travel along edges, and cancelling",
       {{"An index that is out of bounds shows only when it runs. Nothing happens here yet.",
         "x = take(arange(3), [7]); y = x + 1", was_good, "Both have a shape, neither is read."},
        {"Reading y says what failed, where, and from which input.", "y", was_mistake,
         "The error travelled from x to y, and to nothing else."},
        {"A lot of work:", "repeat 20 { a = uniform(1000, 1000); b = a @ a }", was_good,
         "Submitted."},
        {"What has not started can be cancelled. Ctrl-C twice does the same.", ":cancel", was_good,
         "What was cancelled fails, and so does what needs it."},
        {"Wait for the rest:", ":wait",
         [](session& s, const outcome&) { return s.engine().pending() == 0; },
         "wait_all tells of the first failure that nobody was told of."}}},
      {"the actors, message by message",
       {{"The actors and what they have handled:", ":actors", was_good,
         "The frontend takes what you type, a dependency actor orders it, lanes run it."},
        {"Who says what to whom, one message at a time:", ":step sum(ones(2) + 1)", was_good,
         "That is all there is: tasks go out in batches, and come back when they are done."}}},
  };
}

}  // namespace

std::span<const lesson> all_lessons() {
  static const auto& all = *new std::vector<lesson>(make());
  return all;
}

}  // namespace troupe::shell
