// SPDX-License-Identifier: MIT
#include "troupe/apps/bench/row.hpp"

#include <algorithm>
#include <cstdio>

#include "troupe/apps/bench/timing.hpp"

namespace troupe::bench {

const row headings = {"work",   "troupe", "synchronous", "peer", "ratio (lowest to highest)",
                      "target", "met"};

namespace {

// Writes three significant digits.
std::string digits(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", x < 9.995 ? 2 : x < 99.95 ? 1 : 0, x);
  return text;
}

std::string time_text(double seconds) {
  if (seconds < 1e-6) return digits(seconds * 1e9) + " ns";
  if (seconds < 1e-3) return digits(seconds * 1e6) + " us";
  if (seconds < 1) return digits(seconds * 1e3) + " ms";
  return digits(seconds) + " s";
}

std::string rate_text(double per_second) {
  return per_second < 1e4 ? digits(per_second) + " /s" : digits(per_second * 1e-6) + " M/s";
}

std::string figure_text(const bench_case& c, double measured) {
  switch (c.shown) {
    case figure::time: return time_text(measured);
    case figure::rate: return rate_text(c.count / measured);
    case figure::share: return digits(measured * 100) + " %";
  }
  return "";
}

std::string ratio_text(const bench_case& c, double ratio) {
  return digits(ratio) + (c.aim.is == target::times_as_long ? "x the time" : "x the speed");
}

std::string target_text(const bench_case& c) {
  std::string text;
  switch (c.aim.is) {
    case target::none: break;
    case target::times_as_fast: text = "at least " + digits(c.aim.bound); break;
    case target::times_as_long: text = "at most " + digits(c.aim.bound); break;
    case target::below:
      text = c.shown == figure::rate ? "at least " : "under ";
      text += figure_text(c, c.aim.bound);
      break;
  }
  if (!text.empty() && !c.remark.empty()) text += "; ";
  return text + std::string(c.remark);
}

std::string median_text(const bench_case& c, const std::vector<double>& rounds) {
  auto text = figure_text(c, median(rounds));
  if (c.fresh) text += ", worst " + figure_text(c, *std::max_element(rounds.begin(), rounds.end()));
  return text;
}

// Divides the figures of each round.
std::vector<double> quotients(const std::vector<double>& above, const std::vector<double>& below) {
  std::vector<double> all;
  for (std::size_t i = 0; i < above.size(); ++i) all.push_back(above[i] / below[i]);
  return all;
}

std::vector<double> ratios(const bench_case& c, const outcome& o) {
  return c.aim.is == target::times_as_long ? quotients(o.ours, o.theirs)
                                           : quotients(o.theirs, o.ours);
}

std::string synchronous_text(const bench_case& c, const outcome& o) {
  if (o.synchronous.empty()) return "";
  return median_text(c, o.synchronous) + " (" + digits(median(quotients(o.synchronous, o.ours))) +
         "x)";
}

bool met(target aim, double measured) {
  return aim.is == target::times_as_fast ? measured >= aim.bound : measured <= aim.bound;
}

// Returns "LibTorch" of "LibTorch 1.13.1, 2 threads".
std::string short_name(const std::string& description) {
  const auto name = description.substr(0, description.find_first_of("0123456789,"));
  return name.substr(0, name.find_last_not_of(' ') + 1);
}

// Writes " (low to high)" of the figures as shown: a rate is low where the time is high.
template <class Text>
std::string spread(const std::vector<double>& all, bool falling, Text&& text) {
  auto [first, last] = std::minmax_element(all.begin(), all.end());
  if (falling) std::swap(first, last);
  return " (" + text(*first) + " to " + text(*last) + ")";
}

}  // namespace

row make_row(const bench_case& c, const outcome& o) {
  const auto ours = median(o.ours);
  row r{std::string(c.title),
        median_text(c, o.ours),
        synchronous_text(c, o),
        "",
        "",
        target_text(c),
        ""};
  if (o.peer_missing) r[3] = std::string(c.peer) + " is not installed";
  if (o.theirs.empty()) {
    r[4] = spread(o.ours, c.shown == figure::rate, [&](double x) {
             return figure_text(c, x);
           }).substr(1);
    if (c.aim.is == target::below) r[6] = met(c.aim, ours) ? "yes" : "no";
    return r;
  }
  const auto all = ratios(c, o);
  const auto ratio = median(all);
  r[3] = short_name(o.peer) + " " + median_text(c, o.theirs);
  r[4] = ratio_text(c, ratio) + spread(all, false, digits);
  if (c.aim.is != target::none)
    r[6] = met(c.aim, c.aim.is == target::below ? ours : ratio) ? "yes" : "no";
  return r;
}

std::string markdown(const row& r) {
  std::string text = "|";
  for (const auto& cell : r) text += " " + cell + " |";
  return text;
}

std::string columns(const row& r) {
  constexpr std::size_t widths[] = {58, 11, 19, 30, 34, 14, 0};
  std::string text;
  for (std::size_t i = 0; i < r.size(); ++i) {
    text += r[i];
    if (widths[i] > 0) text.append(std::max(widths[i], r[i].size() + 2) - r[i].size(), ' ');
  }
  return text;
}

std::string list_text(std::span<const bench_case* const> cases) {
  std::size_t longest = 0;
  for (const auto* c : cases) longest = std::max(longest, c->name.size());
  std::string text;
  for (const auto* c : cases) {
    text += c->name;
    text.append(longest + 2 - c->name.size(), ' ');
    text += std::string(c->title) + '\n';
  }
  return text;
}

}  // namespace troupe::bench
