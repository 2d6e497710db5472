// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace troupe::demo {

/// Rows of text in columns: the first is aligned left, the others right.
class table {
 public:
  explicit table(std::vector<std::string> head) : rows_{std::move(head)} {}

  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

  friend std::ostream& operator<<(std::ostream& out, const table& t);

 private:
  std::vector<std::vector<std::string>> rows_;
};

/// Writes a number with so many digits after the point.
std::string number_text(double x, int digits);
}  // namespace troupe::demo
