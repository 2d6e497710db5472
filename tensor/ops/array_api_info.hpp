// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// Answers to what programs ask any library with the Python array API standard: its
/// `__array_namespace_info__`.
///
///     for (const auto place : array_api_info().devices()) std::cout << place << '\n';
class array_api_info {
 public:
  /// Version of the standard.
  static constexpr std::string_view version = "2025.12";

  struct capability_list {
    bool boolean_indexing = true;       ///< `x[x > 0]`
    bool data_dependent_shapes = true;  ///< `unique`, `nonzero`
    int max_dimensions = max_rank;
  };
  static constexpr capability_list capabilities() noexcept { return {}; }

  struct dtype_list {
    dtype real_floating = float32;
    dtype complex_floating = complex64;
    dtype integral = int64;
    dtype indexing = int64;
  };
  /// Returns the dtypes of new arrays that nobody has named one for, as `zeros({2})` and
  /// `arange(3)`; numbers in lists are float64.
  static constexpr dtype_list default_dtypes() noexcept { return {}; }

  /// Returns all dtypes, or those of a kind, as `isdtype` has it. Throws for another text.
  static std::vector<std::pair<std::string_view, dtype>> dtypes(
      std::optional<std::string_view> kind = {}, caller where = caller::current());

  /// Returns the device of new arrays in this thread.
  static device default_device();
  /// Returns the devices of this thread's runtime. Throws if there is none.
  static std::vector<device> devices(caller where = caller::current());
};

}  // namespace troupe
