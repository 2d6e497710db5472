// SPDX-License-Identifier: MIT
#include <cstdint>

// GCC calls this at every edge of code compiled with -fsanitize-coverage=trace-pc; libFuzzer reads
// the counters.

__attribute__((section("__libfuzzer_extra_counters"))) static std::uint8_t counters[1 << 16];

extern "C" __attribute__((no_sanitize_coverage)) void __sanitizer_cov_trace_pc() {
  const auto place = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  auto& counter = counters[(place ^ (place >> 16)) & 0xffff];
  if (counter < 255) ++counter;
}
