// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/from_data.hpp"

#include "troupe/devices/layout/copy_bytes.hpp"
#include "troupe/tensor/io/host_elements.hpp"
#include "troupe/tensor/tensor_builder.hpp"

namespace troupe {

namespace {

/// The shape of nested lists; their numbers are appended to `numbers`.
struct reader {
  shape dims;
  std::vector<const detail::nested_numbers*> numbers;
  caller call_site;

  void read(std::initializer_list<detail::nested_numbers> rows, int axis) {
    const auto size = static_cast<std::int64_t>(rows.size());
    if (axis == max_rank)
      throw error(
          "tensor: lists are nested deeper than the " + std::to_string(max_rank) + " possible axes",
          call_site);
    if (axis == dims.rank() && numbers.empty()) dims.push_back(size);
    if (axis >= dims.rank()) throw error("tensor: a list where others have a number", call_site);
    if (dims[axis] != size)
      throw error("tensor: rows of different lengths: " + std::to_string(dims[axis]) + " and " +
                      std::to_string(size),
                  call_site);
    for (const auto& row : rows) {
      if (row.is_list()) {
        read(row.rows(), axis + 1);
        continue;
      }
      if (axis + 1 != dims.rank())
        throw error("tensor: a number where others have a list", call_site);
      numbers.push_back(&row);
    }
  }

  /// Returns the dtype of all numbers; integers from 0 on fit uint64 beside such.
  dtype element() const noexcept {
    bool large = false, negative = false;
    for (const auto* one : numbers) {
      large = large || one->element() == uint64;
      negative = negative || (one->element() == int64 && one->number().real() < 0);
    }
    auto common = boolean;
    for (const auto* one : numbers) {
      const bool fits = large && !negative && one->element() == int64;
      common = promote(common, fits ? uint64 : one->element());
    }
    return common;
  }
};

template <class T>
tensor pack(const reader& r, const tensor_options& options, caller where) {
  const auto packed = std::make_unique<T[]>(r.numbers.size());
  for (std::size_t i = 0; i < r.numbers.size(); ++i) {
    const auto number = r.numbers[i]->number().attribute(dtype_of<T>());
    if constexpr (is_complex(dtype_of<T>()))
      packed[i] = T(std::complex<double>(number.real, number.imaginary));
    else if constexpr (is_floating(dtype_of<T>())) packed[i] = static_cast<T>(number.real);
    else packed[i] = static_cast<T>(number.integer);
  }
  return from_bytes(packed.get(), dtype_of<T>(), static_cast<std::int64_t>(r.numbers.size()),
                    r.dims, options, where);
}

}  // namespace

tensor from_bytes(const void* data, dtype from, std::int64_t count, const shape& sizes,
                  const tensor_options& options, caller where) {
  return detail::from_bytes("from_data", data, from, count, sizes, options, where);
}

tensor detail::from_bytes(std::string_view what, const void* data, dtype from, std::int64_t count,
                          const shape& sizes, const tensor_options& options, caller where) {
  const tensor_type wanted{sizes, options.dtype.value_or(from),
                           options.device.value_or(default_device())};
  if (sizes.size() != count)
    throw error(std::string(what) + ": " + std::to_string(count) +
                    (count == 1 ? " element does" : " elements do") + " not fill " +
                    to_string(wanted),
                where);
  if (is_complex(from) && !is_complex(wanted.element) && wanted.element != boolean)
    throw error(
        std::string(what) + ": complex numbers are none of " + std::string(name(wanted.element)),
        where);
  if (!data && count > 0)
    throw error(std::string(what) + ": no elements for " + to_string(wanted), where);
  tensor_builder out(what, wanted, where);
  constexpr std::int64_t step = 1;
  if (from != wanted.element)
    convert({const_cast<void*>(data), from, 1, &count, &step}, out.data(), wanted.element);
  else if (count > 0) copy_bytes(out.data(), data, out.bytes());
  return std::move(out).finish();
}

tensor tensor::of_number(const detail::nested_numbers& number, caller where) {
  return tensor({number}, {}, where).reshape(troupe::shape{}, where);
}

tensor::tensor(std::initializer_list<detail::nested_numbers> rows, const tensor_options& options,
               caller where) {
  reader r;
  r.call_site = where;
  r.read(rows, 0);
  for (const auto* one : r.numbers) {
    if (options.dtype) detail::check_fits(one->number(), *options.dtype, "tensor", where);
  }
  const auto packed = [&](auto zero) { return pack<decltype(zero)>(r, options, where); };
  const auto element = r.element();
  if (element == complex64) *this = packed(std::complex<float>());
  else if (element == complex128) *this = packed(std::complex<double>());
  else *this = visit(element, packed);
}

}  // namespace troupe
