// SPDX-License-Identifier: MIT
#include "troupe/nn/data/split_and_load.hpp"

#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/slice.hpp"

namespace troupe::nn {

std::vector<tensor> split_and_load(const tensor& x, const std::vector<device>& devices,
                                   caller where) {
  const auto refuse = [&](const std::string& facts) {
    throw error("split_and_load: " + facts, where);
  };
  if (!x.defined()) refuse("the input names no array yet");
  if (devices.empty()) refuse("no devices to divide " + to_string(x.type()) + " among");
  const auto parts = static_cast<std::int64_t>(devices.size());
  if (x.rank() == 0) refuse("a scalar has no rows to divide");
  const auto rows = x.shape()[0];
  if (rows < parts)
    refuse(to_string(x.type()) + " has fewer rows than there are devices, " +
           std::to_string(parts));
  std::vector<tensor> out;
  std::int64_t first = 0;
  for (std::int64_t p = 0; p < parts; ++p) {
    const auto last = first + rows / parts + (p < rows % parts);
    const auto part = slice(x, 0, first, last, 1, where);
    out.push_back(to(part, devices[static_cast<std::size_t>(p)], where));
    first = last;
  }
  return out;
}

std::vector<batch> split_and_load(const batch& b, const std::vector<device>& devices,
                                  caller where) {
  std::vector<std::vector<tensor>> shares(devices.size());
  for (const auto& x : b) {
    const auto parts = split_and_load(x, devices, where);
    for (std::size_t d = 0; d < devices.size(); ++d) shares[d].push_back(parts[d]);
  }
  std::vector<batch> out;
  for (auto& fields : shares) out.emplace_back(std::move(fields), where);
  return out;
}

}  // namespace troupe::nn
