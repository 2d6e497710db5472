// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/einsum.hpp"

#include <algorithm>
#include <utility>

#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/contraction_order.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/diagonals.hpp"
#include "troupe/tensor/ops/einsum_equation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"

namespace troupe {

namespace {

using labels = std::vector<int>;

/// Array with a label for each axis.
struct labelled {
  tensor array;
  troupe::labels labels;

  label_set all() const noexcept { return set_of(labels); }
};

labels those_in(const labels& some, label_set wanted) {
  labels out;
  for (const int i : some) {
    if (wanted & set_of(i)) out.push_back(i);
  }
  return out;
}

labels joined(std::initializer_list<const labels*> parts) {
  labels out;
  for (const auto* p : parts) out.insert(out.end(), p->begin(), p->end());
  return out;
}

class equation_runner {
 public:
  equation_runner(std::string_view text, const einsum_equation& equation, caller where)
      : text_(text), output_(equation.output), sizes_(equation.sizes), where_(where) {}

  tensor run(std::vector<labelled> operands) const {
    std::vector<label_set> sets;
    for (auto& x : operands) {
      x = without_stretched(with_diagonals(std::move(x)));
      sets.push_back(x.all());
    }
    const auto last = set_of(output_);
    for (const auto& [i, j] : contraction_order(sets, last, sizes_)) {
      sets[i] = sets[j] = 0;
      auto wanted = last;
      for (const auto set : sets) wanted |= set;
      operands.push_back(
          product(std::exchange(operands[i], {}), std::exchange(operands[j], {}), wanted));
      sets.push_back(operands.back().all());
    }
    return in_order(summed(std::move(operands.back()), last), output_).array;
  }

 private:
  /// Replaces the axes with the same label by their diagonal.
  static labelled with_diagonals(labelled x) {
    for (std::size_t i = 0; i < x.labels.size(); ++i) {
      const int label = x.labels[i];
      const auto again =
          std::find(x.labels.begin() + static_cast<std::ptrdiff_t>(i) + 1, x.labels.end(), label);
      if (again == x.labels.end()) continue;
      x.array =
          diagonal(x.array, 0, static_cast<int>(i), static_cast<int>(again - x.labels.begin()));
      x.labels.erase(again);
      x.labels.erase(x.labels.begin() + static_cast<std::ptrdiff_t>(i));
      x.labels.push_back(label);
      --i;
    }
    return x;
  }

  /// Removes axes of size 1 that other operands stretch: they multiply all along that axis.
  labelled without_stretched(labelled x) const {
    for (std::size_t i = x.labels.size(); i-- > 0;) {
      const auto axis = static_cast<int>(i);
      if (x.array.shape()[axis] == sizes_[x.labels[i]]) continue;
      x.array = squeeze(x.array, axis);
      x.labels.erase(x.labels.begin() + axis);
    }
    return x;
  }

  /// Sums over the axes that are not wanted.
  static labelled summed(labelled x, label_set wanted) {
    std::vector<int> gone;
    for (std::size_t i = 0; i < x.labels.size(); ++i) {
      if (!(wanted & set_of(x.labels[i]))) gone.push_back(static_cast<int>(i));
    }
    if (gone.empty()) return x;
    const auto element = x.array.dtype();
    const auto sums = element == boolean ? any(x.array, gone) : sum(x.array, gone);
    return {astype(sums, element), those_in(x.labels, wanted)};
  }

  static labelled in_order(labelled x, const labels& order) {
    if (x.labels == order) return x;
    std::vector<int> axes;
    for (const int label : order)
      axes.push_back(
          static_cast<int>(std::find(x.labels.begin(), x.labels.end(), label) - x.labels.begin()));
    return {transpose(x.array, std::span<const int>(axes)), order};
  }

  /// Multiplies two operands and sums over what they alone have and nobody wants.
  labelled product(labelled x, labelled y, label_set wanted) const {
    x = summed(std::move(x), y.all() | wanted);
    y = summed(std::move(y), x.all() | wanted);
    const auto both = x.all() & y.all(), only = (x.all() | y.all()) & ~both;
    if (!(both & ~wanted)) return multiplied(x, y);
    if (only == 0 && (both & wanted)) return summed(multiplied(x, y), wanted);
    // The rows of a product are the axes that come first in the output.
    const auto first = those_in(output_, only);
    if (!first.empty() && (y.all() & set_of(first[0]))) std::swap(x, y);
    return matrices_multiplied(x, y, wanted);
  }

