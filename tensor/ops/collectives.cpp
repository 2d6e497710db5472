// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/collectives.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "troupe/tensor/axes.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/arithmetic.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/slice.hpp"

namespace troupe {

namespace {

// Bytes of a part that travels while those before it are added up, about, and the most parts.
constexpr std::int64_t part_bytes = std::int64_t{4} << 20, most_parts = 16;

void check_all(std::string_view name, const std::vector<tensor>& parts, caller where) {
  if (parts.empty()) throw error(std::string(name) + ": no arrays", where);
  for (const auto& x : parts) check_defined(name, x, where);
}

[[noreturn]] void refuse_pair(std::string_view name, const std::string& facts, const tensor& x,
                              const tensor& y, caller where) {
  const tensor_type pair[] = {x.type(), y.type()};
  refuse(name, facts, pair, where);
}

void check_same(std::string_view name, const std::vector<tensor>& parts, caller where) {
  check_all(name, parts, where);
  for (const auto& x : parts) {
    if (x.dtype() != parts[0].dtype() || x.shape() != parts[0].shape())
      refuse_pair(name, "the arrays differ", parts[0], x, where);
  }
}

/// Returns the sum of arrays of one shape, made from the first device to the last.
tensor sum_along(const std::vector<tensor>& parts, caller where) {
  auto total = parts[0];
  for (std::size_t i = 1; i < parts.size(); ++i)
    total = add(to(total, parts[i].device(), where), parts[i], where);
  return total;
}

/// Returns the indices at which an axis of `size` is divided, from 0 to `size`.
std::vector<std::int64_t> even_division(std::int64_t size, std::int64_t parts) {
  std::vector<std::int64_t> at{0};
  for (std::int64_t p = 0; p < parts; ++p)
    at.push_back(at.back() + size / parts + (p < size % parts));
  return at;
}

/// Returns the sum of what lies between two indices along an axis.
tensor sum_between(const std::vector<tensor>& parts, int axis, std::int64_t from,
                   std::int64_t until, caller where) {
  std::vector<tensor> some;
  some.reserve(parts.size());
  for (const auto& x : parts) some.push_back(slice(x, axis, from, until, 1, where));
  return sum_along(some, where);
}

}  // namespace

std::vector<tensor> broadcast(const tensor& x, const std::vector<device>& devices, caller where) {
  check_defined("broadcast", x, where);
  std::vector<tensor> out;
  for (const auto place : devices) out.push_back(to(out.empty() ? x : out.back(), place, where));
  return out;
}

std::vector<tensor> all_reduce(const std::vector<tensor>& parts, caller where) {
  check_same("all_reduce", parts, where);
  std::vector<tensor> flat;
  for (const auto& x : parts) flat.push_back(reshape(x, {x.size()}, where));
  const auto size = flat[0].size();
  const auto bytes = size * static_cast<std::int64_t>(size_of(flat[0].dtype()));
  const auto at = even_division(size, std::clamp(bytes / part_bytes, std::int64_t{1}, most_parts));
  // The sum is with the last device, and goes on to the first.
  std::vector<device> devices;
  for (const auto& x : parts) devices.push_back(x.device());
  std::ranges::rotate(devices, devices.end() - 1);
  std::vector<std::vector<tensor>> sums(parts.size());
  for (std::size_t p = 0; p + 1 < at.size(); ++p) {
    const auto copies = broadcast(sum_between(flat, 0, at[p], at[p + 1], where), devices, where);
    for (std::size_t i = 0; i < parts.size(); ++i)
      sums[i].push_back(copies[(i + 1) % parts.size()]);
  }
  std::vector<tensor> out;
  for (const auto& some : sums) {
    const auto whole = some.size() == 1 ? some[0] : concatenate(some, 0, where);
    out.push_back(reshape(whole, parts[0].shape(), where));
  }
  return out;
}

std::vector<tensor> reduce_scatter(const std::vector<tensor>& parts, int axis, caller where) {
  check_same("reduce_scatter", parts, where);
  axis = detail::checked_axis(axis, parts[0].rank(), parts[0].type(), "reduce_scatter", where);
  const auto at = even_division(parts[0].shape()[axis], static_cast<std::int64_t>(parts.size()));
  std::vector<tensor> out;
  for (std::size_t i = 0; i < parts.size(); ++i)
    out.push_back(to(sum_between(parts, axis, at[i], at[i + 1], where), parts[i].device(), where));
  return out;
}

std::vector<tensor> all_gather(const std::vector<tensor>& parts, int axis, caller where) {
  check_all("all_gather", parts, where);
  axis = detail::checked_axis(axis, parts[0].rank(), parts[0].type(), "all_gather", where);
  const auto count = parts.size();
  for (const auto& x : parts) {
    auto same = x.shape();
    if (x.rank() == parts[0].rank()) same[axis] = parts[0].shape()[axis];
    if (x.dtype() != parts[0].dtype() || same != parts[0].shape())
      refuse_pair("all_gather", "the arrays differ in more than axis " + std::to_string(axis),
                  parts[0], x, where);
  }
  // Each array goes around, from its device to the next.
  std::vector<std::vector<tensor>> all(count, std::vector<tensor>(count));
  for (std::size_t i = 0; i < count; ++i) {
    auto copy = parts[i];
    for (std::size_t step = 0; step < count; ++step) {
      const auto next = (i + step) % count;
      all[next][i] = copy = to(copy, parts[next].device(), where);
    }
  }
  std::vector<tensor> out;
  for (const auto& some : all) out.push_back(concatenate(some, axis, where));
  return out;
}

}  // namespace troupe
