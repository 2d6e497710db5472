// SPDX-License-Identifier: MIT
#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "troupe/devices/cpu/fft_plan.hpp"
#include "troupe/devices/cuda/fft.hpp"
#include "troupe/devices/cuda/grid.hpp"

// Substitute for cuFFT where kernels run on the host. As that does, irfft overwrites its input, and
// real numbers at an odd place are refused.

namespace troupe::cuda {

namespace {

template <class T>
void transform_lines(const fft_lines& what, bool inverse, void* in, void* out) {
  cpu_kernels::fft_plan<T> plan(what.length, inverse || what.op == fft_op::irfft);
  using number = std::complex<T>;
  switch (what.op) {
    case fft_op::fft:
      plan.transform(static_cast<number*>(in), static_cast<number*>(out), what.count, T(1));
      break;
    case fft_op::rfft:
      plan.transform_real(static_cast<T*>(in), static_cast<number*>(out), what.count, T(1));
      break;
    case fft_op::irfft: {
      auto* const lines = static_cast<number*>(in);
      plan.transform_to_real(lines, static_cast<T*>(out), what.count, T(1));
      std::fill_n(lines, what.count * (what.length / 2 + 1), number());
      break;
    }
  }
}

}  // namespace

std::size_t fft_workspace(stream&, const fft_lines&) { return 64; }

void transform(stream& on, const fft_lines& what, bool inverse, void* in, void* out,
               void* workspace) {
  if (reinterpret_cast<std::uintptr_t>(in) % (2 * size_of(what.part)) != 0)
    throw std::invalid_argument("cufftExec: CUFFT_INVALID_VALUE");
  for_each(on, 1, [=](std::int64_t) {
    static_cast<std::byte*>(workspace)[63] = {};
    if (what.part == float32) transform_lines<float>(what, inverse, in, out);
    else transform_lines<double>(what, inverse, in, out);
  });
}

}  // namespace troupe::cuda
