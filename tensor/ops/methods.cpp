// SPDX-License-Identifier: MIT
#include "troupe/tensor/linalg/products.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/slice.hpp"

namespace troupe {

tensor tensor::T(caller where) const { return troupe::transpose(*this, where); }
tensor tensor::mT(caller where) const { return linalg::matrix_transpose(*this, where); }
tensor tensor::transpose(caller where) const { return T(where); }
tensor tensor::transpose(std::initializer_list<int> order, caller where) const {
  return troupe::transpose(*this, order, where);
}
tensor tensor::transpose(std::span<const int> order, caller where) const {
  return troupe::transpose(*this, order, where);
}
tensor tensor::swapaxes(int a, int b, caller where) const {
  return troupe::swapaxes(*this, a, b, where);
}
tensor tensor::reshape(std::initializer_list<std::int64_t> sizes, caller where) const {
  return troupe::reshape(*this, sizes, where);
}
tensor tensor::reshape(const troupe::shape& sizes, caller where) const {
  return troupe::reshape(*this, sizes, where);
}
tensor tensor::reshape(const std::vector<std::int64_t>& sizes, caller where) const {
  return troupe::reshape(*this, sizes, where);
}
tensor tensor::flatten(caller where) const { return troupe::flatten(*this, where); }
tensor tensor::squeeze(caller where) const { return troupe::squeeze(*this, where); }
tensor tensor::squeeze(int axis, caller where) const { return troupe::squeeze(*this, axis, where); }
tensor tensor::expand_dims(int axis, caller where) const {
  return troupe::expand_dims(*this, axis, where);
}
tensor tensor::broadcast_to(const troupe::shape& sizes, caller where) const {
  return troupe::broadcast_to(*this, sizes, where);
}
tensor tensor::slice(int axis, std::optional<std::int64_t> start, std::optional<std::int64_t> stop,
                     std::int64_t step, caller where) const {
  return troupe::slice(*this, axis, start, stop, step, where);
}

#define TROUPE_REDUCTION(name)                                           \
  tensor tensor::name(const axes& over, flag keep, caller where) const { \
    return troupe::name(*this, over, keep, where);                       \
  }
TROUPE_REDUCTION(sum)
TROUPE_REDUCTION(mean)
TROUPE_REDUCTION(prod)
TROUPE_REDUCTION(max)
TROUPE_REDUCTION(min)
TROUPE_REDUCTION(any)
TROUPE_REDUCTION(all)
#undef TROUPE_REDUCTION

tensor tensor::var(const axes& over, detail::ddof_or_keep ddof, flag keep, caller where) const {
  return troupe::var(*this, over, ddof, keep, where);
}
tensor tensor::stddev(const axes& over, detail::ddof_or_keep ddof, flag keep, caller where) const {
  return troupe::stddev(*this, over, ddof, keep, where);
}
tensor tensor::argmax(optional_axis axis, flag keep, caller where) const {
  return troupe::argmax(*this, axis, keep, where);
}
tensor tensor::argmin(optional_axis axis, flag keep, caller where) const {
  return troupe::argmin(*this, axis, keep, where);
}
tensor tensor::astype(troupe::dtype element, caller where) const {
  return troupe::astype(*this, element, where);
}
tensor tensor::copy(caller where) const { return troupe::copy(*this, where); }
tensor tensor::to(troupe::device place, caller where) const {
  return troupe::to(*this, place, where);
}

}  // namespace troupe
