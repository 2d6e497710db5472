// SPDX-License-Identifier: MIT
#include "troupe/nn/data/sample_layout.hpp"

namespace troupe::nn::detail {

namespace {

std::size_t bytes_of(const output_type& field) noexcept {
  return static_cast<std::size_t>(field.shape.size()) * size_of(field.dtype);
}

}  // namespace

sample_layout::sample_layout(std::vector<output_type> fields) : fields_(std::move(fields)) {
  for (const auto& f : fields_) layouts_.emplace_back(f.shape);
}

std::size_t sample_layout::bytes() const noexcept {
  std::size_t sum = 0;
  for (const auto& f : fields_) sum += bytes_of(f);
  return sum;
}

std::vector<array> sample_layout::row(const std::vector<std::byte*>& batch,
                                      std::int64_t row) const {
  std::vector<array> out;
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    const auto& l = layouts_[i];
    out.push_back({batch[i] + static_cast<std::size_t>(row) * bytes_of(fields_[i]),
                   fields_[i].dtype, l.dims.rank(), l.dims.data(), l.strides});
  }
  return out;
}

scratch_sample::scratch_sample(const sample_layout& of) : layout_(of) {
  for (const auto& f : of.fields()) {
    memory_.push_back(std::make_unique<std::byte[]>(bytes_of(f)));
    begins_.push_back(memory_.back().get());
  }
}

}  // namespace troupe::nn::detail
