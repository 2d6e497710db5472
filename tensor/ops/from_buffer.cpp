// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/from_buffer.hpp"

#include <cstdint>

#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/tensor_builder.hpp"

namespace troupe {

tensor from_owner(const void* elements, dtype from, std::int64_t count, const shape& sizes,
                  std::shared_ptr<const void> owner, const tensor_options& options, caller where) {
  return detail::from_owner("from_buffer", elements, from, count, sizes, std::move(owner), options,
                            where);
}

tensor detail::from_owner(std::string_view what, const void* elements, dtype from,
                          std::int64_t count, const shape& sizes, std::shared_ptr<const void> owner,
                          const tensor_options& options, caller where) {
  const tensor_type wanted{sizes, options.dtype.value_or(from),
                           options.device.value_or(default_device())};
  if (sizes.size() != count)
    throw error(std::string(what) + ": " + std::to_string(count) +
                    (count == 1 ? " element does" : " elements do") + " not fill " +
                    to_string(wanted),
                where);
  if (count > 0 && !elements)
    throw error(std::string(what) + ": no elements for " + to_string(wanted), where);
  const bool aligned = reinterpret_cast<std::uintptr_t>(elements) % size_of(from) == 0;
  const bool small = value({sizes, wanted.element, cpu()}).fits_inline();
  if (from != wanted.element || !aligned || small)
    return detail::from_bytes(what, elements, from, count, sizes, options, where);
  tensor_builder out(what, wanted, const_cast<void*>(elements), std::move(owner), where);
  return std::move(out).finish();
}

}  // namespace troupe
