// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/dlpack.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "troupe/devices/driver.hpp"
#include "troupe/tasks/engine.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/from_buffer.hpp"
#include "troupe/tensor/ops/reshape.hpp"

namespace troupe {

namespace {

static_assert(sizeof(dlpack::array) == 48 && offsetof(dlpack::array, byte_offset) == 40);
static_assert(sizeof(dlpack::managed_array) == 64 && sizeof(dlpack::versioned_array) == 80);
static_assert(offsetof(dlpack::versioned_array, content) == 32);

using dlpack::type_code;

std::optional<dtype> dtype_of_elements(const dlpack::data_type& t) noexcept {
  struct row {
    type_code code;
    int bits;
    dtype element;
  };
  static constexpr row rows[] = {
      {type_code::integer, 8, int8},       {type_code::integer, 16, int16},
      {type_code::integer, 32, int32},     {type_code::integer, 64, int64},
      {type_code::natural, 8, uint8},      {type_code::natural, 16, uint16},
      {type_code::natural, 32, uint32},    {type_code::natural, 64, uint64},
      {type_code::floating, 16, float16},  {type_code::floating, 32, float32},
      {type_code::floating, 64, float64},  {type_code::bfloat, 16, bfloat16},
      {type_code::complex, 64, complex64}, {type_code::complex, 128, complex128},
      {type_code::boolean, 8, boolean}};
  for (const auto& r : rows) {
    if (t.lanes == 1 && r.code == t.code && r.bits == t.bits) return r.element;
  }
  return {};
}

dlpack::data_type data_type_of(dtype t) noexcept {
  const auto bits = static_cast<std::uint8_t>(8 * size_of(t));
  const auto code = t == boolean     ? type_code::boolean
                    : t == bfloat16  ? type_code::bfloat
                    : is_complex(t)  ? type_code::complex
                    : is_floating(t) ? type_code::floating
                    : is_unsigned(t) ? type_code::natural
                                     : type_code::integer;
  return {code, bits, 1};
}

std::string elements_text(const dlpack::data_type& t) {
  static constexpr const char* names[] = {"int",    "uint",    "float", "opaque",
                                          "bfloat", "complex", "bool"};
  const auto code = static_cast<std::size_t>(t.code);
  auto out =
      code < std::size(names) ? std::string(names[code]) : "type " + std::to_string(code) + " of ";
  out += std::to_string(t.bits);
  return t.lanes == 1 ? out : out + " x " + std::to_string(t.lanes);
}

[[noreturn]] void refuse_array(const std::string& facts, caller where) {
  throw error("from_dlpack: " + facts, where);
}

/// Returns the way in which the elements lie, counted from the data's address on.
layout layout_of_array(const dlpack::array& from, caller where) {
  if (from.rank < 0 || from.rank > max_rank)
    refuse_array("an array of " + std::to_string(from.rank) + " axes; at most " +
                     std::to_string(max_rank) + " are possible",
                 where);
  if (from.rank > 0 && !from.shape) refuse_array("an array without a shape", where);
  const auto axes = static_cast<std::size_t>(from.rank);
  layout out(shape(std::span<const std::int64_t>(from.shape, axes), where));
  if (from.strides) std::copy_n(from.strides, axes, out.strides);
  return out;
}

/// The elements of a layout from the one with the lowest address to the one with the highest.
struct memory_extent {
  std::int64_t first = 0, count = 1;
};

memory_extent memory_extent_of(const layout& l, caller where) {
  if (l.dims.size() == 0) return {0, 0};
  std::int64_t first = 0, last = 0;
  for (int i = 0; i < l.dims.rank(); ++i) {
    auto& end = l.strides[i] < 0 ? first : last;
    std::int64_t distance = 0;
    if (__builtin_mul_overflow(l.dims[i] - 1, l.strides[i], &distance) ||
        __builtin_add_overflow(end, distance, &end))
      refuse_array("strides that cannot be counted", where);
  }
  std::int64_t count = 0;
  if (__builtin_sub_overflow(last, first, &count) || count >= std::int64_t{1} << 59)
    refuse_array("strides that cannot be counted", where);
  return {first, count + 1};
}

/// Copies elements into row-major order.
void gather_bytes(std::byte* to, const std::byte* from, const layout& l, std::size_t bytes) {
  std::int64_t at[max_rank] = {};
  const auto rank = l.dims.rank();
  for (std::int64_t n = l.dims.size(); n > 0; --n) {
    std::int64_t place = 0;
    for (int i = 0; i < rank; ++i) place += at[i] * l.strides[i];
    std::memcpy(to, from + place * static_cast<std::int64_t>(bytes), bytes);
    to += bytes;
    for (int i = rank - 1; i >= 0 && ++at[i] == l.dims[i]; --i) at[i] = 0;
  }
}

/// Returns a tensor of an array whose owner gives it back.
tensor taken_over(const dlpack::array& from, std::shared_ptr<const void> owner, caller where) {
  using kind = dlpack::device_kind;
  if (from.device.kind != kind::cpu && from.device.kind != kind::cuda_host &&
      from.device.kind != kind::cuda_managed)
    refuse_array("an array on device " + std::to_string(static_cast<int>(from.device.kind)) + ":" +
                     std::to_string(from.device.index) + ": copy it to the host first",
                 where);
  const auto element = dtype_of_elements(from.type);
  if (!element) refuse_array("no dtype has elements of " + elements_text(from.type), where);
  auto view = layout_of_array(from, where);
  const auto within = memory_extent_of(view, where);
  const auto size = static_cast<std::int64_t>(size_of(*element));
  if (within.count > 0 && !from.data)
    refuse_array("no elements for " + to_string(view.dims), where);
  const auto* const data = static_cast<const std::byte*>(from.data) + from.byte_offset;
  const auto elements = view.dims.size();
  const auto kept = [&](const void* first, std::int64_t count, const shape& sizes,
                        std::shared_ptr<const void> keeper) {
    const auto usual = default_device();
    return detail::from_owner("from_dlpack", first, *element, count, sizes, std::move(keeper),
                              {.device = usual.traits().host_memory ? usual : cpu()}, where);
  };
  if (view.contiguous())
    return kept(elements > 0 ? data : nullptr, elements, view.dims, std::move(owner));
  constexpr std::int64_t most_gaps = 2;  // elements in memory for each that is taken
  if (within.count > most_gaps * elements) {
    const auto packed =
        std::make_shared<std::vector<std::byte>>(static_cast<std::size_t>(elements * size));
    gather_bytes(packed->data(), data, view, size_of(*element));
    return kept(packed->data(), elements, view.dims, packed);
  }
  const auto all = kept(data + within.first * size, within.count, {within.count}, std::move(owner));
  view.offset = -within.first;
  return all.viewed(view);
}

template <class Managed>
tensor taken(Managed* given, caller where) {
  if (!given) refuse_array("null", where);
  const std::shared_ptr<Managed> owner(given, [](Managed* m) {
    if (m->deleter) m->deleter(m);
  });
  if constexpr (requires { given->version; }) {
    if (given->version.major != 1)
      refuse_array("version " + std::to_string(given->version.major) + "." +
                       std::to_string(given->version.minor) + " of DLPack, not 1",
                   where);
  }
  return taken_over(given->content, owner, where);
}

/// Array that is given away, with what it names.
template <class Managed>
struct given_array {
  Managed outside = {};
  tensor inside;
  std::int64_t sizes[max_rank], strides[max_rank];
};

template <class Managed>
Managed* given_away(const char* what, const tensor& x, bool copied, caller where) {
  check_defined(what, x, where);
  if (!x.device().traits().host_memory)
    throw error(std::string(what) + ": " + to_string(x.type()) + " on " + to_string(x.device()) +
                    ": copy it to the host first",
                where);
  auto out = std::make_unique<given_array<Managed>>();
  out->inside = copied ? copy(x.detach(), where) : x.detach();
  detail::has_settled(what, out->inside, where);  // unless a function is captured
  out->inside.wait(where);
  const auto& view = out->inside.view();
  std::copy(view.dims.begin(), view.dims.end(), out->sizes);
  std::copy_n(view.strides, view.dims.rank(), out->strides);
  auto& array = out->outside.content;
  array.data = static_cast<std::byte*>(out->inside.source()->data()) +
               view.offset * static_cast<std::int64_t>(size_of(x.dtype()));
  array.device = {dlpack::device_kind::cpu, 0};
  array.rank = view.dims.rank();
  array.type = data_type_of(x.dtype());
  array.shape = out->sizes;
  array.strides = out->strides;
  out->outside.context = out.get();
  out->outside.deleter = [](Managed* self) {
    delete static_cast<given_array<Managed>*>(self->context);
  };
  return &out.release()->outside;
}

}  // namespace

tensor from_dlpack(dlpack::managed_array* given, caller where) { return taken(given, where); }

tensor from_dlpack(dlpack::versioned_array* given, caller where) { return taken(given, where); }

dlpack::versioned_array* to_dlpack(const tensor& x, const to_dlpack_options& options,
                                   caller where) {
  auto* const out = given_away<dlpack::versioned_array>("to_dlpack", x, options.copy, where);
  out->version = {1, 1};
  out->flags = options.copy ? dlpack::is_copied : dlpack::read_only;
  return out;
}

dlpack::managed_array* to_unversioned_dlpack(const tensor& x, caller where) {
  return given_away<dlpack::managed_array>("to_unversioned_dlpack", x, true, where);
}

}  // namespace troupe
