// SPDX-License-Identifier: MIT
#include "troupe/tensor/program/step_text.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/made_once.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tensor/fft/records.hpp"
#include "troupe/tensor/linalg/records.hpp"
#include "troupe/tensor/number_text.hpp"
#include "troupe/tensor/ops/convolution.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/cumulative.hpp"
#include "troupe/tensor/ops/distributions.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/linear.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/pooling.hpp"
#include "troupe/tensor/ops/put.hpp"
#include "troupe/tensor/ops/random.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/scatter.hpp"
#include "troupe/tensor/ops/searching.hpp"
#include "troupe/tensor/ops/softmax.hpp"
#include "troupe/tensor/ops/sorting.hpp"
#include "troupe/tensor/ops/update.hpp"
#include "troupe/tensor/ops/view_as.hpp"
#include "troupe/tensor/program/graph_text.hpp"
#include "troupe/tensor/program/view_text.hpp"

namespace troupe {

namespace {

template <class T>
std::string number_of_bits(std::uint64_t bits) {
  T x;
  std::memcpy(&x, &bits, sizeof x);
  if constexpr (sizeof x == 2) return real_text(shortest_number(x));
  else return real_text(x);
}

std::string integer_text(std::int64_t x) {
  // The language has no literal for the least one: a sign stands before a number.
  return x == INT64_MIN ? "-9223372036854775807 - 1" : std::to_string(x);
}

std::string number_text(dtype element, std::uint64_t bits) {
  return visit(element, [&]<class T>(T) -> std::string {
    if constexpr (is_floating(dtype_of<T>())) return number_of_bits<T>(bits);
    else if constexpr (std::is_same_v<T, bool>) return (bits & 0xff) != 0 ? "true" : "false";
    else if constexpr (std::is_same_v<T, std::uint64_t>) return std::to_string(bits);
    else return integer_text(static_cast<T>(bits));
  });
}

/// A real part of -0.0 stays only if 0.0 is taken from it: the language adds numbers.
std::string complex_text(double real, double imaginary) {
  const bool minus = std::signbit(imaginary) && !std::isnan(imaginary);
  if (real == 0 && std::signbit(real) && !minus) return "-(" + complex_text(0, -imaginary) + ')';
  return real_text(real) + (minus ? "-" : "+") + real_text(std::abs(imaginary)) + 'j';
}

std::string number_text(dtype element, const scalar_attribute& x) {
  const bool plain = x.imaginary == 0 && !std::signbit(x.imaginary);
  if (is_complex(element) && !plain) return complex_text(x.real, x.imaginary);
  if (is_inexact(element)) return real_text(x.real);
  return number_text(element, static_cast<std::uint64_t>(x.integer));
}

/// Text of one step.
class call_text {
 public:
  call_text(const graph& of, const program_step& s, const std::vector<std::string>& names)
      : of_(of), step_(s), names_(names) {}

  std::string text() {
    if (is_elementwise()) return elementwise();
    const auto found = writers().find(step_.op);
    if (found == writers().end()) refuse("is not known outside of this process");
    found->second(*this);
    return text_ + ')';
  }

 private:
  using writer = void (*)(call_text& t);

  [[noreturn]] void refuse(const std::string& why) const {
    throw error(std::string(step_.op->name) + ": " + why + ", so the program has no text",
                step_.call_site);
  }

  bool is_elementwise() const noexcept {
    return step_.op >= elementwise_records && step_.op < elementwise_records + elementwise_op_count;
  }
  template <class T>
  const T& given() const noexcept {
    return step_.given.as<T>();
  }
  const tensor_type& type_of(int number) const {
    return of_.types[static_cast<std::size_t>(number)];
  }
  const tensor_type& result() const { return type_of(step_.outputs[0]); }
  const shape& whole_of(const step_input& in) const { return type_of(in.value).dims; }
  const shape& dims_of(const step_input& in) const {
    return in.part ? in.part->layout.dims : whole_of(in);
  }

