// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "troupe/devices/cuda/grid.hpp"

/// Stable sorts of keys on a stream of a GPU, by CUB; of two types, since each takes long to
/// compile. As with grids, the same functions sort on the host without a CUDA compiler.

namespace troupe::cuda {

/// Rows of keys to sort by their lowest bits, and places that move with them. Keys and places are
/// left as they are.
template <class Key>
struct key_rows {
  std::int64_t count, length;  ///< of the rows
  int bits;
  const Key* keys;
  Key* sorted;
  const std::int64_t* places;
  std::int64_t* sorted_places;
};

/// Returns the bytes of memory that a sort needs beside the rows.
template <bool WithPlaces, class Key>
std::size_t key_sort_bytes(const key_rows<Key>& rows);

template <bool WithPlaces, class Key>
void sort_keys(stream& on, const key_rows<Key>& rows, void* memory);

}  // namespace troupe::cuda

#ifdef __CUDACC__
#include "troupe/devices/cuda/key_sort_on_gpu.hpp"
#else
#include "troupe/devices/cuda/key_sort_on_host.hpp"
#endif
