// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>
#include <optional>
#include <string>

#include "troupe/actors/runtime.hpp"
#include "troupe/apps/shell/session/sources.hpp"
#include "troupe/apps/shell/terminal/colours.hpp"
#include "troupe/language/evaluator/dynamic_value.hpp"

namespace troupe::shell {

using namespace language;

/// Measurements of `time { … }`; times are in seconds.
struct block_timing {
  double submitted = 0;  ///< until all of it was submitted
  double finished = 0;   ///< until all of it had run
  overlap_report overlap;
};

/// Error in an input, and its place.
struct mistake {
  /// Calls, from one place, of a function of the user's that it was made in.
  struct call {
    std::string function, place;
    int times;
  };

  std::string facts;          ///< one line
  std::string position = {};  ///< such as "input 3"; empty: nowhere in particular
  std::optional<quoted_line> line = {};
  std::vector<call> calls = {};  ///< the innermost first
};

/// Output of the shell: for people or for programs.
class report {
 public:
  virtual ~report() = default;

  /// Sets the number of the input that the following is about.
  void about(unsigned input) noexcept { input_ = input; }
  /// Returns true if it shows the progress of arrays and how long they were waited for.
  bool chatty() const noexcept { return chatty_; }
  void set_chatty(bool on) noexcept { chatty_ = on; }

  /// Shows a value that is ready; `waited` is how long that took, in seconds.
  virtual void value(const dynamic_value& x, double waited) = 0;
  /// Shows the new value of a name and its progress.
  virtual void state(const std::string& name, const dynamic_value& x,
                     const std::string& progress) = 0;
  virtual void timing(const block_timing& t) = 0;
  virtual void error(const mistake& m) = 0;
  /// Shows the output of a command: lines that end in newlines.
  virtual void text(const std::string& lines) = 0;

 protected:
  unsigned input_ = 0;

 private:
  bool chatty_ = false;
};

/// Returns a dynamic_value as people read it. Arrays in it must be ready.
std::string to_text(const dynamic_value& x);

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

  void value(const dynamic_value& x, double waited) override;
  void state(const std::string& name, const dynamic_value& x, const std::string& progress) override;
  void timing(const block_timing& t) override;
  void error(const mistake& m) override;
  void text(const std::string& lines) override;

 private:
  std::ostream& out_;
};

/// For people: plain or coloured text.
class text_report final : public report {
 public:
  text_report(std::ostream& out, std::ostream& errors, palette colours)
      : out_(out), errors_(errors), colours_(colours) {}

  void value(const dynamic_value& x, double waited) override;
  void state(const std::string& name, const dynamic_value& x, const std::string& progress) override;
  void timing(const block_timing& t) override;
  void error(const mistake& m) override;
  void text(const std::string& lines) override;

 private:
  std::ostream& out_;
  std::ostream& errors_;
  palette colours_;
};

}  // namespace troupe::shell
