// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>
#include <string>

#include "troupe/apps/shell/session/report.hpp"

namespace troupe::shell {

/// Report for programs: an object on a line for each value, timing, error and text.
///
///     {"input":1,"value":{"dtype":"float32","shape":[2],"device":"cpu:0","data":[1.0,2.0]}}
///     {"input":2,"error":"nothing is named y","place":"input 2","line":"y","column":1}
///
/// Reals that JSON has no number for are the texts "nan", "inf" and "-inf". Bytes that are no UTF-8
/// become U+FFFD.
class json_report final : public report {
 public:
  explicit json_report(std::ostream& out) : out_(out) {}

  void value(const shell_value& x, double waited) override;
  void state(const std::string& name, const shell_value& x, const std::string& progress) override;
  void timing(const block_timing& t) override;
  void error(const mistake& m) override;
  void text(const std::string& lines) override;

 private:
  std::ostream& out_;
};

}  // namespace troupe::shell
