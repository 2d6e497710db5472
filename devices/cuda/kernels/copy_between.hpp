// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/cuda/offsets.hpp"

namespace troupe::cuda {

/// Copies element by element between two arrays of one shape and any strides.
template <class T>
struct copy_elements {
  offsets<2> positions;
  T* to;
  const T* from;

  TROUPE_BOTH void operator()(std::int64_t i) const {
    std::int64_t place[2];
    positions.at(i, place);
    to[place[0]] = from[place[1]];
  }
};

template <class T>
void copy_between(stream& on, const array& to, const array& from) {
  if (from.size() == 0) return;
  const array both[] = {to, from};
  for_each(on, from.size(),
           copy_elements<T>{offsets<2>(merge_axes(both)), to.as<T>(), from.as<const T>()});
}

}  // namespace troupe::cuda