  std::string operand(const step_input& in) const {
    if (in.value < 0) return number_text(in.element, in.immediate);
    const auto& name = names_[static_cast<std::size_t>(in.value)];
    return in.part ? view_text(name, whole_of(in), in.part->layout) : name;
  }

  /// Operands of elementwise steps are broadcast by the language where it can.
  std::string elementwise() {
    std::vector<std::string> operands;
    std::optional<shape> plain = shape();  // of the result, if none is broadcast explicitly
    std::vector<bool> whole;
    for (const auto& in : step_.inputs) {
      const bool repeated =
          in.value >= 0 && in.part && broadcast(whole_of(in), dims_of(in)) == dims_of(in) &&
          view_text("x", whole_of(in), in.part->layout).starts_with("broadcast_to");
      whole.push_back(repeated);
      if (in.value >= 0 && plain) plain = broadcast(*plain, repeated ? whole_of(in) : dims_of(in));
    }
    const bool fits = plain == result().dims;
    for (std::size_t i = 0; i < whole.size(); ++i) {
      const auto& in = step_.inputs[i];
      operands.push_back(whole[i] && fits ? names_[static_cast<std::size_t>(in.value)]
                                          : operand(in));
    }
    static constexpr std::pair<std::string_view, std::string_view> signs[] = {
        {"add", " + "}, {"subtract", " - "}, {"multiply", " * "}, {"divide", " / "}};
    for (const auto& [name, sign] : signs) {
      if (step_.op->name == name && operands[1][0] != '-' && operands[0][0] != '-')
        return operands[0] + std::string(sign) + operands[1];
    }
    begin(step_.op->name);
    for (const auto& one : operands) add(one);
    return text_ + ')';
  }

  void begin(std::string_view name) { text_ = std::string(name) + '('; }
  void add(const std::string& argument) { text_ += (text_.ends_with('(') ? "" : ", ") + argument; }
  void add(std::string_view name, const std::string& argument) {
    add(std::string(name) + '=' + argument);
  }
  void add(std::string_view name, std::span<const std::int64_t> numbers) {
    add(name, list_text(numbers));
  }
  void add_inputs() {
    for (const auto& in : step_.inputs) add(operand(in));
  }
  void call() {
    begin(step_.op->name);
    add_inputs();
  }
  void add_shape(const shape& dims) { add(list_text({dims.begin(), dims.end()})); }
  void add_dtype() {
    add("dtype", std::string(name(result().element)));
    if (step_.device != of_.home()) add("device", place_text(step_.device));
  }
  void add_key() {
    const auto source = given<random_source>();
    if (source.is_of_key()) add("seed", integer_text(static_cast<std::int64_t>(source.key)));
  }
  void add_axis(int axis) { add("axis", std::to_string(axis)); }

  // By kind of operation.

