// SPDX-License-Identifier: MIT
#include "troupe/language/evaluator/evaluator.hpp"

#include <algorithm>
#include <optional>

#include "troupe/tasks/error.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/slice.hpp"

namespace troupe::language {

namespace {

dynamic_value item_of(const list& from, const std::vector<subscript_item>& items, caller where) {
  const auto* only = items.size() == 1 ? std::get_if<dynamic_value>(&items[0]) : nullptr;
  if (!only) throw error("a list takes one index", where);
  const auto size = static_cast<std::int64_t>(from.items.size());
  if (const auto* r = std::get_if<range>(only)) {
    if (r->step == 0) throw error("the step is 0", where);
    const auto part = resolve(*r, size);
    list some;
    for (std::int64_t i = 0; i < part.count; ++i)
      some.items.push_back(from.items[static_cast<std::size_t>(part.start + i * part.step)]);
    return std::make_shared<const list>(std::move(some));
  }
  const auto at = to_integer(*only, "index", where);
  const auto i = at < 0 ? at + size : at;
  if (i < 0 || i >= size)
    throw error("index " + std::to_string(at) + " is out of range: the list has " +
                    std::to_string(size) + " items",
                where);
  return from.items[static_cast<std::size_t>(i)];
}

/// Array of positions among the items, and the axis that it picks from once the other items are
/// applied.
struct picking {
  tensor positions;
  int axis = 0;
};

/// Indices for the library, with `...` and every axis written out.
class index_list {
 public:
  index_list(const tensor& x, const std::vector<subscript_item>& items, caller where)
      : call_site_(where) {
    std::int64_t named = 0;
    for (const auto& one : items) named += std::holds_alternative<dynamic_value>(one);
    const auto rests = std::count_if(items.begin(), items.end(), [](auto& one) {
      return std::holds_alternative<rest_of_axes>(one);
    });
    if (rests > 1) throw error("... may stand only once", where);
    for (const auto& one : items) {
      if (std::holds_alternative<rest_of_axes>(one)) {
        for (auto i = named; i < x.rank(); ++i) keep(index(every, where));
      } else if (std::holds_alternative<new_axis_type>(one)) keep(index(newaxis, where));
      else add(std::get<dynamic_value>(one));
    }
  }

  const std::optional<picking>& picked() const noexcept { return picking_; }

  tensor apply(const tensor& x) const {
    std::vector<const index*> all;
    for (const auto& one : indices_) all.push_back(&one);
    return at(x, all, call_site_);
  }

 private:
  void keep(index i) {
    indices_.push_back(i);
    ++axes_;
  }

  void add(const dynamic_value& one) {
    if (const auto* r = std::get_if<range>(&one)) return keep(index(*r, call_site_));
    if (const auto* number = std::get_if<scalar>(&one)) {
      if (number->type() != scalar::kind::integer)
        throw error("an index is an integer, not " + to_string(*number), call_site_);
      indices_.push_back(index(static_cast<std::int64_t>(number->bytes(int64)), call_site_));
      return;
    }
    const auto positions = to_array(one, "index", call_site_);
    if (positions.dtype(call_site_) == boolean)
      throw error(
          "a mask would give a shape that is known only later: use where(mask, x, 0), or sum(x * "
          "mask)",
          call_site_);
    if (picking_) throw error("only one index may be an array", call_site_);
    picking_ = {positions, axes_};
    keep(index(every, call_site_));
  }

  caller call_site_;
  std::vector<index> indices_;
  int axes_ = 0;  // of the result
  std::optional<picking> picking_;
};

/// Returns true if a list can be indexed as it is; with anything else, a list of numbers is an
/// array.
bool picks_one_or_some(const std::vector<subscript_item>& items) {
  const auto* only = items.size() == 1 ? std::get_if<dynamic_value>(&items[0]) : nullptr;
  if (!only) return false;
  const auto* array = std::get_if<tensor>(only);
  return std::holds_alternative<scalar>(*only) || std::holds_alternative<range>(*only) ||
         (array && array->rank() == 0);
}

}  // namespace

dynamic_value part_of(const dynamic_value& x, const std::vector<subscript_item>& items,
                      caller where) {
  if (const auto* from = std::get_if<std::shared_ptr<const list>>(&x)) {
    const auto numbers = picks_one_or_some(items) ? x : settled_list(x, where);
    if (!std::holds_alternative<tensor>(numbers)) return item_of(**from, items, where);
    return part_of(numbers, items, where);
  }
  if (!std::holds_alternative<tensor>(x) && !std::holds_alternative<range>(x))
    throw error(describe(x) + " has no items", where);
  const auto array = to_array(x, "index", where);
  const index_list all(array, items, where);
  const auto part = all.apply(array);
  if (!all.picked()) return part;
  return take(part, all.picked()->positions, all.picked()->axis, where);
}

}  // namespace troupe::language
