// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "troupe/devices/dtype.hpp"

namespace troupe {

/// Operations and operands of expressions.
enum class primitive : std::uint8_t {
  input,     ///< element of an input; `bits`: its position
  uniform,   ///< the same of an input that is one number for a whole row; `bits`: its position
  number,    ///< one of the numbers that come with each run; `bits`: its position
  constant,  ///< `bits`
  add,
  subtract,
  multiply,
  divide,
  negate,
  absolute,
  square_root,
  floor,
  ceil,
  rint,
  trunc,
  bit_and,
  bit_or,
  bit_xor,
  bit_not,
  equal,
  not_equal,
  less,
  less_equal,
  choose,   ///< the second operand where the first, a bool, holds, the third elsewhere
  convert,  ///< its operand, as another dtype
  call      ///< `bits`: a `math_function`
};

/// The functions of devices/math_functions.def.
enum class math_function : std::uint8_t {
#define TROUPE_MATH_1(name) name,
#define TROUPE_MATH_2(name) name,
#include "troupe/devices/math_functions.def"
};

/// Operation of an expression on others that come before it.
struct expression_node {
  static constexpr std::int16_t none = -1;

  constexpr expression_node(primitive p, dtype result, std::initializer_list<std::int16_t> of = {},
                            std::uint64_t more = 0) noexcept
      : what(p), type(result), bits(more) {
    std::copy(of.begin(), of.end(), operands);
  }

  primitive what;
  dtype type;  ///< of the result
  std::int16_t operands[3] = {none, none, none};
  std::uint64_t bits;

  bool operator==(const expression_node&) const noexcept = default;
};

/// Computation of elements from those at the same place of other arrays: in which order, on which
/// dtypes, and nothing about sizes. Equal operations on equal operands are one node. What cannot be
/// part of an expression refuses it.
class element_expression {
 public:
  static constexpr std::size_t most_nodes = 512;

  element_expression() {
    nodes_.reserve(most_nodes);
    places_.fill(expression_node::none);
  }

  /// Returns the number of a node; where there are too many already, that of another one.
  std::int16_t add(const expression_node& n) noexcept {
    auto& place = places_[place_of(n)];
    if (place != expression_node::none) return place;
    if (nodes_.size() == most_nodes) {
      refused_ = true;
      return 0;
    }
    nodes_.push_back(n);
    return place = static_cast<std::int16_t>(nodes_.size() - 1);
  }
  void refuse() noexcept { refused_ = true; }
  bool refused() const noexcept { return refused_; }

  std::span<const expression_node> nodes() const noexcept { return nodes_; }
  const expression_node& operator[](std::int16_t i) const noexcept {
    return nodes_[static_cast<std::size_t>(i)];
  }
  /// Numbers of the nodes that are results.
  std::vector<std::int16_t> outputs;

  /// Returns the same bytes for equal expressions, others for others.
  std::string key() const {
    static_assert(std::has_unique_object_representations_v<expression_node>);
    const auto of_nodes = nodes_.size() * sizeof(expression_node);
    std::string out(of_nodes + outputs.size() * sizeof outputs[0], '\0');
    if (of_nodes > 0) std::memcpy(out.data(), nodes_.data(), of_nodes);
    if (!outputs.empty())
      std::memcpy(out.data() + of_nodes, outputs.data(), outputs.size() * sizeof outputs[0]);
    return out;
  }

 private:
  static constexpr std::size_t place_count = 2 * most_nodes;

  /// Returns where the node's number is kept, or will be.
  std::size_t place_of(const expression_node& n) const noexcept {
    std::uint64_t words[2];
    std::memcpy(words, &n, sizeof n);
    auto i = (words[0] * 0x9e3779b97f4a7c15u ^ std::rotl(words[1] * 0xff51afd7ed558ccdu, 32)) >> 32;
    for (;; ++i) {
      const auto there = places_[i % place_count];
      if (there == expression_node::none || nodes_[static_cast<std::size_t>(there)] == n)
        return i % place_count;
    }
  }

  std::vector<expression_node> nodes_;
  std::array<std::int16_t, place_count> places_;  ///< by hash
  bool refused_ = false;
};

}  // namespace troupe
