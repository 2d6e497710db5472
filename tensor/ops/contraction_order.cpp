// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/contraction_order.hpp"

#include <bit>
#include <limits>
#include <utility>

namespace troupe {

namespace {

constexpr std::size_t most_tried = 6;
/// Cost of what has more axes than an array can have.
constexpr double impossible = std::numeric_limits<double>::max() / 1e6;

class order_finder {
 public:
  order_finder(std::span<const label_set> operands, label_set output, const std::int64_t* sizes)
      : output_(output), sizes_(sizes), next_(operands.size()) {
    for (std::size_t i = 0; i < operands.size(); ++i) left_.push_back({operands[i], i});
  }

  std::vector<contraction> find() {
    while (left_.size() > most_tried) join_smallest();
    if (left_.size() > 1) join_all();
    return std::move(order_);
  }

 private:
  struct operand {
    label_set labels;
    std::size_t number;
  };

  double volume(label_set labels) const noexcept {
    double v = 1;
    for (; labels; labels &= labels - 1) v *= static_cast<double>(sizes_[std::countr_zero(labels)]);
    return v;
  }

  double product_volume(label_set labels) const noexcept {
    return std::popcount(labels) > max_rank ? impossible : volume(labels);
  }

  /// Returns the labels of all but two operands, and of the output.
  label_set wanted_beside(std::size_t i, std::size_t j) const noexcept {
    auto all = output_;
    for (std::size_t k = 0; k < left_.size(); ++k) all |= k == i || k == j ? 0 : left_[k].labels;
    return all;
  }

  void join_smallest() {
    std::pair<std::size_t, std::size_t> best{0, 1};
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < left_.size(); ++i) {
      for (std::size_t j = i + 1; j < left_.size(); ++j) {
        const auto x = left_[i].labels, y = left_[j].labels;
        const auto grows = product_volume((x | y) & wanted_beside(i, j)) - volume(x) - volume(y);
        if (grows < least) least = grows, best = {i, j};
      }
    }
    const auto [i, j] = best;
    const auto labels = (left_[i].labels | left_[j].labels) & wanted_beside(i, j);
    order_.push_back({left_[i].number, left_[j].number});
    left_[i] = {labels, next_++};
    left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(j));
  }

  /// Finds, for every set of operands, the cheapest product of two parts of it.
  void join_all() {
    const unsigned count = static_cast<unsigned>(left_.size()), all = (1u << count) - 1;
    std::vector<label_set> unions(all + 1, 0), labels(all + 1, 0);
    for (unsigned set = 1; set <= all; ++set)
      unions[set] =
          unions[set & (set - 1)] | left_[static_cast<std::size_t>(std::countr_zero(set))].labels;
    for (unsigned set = 1; set <= all; ++set)
      labels[set] = unions[set] & (output_ | unions[all ^ set]);
    std::vector<double> costs(all + 1, 0);
    parts_.assign(all + 1, 0);
    for (unsigned set = 1; set <= all; ++set) {
      if (std::has_single_bit(set)) continue;
      costs[set] = std::numeric_limits<double>::infinity();
      for (unsigned part = (set - 1) & set; part > (set ^ part); part = (part - 1) & set) {
        const auto other = set ^ part;
        const auto cost = costs[part] + costs[other] + volume(labels[part] | labels[other]) +
                          (product_volume(labels[set]) == impossible ? impossible : 0);
        if (cost < costs[set]) costs[set] = cost, parts_[set] = part;
      }
    }
    join(all);
  }

  std::size_t join(unsigned set) {
    if (std::has_single_bit(set))
      return left_[static_cast<std::size_t>(std::countr_zero(set))].number;
    const auto x = join(set ^ parts_[set]), y = join(parts_[set]);
    order_.push_back({x, y});
    return next_++;
  }

  label_set output_;
  const std::int64_t* sizes_;
  std::size_t next_;
  std::vector<operand> left_;
  std::vector<unsigned> parts_;
  std::vector<contraction> order_;
};

}  // namespace

std::vector<contraction> contraction_order(std::span<const label_set> operands, label_set output,
                                           const std::int64_t* sizes) {
  return order_finder(operands, output, sizes).find();
}

}  // namespace troupe
