// SPDX-License-Identifier: MIT
#if defined(TROUPE_LIBEDIT) && TROUPE_LIBEDIT

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "troupe/apps/shell/terminal/history.hpp"
#include "troupe/tests/temporary_folder.hpp"

using namespace troupe::shell;

namespace {

using troupe::testing::bytes_in;
using troupe::testing::temporary_folder;
using words = std::vector<std::string>;

/// Returns the entries, the oldest first.
words entries_of(const line_history& history) {
  words all;
  HistEvent event{};
  for (int more = ::history(history.get(), &event, H_LAST); more >= 0;
       more = ::history(history.get(), &event, H_PREV))
    all.push_back(event.str);
  return all;
}

words stored_in(const std::string& file) { return entries_of(line_history({.file = file})); }

line_history history_of(const words& entries) {
  line_history all({});
  for (const auto& entry : entries) all.add(entry);
  return all;
}

}  // namespace

TEST_CASE("blank entries, repeats and invalid UTF-8 are not remembered") {
  CHECK(entries_of(history_of({"x", "x", "", " \n\t", "\xff", "y", "x"})) == words{"x", "y", "x"});
}

TEST_CASE("entries come back from the file as they were") {
  const temporary_folder folder;
  const auto file = folder / "history";
  const words entries{"plain",
                      "two\nlines",
                      "a\\nb \\\\ \\",
                      "\n\nnewlines\n",
                      "carriage\r\nreturn",
                      "caf\xC3\xA9 \xE6\xBC\xA2",
                      "\ttab ",
                      "\033[31m"};
  {
    line_history history({.file = file});
    for (const auto& entry : entries) history.add(entry);
  }
  CHECK(stored_in(file) == entries);
}

TEST_CASE("a history file is made with its folders, for its owner alone") {
  const temporary_folder folder;
  const auto file = folder / "some/where/history";
  line_history({.file = file}).add("x");
  struct stat facts {};
  REQUIRE(stat(file.c_str(), &facts) == 0);
  CHECK((facts.st_mode & 0777) == 0600);
  REQUIRE(stat((folder / "some/where").c_str(), &facts) == 0);
  CHECK((facts.st_mode & 0777) == 0700);
}

TEST_CASE("no file is made while the history is empty") {
  const temporary_folder folder;
  CHECK(stored_in(folder / "some/history").empty());
  CHECK_FALSE(std::filesystem::exists(folder / "some"));
}

TEST_CASE("two shells at once keep each other's entries") {
  const temporary_folder folder;
  const auto file = folder / "history";
  {
    line_history first({.file = file}), second({.file = file});
    first.add("a");
    second.add("b");
    first.add("c");
    CHECK(entries_of(first) == words{"a", "c"});
  }
  CHECK(stored_in(file) == words{"a", "b", "c"});
}

TEST_CASE("many writers lose nothing, also where the file is shortened meanwhile") {
  const temporary_folder folder;
  const auto file = folder / "history";
  constexpr int writers = 4, each = 100;
  std::vector<std::thread> threads;
  for (int w = 0; w < writers; ++w)
    threads.emplace_back([&, w] {
      for (int i = 0; i < each; ++i)
        line_history({.file = file, .most = 300}).add(std::to_string(w) + "\n" + std::to_string(i));
    });
  for (auto& t : threads) t.join();
  const auto stored = stored_in(file);
  CHECK(stored.size() <= 300 + writers);  // entries since it was last read
  CHECK(stored.size() >= 250);
  // The newest of each writer are there, in order and whole.
  for (int w = 0; w < writers; ++w) {
    int next = -1;
    for (const auto& entry : stored) {
      if (entry.starts_with(std::to_string(w) + "\n")) {
        const int i = std::stoi(entry.substr(2));
        if (next >= 0) CHECK(i == next);
        next = i + 1;
      }
    }
    if (next >= 0) CHECK(next == each);
  }
}

TEST_CASE("only so many entries are kept, the newest") {
  const temporary_folder folder;
  const auto file = folder / "history";
  {
    line_history history({.file = file, .most = 3});
    for (const auto* entry : {"1", "2", "3", "4", "5"}) history.add(entry);
    CHECK(entries_of(history) == words{"3", "4", "5"});
  }
  CHECK(entries_of(line_history({.file = file, .most = 2})) == words{"4", "5"});
  CHECK(bytes_in(file) == "_HiStOrY_V2_\n4\n5\n");
}

TEST_CASE("a link to a history file stays one when the file is shortened") {
  const temporary_folder folder;
  std::ofstream(folder / "real") << "_HiStOrY_V2_\n1\n2\n3\n";
  std::filesystem::create_symlink(folder / "real", folder / "link");
  { const line_history history({.file = folder / "link", .most = 2}); }
  CHECK(std::filesystem::is_symlink(folder / "link"));
  CHECK(stored_in(folder / "real") == words{"2", "3"});
}

TEST_CASE("the readable entries of a damaged file are kept, and new ones follow them") {
  const temporary_folder folder;
  const auto file = folder / "history";
  std::ofstream(file) << "_HiStOrY_V2_\nwhole\n\n\\M-C\ncut o";
  line_history({.file = file}).add("next");
  CHECK(stored_in(file) == words{"whole", "cut o", "next"});
}

TEST_CASE("a file that cannot be used costs one warning, and history goes on without") {
  const temporary_folder folder;
  std::ofstream(folder / "file") << "x\n";  // no history
  REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
  for (const auto& path :
       {folder / "", folder / "file", folder / "file/history", folder / "pipe"}) {
    CAPTURE(path);
    words warnings;
    {
      line_history history(
          {.file = path, .warn = [&](const std::string& w) { warnings.push_back(w); }});
      history.add("a");
      history.add("b");
      CHECK(entries_of(history) == words{"a", "b"});
    }
    REQUIRE(warnings.size() == 1);
    CHECK(warnings[0].find('\n') == std::string::npos);
  }
  CHECK(bytes_in(folder / "file") == "x\n");
}

TEST_CASE("the arrow keys find entries that begin like the line, and return to it") {
  const auto history = history_of({"let a = 1", "print a", "let b = 2"});
  recall keys(history.get());
  CHECK(keys.older("le", "le") == "let b = 2");
  CHECK(keys.older("let b = 2", "let b = 2") == "let a = 1");
  CHECK(keys.older("let a = 1", "let a = 1") == std::nullopt);
  CHECK(keys.newer("let a = 1") == "let b = 2");
  CHECK(keys.newer("let b = 2") == "le");
  CHECK(keys.newer("le") == std::nullopt);
}

TEST_CASE("a line that was changed begins the search anew") {
  const auto history = history_of({"one", "two", "once"});
  recall keys(history.get());
  CHECK(keys.older("", "") == "once");
  CHECK(keys.older("on", "on") == "once");
  CHECK(keys.older("once", "once") == "one");
  CHECK(keys.newer("onex") == std::nullopt);
}

#endif
