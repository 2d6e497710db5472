// SPDX-License-Identifier: MIT
#include "troupe/language/evaluator/arguments.hpp"

#include "troupe/language/evaluator/word.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tensor/ops/copy.hpp"

namespace troupe::language {

namespace {

std::string count_text(std::size_t n) {
  return std::to_string(n) + (n == 1 ? " argument" : " arguments");
}

dynamic_value call_function(const function& f, std::vector<dynamic_value> given, caller where) {
  if (given.size() != f.parameters)
    throw error(
        f.name + ": takes " + count_text(f.parameters) + ", not " + std::to_string(given.size()),
        where);
  return f.call(std::move(given), where);
}

dynamic_value convert(dtype to, const std::vector<dynamic_value>& given, caller where) {
  const std::string name(troupe::name(to));
  if (given.size() != 1) throw error(name + ": takes 1 argument", where);
  return to_array(given[0], to, name, where);
}

}  // namespace

dynamic_value invoke(const dynamic_value& what, std::vector<dynamic_value> given,
                     std::vector<named_thing> named, caller where, waiter wait) {
  if (const auto* w = std::get_if<const word*>(&what)) {
    const arguments all(**w, std::move(given), std::move(named), where, std::move(wait));
    return (*w)->call(all);
  }
  const auto* f = std::get_if<std::shared_ptr<const function>>(&what);
  const auto* element = std::get_if<dtype>(&what);
  if (!f && !element) throw error(describe(what) + " cannot be called", where);
  if (!named.empty())
    throw error((f ? (*f)->name : describe(what)) + ": takes its arguments in order, without " +
                    "names: " + std::string(named[0].name),
                where);
  return f ? call_function(**f, std::move(given), where) : convert(*element, given, where);
}

}  // namespace troupe::language