  static void plain(call_text& t) { t.call(); }
  static void along_axis(call_text& t) {
    t.call();
    t.add_axis(t.given<axis_attributes>().axis);
  }
  static void softmax(call_text& t) {
    t.call();
    t.add_axis(t.given<softmax_attributes>().axis);
  }
  static void sorting(call_text& t) {
    t.call();
    if (t.given<sort_attributes>().descending) t.add("descending", "true");
  }
  static void argtopk(call_text& t) {
    t.call();
    t.add(std::to_string(t.given<topk_attributes>().count));
  }
  static void searchsorted(call_text& t) {
    t.call();
    if (t.given<search_attributes>().right) t.add("side", "\"right\"");
  }
  static void reduction(call_text& t) {
    t.begin(t.step_.op->name == "norm" ? "sum_of_squares" : t.step_.op->name);
    t.add_inputs();
    const auto& given = t.given<reduction_attributes>();
    const int rank = t.dims_of(t.step_.inputs[0]).rank();
    std::vector<std::int64_t> axes;
    for (int i = 0; i < rank; ++i) {
      if (given.axes >> i & 1) axes.push_back(i);
    }
    const bool one = t.step_.op->name.starts_with("arg");
    if (one && axes.size() > 1 && std::cmp_less(axes.size(), rank)) t.refuse("goes over some axes");
    if (static_cast<int>(axes.size()) < rank)
      t.add("axis", one ? std::to_string(axes[0]) : list_text(axes));
    if (t.step_.op->name == "var") t.add("ddof", std::to_string(given.ddof));
  }
  static void full(call_text& t) {
    t.begin("full");
    t.add_shape(t.result().dims);
    t.add(number_text(t.result().element, t.given<full_attributes>().value));
    t.add_dtype();
  }
  static void zeros_or_ones(call_text& t) {
    t.begin(std::string(t.step_.op->name));
    t.add_shape(t.result().dims);
    t.add_dtype();
  }
  static void eye(call_text& t) {
    t.begin("eye");
    const auto& dims = t.result().dims;
    t.add(std::to_string(dims[0]));
    t.add(std::to_string(dims[1]));
    t.add(std::to_string(t.given<eye_attributes>().diagonal));
    t.add_dtype();
  }
  static void arange(call_text& t) {
    t.begin("arange");
    const auto& [start, step] = t.given<arange_attributes>();
    const auto n = t.result().dims[0];
    const auto element = t.result().element;
    t.add(number_text(element, start));
    // So far that rounding changes nothing.
    t.add(is_floating(element) ? real_text(start.real + (static_cast<double>(n) - 0.5) * step.real)
                               : integer_text(start.integer + n * step.integer));
    t.add(number_text(element, step));
    t.add_dtype();
  }
  static void linspace(call_text& t) {
    t.begin("linspace");
    const auto& given = t.given<linspace_attributes>();
    t.add(real_text(given.start));
    t.add(real_text(given.stop));
    t.add(std::to_string(t.result().dims[0]));
    if (!given.with_stop) t.add("endpoint", "false");
    t.add_dtype();
  }
  static void uniform(call_text& t) {
    t.begin("uniform");
    t.add_shape(t.result().dims);
    t.add("low", real_text(t.given<uniform_attributes>().low));
    t.add("high", real_text(t.given<uniform_attributes>().high));
    t.add_dtype();
    t.add_key();
  }
  static void normal(call_text& t) {
    t.begin("normal");
    t.add_shape(t.result().dims);
    t.add("mean", real_text(t.given<normal_attributes>().mean));
    t.add("std", real_text(t.given<normal_attributes>().standard_deviation));
    t.add_dtype();
    t.add_key();
  }
  static void randint(call_text& t) {
    t.begin("randint");
    t.add_shape(t.result().dims);
    t.add("low", integer_text(t.given<randint_attributes>().low));
    t.add("high", integer_text(t.given<randint_attributes>().high));
    t.add_dtype();
    t.add_key();
  }
  static void variate(call_text& t) {
    t.begin(t.step_.op->name);
    t.add_shape(t.result().dims);
    t.add_inputs();
    t.add_dtype();
    t.add_key();
  }
  static void astype(call_text& t) {
    t.call();
    t.add(std::string(name(t.result().element)));
  }
  static void transfer(call_text& t) {
    t.begin("to");
    t.add_inputs();
    t.add(place_text(t.result().device));
  }
  static void concatenate(call_text& t) {
    t.begin("concatenate");
    std::string all;
    for (const auto& in : t.step_.inputs) all += (all.empty() ? "[" : ", ") + t.operand(in);
    t.add(all + ']');
    t.add_axis(t.given<axis_attributes>().axis);
  }
  static void take_along_axis(call_text& t) {
    t.call();
    t.add_axis(t.given<along_axis_attributes>().axis);
    if (t.given<along_axis_attributes>().labels) t.add("labels", "true");
  }
  static void add_along_axis(call_text& t) {
    const auto& given = t.given<along_axis_attributes>();
    t.call();
    t.add_axis(given.axis);
    t.add("length", std::to_string(t.result().dims[given.axis]));
    if (given.labels) t.add("labels", "true");
  }
  static void index_add(call_text& t) {
    const auto axis = t.given<axis_attributes>().axis;
    t.call();
    t.add_axis(axis);
    t.add("length", std::to_string(t.result().dims[axis]));
  }
  static void unslice(call_text& t) {
    const auto& part = *t.given<part_attributes>().part;
    t.call();
    t.add_shape(t.result().dims);
    const auto rank = static_cast<std::size_t>(t.dims_of(t.step_.inputs[0]).rank());
    t.add("strides", {part.strides, rank});
    t.add("offset", std::to_string(part.offset));
  }
  static void replace_part(call_text& t) {
    const auto& part = *t.given<part_attributes>().part;
    t.call();
    const auto rank = static_cast<std::size_t>(t.dims_of(t.step_.inputs[1]).rank());
    t.add("strides", {part.strides, rank});
    t.add("offset", std::to_string(part.offset));
  }
  static void convolution(call_text& t) {
    const auto& given = t.given<convolution_attributes>();
    const auto& in = t.step_.inputs;
    t.begin(t.step_.op->name);
    t.add(t.operand(in[0]));
    t.add(t.operand(in[1]));
    if (t.step_.op != &conv2d_operation) {
      const auto& dims = t.result().dims;
      t.add("size", list_text({dims.begin() + 2, dims.end()}));
    }
    t.add("stride", given.stride);
    t.add("padding", given.padding);
    t.add("dilation", given.dilation);
    t.add("groups", std::to_string(given.groups));
    if (in.size() > 2) t.add("bias", t.operand(in[2]));
  }
  static void pooling(call_text& t) {
    const auto& given = t.given<pooling_attributes>();
    t.call();
    if (t.step_.op == &avg_pool2d_gradient_operation) {
      const auto& dims = t.result().dims;
      t.add("image", list_text({dims.begin() + 2, dims.end()}));
    }
    t.add("size", given.size);
    t.add("stride", given.stride);
    t.add("padding", given.padding);
  }

