// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "troupe/tasks/layout.hpp"
#include "troupe/tensor/ops/call.hpp"

namespace troupe::nn::detail {

/// Layout of a sample's fields in memory: each separate, in row-major order.
class sample_layout {
 public:
  explicit sample_layout(std::vector<output_type> fields);

  const std::vector<output_type>& fields() const noexcept { return fields_; }
  /// Returns the bytes of one sample.
  std::size_t bytes() const noexcept;
  /// Returns the fields of the sample in row `row` of the batch whose fields begin at `batch`.
  std::vector<array> row(const std::vector<std::byte*>& batch, std::int64_t row) const;

 private:
  std::vector<output_type> fields_;
  std::vector<layout> layouts_;
};

/// Memory for one sample.
class scratch_sample {
 public:
  explicit scratch_sample(const sample_layout& of);

  std::vector<array> fields() const { return layout_.row(begins_, 0); }

 private:
  const sample_layout& layout_;
  std::vector<std::unique_ptr<std::byte[]>> memory_;
  std::vector<std::byte*> begins_;
};

}  // namespace troupe::nn::detail
