// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>

#include "troupe/apps/shell/session/report.hpp"
#include "troupe/apps/shell/terminal/colours.hpp"

namespace troupe::shell {

/// For people: plain or coloured text.
class text_report final : public report {
 public:
  text_report(std::ostream& out, std::ostream& errors, palette colours)
      : out_(out), errors_(errors), colours_(colours) {}

  void value(const shell_value& x, double waited) override;
  void state(const std::string& name, const shell_value& x, const std::string& progress) override;
  void timing(const block_timing& t) override;
  void error(const mistake& m) override;
  void text(const std::string& lines) override;

 private:
  std::ostream& out_;
  std::ostream& errors_;
  palette colours_;
};

}  // namespace troupe::shell
