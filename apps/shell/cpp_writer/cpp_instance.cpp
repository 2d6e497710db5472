// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/cpp_writer/cpp_instance.hpp"

#include <algorithm>
#include <exception>

#include "troupe/apps/shell/cpp_writer/cpp_call.hpp"
#include "troupe/apps/shell/cpp_writer/cpp_expression.hpp"
#include "troupe/apps/shell/cpp_writer/cpp_statement.hpp"
#include "troupe/tasks/error.hpp"

namespace troupe::shell {

namespace {

using type = cpp_kind::type;
using instance_ptr = std::shared_ptr<cpp_instance>;

constexpr std::size_t deepest = 60;  // functions that call others with ever new kinds

bool suits(const cpp_instance& i, const std::vector<cpp_kind>& kinds) {
  return std::equal(i.signature.begin(), i.signature.end(), kinds.begin(), kinds.end(),
                    [](const cpp_kind& a, const cpp_kind& b) {
                      return same_type(a, b) && a.count == b.count && a.listed == b.listed;
                    });
}

/// Whether the names that an instance relied on stand for the same still.
bool still_holds(const cpp_context& c, const cpp_instance& i) {
  return std::all_of(i.relied_on.begin(), i.relied_on.end(), [&](const auto& one) {
    const auto now = c.scope.globals.find(one.first);
    if (now == c.scope.globals.end()) return one.second.entity == -2;
    return now->second.entity == one.second.entity && same_type(now->second.kind, one.second.kind);
  });
}

/// While it lives, the function is being translated.
class translating {
 public:
  translating(cpp_context& c, const instance_ptr& i, cpp_names names)
      : c_(c),
        block_(c.block),
        in_order_(std::exchange(c.in_order, 0)),
        maybe_(std::exchange(c.maybe, 0)) {
    c.block = &i->body;
    c.scope.frames.push_back(std::move(names));
    c.running.push_back(i);
  }
  translating(const translating&) = delete;
  translating& operator=(const translating&) = delete;
  ~translating() {
    c_.block = block_;
    c_.in_order = in_order_;
    c_.maybe = maybe_;
    c_.scope.frames.pop_back();
    c_.running.pop_back();
  }

 private:
  cpp_context& c_;
  cpp_block* block_;
  int in_order_, maybe_;
};

class translation_of_function {
 public:
  translation_of_function(cpp_context& c, const cpp_function_ptr& f, instance_ptr into)
      : c_(c), f_(f), i_(std::move(into)) {}

  void run() {
    const bool drew = std::exchange(c_.draws, false);
    i_->running = true;
    // What a recursive function gives is found by trying.
    for (const auto assumed : {type::array, type::integer, type::real, type::truth, type::none})
      if (attempt({.is = assumed})) break;
    if (first_refusal_) std::rethrow_exception(first_refusal_);
    i_->running = false;
    if (i_->recursive && i_->returns != type::array) i_->typed = true;
    i_->draws = c_.draws;
    c_.draws = c_.draws || drew;
  }

 private:
  bool attempt(const cpp_kind& assumed) {
    i_->assumed = assumed;
    i_->body.clear();
    i_->results = 0;
    i_->relied_on.clear();
    i_->returns = {};
    try {
      translate();
    } catch (const error&) {
      if (!first_refusal_) first_refusal_ = std::current_exception();
      return !i_->recursive;
    }
    if (i_->recursive && !same_type(assumed, i_->returns)) return false;
    first_refusal_ = nullptr;
    return true;
  }

  void translate() {
    cpp_names names;
    std::vector<int> parameters;
    for (std::size_t k = 0; k < i_->signature.size(); ++k) {
      const auto& kind = i_->signature[k];
      parameters.push_back(c_.entities.add({.is = cpp_entity::what::own,
                                            .base = cpp_parameter_base(c_, *f_, k),
                                            .kind = kind,
                                            .where = i_->where}));
      if (f_->is != cpp_function::what::closure) continue;
      names[f_->parameters[k]] = {parameters.back(), kind};
      c_.variables.add_parameter(f_->parameters[k], i_.get(), parameters.back());
    }
    names.insert(f_->around.begin(), f_->around.end());
    i_->parameters = parameters;
    const translating now(c_, i_, std::move(names));
    switch (f_->is) {
      case cpp_function::what::closure:
        if (f_->body) cpp_statements(c_, *f_->body, cpp_place::last);
        else cpp_result(c_, cpp_expression(c_, *f_->value), f_->where);
        break;
      case cpp_function::what::word: cpp_result(c_, of_word(), i_->where); break;
      case cpp_function::what::gradient: gradient(); break;
    }
  }

  cpp_value of_word() const {
    std::vector<cpp_value> given;
    for (std::size_t k = 0; k < i_->parameters.size(); ++k) {
      given.push_back({.kind = i_->signature[k], .text = mark(i_->parameters[k])});
      given.back().plain = true;
    }
    return cpp_call_word(c_, *f_->builtin, std::move(given), {}, i_->where);
  }

  void gradient() {
    const bool alone = i_->parameters.size() == 1;
    const auto text = cpp_gradient_expression(c_, *f_, alone ? std::vector<int>{} : i_->parameters,
                                              i_->signature, i_->where);
    if (alone) {
      i_->text = text;
      i_->returns = f_->with_value ? cpp_kind{.is = type::pair} : array_kind();
      return;
    }
    cpp_value value{.kind = array_kind(), .text = text, .acts = true};
    if (f_->with_value) value.kind = {.is = type::pair};
    cpp_result(c_, std::move(value), i_->where);
  }

  cpp_context& c_;
  const cpp_function_ptr& f_;
  instance_ptr i_;
  std::exception_ptr first_refusal_;
};

/// A call of a function that is being translated: itself, or one around it.
instance_ptr recursive(cpp_context& c, const cpp_function_ptr& f, const instance_ptr& i,
                       std::source_location where) {
  for (auto inner = c.running.rbegin(); *inner != i; ++inner) {
    const auto* home = (*inner)->of->home;
    while (home && home != i.get()) home = home->of->home;
    if (!home) refuse("functions that call each other", where);
  }
  if (!f->has_name) refuse("a function without a name that calls itself", where);
  i->recursive = true;
  return i;
}

}  // namespace

std::shared_ptr<cpp_instance> cpp_instance_for(cpp_context& c, const cpp_function_ptr& f,
                                               const std::vector<cpp_kind>& kinds,
                                               std::source_location where) {
  for (const auto& one : f->instances) {
    if (!suits(*one, kinds)) continue;
    if (std::find(c.running.begin(), c.running.end(), one) != c.running.end())
      return recursive(c, f, one, where);
    if (!still_holds(c, *one)) continue;
    for (const auto& outer : c.running)
      for (const auto& relied : one->relied_on) outer->relied_on.insert(relied);
    c.draws = c.draws || one->draws;
    return one;
  }
  if (c.running.size() >= deepest) refuse("functions that call others without end", where);
  auto made = std::make_shared<cpp_instance>();
  made->of = f.get();
  made->signature = kinds;
  for (auto& k : made->signature) k.rank = k.listed ? k.rank : -1;
  made->where = f->where;
  made->entity = c.entities.add(
      {.is = cpp_entity::what::instance, .base = f->name, .instance = made, .where = f->where});
  f->instances.push_back(made);
  try {
    translation_of_function(c, f, made).run();
  } catch (...) {
    std::erase(f->instances, made);
    throw;
  }
  return made;
}

}  // namespace troupe::shell
