// SPDX-License-Identifier: MIT
#include "troupe/language/evaluator/word.hpp"
#include "troupe/tensor/ops/elementwise.hpp"

namespace troupe::language {

namespace {

std::string_view signature_of(std::string_view name, std::size_t operands) {
  if (name == "where") return "condition: operand, x: operand, y: operand";
  if (name == "clip") return "x: operand, low: operand, high: operand";
  if (operands == 1) return "x";
  return operands == 2 ? "x: operand, y: operand" : "x: operand, y: operand, w: operand";
}

dynamic_value run(const arguments& given) {
  std::vector<tensor_or_scalar> operands;
  bool only_numbers = true;
  tensor first;
  for (std::size_t i = 0; i < given.count(); ++i) {
    if (given.of().parameters[i].kind == parameter_kind::array)
      operands.emplace_back(given.array(i));
    else operands.push_back(given.operand(i));
    only_numbers = only_numbers && !operands.back().array();
  }
  if (only_numbers) {  // the library needs an array among them
    first = to_array(given.any(0), std::string(given.of().name), given.where());
    operands[0] = first;
  }
  return elementwise(static_cast<elementwise_op>(given.of().operation), operands, given.where());
}

}  // namespace

std::vector<word> elementwise_words() {
  struct row {
    std::string_view name;
    std::size_t operands;
    std::string_view doc;
  };
  static constexpr row rows[] = {
#define TROUPE_UNARY(name, domain, forward, dx, doc) {#name, 1, doc},
#define TROUPE_BINARY(name, domain, forward, dx, dy, doc) {#name, 2, doc},
#define TROUPE_TERNARY(name, domain, forward, dx, dy, dw, doc) {#name, 3, doc},
#include "troupe/devices/elementwise.def"
  };
  std::vector<word> all;
  for (int i = 0; const auto& r : rows)
    all.push_back({r.name, "elementwise", signature_of(r.name, r.operands), r.doc, run, {}, i++});
  return all;
}

}  // namespace troupe::language
