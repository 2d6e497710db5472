// SPDX-License-Identifier: MIT
#include "troupe/onnx/tensor_proto.hpp"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <utility>
#include <vector>

#include "troupe/tasks/error.hpp"
#include "troupe/tensor/ops/from_data.hpp"

namespace troupe {

namespace {

using onnx::TensorProto;

constexpr std::pair<dtype, int> types[] = {
    {dtype::boolean, onnx::TensorProto_DataType_BOOL},
    {dtype::int8, onnx::TensorProto_DataType_INT8},
    {dtype::int16, onnx::TensorProto_DataType_INT16},
    {dtype::int32, onnx::TensorProto_DataType_INT32},
    {dtype::int64, onnx::TensorProto_DataType_INT64},
    {dtype::uint8, onnx::TensorProto_DataType_UINT8},
    {dtype::uint16, onnx::TensorProto_DataType_UINT16},
    {dtype::uint32, onnx::TensorProto_DataType_UINT32},
    {dtype::uint64, onnx::TensorProto_DataType_UINT64},
    {dtype::float32, onnx::TensorProto_DataType_FLOAT},
    {dtype::float64, onnx::TensorProto_DataType_DOUBLE},
    {dtype::float16, onnx::TensorProto_DataType_FLOAT16},
    {dtype::bfloat16, onnx::TensorProto_DataType_BFLOAT16},
};

shape shape_of(const TensorProto& from, caller where) {
  if (from.dims_size() > max_rank)
    throw error("has " + std::to_string(from.dims_size()) + " axes", where);
  shape dims;
  for (const auto size : from.dims()) {
    if (size < 0) throw error("has a negative size", where);
    dims.push_back(size);
  }
  if (!dims.countable()) throw error("has a shape that cannot be counted", where);
  return dims;
}

[[noreturn]] void refuse_count(std::size_t present, const shape& dims, caller where) {
  throw error("has " + std::to_string(present) +
                  " elements or bytes of data, which are not those of " + to_string(dims),
              where);
}

/// Elements that lie in a field of numbers of another type, in which narrow floats are bits.
template <class T, class Field>
std::vector<T> elements_of(const Field& field, const shape& dims, caller where) {
  if (std::cmp_not_equal(field.size(), dims.size()))
    refuse_count(static_cast<std::size_t>(field.size()), dims, where);
  std::vector<T> out;
  out.reserve(static_cast<std::size_t>(field.size()));
  for (const auto number : field) {
    if constexpr (sizeof(T) == 2) {
      const auto bits = static_cast<std::uint16_t>(number);
      T x;
      std::memcpy(&x, &bits, sizeof x);
      out.push_back(x);
    } else {
      out.push_back(static_cast<T>(number));
    }
  }
  return out;
}

template <class T>
std::vector<T> raw_elements(const std::string& bytes, const shape& dims, caller where) {
  const auto count = static_cast<std::size_t>(dims.size());
  if (bytes.size() % sizeof(T) != 0 || bytes.size() / sizeof(T) != count)
    refuse_count(bytes.size(), dims, where);
  std::vector<T> out(count);
  if (count > 0) std::memcpy(out.data(), bytes.data(), bytes.size());
  return out;
}

template <class T>
tensor made(const TensorProto& from, const shape& dims, caller where) {
  std::vector<T> all;
  if (from.has_raw_data()) all = raw_elements<T>(from.raw_data(), dims, where);
  else if constexpr (std::is_same_v<T, float>) all = elements_of<T>(from.float_data(), dims, where);
  else if constexpr (std::is_same_v<T, double>)
    all = elements_of<T>(from.double_data(), dims, where);
  else if constexpr (std::is_same_v<T, std::int64_t>)
    all = elements_of<T>(from.int64_data(), dims, where);
  else if constexpr (std::is_same_v<T, std::uint32_t> || std::is_same_v<T, std::uint64_t>)
    all = elements_of<T>(from.uint64_data(), dims, where);
  else all = elements_of<T>(from.int32_data(), dims, where);
  return from_data(all.data(), dims, {}, where);
}

/// bool has no vector of its own.
tensor made_of_bools(const TensorProto& from, const shape& dims, caller where) {
  const auto numbers = from.has_raw_data()
                           ? raw_elements<std::uint8_t>(from.raw_data(), dims, where)
                           : elements_of<std::uint8_t>(from.int32_data(), dims, where);
  const auto all = std::make_unique<bool[]>(numbers.size());
  std::ranges::transform(numbers, all.get(), [](auto x) { return x != 0; });
  return from_data(all.get(), dims, {}, where);
}

}  // namespace

std::optional<dtype> dtype_of_onnx(int type) noexcept {
  for (const auto& [element, number] : types) {
    if (number == type) return element;
  }
  return {};
}

int onnx_type_of(dtype element) noexcept {
  return std::ranges::find(types, element, &std::pair<dtype, int>::first)->second;
}

std::string onnx_type_name(int type) {
  if (!onnx::TensorProto_DataType_IsValid(type)) return "dtype " + std::to_string(type);
  auto name = onnx::TensorProto_DataType_Name(static_cast<onnx::TensorProto_DataType>(type));
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  return name;
}

tensor tensor_of_onnx(const TensorProto& from, caller where) {
  if (from.data_location() == onnx::TensorProto_DataLocation_EXTERNAL || from.external_data_size())
    throw error("has its elements in another file: not supported", where);
  if (from.has_segment()) throw error("is a segment: not supported", where);
  const auto element = dtype_of_onnx(from.data_type());
  if (!element) throw error("is " + onnx_type_name(from.data_type()) + ": not supported", where);
  const auto dims = shape_of(from, where);
  return visit(*element, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_same_v<T, bool>) return made_of_bools(from, dims, where);
    else return made<T>(from, dims, where);
  });
}

}  // namespace troupe
