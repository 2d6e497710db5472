// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <span>
#include <string>

#include "troupe/apps/bench/measure.hpp"

namespace troupe::bench {

/// Line of the table, as text: the work, our figure, that with a synchronous runtime and how many
/// times as fast ours is, the peer's, the ratio to it or our spread, the target, and whether it was
/// met.
using row = std::array<std::string, 7>;

extern const row headings;

row make_row(const bench_case& c, const outcome& o);

/// Write a row as "| a | b |", for documents, and in columns of fixed width, for people.
std::string markdown(const row& r);
std::string columns(const row& r);

/// Lists names and titles in two columns.
std::string list_text(std::span<const bench_case* const> cases);

}  // namespace troupe::bench
