// SPDX-License-Identifier: MIT
#include "troupe/nn/checkpoint_places.hpp"

#include <algorithm>
#include <set>

namespace troupe::nn {

namespace {

struct collect final : visitor {
  void at(parameter& p) override { add(p, true); }
  void at(variable& v) override { add(v, false); }
  void add(const variable& v, bool is_parameter) {
    const auto same = [&](const checkpoint_place& p) { return p.held == v; };
    if (std::none_of(found.begin(), found.end(), same)) found.push_back({path(), v, is_parameter});
  }
  std::vector<checkpoint_place> found;
};

}  // namespace

std::vector<checkpoint_place> places_in(std::span<const checkpoint_part> parts,
                                        const file_call& call) {
  collect all;
  for (const auto& part : parts) {
    const auto before = all.found.size();
    if (part.name().empty()) {
      part.visit(all);
    } else {
      const visitor::step into(all, part.name());
      part.visit(all);
    }
    if (all.found.size() == before)
      call.fail((part.name().empty() ? "the network" : quoted(part.name())) +
                " has no parameters and no variables" +
                (before == 0 ? "" : " that are not in a part before it"));
  }
  std::set<std::string_view> names;
  for (const auto& p : all.found) {
    if (!names.insert(p.name).second) call.fail("two arrays have the name " + quoted(p.name));
  }
  return std::move(all.found);
}

}  // namespace troupe::nn
