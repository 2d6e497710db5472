// SPDX-License-Identifier: MIT
#include "troupe/language/evaluator/dynamic_value.hpp"

#include <algorithm>
#include <iterator>
#include <new>

#include "troupe/language/evaluator/word.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tensor/number_text.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/indexing.hpp"

namespace troupe::language {

namespace {

struct naming {
  std::string operator()(std::monostate) const { return "none"; }
  std::string operator()(scalar x) const {
    return "the number " + (x.is_real() ? real_text(x.real()) : to_string(x));
  }
  std::string operator()(const tensor& x) const { return to_string(x.type()); }
  std::string operator()(const std::string&) const { return "a text"; }
  std::string operator()(dtype x) const { return "the dtype " + std::string(name(x)); }
  std::string operator()(device x) const { return "the device " + to_string(x); }
  std::string operator()(const range&) const { return "a range"; }
  std::string operator()(const std::shared_ptr<const list>&) const { return "a list"; }
  std::string operator()(const std::shared_ptr<const function>& f) const {
    return "the function " + f->text;
  }
  std::string operator()(const word* w) const { return "the function " + std::string(w->name); }
  std::string operator()(const std::shared_ptr<place>&) const { return "a counter"; }
};

tensor of_number(scalar x, caller where) {
  if (x.type() == scalar::kind::real) {
    const double value = x.real();
    return from_bytes(&value, float64, 1, {}, {}, where);
  }
  return full({}, x, {.dtype = x.own_dtype()}, where);
}

tensor of_range(const range& r, const std::string& what, caller where) {
  if (!r.stop) throw error(what + ": a range without an end is only for brackets", where);
  return arange(r.start.value_or(0), *r.stop, r.step, {.dtype = int64}, where);
}

/// Returns true if a list, nested lists included, holds only numbers and arrays.
bool stands_for_array(const list& items, int depth = 0) {
  return !items.items.empty() && depth <= max_rank &&
         std::all_of(items.items.begin(), items.items.end(), [=](const dynamic_value& one) {
           const auto* inner = std::get_if<std::shared_ptr<const list>>(&one);
           return inner ? stands_for_array(**inner, depth + 1) : is_array_like(one);
         });
}

int depth_of(const list& x) {
  if (x.depth > 0) return x.depth;
  int within = 0;
  for (const auto& one : x.items) {
    if (const auto* items = std::get_if<std::shared_ptr<const list>>(&one))
      within = std::max(within, depth_of(**items));
  }
  return x.depth = within + 1;
}

}  // namespace

void check_depth(const list& x, caller where) {
  constexpr int most = 1'000;
  if (depth_of(x) > most)
    throw error("the list: more than " + std::to_string(most) + " lists within each other", where);
}

kept_values::~kept_values() {
  static thread_local constinit std::vector<dynamic_value>* ending = nullptr;
  if (ending) {
    try {
      std::ranges::move(all, std::back_inserter(*ending));
    } catch (const std::bad_alloc&) {}  // the rest ends here
    return;
  }
  ending = &all;
  while (!all.empty()) {
    const auto last = std::move(all.back());
    all.pop_back();
  }
  ending = nullptr;
}

std::string describe(const dynamic_value& x) { return std::visit(naming{}, x); }

bool is_array_like(const dynamic_value& x) noexcept {
  return std::holds_alternative<scalar>(x) || std::holds_alternative<tensor>(x) ||
         std::holds_alternative<range>(x) || std::holds_alternative<std::shared_ptr<const list>>(x);
}

tensor to_array(const dynamic_value& x, const std::string& what, caller where) {
  if (const auto* array = std::get_if<tensor>(&x)) return *array;
  if (const auto* number = std::get_if<scalar>(&x)) return of_number(*number, where);
  if (const auto* r = std::get_if<range>(&x)) return of_range(*r, what, where);
  const auto* items = std::get_if<std::shared_ptr<const list>>(&x);
  if (!items) throw error(what + ": wants an array, not " + describe(x), where);
  if (auto numbers = numbers_of(**items, what, where)) return std::move(*numbers);
  std::vector<tensor> parts;
  for (const auto& one : (*items)->items) {
    if (!is_array_like(one))
      throw error(what + ": wants an array, not a list that holds " + describe(one), where);
    parts.push_back(to_array(one, what, where));
    const auto &first = parts.front().type(where), &last = parts.back().type(where);
    if (first.dims != last.dims)
      throw error(
          what + ": wants an array, not a list of " + to_string(first) + " and " + to_string(last),
          where);
  }
  return stack(parts, 0, where);
}

tensor to_array(const dynamic_value& x, dtype element, const std::string& what, caller where) {
  check_fit(x, element, what, where);
  return astype(to_array(x, what, where), element, where);
}

dynamic_value settled_list(dynamic_value x, caller where) {
  const auto* items = std::get_if<std::shared_ptr<const list>>(&x);
  if (!items || (*items)->items.empty()) return x;
  if (auto numbers = numbers_of(**items, "the list", where)) return std::move(*numbers);
  return x;
}

std::optional<dynamic_value> joined_lists(const dynamic_value& x, bool x_written,
                                          const dynamic_value& y, bool y_written) {
  const auto* first = std::get_if<std::shared_ptr<const list>>(&x);
  const auto* second = std::get_if<std::shared_ptr<const list>>(&y);
  if (!first || !second) return {};
  if (x_written && y_written && stands_for_array(**first) && stands_for_array(**second)) return {};
  list all{(*first)->items};
  all.items.insert(all.items.end(), (*second)->items.begin(), (*second)->items.end());
  return std::make_shared<const list>(std::move(all));
}

bool to_truth(const dynamic_value& x, const std::string& what, caller where) {
  if (const auto* number = std::get_if<scalar>(&x)) return number->attribute(boolean).integer != 0;
  if (is_array_like(x)) {
    const auto array = to_array(x, what, where);
    if (array.size() != 1)
      throw error(what + ": " + to_string(array.type()) + " has no one truth: use any or all",
                  where);
    return array.item<bool>(where);
  }
  throw error(what + ": wants true or false, not " + describe(x), where);
}

std::int64_t to_integer(const dynamic_value& x, const std::string& what, caller where) {
  const auto* number = std::get_if<scalar>(&x);
  if (number && !number->is_real() && !number->is_complex())
    return static_cast<std::int64_t>(number->bytes(int64));
  const auto* array = std::get_if<tensor>(&x);
  if (array && array->size() == 1 && !is_inexact(array->dtype(where)))
    return array->item<std::int64_t>(where);
  throw error(what + ": wants an integer, not " + describe(x), where);
}

}  // namespace troupe::language
