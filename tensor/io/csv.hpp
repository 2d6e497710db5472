// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// How a text file has its numbers: `load_csv("iris.csv", {.skip_rows = 1, .columns = {0, 1,
/// -1}})`.
struct csv_options {
  char delimiter = ',';  ///< between fields; ' ' stands for any number of spaces and tabs
  std::optional<int> skip_rows =
      {};  ///< lines before the numbers; absent: the first if it has none
  troupe::dtype dtype = float32;
  std::vector<int> columns = {};       ///< which to read, and in this order; none: all of them.
                                       ///< Negative ones count from the end
  std::optional<double> missing = {};  ///< what an empty field stands for; absent: it is an error
  std::optional<troupe::device> device = {};  ///< absent: the thread's default device
};

/// The numbers in a text file, a row of a tensor [rows, columns] for each line. Empty lines are
/// left out, fields may stand in double quotes. Booleans are 0, 1, true and false. Throws, naming
/// line and column, where a field is no number of that dtype or a line has fewer or more fields
/// than the first.
tensor load_csv(const std::string& path, const csv_options& options = {},
                caller where = caller::current());

}  // namespace troupe
