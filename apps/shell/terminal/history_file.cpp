// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/terminal/history_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

namespace troupe::shell {

namespace {

namespace fs = std::filesystem;

constexpr mode_t for_the_owner = 0600;

[[noreturn]] void fail(const std::string& path) {
  throw std::system_error(errno, std::generic_category(), path);
}

/// An open file, closed in the end, which gives back its lock.
class opened {
 public:
  explicit opened(int descriptor) noexcept : descriptor_(descriptor) {}
  ~opened() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  opened(opened&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  opened& operator=(opened&&) = delete;

  int get() const noexcept { return descriptor_; }
  bool is_open() const noexcept { return descriptor_ >= 0; }

 private:
  int descriptor_;
};

bool is_still_at(const std::string& path, const struct stat& file) {
  struct stat there {};
  return stat(path.c_str(), &there) == 0 && there.st_ino == file.st_ino &&
         there.st_dev == file.st_dev;
}

/// Locked, and not a file that somebody has put another in the place of; not open if there is none.
opened open_locked(const std::string& path, int flags, int lock) {
  for (;;) {
    // A pipe of that name is not waited for.
    opened file(open(path.c_str(), flags | O_CLOEXEC | O_NONBLOCK, for_the_owner));
    if (!file.is_open() && errno == ENOENT) return file;
    struct stat facts {};
    if (!file.is_open() || fstat(file.get(), &facts) != 0) fail(path);
    if (S_ISDIR(facts.st_mode)) errno = EISDIR, fail(path);
    if (!S_ISREG(facts.st_mode)) errno = EINVAL, fail(path);
    while (flock(file.get(), lock) != 0 && errno == EINTR)
      ;  // some file systems have no locks
    if (is_still_at(path, facts)) return file;
  }
}

std::string all_of(const opened& file, const std::string& path) {
  std::string text;
  char some[1 << 16];
  for (;;) {
    const auto n = pread(file.get(), some, sizeof some, static_cast<off_t>(text.size()));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(path);
    if (n == 0) return text;
    text.append(some, static_cast<std::size_t>(n));
  }
}

void write_all(const opened& file, std::string_view text, const std::string& path) {
  while (!text.empty()) {
    const auto n = write(file.get(), text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(path);
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

std::string to_line(const std::string& entry) {
  std::string line;
  for (const char c : entry) {
    if (c == '\\') line += "\\\\";
    else if (c == '\n') line += "\\n";
    else if (c == '\r') line += "\\r";
    else line += c;
  }
  return line + '\n';
}

std::string from_line(std::string_view line) {
  std::string entry;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char next = line[i] == '\\' && i + 1 < line.size() ? line[i + 1] : '\0';
    const char meant = next == 'n' ? '\n' : next == 'r' ? '\r' : next == '\\' ? '\\' : '\0';
    if (meant) ++i;
    entry += meant ? meant : line[i];
  }
  return entry;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    if (end > 0) lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

void keep_newest(std::vector<std::string_view>& lines, std::size_t most) {
  if (lines.size() > most) lines.erase(lines.begin(), lines.end() - static_cast<long>(most));
}

bool lacks_last_newline(const opened& file) {
  struct stat facts {};
  char last = '\n';
  if (fstat(file.get(), &facts) == 0 && facts.st_size > 0)
    while (pread(file.get(), &last, 1, facts.st_size - 1) < 0 && errno == EINTR)
      ;
  return last != '\n';
}

void make_folder_of(const std::string& path) {
  const auto folder = fs::path(path).parent_path();
  if (folder.empty() || fs::exists(folder)) return;
  fs::create_directories(folder);
  fs::permissions(folder, fs::perms::owner_all);
}

/// Where a link leads, so that it stays one.
std::string resolved(const std::string& path) {
  std::error_code failed;
  const auto there = fs::weakly_canonical(path, failed);
  return failed ? path : there.string();
}

}  // namespace

history_file::history_file(const std::string& path, std::size_t most)
    : path_(resolved(path)), most_(most) {}

std::vector<std::string> history_file::load() {
  const auto file = open_locked(path_, O_RDONLY, LOCK_SH);
  if (!file.is_open()) return {};
  const auto text = all_of(file, path_);
  auto lines = lines_of(text);
  lines_ = lines.size();
  keep_newest(lines, most_);
  std::vector<std::string> entries;
  entries.reserve(lines.size());
  for (const auto line : lines) entries.push_back(from_line(line));
  return entries;
}

void history_file::append(const std::string& entry) {
  make_folder_of(path_);
  const auto file = open_locked(path_, O_RDWR | O_CREAT | O_APPEND, LOCK_EX);
  if (!file.is_open()) fail(path_);
  // One write, for file systems without locks.
  write_all(file, (lacks_last_newline(file) ? "\n" : "") + to_line(entry), path_);
  ++lines_;
}

void history_file::shorten() {
  if (lines_ <= most_) return;
  const auto file = open_locked(path_, O_RDWR, LOCK_EX);
  if (!file.is_open()) return;
  const auto text = all_of(file, path_);
  auto lines = lines_of(text);
  keep_newest(lines, most_);
  std::string newest;
  for (const auto line : lines) newest.append(line).append(1, '\n');

  // Another file takes its place, so that no moment has less than one of the two.
  auto name = path_ + ".XXXXXX";
  const opened shorter(mkstemp(name.data()));
  if (!shorter.is_open()) fail(name);
  struct stat facts {};
  try {
    write_all(shorter, newest, name);
    if (fstat(file.get(), &facts) == 0) fchmod(shorter.get(), facts.st_mode & 0777);
    if (std::rename(name.c_str(), path_.c_str()) != 0) fail(path_);
  } catch (...) {
    unlink(name.c_str());
    throw;
  }
  lines_ = lines.size();
}

}  // namespace troupe::shell