  /// Writes an optimiser's change of a parameter: update("adam", w0, [w1, w2], v3, 1.0, ...)
  static void update(call_text& t) {
    if (!t.step_.renewed) t.refuse("has the numbers of one step");
    const auto& [source, position] = *t.step_.renewed;
    const auto& by = t.of_.sources[source].numbers[position];
    if (by.rate.text.empty()) t.refuse("its rate is a function of your own");
    const auto states = static_cast<std::size_t>(info(by.rule).states);
    const auto& in = t.step_.inputs;
    t.begin("update");
    t.add('"' + std::string(info(by.rule).name) + '"');
    t.add(t.operand(in[0]));
    std::string all;
    for (std::size_t i = 1; i <= states; ++i) all += (i > 1 ? ", " : "") + t.operand(in[i]);
    t.add('[' + all + ']');
    t.add(t.operand(in[states + 1]));
    t.add(t.operand(in[states + 2]));
    t.add("rate", by.rate.text);
    const auto counters = t.of_.counters();
    const auto name = [&](const std::shared_ptr<place>& one) {
      return counter_name(
          static_cast<std::size_t>(std::ranges::find(counters, one) - counters.begin()));
    };
    t.add("steps", name(by.steps));
    if (by.own) t.add("own_steps", name(by.own));
    const update_options usual;
    for (const auto& [option, number] : update_option_table) {
      if (by.given.*number != usual.*number) t.add(option, real_text(by.given.*number));
    }
  }

  static void fourier(call_text& t) {
    const auto& given = t.given<fft_attributes>();
    const bool both = t.step_.op == fft_operations().data();
    t.begin(both && given.inverse ? "ifft" : t.step_.op->name);
    t.add_inputs();
    if (!both) t.add("n", std::to_string(given.length));
    if (given.scale == 1) t.add("norm", given.inverse ? "\"forward\"" : "\"backward\"");
    else if (given.scale == 1 / static_cast<double>(given.length))
      t.add("norm", given.inverse ? "\"backward\"" : "\"forward\"");
    else if (given.scale == 1 / std::sqrt(static_cast<double>(given.length)))
      t.add("norm", "\"ortho\"");
    else t.refuse("has a scale of its own");
  }

