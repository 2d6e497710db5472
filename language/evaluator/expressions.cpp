// SPDX-License-Identifier: MIT
#include <algorithm>

#include "troupe/language/evaluator/arguments.hpp"
#include "troupe/language/evaluator/evaluator.hpp"
#include "troupe/language/evaluator/word.hpp"
#include "troupe/language/syntax/operators.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/text/stack_left.hpp"

namespace troupe::language {

namespace {

constexpr int deepest = 4'000;  // expressions and statements within each other
constexpr std::size_t least_stack = std::size_t{128} << 10;  // for operations and errors

template <class... F>
struct overloaded : F... {
  using F::operator()...;
};

elementwise_op elementwise_of(binary_operator op) noexcept {
  switch (op) {
    case binary_operator::add: return elementwise_op::add;
    case binary_operator::subtract: return elementwise_op::subtract;
    case binary_operator::multiply: return elementwise_op::multiply;
    case binary_operator::divide: return elementwise_op::divide;
    case binary_operator::floor_divide: return elementwise_op::floor_divide;
    case binary_operator::remainder: return elementwise_op::remainder;
    case binary_operator::power: return elementwise_op::power;
    case binary_operator::equal: return elementwise_op::equal;
    case binary_operator::not_equal: return elementwise_op::not_equal;
    case binary_operator::less: return elementwise_op::less;
    case binary_operator::less_equal: return elementwise_op::less_equal;
    case binary_operator::greater: return elementwise_op::greater;
    case binary_operator::greater_equal: return elementwise_op::greater_equal;
    case binary_operator::bitwise_and: return elementwise_op::bitwise_and;
    case binary_operator::bitwise_or: return elementwise_op::bitwise_or;
    case binary_operator::left_shift: return elementwise_op::bitwise_left_shift;
    case binary_operator::right_shift: return elementwise_op::bitwise_right_shift;
    default: return elementwise_op::bitwise_xor;
  }
}

/// An operand of an operator: an array or a number. Lists and ranges become arrays.
class operand {
 public:
  operand(const dynamic_value& x, const std::string& sign, caller where) {
    if (const auto* number = std::get_if<scalar>(&x)) number_ = *number;
    else if (const auto* array = std::get_if<tensor>(&x)) array_ = array;
    else array_ = &(made_ = to_array(x, sign, where));
  }
  operand(const operand&) = delete;
  operand& operator=(const operand&) = delete;

  const tensor* array() const noexcept { return array_; }
  scalar number() const noexcept { return number_; }
  tensor_or_scalar both() const noexcept {
    if (array_) return *array_;
    return number_;
  }

