// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "troupe/apps/shell/lessons/lesson.hpp"

namespace troupe::shell {

/// It was no mistake, and an array has this name now.
lesson_check array_is_named(std::string_view name);
/// It was no mistake, and began with this command.
lesson_check command_is(std::string_view command);
lesson_check value_was_shown();
/// It was a mistake, or told of one, with this in its text.
lesson_check mistake_tells(std::string_view part);

/// An operation, or every one, is made to take so many seconds longer.
lesson_check is_slow(std::string_view operation, double seconds);
lesson_check nothing_is_slow();
lesson_check lanes_at_least(int lanes);
lesson_check devices_at_least(std::size_t devices);

/// A `time` block had so many tasks.
lesson_check tasks_were_timed(std::size_t tasks);
/// Different tasks ran at the same time.
lesson_check tasks_overlapped();
/// No task began before the tasks had ended that it needs, and one needed another.
lesson_check tasks_kept_data_order();
/// Tasks ran one after the other.
lesson_check tasks_ran_alone();
/// Something was copied between devices.
lesson_check something_was_copied();

}  // namespace troupe::shell
