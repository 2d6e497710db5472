// SPDX-License-Identifier: MIT
#include "troupe/devices/attributes.hpp"
#include "troupe/devices/cuda/kernels/cuda_kernels.hpp"
#include "troupe/devices/cuda/kernels/scratch_room.hpp"
#include "troupe/devices/cuda/key_sort.hpp"
#include "troupe/devices/cuda/offsets.hpp"
#include "troupe/devices/sort_key.hpp"

namespace troupe::cuda {

namespace {

template <class T>
struct make_keys {
  using key = typename sort_key<T>::key;

  offsets<1> positions;
  sort_key<T> order;
  const T* in;
  key* keys;

  TROUPE_BOTH void operator()(std::int64_t i) const { keys[i] = order.of(in[positions(i)]); }
};

/// Keys that are equal for equal elements, and the places of the elements.
template <class T>
struct make_places {
  using key = typename sort_key<T>::key;

  offsets<1> positions;
  sort_key<T> order;
  const T* in;
  key* keys;
  std::int64_t* places;
  std::int64_t length;

  TROUPE_BOTH void operator()(std::int64_t i) const {
    keys[i] = order.rank(in[positions(i)]);
    places[i] = i % length;
  }
};

template <class T>
struct write_elements {
  using key = typename sort_key<T>::key;

  sort_key<T> order;
  const key* sorted;
  T* out;

  TROUPE_BOTH void operator()(std::int64_t i) const { out[i] = order.element(sorted[i]); }
};

/// The first places of each row.
struct write_places {
  const std::int64_t* sorted;
  std::int64_t* out;
  std::int64_t length, count;

  TROUPE_BOTH void operator()(std::int64_t i) const {
    out[i] = sorted[i / count * length + i % count];
  }
};

/// Sort of the rows of an array along its last axis, with its memory. Without scratch memory, it
/// only counts the bytes.
template <class T, bool WithPlaces>
struct row_sort {
  using key = typename sort_key<T>::key;

  key_rows<key> rows{};
  key* keys = nullptr;
  std::int64_t* places = nullptr;
  void* memory = nullptr;
  std::size_t bytes = 0;

  /// If `places_to` is null, the sorted places are in scratch memory, too.
  row_sort(const kernel_args& args, std::int64_t* places_to, bool keep_places) {
    const array& in = args.inputs[0];
    const auto n = in.size();
    rows.length = in.shape[in.rank - 1];
    rows.count = rows.length == 0 ? 0 : n / rows.length;
    rows.bits = sort_key<T>::bits;
    scratch_room room(args.scratch);
    rows.keys = keys = room.take<key>(n);
    rows.sorted = room.take<key>(n);
    if constexpr (WithPlaces) {
      rows.places = places = room.take<std::int64_t>(n);
      rows.sorted_places = keep_places ? room.take<std::int64_t>(n) : places_to;
    }
    const auto more = n == 0 ? 0 : key_sort_bytes<WithPlaces>(rows);
    memory = room.take<std::byte>(static_cast<std::int64_t>(more));
    bytes = room.bytes();
  }

  std::int64_t size() const noexcept { return rows.count * rows.length; }
};

constexpr bool descending = true;

template <class T>
void sort(const kernel_args& args, stream& on) {
  const row_sort<T, false> all(args, nullptr, false);
  if (all.size() == 0) return;
  const array& in = args.inputs[0];
  const sort_key<T> order{static_cast<const sort_attributes*>(args.attributes)->descending};
  for_each(on, all.size(), make_keys<T>{offsets_of(in), order, in.as<const T>(), all.keys});
  sort_keys<false>(on, all.rows, all.memory);
  for_each(on, all.size(), write_elements<T>{order, all.rows.sorted, args.outputs[0].as<T>()});
}

template <class T>
void sort_places(const kernel_args& args, stream& on, const row_sort<T, true>& all,
                 sort_key<T> order) {
  const array& in = args.inputs[0];
  for_each(on, all.size(),
           make_places<T>{offsets_of(in), order, in.as<const T>(), all.keys, all.places,
                          all.rows.length});
  sort_keys<true>(on, all.rows, all.memory);
}

template <class T>
void argsort(const kernel_args& args, stream& on) {
  const row_sort<T, true> all(args, args.outputs[0].as<std::int64_t>(), false);
  if (all.size() == 0) return;
  sort_places<T>(args, on, all, {static_cast<const sort_attributes*>(args.attributes)->descending});
}

/// Sorts all of each row: simple, and for few wanted places slower than it could be.
template <class T>
void argtopk(const kernel_args& args, stream& on) {
  const array& out = args.outputs[0];
  if (out.size() == 0) return;
  const row_sort<T, true> all(args, nullptr, true);
  sort_places<T>(args, on, all, {descending});
  for_each(on, out.size(),
           write_places{all.rows.sorted_places, out.as<std::int64_t>(), all.rows.length,
                        static_cast<const topk_attributes*>(args.attributes)->count});
}

template <class T, bool WithPlaces, bool KeepPlaces>
std::size_t scratch_bytes(const kernel_args& args, stream&) {
  return row_sort<T, WithPlaces>(args, nullptr, KeepPlaces).bytes;
}

template <class T>
constexpr kernel sort_of{.launch = sort<T>, .launch_scratch_bytes = scratch_bytes<T, false, false>};
template <class T>
constexpr kernel argsort_of{.launch = argsort<T>,
                            .launch_scratch_bytes = scratch_bytes<T, true, false>};
template <class T>
constexpr kernel argtopk_of{.launch = argtopk<T>,
                            .launch_scratch_bytes = scratch_bytes<T, true, true>};

}  // namespace

const kernel* sort_kernel(dtype type) noexcept {
  if (!is_computed(type)) return nullptr;
  return visit_computed(type, [](auto zero) -> const kernel* { return &sort_of<decltype(zero)>; });
}

const kernel* argsort_kernel(dtype type) noexcept {
  if (!is_computed(type)) return nullptr;
  return visit_computed(type,
                        [](auto zero) -> const kernel* { return &argsort_of<decltype(zero)>; });
}

const kernel* argtopk_kernel(dtype type) noexcept {
  if (!is_computed(type)) return nullptr;
  return visit_computed(type,
                        [](auto zero) -> const kernel* { return &argtopk_of<decltype(zero)>; });
}

}  // namespace troupe::cuda
