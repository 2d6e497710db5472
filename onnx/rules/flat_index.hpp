// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/onnx/graph_node.hpp"

namespace troupe {

/// Index into the first axes of an array, and its counterpart in row-major order.
struct flat_index {
  std::vector<std::string> axes;    ///< for each axis the name of an array of positions, or none:
                                    ///< the places of the result themselves
  std::vector<std::int64_t> sizes;  ///< of these axes
  shape places;                     ///< shape of the result, of which positions have all axes

  /// Writes the lines that compute the counterparts. Negative positions count from the end; where
  /// one is out of bounds, so is the result.
  std::string write(graph_node& n) const;
};

}  // namespace troupe
