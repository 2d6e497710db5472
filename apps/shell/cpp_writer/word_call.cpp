// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>

#include "troupe/apps/shell/cpp_writer/writer.hpp"

namespace troupe::shell::cpp {

namespace {

/// Words whose C++ function takes other arguments, or returns a struct, between blanks.
constexpr std::string_view words_without_cpp =
    " append categorical choice divmod eig eigh histogram lstsq lu multivariate_normal permutation "
    "qr "
    "slogdet svd topk unique_all unique_counts unique_inverse ";
constexpr std::string_view groups_without_cpp = " files gradients images programs text waiting ";

bool stands_in(std::string_view all, std::string_view name) {
  return all.find(" " + std::string(name) + " ") != std::string_view::npos;
}

/// Call of a word: its arguments by parameter, as the C++ function takes them.
class word_call {
 public:
  word_call(const word& what, std::vector<value> given,
            std::vector<std::pair<std::string, value>> named, std::source_location where)
      : what_(what), where_(where), values_(what.parameters.size()) {
    std::size_t next = 0;
    for (std::size_t i = 0; i < values_.size() && next < given.size(); ++i) {
      const auto of = what.parameters[i].kind;
      values_[i] = given[next++];
      if (!is_first_of_some(of, *values_[i])) continue;
      value all{.is = kind::list, .items = {*values_[i]}};  // ones(2, 3), einsum("ij,jk", x, y)
      while (of != parameter_kind::shape && next < given.size() &&
             is_first_of_some(of, given[next]))
        all.items.push_back(given[next++]);
      values_[i] = all;
    }
    for (auto& [name, x] : named) {
      for (std::size_t i = 0; i < values_.size(); ++i) {
        if (what.parameters[i].name == name) values_[i] = x;
      }
    }
    for (auto& x : values_) {
      if (x && x->is == kind::none) x.reset();
    }
    if (next < given.size() || (!values_.empty() && what.parameters[0].needed() && !values_[0]))
      refuse(std::string(what.name) + ": such arguments", where);
  }

  value write() {
    const auto name = what_.name;
    if (name.ends_with("_row") || stands_in(words_without_cpp, name) ||
        stands_in(groups_without_cpp, what_.group))
      refuse(std::string(name), where_);
    if ((name == "solve_triangular" && values_.size() > 2 && (values_[2] || values_[3])) ||
        (name == "clip" && (!values_[1] || !values_[2])) || (name == "pad" && values_[3]))
      refuse("such arguments of " + std::string(name), where_);
    if (what_.operation >= 0) return elementwise();
    if (name == "array") return array();
    if (name == "cpu" || name == "gpu") {
      if (values_.size() < 2 || !values_[1]) return call(name, 1, kind::device);
      values_[1]->text = "node(" + values_[1]->text + ")";
      return call(name, 2, kind::device);
    }
    if (name == "split" || name == "unstack" || name == "broadcast_arrays" || name == "meshgrid" ||
        name == "nonzero" || name == "all_reduce" || name == "all_gather" ||
        name == "reduce_scatter")
      return call(name, values_.size(), kind::arrays);
    if (name == "arange" && !values_[1] && values_[2])
      values_[1] = std::exchange(values_[0], constant_of(0));
    for (std::size_t i = 0; i + 1 < values_.size(); ++i) {
      if (what_.parameters[i].kind == parameter_kind::dtype) return with_options(i);
    }
    return call(what_.cpp.empty() ? name : what_.cpp, values_.size(), kind::array);
  }

 private:
  /// Returns true for an argument that its parameter takes together with those that follow.
  bool is_first_of_some(parameter_kind of, const value& x) const {
    if (of == parameter_kind::several) return settled(x, where_).is != kind::arrays;
    if (of == parameter_kind::row) return x.is == kind::array;
    const bool sizes = of == parameter_kind::sizes || of == parameter_kind::shape;
    return sizes && (is_number(x.is) || x.is == kind::array);
  }

  /// Writes one or a list of integers.
  value integers(const value& x, bool ints) const {
    if (x.is == kind::sizes && !ints) return x;
    const auto one = [&](const value& y) {
      return ints ? as_int(y, where_) : as_integer(y, where_);
    };
    if (x.is != kind::list) return one(x);
    if (x.items.empty() && ints) refuse("no axes", where_);
    return listed(x, one);
  }

