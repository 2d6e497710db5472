// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/dtypes.hpp"

#include <limits>
#include <optional>
#include <string>

#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/copy.hpp"

namespace troupe {

namespace {

template <class T>
constexpr float_info info_of() noexcept {
  using limits = std::numeric_limits<T>;
  const auto max = static_cast<double>(limits::max());
  return {8 * static_cast<int>(sizeof(T)), static_cast<double>(limits::epsilon()), max, -max,
          static_cast<double>(limits::min())};
}

}  // namespace

float_info finfo(dtype element, caller where) {
  switch (element) {
    case dtype::float16: return {16, 0x1p-10, 65504, -65504, 0x1p-14};
    case dtype::bfloat16: return {16, 0x1p-7, 0x1.fep127, -0x1.fep127, 0x1p-126};
    case dtype::complex64:
    case dtype::float32: return info_of<float>();
    case dtype::complex128:
    case dtype::float64: return info_of<double>();
    default: break;
  }
  throw error("finfo: " + std::string(name(element)) + " is not floating", where);
}

integer_info iinfo(dtype element, caller where) {
  if (!is_integer(element))
    throw error("iinfo: " + std::string(name(element)) + " is no integer", where);
  return visit(element, []<class T>(T) -> integer_info {
    using limits = std::numeric_limits<T>;
    return {8 * static_cast<int>(sizeof(T)), static_cast<std::uint64_t>(limits::max()),
            static_cast<std::int64_t>(limits::lowest())};
  });
}

dtype result_type(std::span<const tensor_or_scalar> all, caller where) {
  if (all.empty()) throw error("result_type: nothing to promote", where);
  std::optional<dtype> tensors;
  for (const auto& one : all) {
    const auto* x = one.array();
    if (!x) continue;
    check_defined("result_type", *x, where);
    tensors = tensors ? promote(*tensors, x->dtype()) : x->dtype();
  }
  auto out = tensors.value_or(boolean);
  for (const auto& one : all) {
    if (one.array()) continue;
    out = tensors ? one.number().with(out) : promote(out, one.number().own_dtype());
  }
  return out;
}

bool isdtype(dtype element, std::string_view kind, caller where) {
  if (kind == "bool") return element == boolean;
  if (kind == "signed integer") return is_integer(element) && !is_unsigned(element);
  if (kind == "unsigned integer") return is_unsigned(element);
  if (kind == "integral") return is_integer(element);
  if (kind == "real floating") return is_floating(element);
  if (kind == "complex floating") return is_complex(element);
  if (kind == "numeric") return element != boolean;
  throw error("isdtype: \"" + std::string(kind) + "\" is no kind of dtypes", where);
}

tensor detail::as_asked(const char* what, const tensor& x, dtype element, caller where) {
  check_defined(what, x, where);
  if (is_complex(x.dtype()) && !is_complex(element) && element != boolean)
    throw error(std::string(what) + ": " + to_string(x.type()) + " as " +
                    std::string(name(element)) + ": take real, imag or abs of it",
                where);
  return astype(x, element, where);
}

}  // namespace troupe
