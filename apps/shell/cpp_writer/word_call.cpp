// SPDX-License-Identifier: MIT
#include <algorithm>

#include "troupe/apps/shell/cpp_writer/writer.hpp"

namespace troupe::shell::cpp {

namespace {

/// A call of a word: its arguments by parameter, as the C++ function wants them.
class word_call {
 public:
  word_call(writer& w, const word& what, std::vector<value> given,
            std::vector<std::pair<std::string, value>> named, std::source_location where)
      : writer_(w), what_(what), where_(where), values_(what.parameters.size()) {
    std::size_t next = 0;
    for (std::size_t i = 0; i < values_.size() && next < given.size(); ++i) {
      values_[i] = given[next++];
      if (what.parameters[i].kind != parameter_kind::sizes || !is_single(*values_[i])) continue;
      value all{.is = kind::list, .items = {*values_[i]}};  // ones(2, 3)
      while (next < given.size() && is_single(given[next])) all.items.push_back(given[next++]);
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
    if (next < given.size() || (values_.size() > 0 && what.parameters[0].needed() && !values_[0]))
      refuse(std::string(what.name) + ": such arguments", where);
  }

  value write() {
    const auto name = what_.name;
    if (what_.operation >= 0) return elementwise();
    if (what_.group == "gradients") return gradient();
    if (what_.group == "images") return with_designated(name == "conv2d" ? 2 : 1);
    if (what_.group == "random") return random();
    if (name == "load") return load();
    if (name == "save") return save();
    if (name == "array") return array();
    if (name == "cpu" || name == "gpu") return place();
    if (name == "split") return call(name, 3, kind::arrays);
    if (name == "arange" && !values_[1] && values_[2])
      values_[1] = std::exchange(values_[0], constant_of(0));
    for (std::size_t i = 0; i + 1 < values_.size(); ++i) {
      if (what_.parameters[i].kind == parameter_kind::dtype) return with_options(i);
    }
    return call(what_.cpp.empty() ? name : what_.cpp, values_.size(), kind::array);
  }

 private:
  static bool is_single(const value& x) { return is_number(x.is) || x.is == kind::array; }

  value list_of_integers(const value& x, bool ints) const {
    value out{.text = "{", .acts = x.acts};
    for (const auto& one : x.items) {
      if (out.text.size() > 1) out.text += ", ";
      out.text += (ints ? as_int(one, where_) : as_integer(one, where_)).text;
    }
    out.text += "}";
    return out;
  }

  /// A list of integers, of which the library has no array.
  value integers(const value& x, bool ints) const {
    if (x.is == kind::list) {
      if (x.items.empty() && ints) refuse("no axes", where_);
      return list_of_integers(x, ints);
    }
    if (x.is == kind::sizes && !ints) return x;
    return ints ? as_int(x, where_) : as_integer(x, where_);
  }

  /// An argument that is given.
  value argument(std::size_t i) const {
    const auto& x = *values_[i];
    switch (what_.parameters[i].kind) {
      case parameter_kind::array: return as_array(x, where_);
      case parameter_kind::operand: return is_number(x.is) ? x : as_array(x, where_);
      case parameter_kind::arrays: {
        if (x.is != kind::list) return x;
        value all{.text = "{", .acts = x.acts};
        for (const auto& one : x.items)
          all.text += (all.text.size() > 1 ? ", " : "") + as_array(one, where_).text;
        all.text += "}";
        return all;
      }
      case parameter_kind::number:
        if (!is_number(x.is)) refuse("an array as a number of " + std::string(what_.name), where_);
        return x;
      case parameter_kind::integer: return as_integer(x, where_);
      case parameter_kind::axis: return as_int(x, where_);
      case parameter_kind::flag: {
        auto flag = as_condition(x, where_);
        if (flag.constant) flag.text = flag.constant->real() != 0 ? "keepdims" : "false";
        return flag;
      }
      case parameter_kind::axes: return axes(x);
      case parameter_kind::sizes:
      case parameter_kind::pair: return integers(x, false);
      default: return x;
    }
  }

  value axes(const value& x) const {
    if (what_.name != "split") return integers(x, true);
    if (x.is != kind::list) return as_integer(x, where_);
    return x.items.size() == 1 ? as_integer(x.items[0], where_) : list_of_integers(x, false);
  }

  /// The arguments up to one, without those at the end that are left out.
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

  /// "float64", "{.dtype = float64, .device = cpu(1)}", or "".
  std::string options(std::size_t dtype, bool braced = false) const {
    const auto& element = values_[dtype];
    const auto& device = values_[dtype + 1];
    if (!device && !braced) return element ? element->text : "";
    std::string out = element ? ".dtype = " + element->text : "";
    if (device) out += (out.empty() ? "" : ", ") + (".device = " + device->text);
    return out.empty() ? "" : "{" + out + "}";
  }

  value with_options(std::size_t dtype, std::size_t least = 1) const {
    const bool arange_to = what_.name == "arange" && !values_[1];
    const auto text = options(dtype, what_.name == "eye");
    const bool filled = !text.empty() && !arange_to;
    auto all = arguments(arange_to ? 1 : dtype, filled ? dtype : least);
    if (!text.empty()) all.push_back({.text = text});
    return call_of(what_.name, all, kind::array);
  }

  /// One operand has to be an array; of three the first.
  value elementwise() {
    const auto is_scalar = [](const std::optional<value>& x) { return x && is_number(x->is); };
    const bool numbers = std::all_of(values_.begin(), values_.end(), is_scalar);
    if (values_.size() > 2 && !numbers && is_scalar(values_[0]))
      refuse("a number in the first place beside an array", where_);
    if (numbers) values_[0] = as_array(*values_[0], where_);
    return call(what_.name, values_.size(), kind::array);
  }

  value gradient() const {
    auto f = std::make_shared<function>();
    const auto which = values_[1] ? as_integer(*values_[1], where_) : constant_of(0);
    if (values_[0]->is != kind::function || !which.constant)
      refuse("a gradient of what is not written there", where_);
    f->target = values_[0]->function;
    f->argument = static_cast<int>(which.constant->real());
    f->with_value = what_.name == "value_and_grad";
    return {.is = kind::function, .function = std::move(f)};
  }

  /// "{.stride = 2, .padding = {1, 0}}"
  value with_designated(std::size_t first) const {
    auto all = arguments(first);
    std::string text;
    for (auto i = first; i < values_.size(); ++i) {
      if (values_[i])
        text += (text.empty() ? "." : ", .") + std::string(what_.parameters[i].name) + " = " +
                argument(i).text;
    }
    if (!text.empty()) all.push_back({.text = "{" + text + "}"});
    return call_of(what_.name, all, kind::array);
  }

  value random() const {
    auto out = with_options(3, what_.name == "randint" ? 3 : 1);
    if (!values_[5]) {
      out.acts = true;
      return out;
    }
    const auto seed = as_integer(*values_[5], where_);
    out.text = "with_seed(" + seed.text + ", [&] { return " + out.text + "; })";
    return out;
  }

  value array() const {
    auto x = as_array(*values_[0], where_);
    if (values_[1]) x = call_of("astype", {x, *values_[1]}, kind::array);
    return values_[2] ? call_of("to", {x, *values_[2]}, kind::array) : x;
  }

  value place() const {
    const auto i = values_[0] ? as_int(*values_[0], where_) : constant_of(0);
    if (what_.name == "cpu") writer_.count_device(i.constant);
    return call_of(what_.name, values_[0] ? std::vector{i} : std::vector<value>{}, kind::device);
  }

  const std::string& path() const {
    if (!values_[0] || !values_[0]->known_text)
      refuse("a file whose name is known only when the program runs", where_);
    return *values_[0]->known_text;
  }

  value load() const {
    std::vector all = {*values_[0]};
    if (const auto text = options(2, true); !text.empty()) all.push_back({.text = text});
    if (path().ends_with(".npy")) return call_of("load_npy", all, kind::array);
    if (path().ends_with(".csv")) return call_of("load_csv", all, kind::array);
    if (!path().ends_with(".npz") || !values_[1]) refuse("reading " + path(), where_);
    return member_of(call_of("load_npz", all, kind::array), "at(" + values_[1]->text + ")",
                     kind::array);
  }

  value save() const {
    if (path().ends_with(".npy")) return call("save_npy", 2, kind::none);
    if (!path().ends_with(".npz")) refuse("writing " + path(), where_);
    auto x = argument(1);
    x.text = "{{" + (values_[2] ? values_[2]->text : "\"x\"") + ", " + x.text + "}}";
    return call_of("save_npz", {*values_[0], x}, kind::none);
  }

  writer& writer_;
  const word& what_;
  std::source_location where_;
  std::vector<std::optional<value>> values_;
};

}  // namespace

value call_word(writer& w, const word& what, std::vector<value> given,
                std::vector<std::pair<std::string, value>> named, std::source_location where) {
  return word_call(w, what, std::move(given), std::move(named), where).write();
}

}  // namespace troupe::shell::cpp
