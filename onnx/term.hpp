// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#include "troupe/onnx/graph_writer.hpp"

namespace troupe {

/// Value of an ONNX graph in formulas: each operator adds a node. Operands are broadcast and of one
/// dtype; a number takes that of the other operand.
class term {
 public:
  term(graph_writer& to, onnx_value x) : to_(&to), value_(std::move(x)) {}

  const onnx_value& value() const noexcept { return value_; }
  graph_writer& to() const noexcept { return *to_; }
  dtype element() const noexcept { return value_.element; }
  /// Returns a number of the same dtype.
  term number(double x) const { return {*to_, to_->number(element(), x)}; }
  term cast(dtype to) const { return {*to_, to_->cast(value_, to)}; }

  /// Returns what an operator makes of operands of one dtype: the same dtype, or bool.
  friend term call(const char* op, const term& x) { return {*x.to_, x.to_->map(op, x.value_)}; }
  friend term call(const char* op, const term& x, const term& y) {
    return {*x.to_, x.to_->join(op, x.value_, y.value_)};
  }
  friend term compare(const char* op, const term& x, const term& y) {
    return {*x.to_, x.to_->compare(op, x.value_, y.value_)};
  }
  /// Returns what an operator that tests one number says.
  friend term test(const char* op, const term& x) {
    return {*x.to_, x.to_->add(op, {x.value_}, boolean, x.value_.dims)};
  }
  friend term choose(const term& condition, const term& x, const term& y) {
    return {*x.to_, x.to_->select(condition.value_, x.value_, y.value_)};
  }
  friend term choose(const term& condition, const term& x, double y) {
    return choose(condition, x, x.number(y));
  }
  friend term choose(const term& condition, double x, const term& y) {
    return choose(condition, y.number(x), y);
  }

  friend term operator+(const term& x, const term& y) { return call("Add", x, y); }
  friend term operator-(const term& x, const term& y) { return call("Sub", x, y); }
  friend term operator*(const term& x, const term& y) { return call("Mul", x, y); }
  friend term operator/(const term& x, const term& y) { return call("Div", x, y); }
  friend term operator+(const term& x, double y) { return x + x.number(y); }
  friend term operator-(const term& x, double y) { return x - x.number(y); }
  friend term operator*(const term& x, double y) { return x * x.number(y); }
  friend term operator/(const term& x, double y) { return x / x.number(y); }
  friend term operator-(double x, const term& y) { return y.number(x) - y; }
  friend term operator/(double x, const term& y) { return y.number(x) / y; }
  friend term operator-(const term& x) { return call("Neg", x); }

  friend term operator==(const term& x, const term& y) { return compare("Equal", x, y); }
  friend term operator<(const term& x, const term& y) { return compare("Less", x, y); }
  friend term operator>(const term& x, const term& y) { return compare("Greater", x, y); }
  friend term operator==(const term& x, double y) { return x == x.number(y); }
  friend term operator<(const term& x, double y) { return x < x.number(y); }
  friend term operator>(const term& x, double y) { return x > x.number(y); }
  friend term operator!(const term& x) { return call("Not", x); }
  friend term operator&(const term& x, const term& y) { return compare("And", x, y); }
  friend term operator|(const term& x, const term& y) { return compare("Or", x, y); }

 private:
  graph_writer* to_;
  onnx_value value_;
};

}  // namespace troupe
