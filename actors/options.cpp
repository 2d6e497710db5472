// SPDX-License-Identifier: MIT
#include "troupe/actors/options.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>

#include "troupe/devices/cpu/cpu_driver.hpp"
#include "troupe/devices/cpu/features.hpp"
#include "troupe/tasks/error.hpp"

namespace troupe {

namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

/// Parses a whole number; a size may end in K, M, G or T.
std::optional<std::uint64_t> parse(std::string_view text, bool size) {
  std::uint64_t number = 0;
  const auto* end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, number);
  if (problem != std::errc() || rest == text.data()) return std::nullopt;
  if (rest == end) return number;
  const auto unit = std::string_view("KMGT").find(static_cast<char>(*rest & ~0x20));
  if (!size || rest + 1 != end || unit == std::string_view::npos) return std::nullopt;
  const auto factor = std::uint64_t{1} << (10 * (unit + 1));
  if (number > std::numeric_limits<std::uint64_t>::max() / factor) return std::nullopt;
  return number * factor;
}

struct range {
  std::uint64_t least, most;
};

template <class T>
void fill(std::optional<T>& option, const char* name, const char* variable, range allowed,
          std::uint64_t usual) {
  const auto refuse = [&](const std::string& what, const std::string& got) {
    throw error("runtime: " + what + " is " + got + ", not a number from " +
                    std::to_string(allowed.least) + " to " + std::to_string(allowed.most),
                {});
  };
  if (option) {
    if constexpr (std::is_signed_v<T>) {
      if (*option < 0) refuse(name, std::to_string(*option));
    }
    const auto number = static_cast<std::uint64_t>(*option);
    if (number < allowed.least || number > allowed.most) refuse(name, std::to_string(*option));
    return;
  }
  const char* text = std::getenv(variable);
  if (!text || !*text) {
    option = static_cast<T>(usual);
    return;
  }
  const auto number = parse(text, std::is_same_v<T, std::size_t>);
  if (!number || *number < allowed.least || *number > allowed.most)
    refuse(variable, '"' + std::string(text) + '"');
  option = static_cast<T>(*number);
}

}  // namespace

runtime_options complete(runtime_options o) {
  constexpr auto any = std::numeric_limits<std::uint64_t>::max();
  fill(o.cpu_devices, "cpu_devices", "TROUPE_CPU_DEVICES", {1, 64}, 1);
  fill(o.lanes, "lanes", "TROUPE_LANES", {1, 64},
       static_cast<std::uint64_t>(std::clamp(available_cores() / *o.cpu_devices, 1, 64)));
  fill(o.memory_limit, "memory_limit", "TROUPE_MEMORY_LIMIT", {mebibyte, any >> 1},
       std::max<std::uint64_t>(available_memory() / 2 / static_cast<std::uint64_t>(*o.cpu_devices),
                               mebibyte));
  fill(o.gpus, "gpus", "TROUPE_GPUS", {0, 64}, 64);
  fill(o.gpu_memory_limit, "gpu_memory_limit", "TROUPE_GPU_MEMORY_LIMIT", {mebibyte, any >> 1},
       any >> 1);
  fill(o.max_pending, "max_pending", "TROUPE_MAX_PENDING", {16, 1u << 30}, 8192);
  fill(o.trace_events, "trace_events", "TROUPE_TRACE_EVENTS", {0, 1u << 24}, 16384);
  fill(o.seed, "seed", "TROUPE_SEED", {0, any}, 0);
  fill(o.synchronous, "synchronous", "TROUPE_SYNC", {0, 1}, 0);
  if (const char* set = std::getenv("TROUPE_INSTRUCTION_SET");
      set && *set && !find_instruction_set(set))
    throw error("runtime: TROUPE_INSTRUCTION_SET is \"" + std::string(set) +
                    "\", not baseline, x86-64-v3 or x86-64-v4",
                {});
  return o;
}

}  // namespace troupe
