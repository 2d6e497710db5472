// SPDX-License-Identifier: MIT
#include "troupe/language/evaluator/dynamic_value.hpp"

#include <algorithm>
#include <complex>
#include <memory>
#include <set>

#include "troupe/tasks/error.hpp"
#include "troupe/tensor/ops/from_data.hpp"

namespace troupe::language {

namespace {

const list* list_in(const dynamic_value& x) {
  const auto* inner = std::get_if<std::shared_ptr<const list>>(&x);
  return inner ? inner->get() : nullptr;
}

/// Numbers of nested lists and the shape that they have.
class collector {
 public:
  collector(const std::string& what, caller where) : title_(what), call_site_(where) {}

  void add(const list& items, int depth) {
    if (depth >= max_rank)
      throw error(title_ + ": lists are nested deeper than " + std::to_string(max_rank),
                  call_site_);
    const auto size = static_cast<std::int64_t>(items.items.size());
    if (dims_.rank() == depth) {
      if (!numbers_.empty()) uneven();
      dims_.push_back(size);
    } else if (dims_[depth] != size) {
      uneven();
    }
    for (const auto& one : items.items) {
      if (const auto* inner = list_in(one)) {
        add(*inner, depth + 1);
      } else {
        if (dims_.rank() > depth + 1) uneven();
        numbers_.push_back(std::get<scalar>(one));
      }
    }
  }

  tensor finish() const {
    auto most = scalar::kind::truth;
    double least = 0;
    for (const auto& n : numbers_)
      most = std::max(most, n.type()), least = std::min(least, n.real());
    if (most == scalar::kind::complex) return finish<std::complex<double>>();
    if (most == scalar::kind::real || numbers_.empty()) return finish<double>();
    if (most == scalar::kind::natural)
      return least < 0 ? finish<double>() : finish<std::uint64_t>();
    if (most == scalar::kind::integer) return finish<std::int64_t>();
    return finish<bool>();
  }

 private:
  template <class T>
  tensor finish() const {
    const auto elements = std::make_unique<T[]>(numbers_.size());
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      if constexpr (std::is_same_v<T, double>) elements[i] = numbers_[i].real();
      else if constexpr (std::is_same_v<T, std::complex<double>>)
        elements[i] = {numbers_[i].real(), numbers_[i].imaginary()};
      else elements[i] = static_cast<T>(static_cast<std::int64_t>(numbers_[i].bytes(int64)));
    }
    return from_bytes(elements.get(), dtype_of<T>(), static_cast<std::int64_t>(numbers_.size()),
                      dims_, {}, call_site_);
  }

  [[noreturn]] void uneven() const {
    throw error(title_ + ": the rows of a list have different lengths", call_site_);
  }

  const std::string& title_;
  caller call_site_;
  shape dims_;
  std::vector<scalar> numbers_;
};

/// Returns true if lists hold numbers. `seen` holds the lists already visited: a list may hold
/// another one many times.
bool only_numbers(const list& items, std::set<const list*>& seen) {
  if (items.mixed) return false;
  if (!seen.insert(&items).second) return true;
  items.mixed = !std::ranges::all_of(items.items, [&](const dynamic_value& one) {
    const auto* inner = list_in(one);
    return inner ? only_numbers(*inner, seen) : std::holds_alternative<scalar>(one);
  });
  return !items.mixed;
}

void check_fit(const dynamic_value& x, dtype element, const std::string& what, caller where,
               std::set<const list*>& seen) {
  if (const auto* number = std::get_if<scalar>(&x))
    troupe::detail::check_fits(*number, element, what, where);
  const auto* items = list_in(x);
  if (!items || !seen.insert(items).second) return;
  for (const auto& one : items->items) check_fit(one, element, what, where, seen);
}

}  // namespace

void check_fit(const dynamic_value& x, dtype element, const std::string& what, caller where) {
  std::set<const list*> seen;
  check_fit(x, element, what, where, seen);
}

std::optional<tensor> numbers_of(const list& items, const std::string& what, caller where) {
  std::set<const list*> seen;
  if (!only_numbers(items, seen)) return {};
  collector all(what, where);
  all.add(items, 0);
  return all.finish();
}

}  // namespace troupe::language
