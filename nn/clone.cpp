// SPDX-License-Identifier: MIT
#include "troupe/nn/clone.hpp"

#include <map>
#include <set>
#include <string>

#include "troupe/tasks/error.hpp"

namespace troupe::nn {

namespace {

/// Notes where a network's variables lie in memory.
class addresses final : public visitor {
 public:
  void at(parameter& p) override { all.insert(&p); }
  void at(variable& v) override { all.insert(&v); }

  std::set<const void*> all;
};

/// Finds a variable that lies in another network, too: a pointer leads to it.
class shared_finder final : public visitor {
 public:
  explicit shared_finder(const addresses& others) : others_(others) {}

  void at(parameter& p) override { look(p); }
  void at(variable& v) override { look(v); }

  std::string found;

 private:
  void look(const variable& v) {
    if (found.empty() && others_.all.contains(&v)) found = path();
  }

  const addresses& others_;
};

/// Puts new places where others are, the same for the same.
class separator final : public visitor {
 public:
  void at(parameter& p) override { replace(p, parameters_); }
  void at(variable& v) override { replace(v, variables_); }

 private:
  template <class V>
  struct pair {
    V old, fresh;
  };

  template <class V>
  static void replace(V& v, std::map<const place*, pair<V>>& made) {
    const auto [known, first] = made.try_emplace(v.as_place().get(), pair<V>{v, v});
    if (first) known->second.fresh = v.clone();
    v = known->second.fresh;
  }

  std::map<const place*, pair<parameter>> parameters_;
  std::map<const place*, pair<variable>> variables_;
};

}  // namespace

void detail::separate(shower show, void* copy, void* original, caller where) {
  addresses of_original;
  show(original, of_original);
  shared_finder look(of_original);
  show(copy, look);
  if (!look.found.empty())
    throw error("clone: a pointer leads to " + look.found + ", which a copy shares", where);
  separator apart;
  show(copy, apart);
}

}  // namespace troupe::nn
