// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

namespace troupe {

/// The instruction sets that hot loops are compiled for: any CPU of the build's architecture, and
/// the levels 3 (AVX2, FMA) and 4 (AVX-512) of x86-64.
enum class instruction_set { baseline, x86_64_v3, x86_64_v4 };

/// The best one that this CPU has and this build has loops for. TROUPE_INSTRUCTION_SET=baseline (or
/// x86-64-v3) in the environment asks for a lesser one, to compare or to get around a fault; it is
/// read once.
instruction_set best_instruction_set() noexcept;

std::string_view name(instruction_set set) noexcept;
/// The one of this name, if there is one.
std::optional<instruction_set> find_instruction_set(std::string_view wanted) noexcept;

}  // namespace troupe
