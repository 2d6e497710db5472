// SPDX-License-Identifier: MIT
#include "troupe/language/evaluator/arguments.hpp"

#include <algorithm>

#include "troupe/language/evaluator/word.hpp"
#include "troupe/tasks/error.hpp"

namespace troupe::language {

namespace {

using list_ptr = std::shared_ptr<const list>;

list_ptr list_of(std::vector<dynamic_value> items) {
  return std::make_shared<const list>(list{std::move(items)});
}

/// Returns true for a number, or an array that has no axes.
bool is_single(const dynamic_value& x) {
  const auto* array = std::get_if<tensor>(&x);
  return std::holds_alternative<scalar>(x) || (array && array->rank() == 0);
}

bool is_list_of_arrays(const dynamic_value& x) {
  const auto* items = std::get_if<list_ptr>(&x);
  const auto is_array = [](const auto& one) { return std::holds_alternative<tensor>(one); };
  return items && std::all_of((*items)->items.begin(), (*items)->items.end(), is_array);
}

bool takes_number(const parameter& p) noexcept {
  return p.kind == parameter_kind::number || p.kind == parameter_kind::integer;
}

}  // namespace

/// Throws: the last two of three numbers in a row could be sizes or the parameters after the sizes.
void arguments::refuse_row(std::size_t i, std::size_t count) const {
  const auto& all = word_->parameters;
  refuse(std::to_string(count) + " numbers in a row are sizes or " + std::string(all[i + 1].name) +
         " and " + std::string(all[i + 2].name) + ": write " + std::string(word_->name) +
         "((2, 3, 4)) or " + std::string(word_->name) + "((2, 3), " + std::string(all[i + 1].name) +
         ", " + std::string(all[i + 2].name) + ")");
}

arguments::arguments(const word& of, std::vector<dynamic_value> given,
                     std::vector<named_thing> named, caller where, waiter wait)
    : word_(&of), call_site_(where), wait_(std::move(wait)) {
  bind(std::move(given), std::move(named));
}

void arguments::bind(std::vector<dynamic_value> given, std::vector<named_thing> named) {
  const auto& all = word_->parameters;
  values_.resize(all.size());
  std::vector<bool> there(all.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < all.size() && next < given.size(); ++i) {
    const auto first = next++;
    there[i] = true;
    if ((all[i].kind == parameter_kind::several && !is_list_of_arrays(given[first])) ||
        (all[i].kind == parameter_kind::row && next < given.size() && is_array_like(given[next]))) {
      next = given.size();  // einsum("ij,jk", x, y)
      const auto from = given.begin() + static_cast<std::ptrdiff_t>(first);
      values_[i] = converted(
          i, list_of({std::make_move_iterator(from), std::make_move_iterator(given.end())}));
      continue;
    }
    if (all[i].kind != parameter_kind::sizes || !is_single(given[first])) {
      values_[i] = converted(i, std::move(given[first]));
      continue;
    }
    while (next < given.size() && is_single(given[next])) ++next;  // ones(2, 3)
    if (next - first > 2 && i + 1 < all.size() && takes_number(all[i + 1]))
      refuse_row(i, next - first);
    std::vector<dynamic_value> sizes;
    for (auto k = first; k < next; ++k) sizes.push_back(std::move(given[k]));
    values_[i] = converted(i, list_of(std::move(sizes)));
  }
  if (next < given.size())
    refuse("takes at most " + std::to_string(all.size()) + " arguments, not " +
           std::to_string(given.size()));
  for (auto& one : named) {
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const parameter& p) { return p.name == one.name; });
    if (found == all.end()) {
      std::vector<std::string_view> names;
      for (const auto& p : all) names.push_back(p.name);
      refuse("has no argument " + std::string(one.name) + suggestion(one.name, names));
    }
    const auto i = static_cast<std::size_t>(found - all.begin());
    if (has(i)) refuse("the argument " + std::string(one.name) + " is given twice");
    values_[i] = converted(i, std::move(one.value));
    there[i] = true;
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].needed() && !there[i]) refuse(naming(i) + " is missing");
  }
}

void arguments::refuse(const std::string& facts) const {
  throw error(std::string(word_->name) + ": " + facts + "; usage: " + usage(*word_), call_site_);
}

std::string arguments::naming(std::size_t i) const {
  return "argument " + std::string(word_->parameters[i].name);
}

