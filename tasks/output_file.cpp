// SPDX-License-Identifier: MIT
#include "troupe/tasks/output_file.hpp"

#include <cerrno>
#include <filesystem>

namespace troupe {

output_file::output_file(const file_call& call) : call_(call) {
  std::error_code failed;
  const auto there = std::filesystem::status(call.path, failed);
  if (!std::filesystem::exists(there) || !std::filesystem::is_other(there)) {
    file_.emplace(call);
    return;
  }
  errno = 0;
  device_.open(call.path, std::ios::binary);
  if (!device_) call_.fail("cannot be written", errno);
}

void output_file::write(std::string_view text) {
  constexpr std::size_t enough = std::size_t{1} << 16;
  waiting_ += text;
  if (waiting_.size() >= enough) write_waiting();
}

void output_file::write_waiting() {
  if (file_) {
    file_->write(waiting_);
  } else {
    errno = 0;
    if (!(device_ << waiting_ << std::flush)) call_.fail("cannot be written", errno);
  }
  waiting_.clear();
}

void output_file::commit() {
  write_waiting();
  if (file_) file_->commit();
}

}  // namespace troupe
