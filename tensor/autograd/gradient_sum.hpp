// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// The gradient of an array, of which shares arrive for all of it or for parts. Parts are laid side
/// by side when the sum is asked for, so that many of them cost no more than the array is large.
class gradient_sum {
 public:
  /// Adds a share for the whole array.
  void add(const tensor& share);
  /// Adds a share for what a view of the array shows, of that view's shape. Elements that are
  /// repeated are added up. The array has the shape `whole`.
  void add_part(const tensor& share, const layout& part, const shape& whole);
  /// Returns the sum. Elements outside all parts are zero.
  tensor total();

 private:
  /// The array is [rows, row_length]: elements [rows, length] of it from a column on.
  struct slab {
    std::int64_t rows, from;
    tensor elements;

    std::int64_t length() const { return elements.shape()[1]; }
    std::int64_t end() const { return from + length(); }
  };

  bool add_slab(const tensor& share, const layout& part, const std::vector<int>& order);
  void merge_equal();
  tensor side_by_side(std::vector<slab> all) const;
  void lay_out();

  tensor whole_;
  std::vector<slab> slabs_;
  shape sizes_;
  std::int64_t waiting_ = 0;  ///< elements of the slabs
};

}  // namespace troupe
