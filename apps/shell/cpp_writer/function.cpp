// SPDX-License-Identifier: MIT
#include <utility>

#include "troupe/apps/shell/cpp_writer/writer.hpp"

namespace troupe::shell::cpp {

namespace {

constexpr int most_calls = 20'000;  // that are followed, of functions that call functions

std::string in_braces(const std::vector<std::string>& lines) {
  if (lines.size() == 1) return "{ " + lines[0] + " }";
  std::string out = "{\n";
  for (const auto& one : lines) out += "  " + one + "\n";
  return out + "}";
}

}  // namespace

value writer::call_function(const function& f, std::vector<value> arguments,
                            std::source_location where) {
  if (f.builtin) return call_word(*this, *f.builtin, std::move(arguments), {}, where);
  if (f.target) return gradient(f, std::move(arguments), where);
  for (auto& one : arguments) {
    if (one.is != kind::list) continue;
    one = settled(one, where);
    one.listed = true;
  }
  const auto callee = lambda_of(f, arguments, where);
  for (auto& one : arguments) one.text = typed(one);
  auto out = call_of(callee.text, arguments, callee.is);
  out.acts = out.acts || callee.acts;
  return out;
}

std::string writer::parameter_name(const function& f, std::size_t i) const {
  if (f.target) return parameter_name(*f.target, i);
  if (f.builtin) return std::string(f.builtin->parameters.at(i).name);
  const auto& name = symbols_.name(f.parameters.at(i));
  return is_reserved(name) ? name + "_1" : name;
}

/// grad(loss)(w), grad([&](const tensor& w) { return loss(w, x); })(w)
value writer::gradient(const function& f, std::vector<value> arguments,
                       std::source_location where) {
  const auto which = static_cast<std::size_t>(f.argument);
  const auto at = as_array(arguments.at(which), where);
  auto name = parameter_name(f, which);
  arguments[which] = {};
  for (const auto& one : arguments) {
    if (one.text.find(name) != std::string::npos) name = unused_name(name);
  }
  arguments[which] = {.is = kind::array, .text = name, .variable = true};
  const bool direct = arguments.size() == 1 && !f.target->builtin && !f.target->target;
  auto of =
      direct ? lambda_of(*f.target, arguments, where) : call_function(*f.target, arguments, where);
  if (!direct) of.text = "[&](const tensor& " + name + ") { return " + of.text + "; }";
  use_of(nullptr);
  if (of.is != kind::array)
    refuse("the gradient of a function that gives " + std::string(name_of(of.is)), where);
  value out{.is = f.with_value ? kind::pair : kind::array, .acts = of.acts || at.acts};
  out.text = (f.with_value ? "value_and_grad(" : "grad(") + of.text + ")(" + at.text + ")";
  return out;
}

/// The C++ function for arguments of these kinds, whose kind is that of what it gives. A named one
/// stands in main, once for each text that it has.
value writer::lambda_of(const function& f, const std::vector<value>& arguments,
                        std::source_location where) {
  if (arguments.size() != f.parameters.size()) refuse("a call with other arguments", where);
  if (++calls_ > most_calls) refuse("so many calls of functions", where);
  if (!open_.insert(&f).second) refuse("a function that calls itself", where);
  const auto names = names_;
  const auto source = std::exchange(source_, f.source);
  const auto compound = compound_;
  frame own{.around = f.around};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (type_of(arguments[i].is).empty())
      refuse(std::string(name_of(arguments[i].is)) + " as the argument of a function", where);
    const value x{.is = arguments[i].is,
                  .text = parameter_name(f, i),
                  .variable = true,
                  .listed = arguments[i].listed};
    names_.insert(x.text);
    own.variables[f.parameters[i]] = x;
  }
  frame* const before = std::exchange(frame_, &own);
  value result;
  if (f.result) {
    const auto given = write(*f.result);
    give_result(given.is == kind::list ? given : settled(given, where), result, where);
  } else {
    run_block(*f.body, &result);
  }
  frame_ = before;
  compound_ = compound;
  source_ = source;
  names_ = names;
  open_.erase(&f);

  std::string text;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto name = parameter_name(f, i);
    text +=
        (i > 0 ? ", " : "") + std::string(own.changed.count(name) > 0 ? "auto " : "const auto& ");
    text += name;
  }
  text = (own.captures ? "[&](" : "[](") + text + ") " + in_braces(own.lines);
  value out{.is = result.is, .text = text, .acts = own.acts};
  if (f.name.empty()) return out;
  auto& name = written_[{f.name, text}];
  if (name.empty()) {
    name = unused_name(f.name);
    kept_names_.insert(name);
    emit_before(main_, "const auto " + name + " = " + text + ";");
  }
  use_of(nullptr);
  out.text = name;
  return out;
}

}  // namespace troupe::shell::cpp
