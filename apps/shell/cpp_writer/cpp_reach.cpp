// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/cpp_writer/cpp_reach.hpp"

#include <algorithm>

#include "troupe/apps/shell/cpp_writer/cpp_function.hpp"

namespace troupe::shell {

namespace {

using what = cpp_item::what;

/// Whether a function is defined inside another, at whatever depth.
bool is_inside(const cpp_function& f, const cpp_instance& outer) noexcept {
  for (const auto* home = f.home; home; home = home->of->home)
    if (home == &outer) return true;
  return false;
}

}  // namespace

cpp_reach::cpp_reach(cpp_context& c, cpp_block& program) : c_(c) {
  reach(program);
  find_places(program);
  for (auto* slot : std::vector(slots_)) {
    const auto f = slot->function;
    const bool called = std::any_of(f->instances.begin(), f->instances.end(),
                                    [&](const auto& i) { return has(*i); });
    if (!called && !f->instances.empty()) reach(*f->instances[0]);
  }
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const auto f = slots_[i]->function;
    for (const auto& one : f->instances)
      if (has(*one)) place(one);
  }
}

void cpp_reach::reach(const cpp_block& code) {
  for (const auto& item : code) {
    reach(item.text);
    reach(item.shown);
    reach(item.body);
    reach(item.otherwise);
  }
}

void cpp_reach::reach(std::string_view text) {
  for (const auto& piece : pieces_of(text))
    if (piece.entity >= 0)
      if (const auto& called = c_.entities[piece.entity].instance) reach(*called);
}

void cpp_reach::reach(const cpp_instance& i) {
  if (!reached_.insert(&i).second) return;
  reach(i.text);
  reach(i.body);
}

/// The places where functions are defined, those in functions after those around these.
void cpp_reach::find_places(cpp_block& code) {
  for (auto& item : code) {
    if (item.is == what::functions) {
      slots_.push_back(&item);
      item.instances.clear();
      for (const auto& one : item.function->instances)
        if (has(*one)) find_places(one->body);
    }
    find_places(item.body);
    find_places(item.otherwise);
    for (const auto& piece : pieces_of(item.text)) {
      if (piece.entity < 0 || !c_.entities[piece.entity].function) continue;
      for (const auto& one : c_.entities[piece.entity].function->instances)
        if (has(*one) && c_.entities[piece.entity].is == cpp_entity::what::inlined)
          find_places(one->body);
    }
  }
}

void cpp_reach::calls(const cpp_block& code, std::set<std::shared_ptr<cpp_instance>>& into) const {
  for (const auto& item : code) {
    calls(item.text, into);
    calls(item.shown, into);
    calls(item.body, into);
    calls(item.otherwise, into);
    if (item.is == what::functions)
      for (const auto& one : item.function->instances)
        if (has(*one)) calls(*one, into);
  }
}

void cpp_reach::calls(std::string_view text, std::set<std::shared_ptr<cpp_instance>>& into) const {
  for (const auto& piece : pieces_of(text)) {
    if (piece.entity < 0) continue;
    const auto& e = c_.entities[piece.entity];
    if (e.is == cpp_entity::what::instance) into.insert(e.instance);
    if (e.is == cpp_entity::what::presence) calls(*e.instance, into);
    if (e.is == cpp_entity::what::reference)
      for (const auto& one : e.function->instances)
        if (has(*one)) into.insert(one);
  }
}

void cpp_reach::calls(const cpp_instance& i, std::set<std::shared_ptr<cpp_instance>>& into) const {
  calls(i.text, into);
  calls(i.body, into);
}

/// Defines an instance at its function's place, or later: behind the last of those that it calls.
cpp_item& cpp_reach::place(const std::shared_ptr<cpp_instance>& i) {
  if (const auto done = placed_.find(i.get()); done != placed_.end()) return *slots_[done->second];
  const auto own = std::find_if(slots_.begin(), slots_.end(),
                                [&](const cpp_item* s) { return s->function.get() == i->of; });
  if (own == slots_.end()) refuse("a function that is used where it is not defined", i->where);
  placed_[i.get()] = static_cast<std::size_t>(own - slots_.begin());
  std::set<std::shared_ptr<cpp_instance>> called;
  calls(*i, called);
  std::size_t last = placed_[i.get()];
  for (const auto& one : called) {
    if (one == i || !one->of->has_name || is_inside(*one->of, *i) || is_inside(*i->of, *one))
      continue;
    place(one);
    last = std::max(last, placed_[one.get()]);
  }
  placed_[i.get()] = last;
  slots_[last]->instances.push_back(i);
  return *slots_[last];
}

/// The instances of a function that another calls which is given it, or hands it on to one that
/// does.
void cpp_reach::called_through(const cpp_instance& i, const cpp_function& f, instance_set& seen,
                               instance_set& into) const {
  if (!seen.insert(&i).second) return;
  const auto look = [&](std::string_view text) {
    for (const auto& piece : pieces_of(text)) {
      if (piece.entity < 0) continue;
      const auto& e = c_.entities[piece.entity];
      if (!e.instance) continue;
      if (e.is == cpp_entity::what::presence && e.instance->of == &f) into.insert(e.instance.get());
      called_through(*e.instance, f, seen, into);
    }
  };
  const auto walk = [&](const auto& self, const cpp_block& code) -> void {
    for (const auto& item : code) {
      look(item.text);
      look(item.shown);
      self(self, item.body);
      self(self, item.otherwise);
    }
  };
  look(i.text);
  walk(walk, i.body);
}

const cpp_instance& cpp_reach::only(const cpp_entity& e) const {
  instance_set all, seen;
  if (e.given_to) called_through(*e.given_to, *e.function, seen, all);
  else
    for (const auto& one : e.function->instances)
      if (has(*one)) all.insert(one.get());
  if (all.size() > 1)
    refuse("a function that is called with arguments of different kinds", e.where);
  const auto* found = all.empty() ? nullptr : *all.begin();
  if (!found && !e.function->instances.empty()) found = e.function->instances[0].get();
  if (!found) refuse("a function that nothing calls", e.where);
  return *found;
}

}  // namespace troupe::shell
