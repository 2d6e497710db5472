// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <functional>
#include <ranges>
#include <string>
#include <tuple>
#include <variant>

#include "troupe/nn/visitor.hpp"
#include "troupe/tensor/members.hpp"

/// Discovery of a network's parameters. A layer is a struct:
///
///     struct residual {
///       nn::dense first{64, relu}, second{64};
///       tensor operator()(const tensor& x) { return x + second(first(x)); }
///     };
///
/// All its members are visited (16 at most, and arrays as std::array), recursively, and the
/// contents of containers, pointers, optionals, tuples and variants. Any other class, such as one
/// with private members or bases, lists its members:
///
///     void members(auto&& each) { each("first", first_, "second", second_); }
///
/// Raw pointers, references, tensors and std::function are skipped.

namespace troupe::nn {

template <class T>
void visit(T& object, visitor& to);

namespace detail {

/// Function object that a class's `members` calls, with a name before each member.
class each_member {
 public:
  explicit each_member(visitor& to) noexcept : to_(to) {}

  void operator()() {}
  template <class Member, class... More>
  void operator()(std::string_view name, Member& m, More&&... more) {
    {
      const visitor::step into(to_, name);
      visit(m, to_);
    }
    (*this)(std::forward<More>(more)...);
  }

 private:
  visitor& to_;
};

/// True for classes known to hold no parameters, which the other cases do not recognise.
template <class T>
inline constexpr bool opaque = std::same_as<T, tensor>;
template <class Signature>
inline constexpr bool opaque<std::function<Signature>> = true;

template <class T>
concept says_its_members = requires(T& object, visitor& to, each_member each) {
  requires requires { object.visit(to); } || requires {
    object.members(each);
  };
};

/// Type that holds no parameters, variables or modes: copying those is more than copying bytes.
template <class T>
concept plain = !says_its_members<T> && (std::is_trivially_copyable_v<T> || !std::is_class_v<T>);

template <class T>
concept tuple_like = requires {
  std::tuple_size<T>::value;
};

template <class T>
concept map_like = std::ranges::range<T> && requires {
  typename T::mapped_type;
};

template <class T>
concept pointer_like = requires(T& object) {
  static_cast<bool>(object);
  *object;
};

template <class T>
concept one_of_several = requires {
  std::variant_size<T>::value;
};

inline std::string part_name(std::string_view key) { return std::string(key); }
inline std::string part_name(std::integral auto key) { return std::to_string(key); }

template <class T>
void of_map(T& object, visitor& to) {
  std::size_t number = 0;
  for (auto& [key, part] : object) {
    const visitor::step into(to, [&key = key, n = number++] {
      if constexpr (requires { part_name(key); }) return part_name(key);
      else return part_name(n);
    }());
    nn::visit(part, to);
  }
}

template <class T>
void of_range(T& object, visitor& to) {
  std::size_t number = 0;
  for (auto&& part : object) {
    const visitor::step into(to, part_name(number++));
    nn::visit(part, to);
  }
}

/// Visits the arguments that `apply` passes to a function.
void of_list(auto&& apply, visitor& to) {
  apply([&](auto&... part) {
    std::size_t number = 0;
    const auto one = [&](auto& p) {
      const visitor::step into(to, part_name(number++));
      nn::visit(p, to);
    };
    (one(part), ...);
  });
}

}  // namespace detail

/// Shows a visitor all parameters, variables and modes that an object holds.
template <class T>
void visit(T& object, visitor& to) {
  if constexpr (std::derived_from<T, parameter> || std::same_as<T, variable> ||
                std::same_as<T, mode>) {
    to.at(object);
  } else if constexpr (requires { object.visit(to); }) {
    object.visit(to);
  } else if constexpr (detail::says_its_members<T>) {
    object.members(detail::each_member(to));
  } else if constexpr (detail::plain<T> || detail::opaque<T>) {
    // Holds no parameters.
  } else if constexpr (detail::map_like<T>) {
    detail::of_map(object, to);
  } else if constexpr (std::ranges::range<T>) {
    // A path is a range of paths.
    using element = std::remove_cvref_t<std::ranges::range_reference_t<T>>;
    if constexpr (!detail::plain<element> && !std::same_as<element, T>)
      detail::of_range(object, to);
  } else if constexpr (detail::tuple_like<T>) {
    detail::of_list([&](auto&& f) { std::apply(f, object); }, to);
  } else if constexpr (detail::one_of_several<T>) {
    if (!object.valueless_by_exception())
      std::visit([&](auto& one) { nn::visit(one, to); }, object);
  } else if constexpr (detail::pointer_like<T>) {
    if (object) nn::visit(*object, to);
  } else {
    static_assert(std::is_aggregate_v<T>,
                  "nn: what this class (or lambda) holds cannot be seen: make it a struct with "
                  "public members only, or give it a function `members`");
    if constexpr (std::is_aggregate_v<T>)
      detail::of_list([&](auto&& f) { troupe::detail::apply_to_members(object, f); }, to);
  }
}

}  // namespace troupe::nn
