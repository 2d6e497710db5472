// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/cpp_writer/cpp_printer.hpp"

#include "troupe/apps/shell/cpp_writer/cpp_function.hpp"
#include "troupe/apps/shell/cpp_writer/cpp_wrapping.hpp"

namespace troupe::shell {

namespace {

using what = cpp_item::what;
using type = cpp_kind::type;

/// What stands behind the name of a type in braces, if that is all of a text: "{1, 2}" of
/// "tensor{1, 2}".
std::string braces_of(std::string_view type_name, const std::string& text) {
  if (type_name.empty() || !text.starts_with(type_name)) return "";
  const auto rest = text.substr(type_name.size());
  if (!rest.starts_with("{")) return "";
  int depth = 0;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    depth += rest[i] == '{' ? 1 : rest[i] == '}' ? -1 : 0;
    if (depth == 0) return i + 1 == rest.size() ? rest : "";
  }
  return "";
}

}  // namespace

std::vector<std::string> cpp_printer::lines(const cpp_block& code, std::size_t width) const {
  lines_of_code all;
  for (const auto& item : code) print(all, item, width);
  return all;
}

void cpp_printer::print(lines_of_code& to, const cpp_item& item, std::size_t width) const {
  const auto add = [&](const std::string& statement) { add_wrapped(to, statement, width); };
  for (const int one : layout_.declared_before(item)) add(declaration(one));
  switch (item.is) {
    case what::line: return add(text(item.text, width));
    case what::assignment: {
      if (item.only_if_used && !layout_.is_used(item.entity)) return;
      const auto value = text(item.text, width);
      if (!item.operation.empty())
        return add(names_[item.entity] + " " + item.operation + "= " + value + ";");
      return add(assignment(item.entity, value, layout_.declares(item, item.entity)));
    }
    case what::unpacking: {
      const auto names = names_[item.entities[0]] + ", " + names_[item.entities[1]];
      const auto value = text(item.text, width);
      if (layout_.declares(item, item.entities[0]))
        return add("auto [" + names + "] = " + value + ";");
      return add("std::tie(" + names + ") = " + value + ";");
    }
    case what::output:
      if (item.entity >= 0 && layout_.is_used(item.entity)) {
        add(assignment(item.entity, text(item.text, width), layout_.declares(item, item.entity)));
        if (!item.shown_named.empty()) add(text(item.shown_named, width));
      } else if (!item.shown.empty()) {
        add(text(item.shown, width));
      }
      return;
    case what::result: return print_result(to, item, width);
    case what::compound: return print_compound(to, item, width);
    case what::functions: return print_functions(to, item, width);
  }
}

void cpp_printer::print_result(lines_of_code& to, const cpp_item& item, std::size_t width) const {
  const auto& gives = function_->returns;
  const bool nothing = gives == type::none || gives == type::mixed;
  if (nothing && item.trivial) return;
  add_wrapped(to, (nothing ? "" : "return ") + text(item.text, width) + ";", width);
}

void cpp_printer::print_compound(lines_of_code& to, const cpp_item& item, std::size_t width) const {
  const auto inner = width > 2 ? width - 2 : width;
  const auto add_block = [&](const lines_of_code& code) {
    for (const auto& line : code) to.push_back(line.empty() ? line : "  " + line);
  };
  const auto head = text(item.text, width);
  add_wrapped(to, head.empty() ? "{" : head + " {", width);
  add_block(lines(item.body, inner));
  const auto otherwise = lines(item.otherwise, inner);
  if (otherwise.empty()) {
    to.emplace_back("}");
  } else if (item.otherwise.size() == 1 && otherwise[0].starts_with("if (")) {
    auto chain = lines(item.otherwise, width);
    chain[0] = "} else " + chain[0];
    to.insert(to.end(), chain.begin(), chain.end());
  } else {
    to.emplace_back("} else {");
    add_block(otherwise);
    to.emplace_back("}");
  }
}

