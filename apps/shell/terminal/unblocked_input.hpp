// SPDX-License-Identifier: MIT
#pragma once

namespace troupe::shell {

/// A terminal that is opened once more, so that reading it does not wait, here alone: Ctrl-C throws
/// away what has been typed, and who has just been told that there is something to read would wait
/// for the next key and not hear of Ctrl-C. Other files, and terminals that cannot be opened, stay
/// as they are.
class unblocked_input {
 public:
  explicit unblocked_input(int file_descriptor) noexcept;
  ~unblocked_input();
  unblocked_input(const unblocked_input&) = delete;
  unblocked_input& operator=(const unblocked_input&) = delete;

  int get() const noexcept { return own_ >= 0 ? own_ : original_; }

 private:
  int original_;
  int own_ = -1;
};

}  // namespace troupe::shell
