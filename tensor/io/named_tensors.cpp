// SPDX-License-Identifier: MIT
#include "troupe/tensor/io/named_tensors.hpp"

#include <algorithm>

#include "troupe/text/edit_distance.hpp"
#include "troupe/text/quoted.hpp"

namespace troupe {

namespace {

/// Returns true if `name` may have been meant: it was mistyped, or only a part of it was given.
bool near(std::string_view wanted, std::string_view name) {
  constexpr std::size_t longest = 128;
  if (wanted.empty() || wanted.size() > longest || name.size() > longest) return false;
  if (name.find(wanted) != std::string_view::npos) return true;
  return edit_distance(wanted, name) <= std::max<std::size_t>(1, wanted.size() / 4);
}

}  // namespace

named_tensors::named_tensors(std::initializer_list<entry> all, caller where) {
  for (const auto& [name, x] : all) add(name, x, where);
}

void named_tensors::add(std::string name, tensor x, caller where) {
  if (contains(name))
    throw error("named_tensors: there are two tensors named " + quoted(name), where);
  all_.emplace_back(name, std::move(x));
  try {
    places_.emplace(std::move(name), all_.size() - 1);
  } catch (...) {
    all_.pop_back();
    throw;
  }
}

const tensor* named_tensors::find(std::string_view name) const noexcept {
  const auto place = places_.find(name);
  return place == places_.end() ? nullptr : &all_[place->second].second;
}

const tensor& named_tensors::at(std::string_view name, caller where) const {
  if (const auto* found = find(name)) return *found;
  constexpr std::size_t most = 6;
  std::string text = "named_tensors: there is no " + quoted(name);
  std::vector<std::string_view> shown;
  for (const auto& [other, x] : all_) {
    if (shown.size() < most && near(name, other)) shown.push_back(other);
  }
  text += shown.empty() ? "; there " : "; did you mean ";
  if (shown.empty()) {
    text += all_.empty() ? "are no tensors at all" : all_.size() == 1 ? "is " : "are ";
    for (const auto& [other, x] : all_) {
      if (shown.size() < most) shown.push_back(other);
    }
  }
  for (std::size_t i = 0; i < shown.size(); ++i) text += (i > 0 ? ", " : "") + quoted(shown[i]);
  if (shown.size() == most && all_.size() > most)
    text += ", ... (" + std::to_string(all_.size()) + " tensors)";
  throw error(text, where);
}

}  // namespace troupe
