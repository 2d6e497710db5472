// SPDX-License-Identifier: MIT
#pragma once

#include <complex>
#include <concepts>
#include <cstddef>
#include <deque>
#include <iterator>
#include <memory>
#include <ranges>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "troupe/devices/device.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tensor/axes.hpp"
#include "troupe/tensor/members.hpp"
#include "troupe/tensor/tensor.hpp"

/// Tensors within arguments and results of functions: in pairs, tuples, containers, optionals, and
/// structs with public members only (16 at most).

namespace troupe::detail {

template <class T>
concept plain_value = std::is_arithmetic_v<T> || std::is_enum_v<T> || std::same_as<T, device> ||
    std::same_as<T, axes> || std::same_as<T, std::complex<float>> ||
    std::same_as<T, std::complex<double>>;

/// Texts that belong to somebody else.
template <class T>
concept text_reference =
    std::same_as<T, std::string_view> || std::same_as<T, const char*> || std::same_as<T, char*>;

/// Such as std::filesystem::path, which is a container of paths as well.
template <class T>
concept holds_native_text = requires(const T& x) {
  { x.native() } -> std::convertible_to<std::string_view>;
};

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

struct does_nothing {
  template <class... T>
  void operator()(T&&...) const noexcept {}
};

/// Calls `on_tensor` with each tensor in an object, in order, `on_other` with the bytes of
/// everything else: numbers, texts, and the sizes of containers, and `on_reference` with each
/// reference to a text, which is not null.
template <class T, class OnTensor, class OnOther = does_nothing, class OnReference = does_nothing>
void each_part(T& object, const OnTensor& on_tensor, const OnOther& on_other = {},
               const OnReference& on_reference = {}) {
  using type = std::remove_cv_t<T>;
  const auto part = [&](auto& one) { each_part(one, on_tensor, on_other, on_reference); };
  const auto number = [&](std::size_t n) { on_other(&n, sizeof n); };
  const auto text = [&](std::string_view all) {
    number(all.size());
    on_other(all.data(), all.size());
  };
  if constexpr (std::same_as<type, tensor>) {
    on_tensor(object);
  } else if constexpr (plain_value<type>) {
    on_other(&object, sizeof object);
  } else if constexpr (std::convertible_to<const type&, std::string_view>) {
    if constexpr (std::is_pointer_v<type>) {
      if (!object) return number(std::string_view::npos);
    }
    if constexpr (std::is_array_v<type>) {  // the text need not fill it, nor leave room for its end
      const std::string_view all(object, std::extent_v<type>);
      text(all.substr(0, all.find('\0')));
    } else {
      text(object);
    }
    if constexpr (text_reference<type>) on_reference(object);
  } else if constexpr (holds_native_text<type>) {
    text(object.native());
  } else if constexpr (container<type>) {
    static_assert(!std::ranges::view<type>,
                  "compile: arguments own what they hold: a vector, not a span");
    number(static_cast<std::size_t>(std::distance(std::begin(object), std::end(object))));
    for (auto&& one : object) {
      if constexpr (std::same_as<type, std::vector<bool>>) {
        bool copy = one;
        part(copy);
      } else {
        part(one);
      }
    }
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
    const void* const type =
        &type_tag<std::decay_t<const T>>;  // numbers of several types may have the same bytes
    others.append(reinterpret_cast<const char*>(&type), sizeof type);
  }
  each_part(
      x, [&](const tensor& one) { all.emplace_back(one); },
      [&](const void* bytes, std::size_t count) {
        others.append(static_cast<const char*>(bytes), count);
      });
}

/// Returns an object like another, with the next tensors in place of its own. A literal becomes a
/// pointer.
template <class T>
std::decay_t<const T> put_together(const T& like, const tensor*& next) {
  std::decay_t<const T> out = like;
  each_part(out, [&](tensor& one) { one = *next++; });
  return out;
}

/// Object like another, whose tensors name no arrays, and the texts that it refers to.
template <class T>
struct outline {
  explicit outline(const T& like) : object(like) {
    each_part(
        object, [](tensor& one) { one = tensor(); }, does_nothing(),
        [&]<class Text>(Text& one) {
          static_assert(!std::is_const_v<Text>,
                        "program: keys of maps and sets own their texts: std::string");
          auto& kept = texts->emplace_back(one);
          if constexpr (std::is_pointer_v<Text>) one = kept.data();
          else one = kept;
        });
  }

  std::decay_t<const T> object;
  /// Copies of this object share them.
  std::shared_ptr<std::deque<std::string>> texts = std::make_shared<std::deque<std::string>>();
};

template <class T>
std::decay_t<const T> put_together(const outline<T>& like, const tensor*& next) {
  return put_together(like.object, next);
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
    each_part(out, [&](tensor& one) { one = std::move(*next++); });
    return out;
  }
}

}  // namespace troupe::detail
