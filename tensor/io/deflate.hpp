// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string_view>

namespace troupe {

/// Deflates bytes, given in parts one after the other, without a header, as zip files have them.
/// What comes out is passed on in pieces.
void deflate(std::initializer_list<std::string_view> parts,
             const std::function<void(std::string_view)>& pass_on);

/// The CRC-32 of zip files, of what `before` is the sum of and then of `bytes`.
std::uint32_t check_sum(std::uint32_t before, std::string_view bytes) noexcept;

}  // namespace troupe
