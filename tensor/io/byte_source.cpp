// SPDX-License-Identifier: MIT
#include "troupe/tensor/io/byte_source.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>

namespace troupe {

// Not mapped into memory: the process would end when another one cuts the file short.
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

void byte_source::skip(std::uint64_t count) {
  constexpr std::size_t most = std::size_t{1} << 16;
  const auto bytes = std::make_unique_for_overwrite<std::byte[]>(most);
  while (count > 0) {
    const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(count, most));
    read(bytes.get(), part);
    count -= part;
  }
}

void file_section::read(void* to, std::size_t count) {
  expect(count);
  file_.read(position_, to, count);
  position_ += count;
}

void file_section::expect(std::uint64_t count) {
  if (count > end_ - position_)
    call_.fail("truncated: " + count_text(count, "byte") + " should follow, and there " +
               (end_ - position_ == 1 ? "is " : "are ") + std::to_string(end_ - position_));
}

void file_section::finish() {
  if (position_ != end_)
    call_.fail(count_text(end_ - position_, "byte") + " more than the array has");
}

}  // namespace troupe
