// SPDX-License-Identifier: MIT
#include "troupe/nn/checkpoint_places.hpp"

#include <algorithm>
#include <set>

#include "troupe/tasks/engine.hpp"
#include "troupe/text/quoted.hpp"

namespace troupe::nn::detail {

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

void checkpoint_place::restore(const tensor& x, caller where) {
  if (is_parameter && held.defined() && held.value().node()) held.value().zero_grad();
  if (x.defined()) held.assign(x, where);
}

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

std::uint32_t engine_of(const std::vector<checkpoint_place>& places, const file_call& call) {
  for (const auto& p : places) {
    if (p.held.defined()) return p.held.value().source()->engine;
  }
  return engine::current(call.function, call.call_site).id();
}

}  // namespace troupe::nn::detail
