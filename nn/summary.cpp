// SPDX-License-Identifier: MIT
#include "troupe/nn/summary.hpp"

#include <algorithm>

namespace troupe::nn {

namespace {

struct line {
  std::string path, type, count, remark;
};

/// Writes 101770 as "101,770".
std::string grouped(std::int64_t number) {
  const auto digits = std::to_string(number);
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out;
}

struct listing final : visitor {
  void at(parameter& p) override {
    const bool again = std::find(seen.begin(), seen.end(), p) != seen.end();
    if (!again) seen.push_back(p);
    add(p, again ? "shared" : p.trained() ? "" : "frozen");
    if (!again && p.defined()) total += p.value().size();
  }
  void at(variable& v) override { add(v, "not trained"); }

  void add(const variable& v, std::string remark) {
    const bool known = v.defined();
    lines.push_back({path(), known ? to_string(v.value().type()) : "not known yet",
                     known ? grouped(v.value().size()) : "", std::move(remark)});
  }

  std::vector<parameter> seen;
  std::vector<line> lines;
  std::int64_t total = 0;
};

std::string table(const listing& all) {
  const auto sum = grouped(all.total);
  std::size_t path = 0, type = 0, count = sum.size();
  for (const auto& l : all.lines) {
    path = std::max(path, l.path.size());
    type = std::max(type, l.type.size());
    count = std::max(count, l.count.size());
  }
  std::string out;
  const auto add = [&](const line& l) {
    out += l.path + std::string(path - l.path.size() + 2, ' ');
    out += l.type + std::string(type - l.type.size() + 2 + count - l.count.size(), ' ');
    out += l.count;
    if (!l.remark.empty()) out += "  " + l.remark;
    while (out.back() == ' ') out.pop_back();
    out += '\n';
  };
  for (const auto& l : all.lines) add(l);
  add({"", "", sum, all.total == 1 ? "parameter" : "parameters"});
  return out;
}

}  // namespace

std::string detail::summary_seen_by(void (*show)(void* net, visitor& to), void* net) {
  listing all;
  show(net, all);
  return table(all);
}

std::int64_t detail::count_seen_by(void (*show)(void* net, visitor& to), void* net) {
  listing all;
  show(net, all);
  return all.total;
}

}  // namespace troupe::nn
