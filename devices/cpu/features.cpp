// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/features.hpp"

#include <algorithm>
#include <cstdlib>

#include "troupe/devices/made_once.hpp"

namespace troupe {

namespace {

instruction_set of_this_cpu() noexcept {
#ifdef TROUPE_X86_64_LEVELS
  __builtin_cpu_init();
  const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                  __builtin_cpu_supports("bmi2");
  const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512vl");
  if (v4) return instruction_set::x86_64_v4;
  if (v3) return instruction_set::x86_64_v3;
#endif
  return instruction_set::baseline;
}

instruction_set chosen() noexcept {
  const instruction_set most = of_this_cpu();
  const char* wish = std::getenv("TROUPE_INSTRUCTION_SET");
  return std::min(find_instruction_set(wish ? wish : "").value_or(most), most);
}

}  // namespace

instruction_set best_instruction_set() noexcept {
  static constinit made_once<const instruction_set> set;
  return set.get(chosen);
}

std::optional<instruction_set> find_instruction_set(std::string_view wanted) noexcept {
  for (const auto set :
       {instruction_set::baseline, instruction_set::x86_64_v3, instruction_set::x86_64_v4}) {
    if (name(set) == wanted) return set;
  }
  return std::nullopt;
}

std::string_view name(instruction_set set) noexcept {
  constexpr std::string_view names[] = {"baseline", "x86-64-v3", "x86-64-v4"};
  return names[static_cast<std::size_t>(set)];
}

}  // namespace troupe