void cpp_printer::print_functions(lines_of_code& to, const cpp_item& item,
                                  std::size_t width) const {
  for (const auto& one : item.instances) {
    if (names_.is_repetition(*one)) continue;
    std::string head = "auto";
    if (one->recursive) {
      std::vector<std::string> parameters;
      for (const auto& k : one->signature) parameters.push_back(cpp_parameter_type(k));
      head = "std::function<" + std::string(cpp_type(one->returns)) + "(" + comma_list(parameters) +
             ")>";
    }
    head += " " + names_[one->entity] + " = ";
    auto body = one->text.empty() ? lambda(*one, width, true) : text(one->text, width);
    const bool fits = head.size() + body.size() < width;
    if (!fits && one->text.empty()) body = lambda(*one, width, false);
    add_wrapped(to, head + body + ";", width);
  }
}

/// A variable without a value.
std::string cpp_printer::declaration(int entity) const {
  const auto& kind = c_.entities[entity].kind;
  const auto value = kind == type::truth                           ? " = false"
                     : kind == type::integer || kind == type::real ? " = 0"
                     : kind == type::dtype                         ? " = float32"
                                                                   : "";
  return std::string(cpp_type(kind)) + " " + names_[entity] + value + ";";
}

std::string cpp_printer::assignment(int entity, const std::string& text, bool declares) const {
  if (!declares) return names_[entity] + " = " + text + ";";
  const auto& kind = c_.entities[entity].kind;
  const auto type_name = kind == type::pair ? "" : cpp_type(kind);
  const auto braces = braces_of(type_name, text);
  return std::string(type_name.empty() ? "auto" : type_name) + " " + names_[entity] + " = " +
         (braces.empty() ? text : braces) + ";";
}

std::string cpp_printer::text(std::string_view marked, std::size_t width) const {
  std::string out;
  for (const auto& piece : pieces_of(marked)) {
    if (piece.entity < 0) {
      out += piece.text;
      continue;
    }
    const auto& e = c_.entities[piece.entity];
    switch (e.is) {
      case cpp_entity::what::presence: break;
      case cpp_entity::what::reference: out += names_[layout_.reach().only(e).entity]; break;
      case cpp_entity::what::inlined: {
        const auto& i = layout_.reach().only(e);
        out += i.text.empty() ? lambda(i, width, true) : text(i.text, width);
        break;
      }
      default: out += names_[piece.entity];
    }
  }
  return out;
}

/// [&](const tensor& x) { return x * x; }
std::string cpp_printer::lambda(const cpp_instance& i, std::size_t width, bool short_form) const {
  const auto captured = captures(i);
  const auto around = std::exchange(function_, &i);
  std::vector<std::string> parameters;
  for (const int one : i.parameters) {
    const auto& kind = c_.entities[one].kind;
    const bool changes = layout_.is_assigned(one);
    const auto type_name = changes ? std::string(cpp_type(kind)) : cpp_parameter_type(kind);
    parameters.push_back(type_name + " " + names_[one]);
  }
  auto out = captured + "(" + comma_list(parameters) + ")";
  if (i.typed && !cpp_type(i.returns).empty() && i.returns != type::none)
    out += " -> " + std::string(cpp_type(i.returns));
  out += " {";
  const auto body = lines(i.body, width > 2 ? width - 2 : width);
  if (body.empty()) {
    out += "}";
  } else if (short_form && body.size() == 1 && i.body.size() == 1) {
    out += " " + text_of_one_line(i) + " }";
  } else {
    for (const auto& line : body) out += "\n  " + line;
    out += "\n}";
  }
  function_ = around;
  return out;
}

/// The only statement of a function, however long.
std::string cpp_printer::text_of_one_line(const cpp_instance& i) const {
  return lines(i.body, std::string::npos)[0];
}

/// What is outside a function is used as it is when the function is called, but for the variables
/// of a function around it, which may have ended.
std::string cpp_printer::captures(const cpp_instance& i) const {
  bool by_reference = false;
  std::string copies;
  for (const int one : layout_.used_in(i)) {
    const auto& e = c_.entities[one];
    const auto* owner = names_.owner(one);
    const auto* inner = owner;
    while (inner && inner != &i) inner = layout_.around(*inner);
    if (inner == &i) continue;  // its own
    const bool itself = e.instance.get() == &i;
    if (!owner || itself) by_reference = true;
    else copies += ", " + names_[one];
  }
  if (by_reference) return "[&" + copies + "]";
  return "[" + (copies.empty() ? "" : copies.substr(2)) + "]";
}

}  // namespace troupe::shell
