// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <ranges>
#include <string>

#include "troupe/nn/members.hpp"
#include "troupe/nn/visitor.hpp"

/// How a network's parameters are found. A layer is a struct:
///
///     struct residual {
///       nn::dense first{64, relu}, second{64};
///       tensor operator()(const tensor& x) { return x + second(first(x)); }
///     };
///
/// All its members are looked at, theirs too, and the elements of containers. A class with private members says what
/// they are:
///
///     void members(auto&& each) { each("first", first_, "second", second_); }

namespace troupe::nn {

template <class T>
void visit(T& object, visitor& to);

/// What a class's `members` calls, with a name before each member.
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

/// Shows a visitor all parameters, variables and modes that an object holds.
template <class T>
void visit(T& object, visitor& to) {
  if constexpr (std::derived_from<T, parameter> || std::same_as<T, variable> ||
                std::same_as<T, mode>) {
    to.at(object);
  } else if constexpr (requires { object.visit(to); }) {
    object.visit(to);
  } else if constexpr (requires(each_member each) { object.members(each); }) {
    object.members(each_member(to));
  } else if constexpr (std::is_trivially_copyable_v<T> || !std::is_class_v<T>) {
    // Holds nothing of ours.
  } else if constexpr (std::ranges::range<T>) {
    std::size_t number = 0;
    for (auto& part : object) {
      const visitor::step into(to, std::to_string(number++));
      visit(part, to);
    }
  } else if constexpr (requires {
                         static_cast<bool>(object);
                         *object;
                       }) {
    if (object) visit(*object, to);
  } else if constexpr (std::is_aggregate_v<T>) {
    members::apply(object, [&](auto&... part) {
      std::size_t number = 0;
      const auto one = [&](auto& m) {
        const visitor::step into(to, std::to_string(number++));
        visit(m, to);
      };
      (one(part), ...);
    });
  }
}

}  // namespace troupe::nn
