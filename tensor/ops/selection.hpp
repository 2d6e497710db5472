// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "troupe/devices/attributes.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/tensor.hpp"

/// Parts of a tensor by indices of every kind (tensor.hpp, index.hpp), and arrays with other
/// elements there.

namespace troupe {

/// The part at these indices: what `x(range{1, 3}, 0)` calls.
tensor at(const tensor& x, std::span<const index* const> indices, caller where = caller::current());

/// `x`, but with elements put into the part at these indices. They are broadcast, and converted to
/// the dtype of `x`, to which integers wrap; throws where a fraction, or more, would be lost. Of a
/// place that tensors of positions name twice, `set` keeps the last element; the others see all. A
/// mask is a sync point, unless all that it selects are given the same elements.
tensor put_at(put_op op, const tensor& x, std::span<const index* const> indices,
              const tensor_or_scalar& v, caller where = caller::current());

/// Part of a tensor, for arrays with other elements there: `x.at(0).set(1)` is a copy of `x` with 1
/// in its first row; `x` stays as it is. The part itself is not computed.
class selected_part {
 public:
  selected_part(const tensor& x, std::span<const index* const> indices);

  /// Returns the part itself.
  tensor get() const;
  [[nodiscard]] tensor set(const tensor_or_scalar& v, caller where = caller::current()) const;
  [[nodiscard]] tensor add(const tensor_or_scalar& v, caller where = caller::current()) const;
  [[nodiscard]] tensor mul(const tensor_or_scalar& v, caller where = caller::current()) const;
  [[nodiscard]] tensor min(const tensor_or_scalar& v, caller where = caller::current()) const;
  [[nodiscard]] tensor max(const tensor_or_scalar& v, caller where = caller::current()) const;

  /// Returns the place of the indices in the user's program.
  caller where() const noexcept { return indices_[0].where(); }

 private:
  tensor put(put_op op, const tensor_or_scalar& v, caller where) const;

  tensor x_;
  std::vector<index> indices_;
};

/// Part of a variable: assigning to it makes the variable name an array with other elements there.
/// `x.at(k) += y` is `x.at(k) = x[k] + y`: of a place that positions name twice, the last counts.
class assignable_part final : public selected_part {
 public:
  assignable_part(tensor& of, std::span<const index* const> indices)
      : selected_part(of, indices), of_(of) {}
  assignable_part(const assignable_part&) = delete;
  assignable_part& operator=(const assignable_part&) = delete;

  // NOLINTNEXTLINE(misc-unconventional-assign-operator): a temporary, which nobody reads on
  void operator=(const tensor_or_scalar& v) && { of_ = set(v, where()); }
  void operator+=(const tensor_or_scalar& v) &&;
  void operator-=(const tensor_or_scalar& v) &&;
  void operator*=(const tensor_or_scalar& v) &&;
  void operator/=(const tensor_or_scalar& v) &&;

 private:
  tensor& of_;
};

}  // namespace troupe