  /// Multiplies elements; the axes that come out are in the output's order, then the others.
  labelled multiplied(const labelled& x, const labelled& y) const {
    const auto all = x.all() | y.all(), known = set_of(output_);
    const auto in_output = those_in(output_, all), of_x = those_in(x.labels, ~known),
               of_y = those_in(y.labels, ~known & ~x.all());
    const auto order = joined({&in_output, &of_x, &of_y});
    check_sizes(order);
    const auto spread = [&](const labelled& operand) {
      shape dims;
      for (const int label : order)
        dims.push_back(operand.all() & set_of(label) ? sizes_[label] : 1);
      return reshape(in_order(operand, those_in(order, operand.all())).array, dims);
    };
    return {multiply(spread(x), spread(y)), order};
  }

  /// Multiplies matrices: [batch..., rows, inner] and [batch..., inner, columns].
  labelled matrices_multiplied(const labelled& x, const labelled& y, label_set wanted) const {
    const auto both = x.all() & y.all();
    const auto in_output = those_in(output_, both),
               others = those_in(x.labels, both & wanted & ~set_of(output_)),
               batch = joined({&in_output, &others}), rows = those_in(x.labels, ~both),
               columns = those_in(y.labels, ~both);
    // Several inner axes are one where they lie as in the larger operand, which is not copied then.
    const auto& larger = x.array.size() >= y.array.size() ? x : y;
    const auto inner = those_in(larger.labels, both & ~wanted);
    const auto order = joined({&batch, &rows, &columns});
    check_sizes(order);
    const auto left = as_matrices(x, batch, rows, inner),
               right = as_matrices(y, batch, inner, columns);
    shape dims;
    for (const int label : order) dims.push_back(sizes_[label]);
    return {reshape(matmul(left, right), dims), order};
  }

  tensor as_matrices(const labelled& x, const labels& batch, const labels& rows,
                     const labels& columns) const {
    const auto ordered = in_order(x, joined({&batch, &rows, &columns})).array;
    shape dims;
    if (batch.size() + 2 <= static_cast<std::size_t>(max_rank)) {
      for (const int label : batch) dims.push_back(sizes_[label]);
    } else {
      dims.push_back(volume(batch));
    }
    dims.push_back(volume(rows));
    dims.push_back(volume(columns));
    return reshape(ordered, dims);
  }

  std::int64_t volume(const labels& some) const noexcept {
    std::int64_t n = 1;
    for (const int label : some) n *= sizes_[label];
    return n;
  }

  void check_sizes(const labels& some) const {
    if (some.size() > static_cast<std::size_t>(max_rank))
      refuse_equation(text_,
                      "a product of two operands has " + std::to_string(some.size()) +
                          " axes, more than there can be",
                      where_);
    shape dims;
    for (const int label : some) dims.push_back(sizes_[label]);
    if (!dims.countable())
      refuse_equation(text_, "a product of two operands has more elements than can be counted",
                      where_);
  }

  std::string_view text_;
  const labels& output_;
  const std::int64_t* sizes_;
  caller where_;
};

}  // namespace

tensor einsum(std::string_view equation, const std::vector<tensor>& operands, caller where) {
  if (operands.empty()) refuse_equation(equation, "there are no operands", where);
  std::vector<const tensor*> inputs;
  for (const auto& x : operands) inputs.push_back(&x);
  common_home("einsum", inputs, where);
  std::vector<tensor_type> types;
  auto element = boolean;
  for (const auto& x : operands) {
    types.push_back(x.type());
    element = promote(element, x.dtype());
  }
  const auto read = read_equation(equation, types, where);
  const detail::on_behalf_of user(where);
  std::vector<labelled> all;
  for (std::size_t i = 0; i < operands.size(); ++i)
    all.push_back({astype(operands[i], element), read.operands[i]});
  return equation_runner(equation, read, where).run(std::move(all));
}

}  // namespace troupe
