// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/lessons/lesson.hpp"

#include <algorithm>
#include <chrono>
#include <map>

#include "troupe/apps/shell/session/session.hpp"
#include "troupe/text/quantities.hpp"

namespace troupe::shell {

namespace {

/// Returns a check that first refuses inputs with errors.
lesson_check of_good_ones(lesson_check check) {
  return [check = std::move(check)](session& s, const outcome& o) {
    return o.good ? check(s, o) : "that was a mistake";
  };
}

const tensor* array_named(session& s, std::string_view name) {
  const auto* found = s.variables().find(s.symbols().of(name));
  const auto* array = found ? std::get_if<tensor>(found) : nullptr;
  return array && array->defined() ? array : nullptr;
}

std::string_view latest_input(const session& s) {
  auto text = s.texts().input(s.next_input() - 1);
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return text;
}

bool overlap(const task_event& a, const task_event& b) {
  return a.sequence != b.sequence && a.started < b.ended && b.started < a.ended;
}

bool any_overlap(const trace_log& log) {
  for (const auto& a : log.events) {
    for (const auto& b : log.events) {
      if (overlap(a, b)) return true;
    }
  }
  return false;
}

std::string against_data_order(const trace_log& log) {
  std::map<std::uint64_t, ticks> ended;
  for (const auto& e : log.events) ended[e.sequence] = std::max(ended[e.sequence], e.ended);
  bool depends = false;
  for (const auto& e : log.events) {
    for (const auto input : e.inputs) {
      if (const auto found = ended.find(input); found != ended.end()) {
        depends = true;
        if (e.started < found->second) return "a task began before what it needs was there";
      }
    }
  }
  return depends ? "" : "no task in it needs the result of another";
}

}  // namespace

lesson_check array_is_named(std::string_view name) {
  return of_good_ones([name](session& s, const outcome&) {
    return array_named(s, name) ? "" : "no array is named " + std::string(name);
  });
}

lesson_check command_is(std::string_view command) {
  return of_good_ones([command](session& s, const outcome&) {
    return latest_input(s).starts_with(command) ? "" : "this is about " + std::string(command);
  });
}

lesson_check value_was_shown() {
  return of_good_ones([](session&, const outcome& o) {
    return std::string(o.showed_value ? "" : "that showed no value");
  });
}

lesson_check mistake_tells(std::string_view part) {
  return [part](session&, const outcome& o) {
    if (o.good) return std::string("that told of no failure");
    return o.facts.find(part) != std::string::npos
               ? ""
               : "this is about an error that says: " + std::string(part);
  };
}

lesson_check is_slow(std::string_view operation, double seconds) {
  return of_good_ones([=](session& s, const outcome&) {
    const auto& d = s.faults();
    const bool meant = d.delayed.empty() || d.delayed == operation;
    return meant && std::chrono::duration<double>(d.delay).count() >= seconds
               ? ""
               : (operation.empty() ? "operations are" : std::string(operation) + " is") +
                     " not made to take that much longer";
  });
}

lesson_check nothing_is_slow() {
  return of_good_ones([](session& s, const outcome&) {
    return std::string(s.faults().delay.count() == 0 ? "" : "something is still slowed down");
  });
}

lesson_check lanes_at_least(int lanes) {
  return of_good_ones([lanes](session& s, const outcome&) {
    const auto now = static_cast<int>(*s.engine().options().lanes);
    return now >= lanes ? "" : "there is only " + count_text(static_cast<std::size_t>(now), "lane");
  });
}

lesson_check devices_at_least(std::size_t devices) {
  return of_good_ones([devices](session& s, const outcome&) {
    const auto now = s.engine().devices().size();
    return now >= devices ? "" : "there is only " + count_text(now, "device");
  });
}

lesson_check tasks_were_timed(std::size_t tasks) {
  return of_good_ones([tasks](session&, const outcome& o) {
    if (!o.timing) return std::string("that timed nothing: time { ... } does");
    const auto ran = o.timing->overlap.tasks;
    return ran >= tasks ? "" : "that timed " + count_text(ran, "task") + " only";
  });
}

lesson_check tasks_overlapped() {
  return [](session& s, const outcome& o) {
    if (auto lacking = tasks_were_timed(2)(s, o); !lacking.empty()) return lacking;
    if (any_overlap(s.latest_trace())) return std::string();
    return std::string(*s.engine().options().lanes == 1
                           ? "one lane runs one task at a time, and :lanes 2 starts another"
                           : "no two tasks ran at the same time");
  };
}

lesson_check tasks_kept_data_order() {
  return [](session& s, const outcome& o) {
    const auto lacking = tasks_were_timed(2)(s, o);
    return lacking.empty() ? against_data_order(s.latest_trace()) : lacking;
  };
}

lesson_check tasks_ran_alone() {
  return [](session& s, const outcome& o) {
    if (auto lacking = tasks_were_timed(2)(s, o); !lacking.empty()) return lacking;
    return std::string(any_overlap(s.latest_trace()) ? "tasks ran at the same time" : "");
  };
}

lesson_check something_was_copied() {
  return of_good_ones([](session& s, const outcome&) {
    const auto log = s.latest_trace();
    const bool copied = std::any_of(log.events.begin(), log.events.end(), [&](const auto& e) {
      return log.lanes[static_cast<std::size_t>(e.lane)].starts_with("copy");
    });
    return std::string(copied ? "" : "nothing was copied between devices");
  });
}

}  // namespace troupe::shell
