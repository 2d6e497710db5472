// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// Form of the numbers in a text file.
///
///     load_csv("iris.csv", {.skip_rows = 1, .columns = {0, 1, -1}})
struct csv_options {
  char delimiter = ',';  ///< between fields; ' ' stands for any number of spaces and tabs
  char comment = '#';    ///< lines that begin with it are skipped; '\0': none are
  /// Lines before the numbers; absent: one, if the first line has no numbers.
  std::optional<int> skip_rows = {};
  troupe::dtype dtype = float32;
  /// Columns to read, in this order; none: all of them. Negative ones count from the end.
  std::vector<int> columns = {};
  std::optional<double> missing = {};         ///< number for empty fields; absent: they are errors
  std::optional<troupe::device> device = {};  ///< absent: the thread's default device
};

/// Reads the numbers in a text file, a row of a tensor [rows, columns] for each line. Skips empty
/// lines; fields may stand in double quotes. Booleans are 0, 1, true and false. A number too small
/// for a float becomes 0. Throws, naming line and column, where a field is no number of that dtype
/// or a line has fewer or more fields than the first.
tensor load_csv(const std::string& path, const csv_options& options = {},
                caller where = caller::current());

/// Form of the numbers that `save_csv` writes.
struct save_csv_options {
  char delimiter = ',';
  std::vector<std::string> names = {};  ///< of the columns, for a first line; none: no such line
};

/// Writes a vector, a number on each line, or a matrix, a row on each line: with as few digits as
/// give the same number back. The file is there as a whole or not at all. Waits for `x`. Throws for
/// complex numbers and other axes, for a number of names that is not that of columns, and for names
/// with quotes or ends of lines.
void save_csv(const std::string& path, const tensor& x, const save_csv_options& options = {},
              caller where = caller::current());

}  // namespace troupe
