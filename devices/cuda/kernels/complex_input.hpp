// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/complex_number.hpp"
#include "troupe/devices/cuda/kernels/conversion.hpp"
#include "troupe/devices/cuda/kernels/row_kernels.hpp"

namespace troupe::cuda {

/// Input of a kernel on complex numbers, of any dtype, read as T, a real or complex number.
template <class T>
class complex_input {
 public:
  void take(const kernel_args& args, int k) noexcept {
    const array& x = args.inputs[static_cast<std::size_t>(k)];
    if (is_number(args, k)) {
      number_ = T(converted_number<part_of<T>>(x));
    } else {
      data_ = x.data;
      type_ = x.type;
    }
  }

  TROUPE_BOTH T read(std::int64_t i) const {
    if (!data_) return number_;
    switch (type_) {
      case dtype::boolean: return of<bool>(i);
      case dtype::int32: return of<std::int32_t>(i);
      case dtype::int64: return of<std::int64_t>(i);
      case dtype::uint64: return of<std::uint64_t>(i);
      case dtype::float32: return of<float>(i);
      case dtype::float64: return of<double>(i);
      case dtype::float16: return of<float16_t>(i);
      case dtype::bfloat16: return of<bfloat16_t>(i);
      case dtype::int8: return of<std::int8_t>(i);
      case dtype::int16: return of<std::int16_t>(i);
      case dtype::uint8: return of<std::uint8_t>(i);
      case dtype::uint16: return of<std::uint16_t>(i);
      case dtype::uint32: return of<std::uint32_t>(i);
      case dtype::complex64: return of_complex<float>(i);
      default: return of_complex<double>(i);
    }
  }

 private:
  template <class From>
  TROUPE_BOTH T of(std::int64_t i) const {
    return T(converted<part_of<T>>(static_cast<const From*>(data_)[i]));
  }
  template <class Part>
  TROUPE_BOTH T of_complex(std::int64_t i) const {
    const auto x = static_cast<const complex_number<Part>*>(data_)[i];
    if constexpr (is_complex_number<T>)
      return T(static_cast<part_of<T>>(x.re), static_cast<part_of<T>>(x.im));
    else return T(x.re);
  }

  const void* data_ = nullptr;  ///< null: the input is `number_`
  T number_ = T();
  dtype type_ = float32;
};

}  // namespace troupe::cuda
