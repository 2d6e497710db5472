// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/apps/shell/session/session.hpp"
#include "troupe/apps/shell/terminal/line_reader.hpp"
#include "troupe/apps/shell/terminal/signals.hpp"

namespace troupe::shell {

/// Reads inputs and has a session run them, until there are no more or one ends it. `asks`:
/// somebody is at the other end. Returns the exit status: 1 if an input was a mistake, or something
/// failed, and nobody was there to see it.
int converse(session& s, line_reader& lines, interrupts& ctrl_c, bool asks);

/// The end of a program that nobody is in conversation with, by Ctrl-C: cancels what has not
/// started. Its exit status.
int interrupted(session& s);

}  // namespace troupe::shell