/// Converts an argument to its parameter's kind. `none` stands for the fallback, if there is one.
dynamic_value arguments::converted(std::size_t i, dynamic_value x) const {
  const auto& p = word_->parameters[i];
  if (std::holds_alternative<std::monostate>(x) && !p.needed()) return x;
  const auto what = [&] { return std::string(word_->name) + ": " + std::string(p.name); };
  switch (p.kind) {
    case parameter_kind::array:
      if (!is_array_like(x)) break;
      return to_array(x, what(), call_site_);
    case parameter_kind::operand:
      if (std::holds_alternative<scalar>(x) || std::holds_alternative<tensor>(x)) return x;
      if (!is_array_like(x)) break;
      return to_array(x, what(), call_site_);
    case parameter_kind::arrays:
    case parameter_kind::several:
    case parameter_kind::row: {
      const auto* items = std::get_if<list_ptr>(&x);
      if (!items) break;
      std::vector<dynamic_value> arrays;
      for (const auto& one : (*items)->items)
        arrays.emplace_back(to_array(one, what(), call_site_));
      return list_of(std::move(arrays));
    }
    case parameter_kind::number:
    case parameter_kind::flag:
      wait_for(x);
      if (const auto* array = std::get_if<tensor>(&x); array && array->size() == 1) {
        if (is_floating(array->dtype(call_site_))) return scalar(array->item<double>(call_site_));
        return scalar(array->item<std::int64_t>(call_site_));
      }
      if (std::holds_alternative<scalar>(x)) return x;
      break;
    case parameter_kind::integer:
    case parameter_kind::axis:
      if (!is_array_like(x)) break;
      wait_for(x);
      return scalar(to_integer(x, what(), call_site_));
    case parameter_kind::integers:
    case parameter_kind::axes:
    case parameter_kind::sizes:
    case parameter_kind::shape:
    case parameter_kind::pair:
    case parameter_kind::triple: {
      wait_for(x);
      std::vector<dynamic_value> integers;
      const auto* items = std::get_if<list_ptr>(&x);
      const auto* array = std::get_if<tensor>(&x);
      if (items) {
        for (const auto& one : (*items)->items)
          integers.emplace_back(scalar(to_integer(one, what(), call_site_)));
      } else if (array && array->rank() == 1 && !is_inexact(array->dtype(call_site_))) {
        for (const auto one : array->to_vector<std::int64_t>(call_site_))
          integers.emplace_back(scalar(one));
      } else if (is_array_like(x) && p.kind == parameter_kind::integers) {
        return scalar(to_integer(x, what(), call_site_));
      } else if (is_array_like(x)) {
        integers.emplace_back(scalar(to_integer(x, what(), call_site_)));
      } else {
        break;
      }
      return list_of(std::move(integers));
    }
    case parameter_kind::dtype:
      if (std::holds_alternative<troupe::dtype>(x)) return x;
      break;
    case parameter_kind::device:
      if (std::holds_alternative<troupe::device>(x)) return x;
      break;
    case parameter_kind::text:
      if (std::holds_alternative<std::string>(x)) return x;
      break;
    case parameter_kind::list:
      if (std::holds_alternative<list_ptr>(x)) return x;
      break;
    case parameter_kind::any: return x;
    case parameter_kind::function:
      if (std::holds_alternative<std::shared_ptr<const function>>(x) ||
          std::holds_alternative<const word*>(x))
        return x;
      break;
  }
  refuse(naming(i) + " wants " + std::string(kind_name(p.kind)) + ", not " + describe(x));
}

void arguments::wait_for(const dynamic_value& x) const {
  if (wait_) wait_(x, call_site_);
}

const tensor& arguments::finished_array(std::size_t i) const {
  wait_for(values_[i]);
  return array(i);
}

tensor_or_scalar arguments::operand(std::size_t i) const {
  if (const auto* number = std::get_if<scalar>(&values_[i])) return *number;
  return std::get<tensor>(values_[i]);
}

std::vector<tensor> arguments::arrays(std::size_t i) const {
  std::vector<tensor> all;
  for (const auto& one : std::get<list_ptr>(values_[i])->items)
    all.push_back(std::get<tensor>(one));
  return all;
}

double arguments::real(std::size_t i, double fallback) const {
  const auto x = number(i, fallback);
  if (x.is_complex()) refuse(naming(i) + " wants a real number, not " + to_string(x));
  return x.real();
}

scalar arguments::number(std::size_t i, scalar fallback) const {
  return has(i) ? std::get<scalar>(values_[i]) : fallback;
}

std::int64_t arguments::integer(std::size_t i, std::int64_t fallback) const {
  return static_cast<std::int64_t>(number(i, fallback).bytes(int64));
}

std::optional<int> arguments::axis(std::size_t i) const {
  if (!has(i)) return {};
  return small_integer(i);
}

int arguments::small_integer(std::size_t i, int fallback) const {
  return has(i) ? checked_int(i, integer(i)) : fallback;
}

/// Returns an integer of the argument as an int.
int arguments::checked_int(std::size_t i, std::int64_t x) const {
  if (x < INT32_MIN || x > INT32_MAX)
    refuse(naming(i) + " is out of range with " + std::to_string(x));
  return static_cast<int>(x);
}

std::vector<int> arguments::small_integers(std::size_t i) const {
  std::vector<int> all;
  for (const auto one : integers(i)) all.push_back(checked_int(i, one));
  return all;
}

std::vector<std::int64_t> arguments::integers(std::size_t i) const {
  if (std::holds_alternative<scalar>(values_[i])) return {integer(i)};
  std::vector<std::int64_t> all;
  for (const auto& one : std::get<list_ptr>(values_[i])->items)
    all.push_back(static_cast<std::int64_t>(std::get<scalar>(one).bytes(int64)));
  return all;
}

troupe::axes arguments::axes(std::size_t i) const {
  if (!has(i)) return {};
  const auto all = small_integers(i);
  if (all.size() > static_cast<std::size_t>(max_rank))
    refuse(naming(i) + " names more axes than there can be");
  return troupe::axes(std::span<const int>(all));
}

troupe::shape arguments::sizes(std::size_t i) const {
  return troupe::shape(std::span<const std::int64_t>(integers(i)), call_site_);
}

height_width arguments::pair(std::size_t i, height_width fallback) const {
  if (!has(i)) return fallback;
  const auto all = integers(i);
  if (all.size() == 1) return all[0];
  if (all.size() != 2) refuse(naming(i) + " wants one integer or two");
  return {all[0], all[1]};
}

depth_height_width arguments::triple(std::size_t i, depth_height_width fallback) const {
  if (!has(i)) return fallback;
  const auto all = integers(i);
  if (all.size() == 1) return all[0];
  if (all.size() != 3) refuse(naming(i) + " wants one integer or three");
  return {all[0], all[1], all[2]};
}

tensor_options arguments::options(std::size_t dtype, std::size_t device) const {
  tensor_options out;
  if (has(dtype)) out.dtype = std::get<troupe::dtype>(values_[dtype]);
  if (has(device)) out.device = std::get<troupe::device>(values_[device]);
  return out;
}

}  // namespace troupe::language
