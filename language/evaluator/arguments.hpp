// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "troupe/language/evaluator/dynamic_value.hpp"
#include "troupe/tasks/shape.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/height_width.hpp"
#include "troupe/tensor/ops/volumes.hpp"
#include "troupe/tensor/tensor_options.hpp"

namespace troupe::language {

struct named_thing {
  std::string_view name;
  dynamic_value value;
};

/// Function that waits for an array about to be read, until Ctrl-C. None: reading waits by itself.
using waiter = std::function<void(const dynamic_value&, caller)>;

/// Arguments of one call of a word, each converted to its parameter's kind. Arrays where a number
/// is needed are read.
class arguments {
 public:
  /// Throws for arguments that are missing, too many, unknown or of the wrong kind, naming the
  /// word.
  arguments(const word& of, std::vector<dynamic_value> given, std::vector<named_thing> named,
            caller where, waiter wait = {});

  const word& of() const noexcept { return *word_; }
  const caller& where() const noexcept { return call_site_; }
  std::size_t count() const noexcept { return values_.size(); }
  bool has(std::size_t i) const noexcept {
    return !std::holds_alternative<std::monostate>(values_[i]);
  }

  // Arguments by the number of the parameter, of its kind.
  const tensor& array(std::size_t i) const { return std::get<tensor>(values_[i]); }
  /// Returns the same, once it is ready.
  const tensor& finished_array(std::size_t i) const;
  tensor_or_scalar operand(std::size_t i) const;
  std::vector<tensor> arrays(std::size_t i) const;
  scalar number(std::size_t i, scalar fallback = 0) const;
  /// Throws for a complex number.
  double real(std::size_t i, double fallback = 0) const;
  std::int64_t integer(std::size_t i, std::int64_t fallback = 0) const;
  /// Returns the same as an int. Throws if it does not fit.
  int small_integer(std::size_t i, int fallback = 0) const;
  std::vector<int> small_integers(std::size_t i) const;
  bool flag(std::size_t i) const { return has(i) && number(i).real() != 0; }
  std::optional<int> axis(std::size_t i) const;
  troupe::axes axes(std::size_t i) const;
  troupe::shape sizes(std::size_t i) const;
  std::vector<std::int64_t> integers(std::size_t i) const;
  /// Returns true if a list of integers was given where one integer may stand too.
  bool is_list(std::size_t i) const noexcept { return !std::holds_alternative<scalar>(values_[i]); }
  height_width pair(std::size_t i, height_width fallback) const;
  depth_height_width triple(std::size_t i, depth_height_width fallback) const;
  troupe::dtype dtype(std::size_t i) const { return std::get<troupe::dtype>(values_[i]); }
  /// Returns the options of two parameters, for a dtype and a device.
  tensor_options options(std::size_t dtype, std::size_t device) const;
  const std::string& text(std::size_t i) const { return std::get<std::string>(values_[i]); }
  const dynamic_value& any(std::size_t i) const noexcept { return values_[i]; }

 private:
  void bind(std::vector<dynamic_value> given, std::vector<named_thing> named);
  dynamic_value converted(std::size_t i, dynamic_value x) const;
  void wait_for(const dynamic_value& x) const;
  [[noreturn]] void refuse(const std::string& facts) const;
  std::string naming(std::size_t i) const;
  [[noreturn]] void refuse_row(std::size_t i, std::size_t count) const;
  int checked_int(std::size_t i, std::int64_t x) const;

  const word* word_;
  caller call_site_;
  waiter wait_;
  std::vector<dynamic_value> values_;
};

/// Calls a word, a function, or a dtype, which converts. Throws if the arguments do not fit, or if
/// it cannot be called.
dynamic_value invoke(const dynamic_value& what, std::vector<dynamic_value> given,
                     std::vector<named_thing> named, caller where, waiter wait = {});

}  // namespace troupe::language
