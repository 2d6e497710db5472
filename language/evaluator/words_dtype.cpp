// SPDX-License-Identifier: MIT
#include "troupe/language/evaluator/items_of.hpp"
#include "troupe/language/evaluator/word.hpp"
#include "troupe/tensor/ops/dtypes.hpp"

namespace troupe::language {

namespace {

dynamic_value numbers(std::vector<dynamic_value> all) {
  return std::make_shared<const list>(list{std::move(all)});
}

dynamic_value finfo_of(const arguments& a) {
  const auto x = finfo(a.dtype(0), a.where());
  return numbers({scalar(x.bits), scalar(x.eps), scalar(x.max), scalar(x.smallest_normal)});
}

dynamic_value iinfo_of(const arguments& a) {
  const auto x = iinfo(a.dtype(0), a.where());
  return numbers({scalar(x.bits), scalar(x.min), scalar(x.max)});
}

}  // namespace

std::vector<word> dtype_words() {
  return {
      {"can_cast", "make", "from: dtype, to: dtype",
       "Whether arrays of the first dtype become the second where both meet.",
       [](const arguments& a) -> dynamic_value {
         return scalar(can_cast(a.dtype(0), a.dtype(1)));
       }},
      {"isdtype", "make", "of: dtype, kind: text",
       "Whether a dtype is of a kind: bool, integral, numeric, \"real floating\", ...",
       [](const arguments& a) -> dynamic_value {
         return scalar(isdtype(a.dtype(0), a.text(1), a.where()));
       }},
      {"result_type", "make", "x: operand, y: operand", "The dtype that two operands promote to.",
       [](const arguments& a) -> dynamic_value {
         return result_type({a.operand(0), a.operand(1)}, a.where());
       }},
      {"finfo", "make", "of: dtype",
       "A list of a floating dtype's bits, distance from 1 to the next number, greatest number and "
       "smallest normal one.",
       finfo_of},
      {"iinfo", "make", "of: dtype",
       "A list of an integer dtype's bits, its smallest and its greatest number.", iinfo_of},
  };
}

}  // namespace troupe::language
