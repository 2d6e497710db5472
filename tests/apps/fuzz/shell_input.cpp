// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>

#include "troupe/apps/shell/session/report.hpp"
#include "troupe/apps/shell/session/session.hpp"
#include "troupe/language/syntax/lexer.hpp"

// An input may be nonsense, but must not end the process, hang it or use memory without bounds.
// Each runs in its own session, line by line, as if typed.

namespace {

using namespace troupe::shell;

constexpr int most_statements = 300;
constexpr std::size_t longest = 4'000;

/// Returns true for inputs that act outside the process, or are slow on purpose.
bool out_of_bounds(std::string_view text) {
  for (const auto* word : {"save", "load", "source", "write", "trace", "svg", "dot", "slow",
                           "lanes", "devices", "set", "bench", "watch", "sync"}) {
    if (text.find(word) != std::string_view::npos) return true;
  }
  return text.size() > longest;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (out_of_bounds(text)) return 0;
  std::ostringstream out;
  text_report report(out, out, palette{});
  int statements = 0;
  session s({.engine = {.lanes = 2,
                        .cpu_devices = 1,
                        .memory_limit = std::size_t{1} << 20,
                        .trace_events = 256},
             .interrupted = [&] { return ++statements > most_statements ? 1 : 0; }},
            report);
  std::istringstream lines(text);
  for (std::string line, input; std::getline(lines, line) && !s.ended();) {
    input += line;
    try {
      s.enter(input);
      input.clear();
    } catch (const incomplete_input&) { input += '\n'; }
  }
  return 0;
}