  static value listed(const value& x, const std::function<value(const value&)>& one) {
    auto all = x.items;
    std::transform(all.begin(), all.end(), all.begin(), one);
    return {.text = "{" + comma_list(all) + "}"};
  }

  /// Writes an argument that is given.
  value argument(std::size_t i) const {
    const auto& x = *values_[i];
    const auto& p = what_.parameters[i];
    switch (p.kind) {
      case parameter_kind::array: return as_array(x, where_);
      case parameter_kind::operand: return is_number(x.is) ? x : as_array(x, where_);
      case parameter_kind::arrays:
      case parameter_kind::several:
      case parameter_kind::row:
        if (x.is != kind::list) return x;
        return listed(x, [&](const value& one) { return as_array(one, where_); });
      case parameter_kind::number:
        if (!is_number(x.is)) refuse("an array as a number of " + std::string(what_.name), where_);
        return x;
      case parameter_kind::integer: return as_integer(x, where_);
      case parameter_kind::axis: return as_int(x, where_);
      case parameter_kind::flag: {
        auto flag = as_condition(x, where_);
        if (flag.constant)
          flag.text = flag.constant->real() == 0 ? "false"
                      : p.name == "keepdims"     ? "keepdims"
                                                 : "true";
        return flag;
      }
      case parameter_kind::any:
        if (x.is == kind::list) refuse("a list as " + std::string(p.name), where_);
        return x;
      case parameter_kind::axes:
      case parameter_kind::integers:
      case parameter_kind::sizes:
      case parameter_kind::shape:
        return integers(x, p.kind == parameter_kind::axes && what_.name != "split");
      default: return x;
    }
  }

  /// Writes the arguments up to one, without those left out at the end.
  std::vector<value> arguments(std::size_t end, std::size_t least = 0) const {
    auto last = end;
    while (last > least && !values_[last - 1]) --last;
    std::vector<value> all;
    for (std::size_t i = 0; i < last; ++i) {
      const auto fallback = what_.parameters[i].fallback;
      if (values_[i]) all.push_back(argument(i));
      else all.push_back({.text = fallback == "none" ? "{}" : std::string(fallback)});
    }
    return all;
  }

  value call(std::string_view name, std::size_t end, kind gives) const {
    return call_of(name, arguments(end), gives);
  }

  /// Writes a call whose last argument is "{.dtype = float64, .device = cpu(1)}", or nothing.
  value with_options(std::size_t dtype) const {
    if (dtype + 2 < values_.size() && values_[dtype + 2])
      refuse(std::string(what_.parameters[dtype + 2].name) + " of " + std::string(what_.name),
             where_);
    const auto &element = values_[dtype], &device = values_[dtype + 1];
    std::string options = element ? ".dtype = " + element->text : "";
    if (device) options += (element ? ", .device = " : ".device = ") + device->text;
    const bool arange_to = what_.name == "arange" && !values_[1];
    const std::size_t least = what_.name == "randint" ? 3 : 1;
    auto all = arguments(arange_to ? 1 : dtype, options.empty() || arange_to ? least : dtype);
    if (!options.empty()) all.push_back({.text = "{" + options + "}"});
    return call_of(what_.name, all, kind::array);
  }

  /// Writes an elementwise operation: one operand has to be an array; of three the first.
  value elementwise() {
    const auto is_scalar = [](const std::optional<value>& x) { return x && is_number(x->is); };
    const bool numbers = std::all_of(values_.begin(), values_.end(), is_scalar);
    if (values_.size() > 2 && !numbers && is_scalar(values_[0]))
      refuse("a number in the first place beside an array", where_);
    if (numbers) values_[0] = as_array(*values_[0], where_);
    return call(what_.name, values_.size(), kind::array);
  }

  value array() const {
    auto x = as_array(*values_[0], where_);
    if (values_[1]) x = call_of("astype", {x, *values_[1]}, kind::array);
    return values_[2] ? call_of("to", {x, *values_[2]}, kind::array) : x;
  }

  const word& what_;
  std::source_location where_;
  std::vector<std::optional<value>> values_;
};

}  // namespace

value call_word(const word& what, std::vector<value> given,
                std::vector<std::pair<std::string, value>> named, std::source_location where) {
  return word_call(what, std::move(given), std::move(named), where).write();
}

}  // namespace troupe::shell::cpp
