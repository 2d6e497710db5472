// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/kernels/cuda_kernels.hpp"

#include <cstdint>
#include <type_traits>

#include "troupe/devices/cuda/gemm.hpp"
#include "troupe/devices/cuda/grid.hpp"
#include "troupe/devices/cuda/kernels/factor.hpp"
#include "troupe/devices/cuda/offsets.hpp"
#include "troupe/devices/scalar_functions.hpp"

namespace troupe::cuda {

// By `fused_gemm`, or by `gemm` and a kernel that adds the bias where that cannot. Operands are
// read as `matmul_kernel` reads them.

namespace {

/// Adds the bias to a product in place, and activates.
template <class T, linear_op Op>
struct add_bias {
  T* out;
  const T* bias;
  offsets<1> positions;  // of the bias, for each element of the product

  TROUPE_BOTH void operator()(std::int64_t i) const {
    const auto sum = out[i] + bias[positions(i)];  // in float if T is narrow
    using S = std::remove_const_t<decltype(sum)>;
    out[i] =
        static_cast<T>(Op == linear_op::linear_relu ? scalar_functions::maximum(sum, S(0)) : sum);
  }
};

/// Bias as `fused_gemm` reads it: in place, or a copy.
class packed_bias {
 public:
  explicit packed_bias(const array& x) noexcept
      : x_(x),
        copied_(!x.contiguous() ||
                reinterpret_cast<std::uintptr_t>(x.data) % fused_bias_alignment != 0) {}

  std::size_t scratch_bytes() const noexcept {
    return copied_ ? whole_lines(static_cast<std::size_t>(x_.size()) * size_of(x_.type)) : 0;
  }
  /// Returns its address, after a copy into scratch memory if one is needed.
  const void* ready(stream& on, std::byte* scratch) const {
    if (!copied_) return x_.data;
    gather(on, x_, scratch);
    return scratch;
  }

 private:
  const array& x_;
  bool copied_;
};

/// Work with copies of the two factors and the bias in scratch memory, where needed.
template <class T, linear_op Op>
class work {
 public:
  explicit work(const kernel_args& args)
      : args_(args), a_(args.inputs[0]), b_(args.inputs[1]), bias_(args.inputs[2]) {}

  std::size_t scratch_bytes() const {
    if (is_trivial()) return 0;
    return a_.scratch_bytes() + b_.scratch_bytes() + bias_.scratch_bytes();
  }

  void launch(stream& on) {
    const array& out = args_.outputs[0];
    if (is_trivial()) {
      clear(on, out);
      return add(on);
    }
    auto* const copies = static_cast<std::byte*>(args_.scratch);
    a_.ready(on, args_.inputs[0], copies);
    b_.ready(on, args_.inputs[1], copies + a_.scratch_bytes());
    const auto* const bias = bias_.ready(on, copies + a_.scratch_bytes() + b_.scratch_bytes());
    const product_shape sizes{rows(out), columns(out), columns(args_.inputs[0])};
    const matrices c{out.data, columns(out)};
    if (fused_gemm(on, out.type, Op, sizes, a_.lies, b_.lies, c, bias)) return;
    gemm(on, out.type, sizes, a_.lies, b_.lies, c);
    add(on);
  }

 private:
  /// Returns true if there is nothing to multiply.
  bool is_trivial() const noexcept {
    return args_.outputs[0].size() == 0 || columns(args_.inputs[0]) == 0;
  }

  void add(stream& on) const {
    const array &bias = args_.inputs[2], &out = args_.outputs[0];
    if (out.size() == 0) return;
    const std::int64_t strides[] = {0, bias.strides[0]};
    for_each(on, out.size(),
             add_bias<T, Op>{out.as<T>(), bias.as<const T>(),
                             offsets_of(array{bias.data, bias.type, 2, out.shape, strides})});
  }

  const kernel_args& args_;
  factor a_, b_;
  packed_bias bias_;
};

template <class T, linear_op Op>
constexpr kernel kernel_of{
    .launch = [](const kernel_args& args, stream& on) { work<T, Op>(args).launch(on); },
    .launch_scratch_bytes = [](const kernel_args& args,
                               stream&) { return work<T, Op>(args).scratch_bytes(); }};

template <linear_op Op>
const kernel* choose(dtype type) noexcept {
  return type == float32    ? &kernel_of<float, Op>
         : type == float64  ? &kernel_of<double, Op>
         : type == float16  ? &kernel_of<float16_t, Op>
         : type == bfloat16 ? &kernel_of<bfloat16_t, Op>
                            : nullptr;
}

}  // namespace

const kernel* linear_kernel(linear_op op, dtype type) noexcept {
  return op == linear_op::linear ? choose<linear_op::linear>(type)
                                 : choose<linear_op::linear_relu>(type);
}

}  // namespace troupe::cuda
