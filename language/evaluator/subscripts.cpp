// SPDX-License-Identifier: MIT
#include "troupe/language/evaluator/evaluator.hpp"

#include <algorithm>
#include <optional>

#include "troupe/tasks/error.hpp"
#include "troupe/tensor/ops/selection.hpp"

namespace troupe::language {

namespace {

/// Returns the place of an item of a list.
std::size_t place_in(const list& of, const std::vector<subscript_item>& items, caller where) {
  const auto* only = items.size() == 1 ? std::get_if<dynamic_value>(&items[0]) : nullptr;
  if (!only) throw error("a list takes one index", where);
  const auto size = static_cast<std::int64_t>(of.items.size());
  const auto at = to_integer(*only, "index", where);
  const auto i = at < 0 ? at + size : at;
  if (i < 0 || i >= size)
    throw error("index " + std::to_string(at) + " is out of range: the list has " +
                    std::to_string(size) + " items",
                where);
  return static_cast<std::size_t>(i);
}

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
  return from.items[place_in(from, items, where)];
}

/// Indices for the library.
class index_list {
 public:
  index_list(const std::vector<subscript_item>& items, caller where) {
    for (const auto& one : items) {
      if (std::holds_alternative<rest_of_axes>(one)) indices_.push_back(index(ellipsis, where));
      else if (std::holds_alternative<new_axis_type>(one))
        indices_.push_back(index(newaxis, where));
      else add(std::get<dynamic_value>(one), where);
    }
  }

  std::vector<const index*> all() const {
    std::vector<const index*> out;
    for (const auto& one : indices_) out.push_back(&one);
    return out;
  }

 private:
  void add(const dynamic_value& one, caller where) {
    if (const auto* r = std::get_if<range>(&one)) {
      indices_.push_back(index(*r, where));
    } else if (const auto* number = std::get_if<scalar>(&one)) {
      if (number->type() != scalar::kind::integer)
        throw error("an index is an integer, not " + to_string(*number), where);
      indices_.push_back(index(static_cast<std::int64_t>(number->bytes(int64)), where));
    } else {
      indices_.push_back(index(to_array(one, "index", where), where));
    }
  }

  std::vector<index> indices_;
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
  const index_list all(items, where);
  return at(to_array(x, "index", where), all.all(), where);
}

dynamic_value with_part(const dynamic_value& x, const std::vector<subscript_item>& items,
                        const dynamic_value& part, caller where, put_op how) {
  if (const auto* from = std::get_if<std::shared_ptr<const list>>(&x)) {
    if (picks_one_or_some(items)) {
      list changed{(*from)->items};
      changed.items[place_in(**from, items, where)] = part;
      check_depth(changed, where);
      return std::make_shared<const list>(std::move(changed));
    }
  } else if (!std::holds_alternative<tensor>(x)) throw error(describe(x) + " has no items", where);
  const index_list all(items, where);
  const auto whole = to_array(x, "index", where);
  if (const auto* number = std::get_if<scalar>(&part))
    return put_at(how, whole, all.all(), *number, where);
  return put_at(how, whole, all.all(), to_array(part, "index", where), where);
}

}  // namespace troupe::language
