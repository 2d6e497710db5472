// SPDX-License-Identifier: MIT
#include "troupe/tensor/io/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>

namespace troupe {

namespace {

struct freer {
  void operator()(char* text) const noexcept { std::free(text); }
};

std::string folder_of(const std::string& path) {
  const auto slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

/// Has the names in a folder on the disk. Where that is impossible the file system does without.
bool sync_folder(const std::string& folder) {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return errno == EACCES;
  const bool done = fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP;
  const int why = errno;
  close(descriptor);
  errno = why;
  return done;
}

}  // namespace

atomic_file::atomic_file(const file_call& call) : call_(call), path_(call.path) {
  if (path_.find('\0') != std::string::npos) call.fail("a path has no zero bytes");
  // The place of a link is not the file's own.
  if (const std::unique_ptr<char, freer> real{realpath(path_.c_str(), nullptr)}) path_ = real.get();
  unsigned mode = 0;
  struct stat about {};
  if (stat(path_.c_str(), &about) == 0) {
    if (S_ISDIR(about.st_mode)) call.fail("is a folder");
    if (!S_ISREG(about.st_mode)) call.fail("is no regular file");
    mode = about.st_mode & 07777;
  }
  open_temporary(mode);
}

void atomic_file::open_temporary(unsigned mode) {
  const auto stem = path_ + ".tmp-" + std::to_string(getpid()) + "-";
  for (int number = 0;; ++number) {
    temporary_ = stem + std::to_string(number);
    descriptor_ = open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ >= 0) break;
    if (errno == EEXIST && number < INT_MAX) continue;
    const int why = errno;
    call_.fail("cannot be written", why);
  }
  if (mode != 0) (void)!fchmod(descriptor_, mode);  // another owner's file gets our own mode
}

atomic_file::~atomic_file() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void atomic_file::write(const void* data, std::size_t count) {
  write_at(size_, data, count);
  size_ += count;
}

void atomic_file::overwrite(std::uint64_t offset, std::string_view text) {
  write_at(offset, text.data(), text.size());
}

void atomic_file::write_at(std::uint64_t offset, const void* data, std::size_t count) {
  constexpr std::size_t most = std::size_t{1} << 30;
  const auto* next = static_cast<const char*>(data);
  while (count > 0) {
    const auto done = pwrite(descriptor_, next, std::min(count, most), static_cast<off_t>(offset));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) call_.fail("cannot be written", errno);
    next += done;
    offset += static_cast<std::uint64_t>(done);
    count -= static_cast<std::size_t>(done);
  }
}

void atomic_file::commit() {
  if (fsync(descriptor_) != 0) call_.fail("cannot be written", errno);
  const int closed = close(std::exchange(descriptor_, -1));
  if (closed != 0) call_.fail("cannot be written", errno);
  if (rename(temporary_.c_str(), path_.c_str()) != 0) call_.fail("cannot be replaced", errno);
  temporary_.clear();
  if (!sync_folder(folder_of(path_)))
    call_.fail("is written, but may not survive a loss of power", errno);
}

}  // namespace troupe
