// SPDX-License-Identifier: MIT
#include "troupe/tasks/atomic_file.hpp"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <utility>

namespace troupe {

namespace {

std::string folder_of(const std::string& path) {
  const auto slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

/// Writes the names in a folder to the disk. Returns true if that is done or not possible there.
bool sync_folder(const std::string& folder) {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return errno == EACCES;
  const bool done = fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP;
  const int why = errno;
  close(descriptor);
  errno = why;
  return done;
}

/// Returns the path at the end of all links, where no file need be.
std::string target_of(const file_call& call) {
  constexpr int most = 40;  // as many as the system follows
  std::filesystem::path out = call.path;
  std::error_code problem;
  for (int i = 0; i <= most; ++i) {
    const auto next = std::filesystem::read_symlink(out, problem);
    if (problem) return out;  // no link
    out = out.parent_path() / next;
  }
  call.fail("cannot be written", ELOOP);
}

std::string random_text(const file_call& call) {
  std::uint64_t number = 0;
  if (getrandom(&number, sizeof number, 0) != sizeof number) call.fail("cannot be written", errno);
  char text[16];
  return {text, std::to_chars(text, text + sizeof text, number, 16).ptr};
}

}  // namespace

atomic_file::atomic_file(const file_call& call) : call_(call), path_(call.path) {
  if (path_.empty()) call.fail("a path is not empty");
  if (path_.find('\0') != std::string::npos) call.fail("a path has no zero bytes");
  struct stat about {};
  const bool there = stat(path_.c_str(), &about) == 0;
  if (there && S_ISDIR(about.st_mode)) call.fail("is a folder");
  if (there && !S_ISREG(about.st_mode)) call.fail("is no regular file");
  path_ = target_of(call);
  open_temporary(there ? &about : nullptr);
}

void atomic_file::open_temporary(const struct stat* older) {
  // The file is this user's alone until it has the permissions of the older one.
  const mode_t mode = older ? 0600 : 0666;
  do {
    temporary_ = path_ + ".tmp-" + random_text(call_);
    descriptor_ = open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  } while (descriptor_ < 0 && errno == EEXIST);
  if (descriptor_ < 0) {
    const int why = errno;
    call_.fail("cannot be written", why);
  }
  if (!older) return;
  auto permissions = older->st_mode & 0777;
  // Permissions of the older file's group are not for another group.
  if (fchown(descriptor_, older->st_uid, older->st_gid) != 0 &&
      fchown(descriptor_, static_cast<uid_t>(-1), older->st_gid) != 0)
    permissions &= ~070u;
  (void)!fchmod(descriptor_, permissions);  // a file system without them keeps what it has
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
