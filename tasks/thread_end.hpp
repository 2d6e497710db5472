// SPDX-License-Identifier: MIT
#pragma once

namespace troupe {

/// Call that is made when a thread ends: an object with thread storage duration, one for each
/// purpose. Unlike a destructor of such objects, for which the C library ends the process if there
/// is no memory to note it, it needs none.
struct thread_end_call {
  void (*what)() noexcept;
  thread_end_call* next = nullptr;
  bool noted = false;

  /// Notes the call, once. If the system refuses it, the next attempt may succeed.
  void note() noexcept {
    if (!noted) note_first();
  }

 private:
  void note_first() noexcept;
};

}  // namespace troupe
