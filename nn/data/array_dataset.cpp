// SPDX-License-Identifier: MIT
#include "troupe/nn/data/array_dataset.hpp"

#include <cstring>

#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/slice.hpp"

namespace troupe::nn {

namespace {

class array_source final : public detail::sample_source {
 public:
  explicit array_source(std::vector<tensor> fields) : fields_(std::move(fields)) {}

  void read(std::int64_t i, outputs& into, random_bits&) const override {
    for (std::size_t f = 0; f < fields_.size(); ++f)
      visit(fields_[f].dtype(), [&](auto zero) {
        const auto row = into[f].span<decltype(zero)>();
        const auto* all = static_cast<const decltype(zero)*>(fields_[f].source()->data());
        const auto first = fields_[f].view().offset + i * static_cast<std::int64_t>(row.size());
        if (!row.empty()) std::memcpy(row.data(), all + first, row.size_bytes());
      });
  }
  std::vector<tensor> needs() const override { return fields_; }

  std::optional<std::vector<tensor>> rows(std::span<const std::int64_t> numbers,
                                          caller where) const override {
    std::vector<tensor> out;
    if (follow_each_other(numbers)) {
      const auto first = numbers.empty() ? 0 : numbers[0];
      for (const auto& x : fields_)
        out.push_back(
            slice(x, 0, first, first + static_cast<std::int64_t>(numbers.size()), 1, where));
      return out;
    }
    const auto where_to = fields_[0].device();
    const auto chosen =
        from_bytes(numbers.data(), int64, static_cast<std::int64_t>(numbers.size()),
                   {static_cast<std::int64_t>(numbers.size())}, {.device = where_to}, where);
    for (const auto& x : fields_) out.push_back(take(x, chosen, 0, where));
    return out;
  }

 private:
  static bool follow_each_other(std::span<const std::int64_t> numbers) noexcept {
    for (std::size_t i = 1; i < numbers.size(); ++i) {
      if (numbers[i] != numbers[i - 1] + 1) return false;
    }
    return true;
  }

  std::vector<tensor> fields_;
};

}  // namespace

dataset array_dataset(const std::vector<tensor>& fields, caller where) {
  if (fields.empty()) throw error("array_dataset: no tensors", where);
  std::vector<const tensor*> pointers;
  for (const auto& x : fields) pointers.push_back(&x);
  common_home("array_dataset", pointers, where);
  std::vector<tensor> whole;
  std::vector<tensor_type> types;
  std::vector<output_type> sample;
  for (const auto& x : fields) {
    types.push_back(x.type());
    if (x.rank() == 0) refuse("array_dataset", "a scalar has no samples", types, where);
    whole.push_back(contiguous(x.detach(), where));
    sample.push_back({x.dtype(), shape(std::span(x.shape().begin() + 1, x.shape().end()))});
  }
  for (const auto& t : types) {
    if (t.dims[0] != types[0].dims[0])
      refuse("array_dataset", "sizes along axis 0 differ", types, where);
  }
  return {std::make_shared<array_source>(std::move(whole)), types[0].dims[0], std::move(sample),
          "array_dataset", where};
}

}  // namespace troupe::nn
