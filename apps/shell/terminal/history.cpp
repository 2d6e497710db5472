// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/terminal/history.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <system_error>
#include <utility>
#include <vector>

#include "troupe/text/quoted.hpp"
#include "troupe/text/utf8.hpp"

namespace troupe::shell {

namespace {

namespace fs = std::filesystem;

constexpr mode_t for_the_owner = 0600;

struct closer {
  void operator()(FILE* file) const noexcept { std::fclose(file); }
};
using open_file = std::unique_ptr<FILE, closer>;

void check(bool good) {
  if (!good) throw std::system_error(errno, std::generic_category());
}

/// Opens a file and locks it until it is closed; null if there is none and none is made.
open_file open_locked(const std::string& path, int flags) {
  // A pipe of that name is not waited for.
  const int descriptor =
      open(path.c_str(), flags | O_RDWR | O_APPEND | O_CLOEXEC | O_NONBLOCK, for_the_owner);
  if (descriptor < 0 && errno == ENOENT && !(flags & O_CREAT)) return {};
  check(descriptor >= 0);
  open_file file(fdopen(descriptor, "a+"));
  check(file != nullptr);
  struct stat facts {};
  check(fstat(descriptor, &facts) == 0);
  if (!S_ISREG(facts.st_mode)) throw std::runtime_error("not a file");
  while (flock(descriptor, LOCK_EX) != 0 && errno == EINTR)
    ;  // some file systems have no locks
  check(std::fseek(file.get(), 0, SEEK_END) == 0);
  return file;
}

void make_folder_of(const std::string& path) {
  const auto folder = fs::path(path).parent_path();
  if (folder.empty() || fs::exists(folder)) return;
  fs::create_directories(folder);
  fs::permissions(folder, fs::perms::owner_all);
}

/// Tells whether the last line was cut off.
bool lacks_newline(FILE* file) {
  char last = '\n';
  const auto end = std::ftell(file);
  return end > 0 && pread(fileno(file), &last, 1, end - 1) == 1 && last != '\n';
}

/// Writes a list at the end of a file, in one piece for file systems without locks.
void append(History* entries, FILE* file) {
  HistEvent event{};
  check(history(entries, &event, H_SAVE_FP, file) >= 0 && std::fflush(file) == 0);
}

bool is_worth_keeping(const std::string& entry) {
  return entry.find_first_not_of(" \t\r\n") != std::string::npos && is_utf8(entry);
}

}  // namespace

line_history::list line_history::empty_list(int most) {
  list entries(history_init());
  HistEvent event{};
  if (!entries || history(entries.get(), &event, H_SETSIZE, most) != 0) throw std::bad_alloc();
  history(entries.get(), &event, H_SETUNIQUE, 1);
  return entries;
}

template <class Work>
void line_history::with_file(int flags, Work work) noexcept {
  if (options_.file.empty()) return;
  try {
    if (flags & O_CREAT) make_folder_of(options_.file);
    if (const auto file = open_locked(options_.file, flags)) work(file.get());
  } catch (const std::exception& e) {
    const auto path = std::exchange(options_.file, {});
    if (options_.warn)
      options_.warn("history is not kept: " + on_one_line(path) + ": " + on_one_line(e.what()));
  }
}

line_history::line_history(history_options options)
    : options_(std::move(options)), entries_(empty_list(options_.most)) {
  with_file(0, [this](FILE* file) { load(file); });
}

void line_history::load(FILE* file) {
  if (std::ftell(file) == 0) return;
  HistEvent event{};
  const int lines = history(get(), &event, H_LOAD, options_.file.c_str());
  if (lines < 0) throw std::runtime_error("not a history file of libedit's");
  std::vector<int> useless;  // of a damaged file
  for (int more = history(get(), &event, H_FIRST); more >= 0;
       more = history(get(), &event, H_NEXT)) {
    if (!is_worth_keeping(event.str)) useless.push_back(event.num);
  }
  for (const int number : useless) {
    // libedit hands out a copy of what it deleted.
    if (history(get(), &event, H_DEL, number) >= 0) std::free(const_cast<char*>(event.str));
  }
  if (lines <= options_.most) return;
  check(ftruncate(fileno(file), 0) == 0 && std::fseek(file, 0, SEEK_END) == 0);
  append(get(), file);
}

void line_history::add(const std::string& entry) {
  HistEvent event{};
  // H_SETUNIQUE: 0 says that it is there already.
  if (!is_worth_keeping(entry) || history(get(), &event, H_ENTER, entry.c_str()) <= 0) return;
  with_file(O_CREAT, [&entry](FILE* file) {
    if (lacks_newline(file)) std::fputc('\n', file);
    const auto one = empty_list(1);
    HistEvent added{};
    history(one.get(), &added, H_ENTER, entry.c_str());
    append(one.get(), file);
  });
}

std::optional<std::string> recall::look(int direction) {
  HistEvent event{};
  int more;
  if (at_) {
    history(entries_, &event, H_SET, *at_);
    more = history(entries_, &event, direction);
  } else {
    more = direction == H_NEXT ? history(entries_, &event, H_FIRST) : -1;
  }
  for (; more >= 0; more = history(entries_, &event, direction)) {
    const std::string_view entry = event.str;
    if (!entry.starts_with(prefix_) || entry == *shown_) continue;
    at_ = event.num;
    return shown_ = entry;
  }
  return {};
}

std::optional<std::string> recall::older(const std::string& line, std::string_view left) {
  if (!is_under_way(line)) {
    draft_ = line;
    shown_ = line;
    prefix_ = left;
    at_.reset();
  }
  return look(H_NEXT);
}

std::optional<std::string> recall::newer(const std::string& line) {
  if (!is_under_way(line) || !at_) return {};
  if (auto entry = look(H_PREV)) return entry;
  at_.reset();
  return shown_ = draft_;
}

}  // namespace troupe::shell
