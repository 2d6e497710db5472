// SPDX-License-Identifier: MIT
#include "troupe/tasks/profile.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <ostream>
#include <set>

#include "troupe/text/display_width.hpp"
#include "troupe/text/quantities.hpp"
#include "troupe/text/quoted.hpp"

namespace troupe {

namespace {

using table_row = std::vector<std::string>;

std::string percent_text(double share) {
  const auto tenths = std::lround(1000 * share);
  return std::to_string(tenths / 10) + '.' + std::to_string(tenths % 10) + " %";
}

std::string spaces_for(std::size_t wanted, const std::string& text) {
  const auto width = static_cast<std::size_t>(display_width(text));
  return std::string(width < wanted ? wanted - width : 0, ' ');
}

/// Writes rows in columns: the first to the left, the others to the right.
void write_columns(std::ostream& out, const std::vector<table_row>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& r : rows) {
    for (std::size_t i = 0; i < r.size(); ++i)
      widths[i] = std::max(widths[i], static_cast<std::size_t>(display_width(r[i])));
  }
  for (const auto& r : rows) {
    out << r[0] << spaces_for(widths[0], r[0]);
    for (std::size_t i = 1; i < r.size(); ++i) out << "  " << spaces_for(widths[i], r[i]) << r[i];
    out << '\n';
  }
}

}  // namespace

profile_report measure_profile(const trace_log& log) {
  struct sum {
    std::set<std::uint64_t> tasks;
    double total = 0;
  };
  std::map<std::string_view, sum> sums;
  profile_report r;
  r.partial = log.partial;
  for (const auto& e : log.events) {
    const double seconds = seconds_between(e.started, e.ended);
    auto& s = sums[e.name];
    s.tasks.insert(e.sequence);
    s.total += seconds;
    r.total += seconds;
  }
  for (const auto& [name, s] : sums)
    r.operations.push_back({std::string(name), s.tasks.size(), s.total});
  std::stable_sort(r.operations.begin(), r.operations.end(),
                   [](const auto& a, const auto& b) { return a.total > b.total; });
  return r;
}

std::ostream& operator<<(std::ostream& out, const profile_report& r) {
  std::vector<table_row> rows{{"operation", "calls", "total", "mean", "share"}};
  std::size_t calls = 0;
  for (const auto& o : r.operations) {
    calls += o.calls;
    rows.push_back({on_one_line(o.name), std::to_string(o.calls), duration_text(o.total),
                    duration_text(o.mean()), percent_text(r.share(o))});
  }
  const profile_report::operation all{"all", calls, r.total};
  rows.push_back({all.name, std::to_string(calls), duration_text(all.total),
                  duration_text(all.mean()), percent_text(r.share(all))});
  write_columns(out, rows);
  if (r.partial) out << "only the latest tasks: a trace keeps no more, see trace_events\n";
  return out;
}

}  // namespace troupe
