// SPDX-License-Identifier: MIT
#include "troupe/tensor/io/input_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace troupe {

// Not mapped into memory: the end of the process would come when somebody else cuts the file short.
input_file::input_file(const file_call& call) : call_(call) {
  if (call.path.find('\0') != std::string::npos) call.fail("a path has no zero bytes");
  // Opening a pipe would wait for its writer.
  descriptor_ = open(call.path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor_ < 0) call.fail("cannot be opened", errno);
  struct stat about {};
  if (fstat(descriptor_, &about) == 0 && S_ISREG(about.st_mode)) {
    size_ = static_cast<std::uint64_t>(about.st_size);
    return;
  }
  close(descriptor_);
  call.fail(S_ISDIR(about.st_mode) ? "is a folder" : "is no regular file");
}

input_file::~input_file() { close(descriptor_); }

void input_file::read(std::uint64_t offset, void* to, std::size_t count) const {
  constexpr std::size_t most = std::size_t{1} << 30;
  auto* next = static_cast<char*>(to);
  while (count > 0) {
    const auto got = pread(descriptor_, next, std::min(count, most), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) call_.fail("cannot be read", errno);
    if (got == 0) call_.fail("ended at byte " + std::to_string(offset) + " while it was read");
    next += got;
    offset += static_cast<std::uint64_t>(got);
    count -= static_cast<std::size_t>(got);
  }
}

}  // namespace troupe
