// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

#include "troupe/tensor/tensor.hpp"

namespace troupe::nn {

/// Group of samples: a tensor for each field, whose axis 0 counts the samples. A batch of two
/// fields can be destructured: `auto [x, y] = b;`, which throws for any other number of fields;
/// more are as `b.fields<3>()`.
class batch {
 public:
  batch() = default;
  explicit batch(std::vector<tensor> fields, caller where = caller::current())
      : fields_(std::move(fields)), call_site_(where) {}

  /// Returns the number of fields.
  std::size_t size() const noexcept { return fields_.size(); }
  /// Returns the number of samples.
  std::int64_t samples() const noexcept { return fields_.empty() ? 0 : fields_[0].shape()[0]; }
  /// Returns a field. Throws if there is no such field.
  const tensor& operator[](std::size_t field) const {
    if (field >= fields_.size()) refuse("has no field " + std::to_string(field));
    return fields_[field];
  }
  const std::vector<tensor>& fields() const noexcept { return fields_; }
  /// Returns so many fields, to be taken apart: `auto [x, y, z] = batch.fields<3>();`. Throws if
  /// there are not so many.
  template <std::size_t N>
  std::array<tensor, N> fields() const {
    if (fields_.size() != N) refuse("is taken apart as " + std::to_string(N));
    std::array<tensor, N> out;
    std::copy(fields_.begin(), fields_.end(), out.begin());
    return out;
  }
  auto begin() const noexcept { return fields_.begin(); }
  auto end() const noexcept { return fields_.end(); }

  template <std::size_t I>
  tensor get() const {
    if (fields_.size() != 2) refuse("is taken apart as two");
    return fields_[I];
  }

 private:
  [[noreturn]] void refuse(const std::string& facts) const {
    throw error("batch: with " + std::to_string(fields_.size()) +
                    (fields_.size() == 1 ? " field it " : " fields it ") + facts,
                call_site_);
  }

  std::vector<tensor> fields_;
  caller call_site_ = caller::current();
};

}  // namespace troupe::nn

template <>
struct std::tuple_size<troupe::nn::batch> : std::integral_constant<std::size_t, 2> {};
template <std::size_t I>
struct std::tuple_element<I, troupe::nn::batch> {
  using type = troupe::tensor;
};
