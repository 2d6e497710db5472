// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>

#include "troupe/apps/shell/language/text_span.hpp"

namespace troupe::shell {

/// Error in the syntax of an input, and its place.
class syntax_error : public std::runtime_error {
 public:
  syntax_error(const std::string& facts, text_span at) : std::runtime_error(facts), span_(at) {}

  text_span at() const noexcept { return span_; }

 private:
  text_span span_;
};

/// Error of an input that ends too early: another line may complete it.
class incomplete_input final : public syntax_error {
 public:
  using syntax_error::syntax_error;
};

}  // namespace troupe::shell
