// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <type_traits>

#include "troupe/tensor/tensor.hpp"

/// Arrays exchanged with other libraries in the process, without a copy, by DLPack: NumPy, PyTorch,
/// JAX and others read and write its structs. Those below lie in memory as those of dlpack.h,
/// version 1.1, do; `from_dlpack` takes either.

namespace troupe {

namespace dlpack {

/// Kind of a device: DLDeviceType.
enum class device_kind : std::int32_t { cpu = 1, cuda = 2, cuda_host = 3, cuda_managed = 13 };

/// DLDevice.
struct device {
  device_kind kind;
  std::int32_t index;
};

/// Kind of elements: DLDataTypeCode.
enum class type_code : std::uint8_t {
  integer = 0,
  natural = 1,
  floating = 2,
  opaque = 3,
  bfloat = 4,
  complex = 5,
  boolean = 6
};

/// DLDataType: a kind, the bits of a number, and the numbers of an element.
struct data_type {
  type_code code;
  std::uint8_t bits;
  std::uint16_t lanes;
};

/// DLTensor. Strides are counted in elements; null stands for row-major order without gaps.
struct array {
  void* data;
  dlpack::device device;
  std::int32_t rank;
  data_type type;
  std::int64_t* shape;
  std::int64_t* strides;
  std::uint64_t byte_offset;
};

/// DLManagedTensor: an array and how to give it back.
struct managed_array {
  array content;
  void* context;
  void (*deleter)(managed_array* self);
};

/// DLPackVersion.
struct version {
  std::uint32_t major;
  std::uint32_t minor;
};

inline constexpr std::uint64_t read_only = 1, is_copied = 2;

/// DLManagedTensorVersioned.
struct versioned_array {
  dlpack::version version;
  void* context;
  void (*deleter)(versioned_array* self);
  std::uint64_t flags;  ///< `read_only`, `is_copied`
  array content;
};

}  // namespace dlpack

/// Takes over an array: its elements are not copied, and nobody may change them any more. Its
/// deleter is called once, when nothing needs them any more, on any thread; at once if this throws.
/// The memory counts as the default device's, as that of `from_buffer`, and as cpu:0's if that is a
/// GPU or another machine's: to_device copies it there. Copied all the same, and given back at
/// once, are arrays of 16 bytes or fewer, elements that are not aligned, and those with so large
/// gaps between them that most of the memory is something else's.
///
/// Throws for null, a major version other than 1, memory that the host does not read, and elements
/// that no dtype has: of several numbers, of 4 bits, handles.
tensor from_dlpack(dlpack::managed_array* given, caller where = caller::current());
tensor from_dlpack(dlpack::versioned_array* given, caller where = caller::current());

/// Does so for the structs of dlpack.h, DLManagedTensor and DLManagedTensorVersioned.
template <class Managed>
requires requires(Managed& m) {
  m.dl_tensor.byte_offset;
  m.manager_ctx;
}
tensor from_dlpack(Managed* given, caller where = caller::current()) {
  constexpr bool versioned = requires(Managed & m) { m.flags; };
  using ours = std::conditional_t<versioned, dlpack::versioned_array, dlpack::managed_array>;
  static_assert(sizeof(Managed) == sizeof(ours) && alignof(Managed) == alignof(ours));
  return from_dlpack(reinterpret_cast<ours*>(given), where);
}

struct to_dlpack_options {
  /// Gives a copy that the taker alone has, and may write to.
  bool copy = false;
};

/// Returns the elements of a tensor of the host's memory for another library, which calls the
/// deleter when it needs them no more. Waits for them. They are not copied and read-only; the
/// taker must leave them as they are, for tensors never change. Views keep their strides. Throws
/// as `wait` does, and for tensors on GPUs.
dlpack::versioned_array* to_dlpack(const tensor& x, const to_dlpack_options& options = {},
                                   caller where = caller::current());

/// Returns a copy for a library that knows the older struct only, which cannot say that elements
/// are read-only.
dlpack::managed_array* to_unversioned_dlpack(const tensor& x, caller where = caller::current());

}  // namespace troupe
