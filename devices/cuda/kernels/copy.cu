// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/kernels/cuda_kernels.hpp"

#include "troupe/devices/cuda/kernels/row_kernels.hpp"
#include "troupe/devices/element_bits.hpp"

namespace troupe::cuda {

namespace {

struct copy_row {
  static constexpr int inputs = 1;
  static constexpr bool costly = false;
  template <class T>
  static TROUPE_BOTH T apply(T x) noexcept {
    return x;
  }
};

template <class T>
struct copy_runs {
  static constexpr int length = sizeof(T) == 1 ? 16 : 32 / sizeof(T);

  runs<1> work;
  const T* from;
  T* to;

  TROUPE_BOTH void operator()(std::int64_t thread) const {
    const auto mine = work.of_thread(thread);
    T elements[length] = {};
    work.read(elements, mine, 0, from);
    for (int j = 0; j < length; ++j) {
      if (mine.has(j)) to[work.result(mine, j)] = elements[j];
    }
  }
};

/// Copies contiguous elements, of any size, as T.
template <class T>
void launch_plain(void* to, const void* from, std::size_t bytes, stream& on) {
  plain_row<copy_row, T, T, T> row;
  row.x.data = static_cast<const T*>(from);
  row.put(static_cast<T*>(to), static_cast<std::int64_t>(bytes / sizeof(T)));
  row.launch(on);
}

/// Copies elements; T is any type of their size.
template <class T>
void launch(const kernel_args& args, stream& on) {
  const array& in = args.inputs[0];
  auto* const to = args.outputs[0].as<T>();
  const auto n = in.size();
  if (n == 0) return;
  if (in.contiguous()) {
    const auto bytes = static_cast<std::size_t>(n) * sizeof(T);
    const auto lie =
        reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(in.data) | bytes;
    if (lie % sizeof(std::uint32_t) == 0) launch_plain<std::uint32_t>(to, in.data, bytes, on);
    else if (lie % sizeof(std::uint16_t) == 0) launch_plain<std::uint16_t>(to, in.data, bytes, on);
    else launch_plain<std::uint8_t>(to, in.data, bytes, on);
  } else {
    const auto plan = plan_runs(args.inputs, copy_runs<T>::length);
    for_each(on, plan.threads, copy_runs<T>{runs<1>(plan), in.as<const T>(), to});
  }
}

template <class T>
constexpr kernel copy_of{.launch = launch<T>};

}  // namespace

const kernel* copy_kernel(dtype type) noexcept {
  return visit_bits(size_of(type),
                    [](auto bits) -> const kernel* { return &copy_of<decltype(bits)>; });
}

}  // namespace troupe::cuda
