// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "troupe/apps/shell/lessons/lesson.hpp"

namespace troupe::shell {

/// Checks that the input succeeded and an array has this name now.
lesson_check array_is_named(std::string_view name);
/// Checks that the input succeeded and began with this command.
lesson_check command_is(std::string_view command);
lesson_check value_was_shown();
/// Checks that the input failed, or showed a failure, with this in its text.
lesson_check mistake_tells(std::string_view part);

/// Checks that an operation, or every one, was made that many seconds slower.
lesson_check is_slow(std::string_view operation, double seconds);
lesson_check nothing_is_slow();
lesson_check lanes_at_least(int lanes);
lesson_check devices_at_least(std::size_t devices);

/// Checks that a `time` block had that many tasks.
lesson_check tasks_were_timed(std::size_t tasks);
/// Checks that different tasks ran at the same time.
lesson_check tasks_overlapped();
/// Checks that one task needed another, and that none began before the tasks it needs had ended.
lesson_check tasks_kept_data_order();
/// Checks that tasks ran one after the other.
lesson_check tasks_ran_alone();
/// Checks that something was copied between devices.
lesson_check something_was_copied();

}  // namespace troupe::shell
