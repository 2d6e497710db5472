// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <iterator>
#include <ranges>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "troupe/tasks/error.hpp"
#include "troupe/tensor/members.hpp"
#include "troupe/tensor/tensor.hpp"

/// Tensors within arguments and results of functions: in pairs, tuples, containers, optionals, and
/// structs with public members only (16 at most).

namespace troupe::detail {

template <class T>
concept plain_value = std::is_arithmetic_v<T> || std::is_enum_v<T>;

template <class T>
concept optional_value = requires(T& x) {
  { x.has_value() } -> std::same_as<bool>;
  *x;
};

template <class T>
concept container = requires(T& all) {
  std::begin(all);
  std::end(all);
};

template <class T>
concept of_several_parts = requires {
  std::tuple_size<T>::value;
};

/// Calls `on_tensor` with each tensor in an object, in order, and `on_other` with the bytes of
/// everything else: numbers, texts, and the sizes of containers.
template <class T, class OnTensor, class OnOther>
void each_part(T& object, const OnTensor& on_tensor, const OnOther& on_other) {
  using type = std::remove_cv_t<T>;
  const auto part = [&](auto& one) { each_part(one, on_tensor, on_other); };
  const auto number = [&](std::size_t n) { on_other(&n, sizeof n); };
  if constexpr (std::same_as<type, tensor>) {
    on_tensor(object);
  } else if constexpr (plain_value<type>) {
    on_other(&object, sizeof object);
  } else if constexpr (std::convertible_to<const type&, std::string_view>) {
    const std::string_view text(object);
    number(text.size());
    on_other(text.data(), text.size());
  } else if constexpr (container<type>) {
    static_assert(!std::ranges::view<type>,
                  "compile: arguments own what they hold: a vector, not a span");
    number(static_cast<std::size_t>(std::distance(std::begin(object), std::end(object))));
    for (auto&& one : object) part(one);
  } else if constexpr (of_several_parts<type>) {
    std::apply([&](auto&... each) { (part(each), ...); }, object);
  } else if constexpr (optional_value<type>) {
    number(object.has_value());
    if (object.has_value()) part(*object);
  } else {
    static_assert(std::is_aggregate_v<type>,
                  "compile: arguments and results are tensors, numbers, texts, and pairs, tuples, "
                  "containers, optionals and structs (with public members only) of them");
    if constexpr (std::is_aggregate_v<type>)
      apply_to_members(object, [&](auto&... each) { (part(each), ...); });
  }
}

/// Object whose address tells types apart.
template <class T>
inline constexpr char type_tag = 0;

/// Adds an argument's tensors to `all`, and what else tells it apart to `others`.
template <class T, class Tensors>
void take_apart(const T& x, Tensors& all, std::string& others) {
  others += '(';
  if constexpr (!std::same_as<T, tensor>) {
    const void* const type = &type_tag<T>;  // numbers of several types may have the same bytes
    others.append(reinterpret_cast<const char*>(&type), sizeof type);
  }
  each_part(
      x, [&](const tensor& one) { all.emplace_back(one); },
      [&](const void* bytes, std::size_t count) {
        others.append(static_cast<const char*>(bytes), count);
      });
}

/// Returns an object like another, with the next tensors in place of its own.
template <class T>
T put_together(const T& like, const tensor*& next) {
  T out = like;
  each_part(
      out, [&](tensor& one) { one = *next++; }, [](const void*, std::size_t) {});
  return out;
}

/// Text that an argument of type T, such as `const char*`, refers to.
template <class T>
struct kept_text {
  std::string text;
};

template <class T>
T put_together(const kept_text<T>& like, const tensor*&) {
  if constexpr (std::same_as<T, std::string_view>) return like.text;
  else return like.text.c_str();
}

/// Returns an object like another, whose tensors name no arrays, to be kept.
template <class T>
auto outline(const T& like) {
  using type = std::decay_t<const T>;
  if constexpr (std::same_as<type, std::string_view> || std::same_as<type, const char*> ||
                std::same_as<type, char*>) {
    using seen = std::conditional_t<std::same_as<type, char*>, const char*, type>;
    return kept_text<seen>{std::string(std::string_view(like))};
  } else {
    T out = like;
    each_part(
        out, [](tensor& one) { one = tensor(); }, [](const void*, std::size_t) {});
    return out;
  }
}

/// Returns the tensors in a function's result. Throws for a result that holds anything else, since
/// programs compute tensors only.
template <class T>
std::vector<tensor> tensors_of(const T& result, caller where) {
  std::vector<tensor> out;
  int others = 0;
  each_part(
      result, [&](const tensor& one) { out.push_back(one); },
      [&](const void*, std::size_t) { ++others; });
  if (others > (std::same_as<T, std::vector<tensor>> ? 1 : 0))
    throw error(
        "compile: a function returns a tensor, a pair, tuple or struct of tensors, or a vector of "
        "tensors, and nothing else",
        where);
  return out;
}

/// Returns the result that has these tensors.
template <class T>
T result_of(std::vector<tensor> all) {
  if constexpr (std::same_as<T, tensor>) {
    return std::move(all[0]);
  } else if constexpr (std::same_as<T, std::vector<tensor>>) {
    return all;
  } else {
    T out{};
    auto* next = all.data();
    each_part(
        out, [&](tensor& one) { one = std::move(*next++); }, [](const void*, std::size_t) {});
    return out;
  }
}

}  // namespace troupe::detail
