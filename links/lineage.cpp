// SPDX-License-Identifier: MIT
#include "troupe/links/lineage.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace troupe {

namespace {

// A value is copied home when computing it again would take more than this.
constexpr int most_depth = 200;
constexpr int most_depth_without_room = 20'000;
constexpr float most_nanoseconds = 100e6F;
constexpr std::size_t most_behind = std::size_t{64} << 20;

}  // namespace

void command_bytes::assign(std::span<const std::byte> all) {
  size_ = all.size();
  if (few()) std::ranges::copy(all, few_.begin());
  else many_.assign(all.begin(), all.end());
}

/// Ends chains of records of any length without a call for each.
value_record::~value_record() {
  std::vector<std::shared_ptr<task_record>> ending;
  if (made_by) ending.push_back(std::move(made_by));
  while (!ending.empty()) {
    const auto last = std::move(ending.back());
    ending.pop_back();
    if (last.use_count() > 1) continue;
    for (auto& in : last->inputs) {
      if (in.use_count() == 1 && in->made_by) ending.push_back(std::move(in->made_by));
    }
  }
}

std::shared_ptr<value_record> lineage::add_value(std::uint64_t number, std::size_t bytes,
                                                 std::uint8_t device) {
  auto v = std::allocate_shared<value_record>(pool_allocator<value_record>());
  v->number = number;
  v->bytes = bytes;
  v->device = device;
  values_.insert_or_assign(values_.end(), number, v);  // it is the newest, mostly
  return v;
}

std::shared_ptr<value_record> lineage::find(std::uint64_t number) const {
  const auto found = values_.find(number);
  return found == values_.end() ? nullptr : found->second;
}

std::shared_ptr<value_record> lineage::find_around(std::uint64_t place) const {
  const auto behind = values_.upper_bound(place);
  if (behind == values_.begin()) return nullptr;
  const auto& v = std::prev(behind)->second;
  return place - v->number <= v->bytes ? v : nullptr;
}

std::vector<std::shared_ptr<value_record>> lineage::computed(const task_record& t) {
  int depth = 1;
  float nanoseconds = t.nanoseconds;
  std::size_t behind = 0;
  for (const auto& in : t.inputs) {
    if (in->is_first() || in->fetching) {
      if (!in->forgotten()) behind = std::max(behind, in->bytes);
      continue;
    }
    depth = std::max(depth, in->depth + 1);
    nanoseconds = std::max(nanoseconds, in->nanoseconds + t.nanoseconds);
    behind += in->behind;
  }
  std::vector<std::shared_ptr<value_record>> home;
  for (const auto& one : t.made) {
    const auto v = one.lock();
    if (!v || v->is_first()) continue;
    v->depth = depth;
    v->nanoseconds = nanoseconds;
    v->behind = behind;
    if (v->fetching ||
        (depth < most_depth && nanoseconds < most_nanoseconds && behind < most_behind))
      continue;
    home.push_back(v);
  }
  return home;
}

void lineage::no_room_for(value_record& v) noexcept {
  if (v.depth >= most_depth_without_room) v.made_by = nullptr;
}

void lineage::came_home(value_record& v, std::shared_ptr<const void> holds, const std::byte* copy) {
  v.holds = std::move(holds);
  v.copy = copy;
  v.made_by = nullptr;
}

lineage::plan lineage::everything(const std::vector<std::shared_ptr<task_record>>& more) const {
  std::map<std::uint64_t, std::shared_ptr<task_record>> tasks;
  std::map<std::uint64_t, std::shared_ptr<value_record>> stores;
  std::vector<std::shared_ptr<task_record>> open;
  const auto want_task = [&](const std::shared_ptr<task_record>& t) {
    if (tasks.emplace(t->number, t).second) open.push_back(t);
  };
  const auto want = [&](const std::shared_ptr<value_record>& v) {
    if (v->is_first()) stores.emplace(v->number, v);
    else want_task(v->made_by);
  };
  for (const auto& [number, v] : values_) want(v);
  for (const auto& t : more) want_task(t);
  while (!open.empty()) {
    const auto t = std::move(open.back());
    open.pop_back();
    for (const auto& in : t->inputs) want(in);
  }
  plan out;
  std::unordered_set<std::uint64_t> made;
  for (auto& [number, t] : tasks) {
    for (const auto output : t->outputs) {
      made.insert(output);
      if (!values_.contains(output)) out.drops.push_back(output);
    }
    out.tasks.push_back(std::move(t));
  }
  for (auto& [number, v] : stores) {
    if (made.contains(number)) continue;
    if (!values_.contains(number)) out.drops.push_back(number);
    auto& into = v->forgotten() ? out.forgotten : v->elsewhere ? out.elsewhere : out.stores;
    into.push_back(std::move(v));
  }
  return out;
}

}  // namespace troupe
