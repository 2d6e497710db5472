// SPDX-License-Identifier: MIT
#pragma once

#include <sstream>
#include <string>

#include "troupe/apps/shell/session/report.hpp"
#include "troupe/apps/shell/session/session.hpp"
#include "troupe/language/syntax/lexer.hpp"

namespace troupe::shell::testing {

/// Session whose output is kept.
class observed_session {
 public:
  explicit observed_session(session_options options = {.engine = {.lanes = 2,
                                                                  .cpu_devices = 1,
                                                                  .memory_limit = std::size_t{1}
                                                                                  << 30}})
      : session_(std::move(options), report_) {}

  /// Returns the output of an input. An incomplete input is a mistake.
  std::string say(const std::string& input) {
    out_.str("");
    try {
      good_ = session_.enter(input);
    } catch (const incomplete_input& e) {
      session_.refuse(input, e);
      good_ = false;
    }
    auto text = out_.str();
    if (text.ends_with('\n')) text.pop_back();
    return text;
  }
  /// Returns the first line of that output.
  std::string first_line(const std::string& input) {
    const auto text = say(input);
    return text.substr(0, text.find('\n'));
  }
  bool good() const noexcept { return good_; }
  session& inner() noexcept { return session_; }
  text_report& report() noexcept { return report_; }

 private:
  std::ostringstream out_;
  text_report report_{out_, out_, palette{}};
  session session_;
  bool good_ = true;
};

}  // namespace troupe::shell::testing