  /// Writes the word that gives all parts of a result as one array, if there are several.
  static void linear_algebra(call_text& t) {
    static constexpr std::string_view in_rows[] = {"slogdet", "lu", "qr", "svd", "eigh", "eig"};
    const auto name = t.step_.op->name;
    const bool row = std::ranges::find(in_rows, name) != std::end(in_rows);
    t.begin(std::string(name) + (row ? "_row" : ""));
    t.add_inputs();
    const auto& given = t.given<linalg_attributes>();
    if (given.complete) t.add(name == "qr" ? "complete" : "full_matrices", "true");
    if (given.upper) t.add("upper", "true");
    if (given.transposed) t.add("transposed", "true");
    if (given.unit) t.add("unit_diagonal", "true");
  }

  static const std::map<const operation*, writer>& writers() {
    static constinit made_once<const std::map<const operation*, writer>> all;
    return all.get([] {
      std::map<const operation*, writer> out = {{&full_operation, full},
                                                {&zeros_operation, zeros_or_ones},
                                                {&ones_operation, zeros_or_ones},
                                                {&eye_operation, eye},
                                                {&arange_operation, arange},
                                                {&linspace_operation, linspace},
                                                {&uniform_operation, uniform},
                                                {&normal_operation, normal},
                                                {&randint_operation, randint},
                                                {&astype_operation, astype},
                                                {&view_as_operation, astype},
                                                {&copy_operation, plain},
                                                {&transfer_operation, transfer},
                                                {&matmul_operation, plain},
                                                {&linear_operation, plain},
                                                {&linear_relu_operation, plain},
                                                {&softmax_operation, softmax},
                                                {&log_softmax_operation, softmax},
                                                {&concatenate_operation, concatenate},
                                                {&sort_operation, sorting},
                                                {&argsort_operation, sorting},
                                                {&argtopk_operation, argtopk},
                                                {&searchsorted_operation, searchsorted},
                                                {&take_operation, along_axis},
                                                {&unslice_operation, unslice},
                                                {&index_add_operation, index_add},
                                                {&take_along_axis_operation, take_along_axis},
                                                {&add_along_axis_operation, add_along_axis},
                                                {&replace_part_operation, replace_part},
                                                {&conv2d_operation, convolution},
                                                {&conv2d_input_gradient_operation, convolution},
                                                {&conv2d_weight_gradient_operation, convolution},
                                                {&max_pool2d_operation, pooling},
                                                {&max_pool2d_gradient_operation, pooling},
                                                {&max_pool2d_pick_operation, pooling},
                                                {&avg_pool2d_operation, pooling},
                                                {&avg_pool2d_gradient_operation, pooling}};
      for (const auto& r : put_operations()) out.emplace(&r, along_axis);
      for (const auto& r : update_operations()) out.emplace(&r, update);
      for (const auto& r : reduction_operations()) out.emplace(&r, reduction);
      for (const auto& r : cumulative_operations()) out.emplace(&r, along_axis);
      for (const auto& r : variate_operations()) out.emplace(&r, variate);
      for (const auto& r : fft_operations()) out.emplace(&r, fourier);
      for (const auto& r : linalg_operations()) out.emplace(&r, linear_algebra);
      return out;
    });
  }

  const graph& of_;
  const program_step& step_;
  const std::vector<std::string>& names_;
  std::string text_;
};

}  // namespace

std::string place_text(device d) {
  return std::string(d.traits().name) + '(' + std::to_string(d.index) +
         (d.node != 0 ? ", " + std::to_string(d.node) : "") + ')';
}

std::string step_text(const graph& of, const program_step& s,
                      const std::vector<std::string>& names) {
  return call_text(of, s, names).text();
}

}  // namespace troupe