 private:
  tensor made_;
  const tensor* array_ = nullptr;
  scalar number_ = 0;
};

/// Throws where a function is an operand: `abs -3` subtracts, and calls nothing.
void refuse_uncalled(const std::string& sign, const dynamic_value& x, const dynamic_value& y,
                     caller where) {
  const auto* f = std::get_if<std::shared_ptr<const function>>(&x);
  const auto* w = std::get_if<const word*>(&x);
  if (!f && !w) return;
  const auto* number = std::get_if<scalar>(&y);
  const bool is_sign = sign == "-" || sign == "+";
  const auto argument = number && is_sign ? (sign == "-" ? "-" : "") + to_string(*number) : "...";
  const auto name = w ? std::string((*w)->name) : (*f)->name;
  throw error(sign + ": wants an array, not " + describe(x) + ": to call it say " + name + "(" +
                  argument + ")",
              where);
}

}  // namespace

/// Counts how deep the evaluation is, which the stack has to hold.
struct evaluator::deeper {
  deeper(evaluator& e, caller where) : running(e) {
    if (++e.depth_ > deepest || stack_left() < least_stack) {
      --e.depth_;
      throw error("nested too deeply: a function that calls itself without end?", where);
    }
  }
  deeper(const deeper&) = delete;
  deeper& operator=(const deeper&) = delete;
  ~deeper() { --running.depth_; }
  evaluator& running;
};

dynamic_value evaluator::evaluate(const expression& e) {
  const deeper level(*this, e.call_site);
  return std::visit([&](const auto& node) { return evaluate(node, e); }, e.node);
}

/// A value that is about to be read: it is waited for, as long as the user likes.
dynamic_value evaluator::there(const expression& e) {
  auto value = evaluate(e);
  wait_for(value, e.call_site);
  return value;
}

/// A result of the library; within in_order it is waited for.
dynamic_value evaluator::finished(dynamic_value x, caller where) {
  if (in_order_ > 0) wait_for(x, where);
  return counted(std::move(x), where);
}

namespace {

constexpr std::size_t longest_text = 1 << 24;

std::string joined_texts(const std::string& x, const std::string& y, caller where) {
  if (x.size() + y.size() > longest_text)
    throw error("+: texts have at most " + std::to_string(longest_text) + " bytes", where);
  return x + y;
}

}  // namespace

/// A value whose items, if it is a new list, the host counts.
dynamic_value evaluator::counted(dynamic_value x, caller where) {
  const auto* items = std::get_if<std::shared_ptr<const list>>(&x);
  if (!items || (*items)->room) return x;
  check_depth(**items, where);
  (*items)->room = host_.room_for((*items)->items.size(), where);
  return x;
}

/// Joins two texts, or two lists if there is room for both.
std::optional<dynamic_value> evaluator::joined(const dynamic_value& x, bool x_written,
                                               const dynamic_value& y, bool y_written,
                                               caller where) {
  const auto* const begin = std::get_if<std::string>(&x);
  const auto* const end = std::get_if<std::string>(&y);
  if (begin && end) return joined_texts(*begin, *end, where);
  const auto* first = std::get_if<std::shared_ptr<const list>>(&x);
  const auto* second = std::get_if<std::shared_ptr<const list>>(&y);
  if (!first || !second) return {};
  host_.room_for((*first)->items.size() + (*second)->items.size(), where);
  auto both = joined_lists(x, x_written, y, y_written);
  if (both) both = counted(*std::move(both), where);
  return both;
}

dynamic_value evaluator::evaluate(const number_literal& x, const expression&) { return x.value; }
dynamic_value evaluator::evaluate(const text_literal& x, const expression&) { return x.value; }
dynamic_value evaluator::evaluate(const none_literal&, const expression&) { return {}; }

dynamic_value evaluator::evaluate(const new_axis_literal&, const expression& e) {
  throw error("newaxis is only for brackets", e.call_site);
}
dynamic_value evaluator::evaluate(const rest_literal&, const expression& e) {
  throw error("... is only for brackets", e.call_site);
}

dynamic_value evaluator::evaluate(const name_use& x, const expression& e) {
  const auto* found = find(x.name);
  if (!found) unknown(x.name, e.call_site);
  return *found;
}

dynamic_value evaluator::evaluate(const output_use& x, const expression& e) {
  return host_.output(x.number, e.call_site);
}

dynamic_value evaluator::evaluate(const sequence_literal& x, const expression& e) {
  list all;
  all.items.reserve(x.items.size());
  for (const auto& one : x.items) all.items.push_back(evaluate(one));
  return counted(std::make_shared<const list>(std::move(all)), e.call_site);
}

dynamic_value evaluator::evaluate(const unary& x, const expression& e) {
  const auto value = x.op == unary_operator::negation ? there(*x.x) : evaluate(*x.x);
  if (const auto* number = std::get_if<scalar>(&value)) return compute(x.op, *number, e.call_site);
  if (x.op == unary_operator::negation) return scalar(!to_truth(value, "not", e.call_site));
  const auto sign = x.op == unary_operator::invert     ? "~"
                    : x.op == unary_operator::negative ? "-"
                                                       : "+";
  const auto array = to_array(value, sign, e.call_site);
  if (x.op == unary_operator::positive) return array;
  if (x.op == unary_operator::negative) return finished(negative(array, e.call_site), e.call_site);
  return finished(bitwise_not(array, e.call_site), e.call_site);
}

dynamic_value evaluator::evaluate(const binary& x, const expression& e) {
  const bool choice = x.op == binary_operator::both || x.op == binary_operator::either;
  auto first = choice ? there(*x.x) : evaluate(*x.x);
  if (choice) {
    const bool truth = to_truth(first, x.op == binary_operator::both ? "and" : "or", e.call_site);
    return truth == (x.op == binary_operator::either) ? first : evaluate(*x.y);
  }
  const auto second = evaluate(*x.y);
  if (x.op == binary_operator::add) {
    if (auto both =
            joined(first, is_written_list(*x.x), second, is_written_list(*x.y), e.call_site))
      return *both;
  }
  return finished(apply(x.op, first, second, e.call_site), e.call_site);
}

dynamic_value evaluator::apply(binary_operator op, const dynamic_value& x, const dynamic_value& y,
                               caller where) {
  const auto* a = std::get_if<scalar>(&x);
  const auto* b = std::get_if<scalar>(&y);
  if (a && b) return compute(op, *a, *b, where);
  const bool equality = op == binary_operator::equal || op == binary_operator::not_equal;
  const bool first_none = std::holds_alternative<std::monostate>(x),
             second_none = std::holds_alternative<std::monostate>(y);
  if (equality && (first_none || second_none))
    return scalar((first_none == second_none) == (op == binary_operator::equal));
  if (equality && x.index() == y.index() && !is_array_like(x)) {
    const bool same = std::visit(
        overloaded{[](std::monostate) { return true; },
                   [&](const std::string& text) { return text == std::get<std::string>(y); },
                   [&](dtype t) { return t == std::get<dtype>(y); },
                   [&](device d) { return d == std::get<device>(y); },
                   [&](const word* w) { return w == std::get<const word*>(y); },
                   [&](const std::shared_ptr<const function>& f) {
                     return f == std::get<std::shared_ptr<const function>>(y);
                   },
                   [&](const auto&) { return false; }},
        x);
    return scalar(same == (op == binary_operator::equal));
  }
  const std::string sign(text_of(op));
  refuse_uncalled(sign, x, y, where);
  if (op == binary_operator::matmul)
    return matmul(to_array(x, sign, where), to_array(y, sign, where), where);
  const operand first(x, sign, where), second(y, sign, where);
  const tensor_or_scalar both[] = {first.both(), second.both()};
  return elementwise(elementwise_of(op), both, where);
}

dynamic_value evaluator::evaluate(const slice_literal& x, const expression& e) {
  const auto end = [&](const expression_ptr& part) -> std::optional<std::int64_t> {
    if (!part) return {};
    const auto value = there(*part);
    if (std::holds_alternative<std::monostate>(value)) return {};
    return to_integer(value, "the range", part->call_site);
  };
  range r{end(x.start), end(x.stop), end(x.step).value_or(1)};
  if (r.step == 0) throw error("the step of the range is 0", e.call_site);
  return r;
}

/// Computes `x.at[k].add(v)`.
dynamic_value evaluator::change_part(const call_expression& x, const subscript& part,
                                     const expression& whole, const expression& e) {
  static constexpr std::pair<std::string_view, put_op> ways[] = {{"set", put_op::set},
                                                                 {"add", put_op::add},
                                                                 {"mul", put_op::multiply},
                                                                 {"min", put_op::minimum},
                                                                 {"max", put_op::maximum}};
  const auto& name = symbols_.name(std::get<attribute>(x.function->node).name);
  const auto* const way =
      std::ranges::find(ways, name, &std::pair<std::string_view, put_op>::first);
  if (way == std::end(ways))
    throw error(
        "." + name + " is nothing that x.at[...] does, which are set, add, mul, min and max",
        x.function->call_site);
  if (x.arguments.size() != 1 || !x.named.empty())
    throw error("x.at[...]." + name + " takes one array or number", e.call_site);
  const auto object = evaluate(whole);
  if (!is_array_like(object)) throw error(describe(object) + " has no items", e.call_site);
  const dynamic_value array = to_array(object, "at", e.call_site);
  const auto items = items_of(part, array);
  const auto value = settled(x.arguments[0]);
  return finished(with_part(array, items, value, e.call_site, way->second), e.call_site);
}

dynamic_value evaluator::evaluate(const call_expression& x, const expression& e) {
  if (const auto [part, whole] = part_to_change(x, symbols_); part)
    return change_part(x, *part, *whole, e);
  std::vector<dynamic_value> given;
  dynamic_value what;
  if (const auto* method = std::get_if<attribute>(&x.function->node)) {  // x.sum(1)
    given.push_back(evaluate(*method->object));
    if (method->name >= builtins_.size() || !builtins_[method->name] ||
        !std::holds_alternative<const word*>(*builtins_[method->name])) {
      evaluate(*method,
               *x.function);  // if it is an attribute, it cannot be called; else it is unknown
      throw error("." + symbols_.name(method->name) + " is no function: leave the () out",
                  x.function->call_site);
    }
    what = *builtins_[method->name];
  } else {
    what = evaluate(*x.function);
  }
  given.reserve(given.size() + x.arguments.size());
  for (const auto& one : x.arguments) given.push_back(evaluate(one));
  std::vector<named_thing> named;
  for (const auto& one : x.named) named.push_back({symbols_.name(one.name), evaluate(*one.value)});
  const auto wait = [this](const dynamic_value& value, caller where) { wait_for(value, where); };
  return finished(invoke(what, std::move(given), std::move(named), e.call_site, wait), e.call_site);
}

dynamic_value evaluator::evaluate(const attribute& x, const expression& e) {
  const auto object = evaluate(*x.object);
  const auto& name = symbols_.name(x.name);
  if (is_array_like(object)) {
    const auto array = to_array(object, "." + name, e.call_site);
    if (auto found = attribute_of(array, name, e.call_site)) return *found;
    std::vector<std::string_view> known;
    for (const auto& row : all_attributes()) known.push_back(row.name);
    for (const auto& w : all_words()) known.push_back(w.name);
    if (find_word(name))
      throw error("." + name + " is a function: say ." + name + "()", e.call_site);
    throw error(describe(object) + " has no attribute " + name + suggestion(name, known),
                e.call_site);
  }
  throw error(describe(object) + " has no attribute " + name, e.call_site);
}

std::vector<subscript_item> evaluator::items_of(const subscript& x, const dynamic_value& object) {
  const bool of_list = std::holds_alternative<std::shared_ptr<const list>>(object);
  std::vector<subscript_item> items;
  for (const auto& one : x.items) {
    if (std::holds_alternative<rest_literal>(one.node)) items.emplace_back(rest_of_axes{});
    else if (std::holds_alternative<new_axis_literal>(one.node) ||
             std::holds_alternative<none_literal>(one.node))
      items.emplace_back(newaxis);
    else items.emplace_back(of_list ? there(one) : evaluate(one));
  }
  return items;
}

dynamic_value evaluator::evaluate(const subscript& x, const expression& e) {
  const auto object = evaluate(*x.object);
  return finished(part_of(object, items_of(x, object), e.call_site), e.call_site);
}

dynamic_value evaluator::evaluate(const replacement& x, const expression& e) {
  const auto& part = std::get<subscript>(x.part->node);
  const auto object = evaluate(*part.object);
  const auto items = items_of(part, object);
  const auto value = x.op ? updated(part_of(object, items, x.part->call_site), *x.op, *x.value)
                          : settled(*x.value);
  return finished(with_part(object, items, value, e.call_site), e.call_site);
}

dynamic_value evaluator::evaluate(const conditional& x, const expression&) {
  const auto& condition = *x.condition;
  return evaluate(to_truth(there(condition), "if", condition.call_site) ? *x.when_true
                                                                        : *x.when_false);
}

dynamic_value evaluator::evaluate(const lambda& x, const expression&) {
  const auto names = names_text(x.parameters);
  return function_of("the function",
                     (x.parameters.size() == 1 ? names : "(" + names + ")") + " -> ...",
                     x.parameters, {}, [this, body = x.body](caller) { return evaluate(*body); });
}

std::string evaluator::names_text(const std::vector<symbol>& names) const {
  std::string out;
  for (const auto name : names) out += (out.empty() ? "" : ", ") + symbols_.name(name);
  return out;
}

/// Makes a function. Its own names are its parameters, the names it assigns, and those that the
/// enclosing function has now; there, `self` is the symbol of the function itself.
dynamic_value evaluator::function_of(std::string name, std::string text,
                                     std::vector<symbol> parameters, std::optional<symbol> self,
                                     std::function<dynamic_value(caller where)> body) {
  std::vector<symbol> names;
  std::vector<dynamic_value> values;
  if (frame_) {
    for (const auto& [local, value] : frame_->locals) {
      names.push_back(local);
      values.push_back(value);
    }
  }
  if (!frame_) self.reset();  // where it is called, the name may have another meaning
  const auto count = parameters.size();
  const auto kept = std::make_shared<kept_values>(std::move(values));
  auto made = std::make_shared<function>(function{.kept = kept,
                                                  .name = std::move(name),
                                                  .text = std::move(text),
                                                  .parameters = count,
                                                  .call = {}});
  made->call = [this, self, name = made->name, weak = std::weak_ptr<const function>(made),
                names = std::move(names), kept, parameters = std::move(parameters),
                body = std::move(body)](std::vector<dynamic_value> given, caller where) {
    const deeper level(*this, where);
    frame own;
    for (std::size_t i = 0; i < given.size(); ++i)
      own.locals.emplace_back(parameters[i], std::move(given[i]));
    if (const auto alive = weak.lock(); self && alive) own.locals.emplace_back(*self, alive);
    for (std::size_t i = 0; i < names.size(); ++i) own.locals.emplace_back(names[i], kept->all[i]);
    struct entered {
      entered(frame*& at, frame* to) : current(at), before(at) { current = to; }
      ~entered() { current = before; }
      frame*& current;
      frame* before;
    } guard(frame_, &own);
    try {
      return body(where);
    } catch (const task_error&) {
      throw;  // it was made elsewhere, and is only read here
    } catch (const error&) {
      note_passed(name, where);
      throw;
    }
  };
  return std::shared_ptr<const function>(std::move(made));
}

/// Notes that a mistake leaves a function.
void evaluator::note_passed(const std::string& name, caller where) {
  if (depth_ >= passed_depth_) passed_.clear();  // another mistake than the last one
  passed_depth_ = depth_;
  const auto same = [&](const passed_call& before) {
    const std::source_location a = before.place, b = where;
    return before.name == name && a.line() == b.line() && a.column() == b.column();
  };
  if (!passed_.empty() && same(passed_.back())) ++passed_.back().times;
  else passed_.push_back({name, where});
}

}  // namespace troupe::language
