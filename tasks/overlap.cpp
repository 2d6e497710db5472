// SPDX-License-Identifier: MIT
#include "troupe/tasks/overlap.hpp"

#include <algorithm>
#include <iomanip>
#include <ostream>
#include <unordered_map>

#include "troupe/text/quantities.hpp"

namespace troupe {

overlap_report measure_overlap(const trace_log& log) {
  overlap_report r;
  r.partial = log.partial;
  if (log.events.empty()) return r;
  std::vector<overlap_report::lane> lanes;
  for (const auto& name : log.lanes) lanes.push_back({name});
  ticks first = log.events.front().started, last = 0;

  struct stretch {
    ticks started, ended;
    const task_event* event;
  };
  std::unordered_map<std::uint64_t, stretch> tasks;  // events of a shared task count as one
  for (const auto& e : log.events) {
    const double seconds = seconds_between(e.started, e.ended);
    r.work += seconds;
    auto& lane = lanes[static_cast<std::size_t>(e.lane)];
    lane.busy += seconds;
    ++lane.tasks;
    first = std::min(first, e.started);
    last = std::max(last, e.ended);
    auto [known, fresh] = tasks.try_emplace(e.sequence, stretch{e.started, e.ended, &e});
    if (!fresh) {
      known->second.started = std::min(known->second.started, e.started);
      known->second.ended = std::max(known->second.ended, e.ended);
    }
  }
  r.tasks = tasks.size();
  r.wall = seconds_between(first, last);

  std::vector<std::uint64_t> order;  // inputs have lower numbers than what depends on them
  for (const auto& [sequence, task] : tasks) order.push_back(sequence);
  std::sort(order.begin(), order.end());
  std::unordered_map<std::uint64_t, double> path;
  for (auto sequence : order) {
    const auto& task = tasks.at(sequence);
    double before = 0;
    for (auto input : task.event->inputs)
      if (const auto p = path.find(input); input && p != path.end())
        before = std::max(before, p->second);
    const double end = path[sequence] = before + seconds_between(task.started, task.ended);
    r.critical_path = std::max(r.critical_path, end);
  }
  std::erase_if(lanes, [](const auto& l) { return l.tasks == 0; });
  r.lanes = std::move(lanes);
  return r;
}

std::ostream& operator<<(std::ostream& out, const overlap_report& r) {
  const auto flags = out.flags();
  const auto precision = out.precision();
  out << std::fixed << std::setprecision(2) << (r.partial ? "the latest " : "") << r.tasks
      << (r.tasks == 1 ? " task: wall " : " tasks: wall ") << duration_text(r.wall) << ", work "
      << duration_text(r.work) << ", critical path " << duration_text(r.critical_path)
      << ", overlap factor " << r.factor() << '\n';
  for (const auto& l : r.lanes)
    out << "  " << l.name << ": busy " << std::setprecision(0)
        << (r.wall > 0 ? 100 * l.busy / r.wall : 0) << " %, " << l.tasks
        << (l.tasks == 1 ? " task\n" : " tasks\n");
  out.flags(flags);
  out.precision(precision);
  return out;
}

}  // namespace troupe
