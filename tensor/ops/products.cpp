// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/products.hpp"

#include <algorithm>
#include <numeric>

#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/arranging.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"

namespace troupe {

namespace {

/// Two inputs of a function, for its errors.
struct pair_of {
  std::string_view what;
  tensor_type types[2];
  caller where;

  pair_of(std::string_view name, const tensor& x, const tensor& y, caller place)
      : what(name), where(place) {
    const tensor* const inputs[] = {&x, &y};
    common_home(name, inputs, place);
    types[0] = x.type();
    types[1] = y.type();
  }

  [[noreturn]] void refuse(std::string_view facts) const {
    troupe::refuse(what, facts, types, where);
  }
};

/// The axes of one input in the order for a matrix: those that stay and those that are joined.
struct joined_axes {
  std::vector<int> kept, joined;
};

joined_axes sort_axes(const tensor& x, std::span<const int> given, const pair_of& both) {
  joined_axes out;
  const auto mask = axes(given).mask(x.type(), both.what, both.where);
  for (int i = 0; i < x.rank(); ++i) {
    if (!(mask & (1u << i))) out.kept.push_back(i);
  }
  for (const int axis : given) out.joined.push_back(axis < 0 ? axis + x.rank() : axis);
  return out;
}

tensor as_matrix(const tensor& x, const std::vector<int>& rows, const std::vector<int>& columns,
                 caller where) {
  auto order = rows;
  order.insert(order.end(), columns.begin(), columns.end());
  const auto size = [&](const std::vector<int>& some) {
    return std::accumulate(some.begin(), some.end(), std::int64_t{1},
                           [&](std::int64_t n, int i) { return n * x.shape()[i]; });
  };
  return reshape(transpose(x, order, where), {size(rows), size(columns)}, where);
}

tensor join(const tensor& x, const tensor& y, std::span<const int> of_x, std::span<const int> of_y,
            const pair_of& both) {
  const auto left = sort_axes(x, of_x, both), right = sort_axes(y, of_y, both);
  for (std::size_t i = 0; i < left.joined.size(); ++i) {
    if (x.shape()[left.joined[i]] != y.shape()[right.joined[i]])
      both.refuse("sizes of joined axes differ");
  }
  if (left.kept.size() + right.kept.size() > static_cast<std::size_t>(max_rank))
    both.refuse("too many axes come out");
  shape out;
  for (const int i : left.kept) out.push_back(x.shape()[i]);
  for (const int i : right.kept) out.push_back(y.shape()[i]);
  if (!out.countable()) both.refuse("more elements than can be counted");
  return reshape(matmul(as_matrix(x, left.kept, left.joined, both.where),
                        as_matrix(y, right.joined, right.kept, both.where), both.where),
                 out, both.where);
}

}  // namespace

tensor outer(const tensor& x, const tensor& y, caller where) {
  const pair_of both("outer", x, y, where);
  shape out;
  out.push_back(x.size());
  out.push_back(y.size());
  if (!out.countable()) both.refuse("more elements than can be counted");
  return multiply(reshape(x, {x.size(), 1}, where), flatten(y, where), where);
}

tensor inner(const tensor& x, const tensor& y, caller where) {
  const pair_of both("inner", x, y, where);
  if (x.rank() == 0 || y.rank() == 0) return multiply(x, y, where);
  const int last[] = {-1};
  return join(x, y, last, last, both);
}

tensor vecdot(const tensor& x, const tensor& y, int axis, caller where) {
  const pair_of both("vecdot", x, y, where);
  detail::checked_axis(axis, x.rank(), x.type(), "vecdot", where);
  detail::checked_axis(axis, y.rank(), y.type(), "vecdot", where);
  const auto a = moveaxis(conj(x, where), axis, -1, where), b = moveaxis(y, axis, -1, where);
  if (a.shape()[a.rank() - 1] != b.shape()[b.rank() - 1])
    both.refuse("sizes of joined axes differ");
  if (a.rank() == 1 && b.rank() == 1) return matmul(a, b, where);
  const auto all = broadcast(a.shape(), b.shape());
  if (!all || !all->countable()) both.refuse("shapes do not broadcast");
  return astype(sum(multiply(a, b, where), -1, false, where), promote(x.dtype(), y.dtype()), where);
}

tensor tensordot(const tensor& x, const tensor& y, int count, caller where) {
  const pair_of both("tensordot", x, y, where);
  if (count < 0) throw error("tensordot: negative count " + std::to_string(count), where);
  if (count > std::min(x.rank(), y.rank()))
    both.refuse("there are not " + std::to_string(count) + " axes to join");
  std::vector<int> last, first;
  for (int i = 0; i < count; ++i) {
    last.push_back(x.rank() - count + i);
    first.push_back(i);
  }
  return join(x, y, last, first, both);
}

tensor tensordot(const tensor& x, const tensor& y, std::span<const int> of_x,
                 std::span<const int> of_y, caller where) {
  const pair_of both("tensordot", x, y, where);
  if (of_x.size() != of_y.size())
    throw error("tensordot: " + std::to_string(of_x.size()) +
                    (of_x.size() == 1 ? " axis is" : " axes are") + " to be joined with " +
                    std::to_string(of_y.size()),
                where);
  return join(x, y, of_x, of_y, both);
}

tensor kron(const tensor& x, const tensor& y, caller where) {
  const pair_of both("kron", x, y, where);
  const int rank = std::max(x.rank(), y.rank());
  shape of_x, of_y, out;
  for (int i = 0; i < rank; ++i) {
    const int in_x = i - rank + x.rank(), in_y = i - rank + y.rank();
    of_x.push_back(in_x < 0 ? 1 : x.shape()[in_x]);
    of_y.push_back(in_y < 0 ? 1 : y.shape()[in_y]);
    std::int64_t size = 0;
    if (__builtin_mul_overflow(of_x[i], of_y[i], &size))
      both.refuse("more elements than can be counted");
    out.push_back(size);
  }
  if (!out.countable()) both.refuse("more elements than can be counted");
  if (2 * rank > max_rank) {  // more axes than can be interleaved
    tensor spread = reshape(x, of_x, where);
    for (int i = 0; i < rank; ++i) spread = repeat(spread, of_y[i], i, where);
    return multiply(spread, tile(y, of_x, where), where);
  }
  shape left, right;
  for (int i = 0; i < rank; ++i) {
    for (const auto s : {of_x[i], std::int64_t{1}}) left.push_back(s);
    for (const auto s : {std::int64_t{1}, of_y[i]}) right.push_back(s);
  }
  return reshape(multiply(reshape(x, left, where), reshape(y, right, where), where), out, where);
}

tensor cross(const tensor& x, const tensor& y, int axis, caller where) {
  const pair_of both("cross", x, y, where);
  const int in_x = detail::checked_axis(axis, x.rank(), x.type(), "cross", where);
  const int in_y = detail::checked_axis(axis, y.rank(), y.type(), "cross", where);
  if (x.shape()[in_x] != 3 || y.shape()[in_y] != 3) both.refuse("the axis has not size 3");
  if (promote(x.dtype(), y.dtype()) == boolean) both.refuse("not possible for bool");
  const auto a = moveaxis(x, axis, -1, where), b = moveaxis(y, axis, -1, where);
  const auto all = broadcast(a.shape(), b.shape());
  if (!all || !all->countable()) both.refuse("shapes do not broadcast");
  const auto u = unstack(broadcast_to(a, *all, where), -1, where);
  const auto v = unstack(broadcast_to(b, *all, where), -1, where);
  std::vector<tensor> out;
  for (const auto& [j, k] : {std::pair(1, 2), {2, 0}, {0, 1}})
    out.push_back(subtract(multiply(u[j], v[k], where), multiply(u[k], v[j], where), where));
  return moveaxis(stack(out, -1, where), -1, axis, where);
}

}  // namespace troupe
