// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_segmented_radix_sort.cuh>

#include "troupe/devices/cuda/launch.hpp"

// Sorts of keys on a GPU; see key_sort.hpp, which includes this.

namespace troupe::cuda {

/// Division of the rows: long ones are sorted one by one by the whole GPU, of the others as many at
/// once as an int counts the keys of.
struct key_batches {
  static constexpr std::int64_t long_row = std::int64_t{1} << 18, most_keys = std::int64_t{1} << 30;

  std::int64_t rows;  ///< in a batch
  bool one_by_one;

  key_batches(std::int64_t count, std::int64_t length)
      : rows(std::clamp<std::int64_t>(most_keys / std::max<std::int64_t>(1, length), 1,
                                      std::max<std::int64_t>(1, count))),
        one_by_one(count <= 1 || length >= long_row) {}

  /// Returns the bytes of the numbers of keys before each row of a batch.
  std::size_t begins_bytes() const {
    const auto bytes = one_by_one ? 0 : static_cast<std::size_t>(rows + 1) * sizeof(int);
    return (bytes + 255) / 256 * 256;
  }
};

struct row_begins {
  int* begins;
  std::int64_t length;

  TROUPE_BOTH void operator()(std::int64_t i) const { begins[i] = static_cast<int>(i * length); }
};

/// Sorts one row or, if `begins` says where each begins, some. Without memory, sets `bytes` to what
/// it needs.
template <bool WithPlaces, class Key>
void sort_batch(cudaStream_t on, const key_rows<Key>& rows, const int* begins, void* memory,
                std::size_t& bytes) {
  const auto result = [&] {
    if (!begins) {
      if constexpr (WithPlaces)
        return cub::DeviceRadixSort::SortPairs(memory, bytes, rows.keys, rows.sorted, rows.places,
                                               rows.sorted_places, rows.length, 0, rows.bits, on);
      else
        return cub::DeviceRadixSort::SortKeys(memory, bytes, rows.keys, rows.sorted, rows.length, 0,
                                              rows.bits, on);
    }
    const auto keys = static_cast<int>(rows.count * rows.length);
    const auto count = static_cast<int>(rows.count);
    if constexpr (WithPlaces)
      return cub::DeviceSegmentedRadixSort::SortPairs(memory, bytes, rows.keys, rows.sorted,
                                                      rows.places, rows.sorted_places, keys, count,
                                                      begins, begins + 1, 0, rows.bits, on);
    else
      return cub::DeviceSegmentedRadixSort::SortKeys(memory, bytes, rows.keys, rows.sorted, keys,
                                                     count, begins, begins + 1, 0, rows.bits, on);
  }();
  check(result, begins ? "cub::DeviceSegmentedRadixSort" : "cub::DeviceRadixSort");
}

template <class Key>
key_rows<Key> part_of(key_rows<Key> rows, std::int64_t first, std::int64_t count) {
  const auto begin = first * rows.length;
  rows.count = count;
  rows.keys += begin;
  rows.sorted += begin;
  if (rows.places) {
    rows.places += begin;
    rows.sorted_places += begin;
  }
  return rows;
}

template <bool WithPlaces, class Key>
std::size_t key_sort_bytes(const key_rows<Key>& rows) {
  const key_batches batches(rows.count, rows.length);
  auto batch = rows;
  batch.count = batches.rows;
  std::size_t bytes = 0;
  const int begins[2] = {};  // whose address says that there are some; it is not read
  sort_batch<WithPlaces>(nullptr, batch, batches.one_by_one ? nullptr : begins, nullptr, bytes);
  return batches.begins_bytes() + bytes;
}

template <bool WithPlaces, class Key>
void sort_keys(stream& on, const key_rows<Key>& rows, void* memory) {
  const key_batches batches(rows.count, rows.length);
  auto* const begins = batches.one_by_one ? nullptr : static_cast<int*>(memory);
  if (begins) for_each(on, batches.rows + 1, row_begins{begins, rows.length});
  auto* const rest = static_cast<std::byte*>(memory) + batches.begins_bytes();
  std::size_t bytes = key_sort_bytes<WithPlaces>(rows) - batches.begins_bytes();
  const auto step = batches.one_by_one ? 1 : batches.rows;
  for (std::int64_t first = 0; first < rows.count; first += step) {
    const auto part = part_of(rows, first, std::min(step, rows.count - first));
    sort_batch<WithPlaces>(handle(on), part, begins, rest, bytes);
  }
}

}  // namespace troupe::cuda
