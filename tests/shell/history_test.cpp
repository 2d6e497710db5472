// SPDX-License-Identifier: MIT
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "troupe/apps/shell/terminal/history_search.hpp"
#include "troupe/apps/shell/terminal/line_history.hpp"
#include "troupe/apps/shell/terminal/recall.hpp"

using namespace troupe::shell;

namespace {

using words = std::vector<std::string>;

/// Removed in the end.
class temporary_folder {
 public:
  temporary_folder() {
    auto name = (std::filesystem::temp_directory_path() / "troupe-shell-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~temporary_folder() { std::filesystem::remove_all(path_); }
  std::string file(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

std::string contents(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

words stored_in(const std::string& file) { return line_history({.file = file}).entries(); }

}  // namespace

TEST_CASE("blank entries and repeats are not remembered") {
  line_history history;
  CHECK(history.add("x"));
  CHECK_FALSE(history.add("x"));
  CHECK_FALSE(history.add(""));
  CHECK_FALSE(history.add(" \n\t"));
  CHECK(history.add("y"));
  CHECK(history.add("x"));
  CHECK(history.entries() == words{"x", "y", "x"});
}

TEST_CASE("entries come back from the file as they were") {
  const temporary_folder folder;
  const auto file = folder.file("history");
  const words entries{"plain",          "two\nlines",         "a\\nb \\\\ \\",
                      "\n\nnewlines\n", "carriage\r\nreturn", "caf\xC3\xA9 \xff\xfe",
                      "\ttab "};
  {
    line_history history({.file = file});
    for (const auto& entry : entries) history.add(entry);
  }
  CHECK(stored_in(file) == entries);
}

TEST_CASE("a history file is made with its folders, for its owner alone") {
  const temporary_folder folder;
  const auto file = folder.file("some/where/history");
  line_history({.file = file}).add("x");
  struct stat facts {};
  REQUIRE(stat(file.c_str(), &facts) == 0);
  CHECK((facts.st_mode & 0777) == 0600);
  REQUIRE(stat(folder.file("some/where").c_str(), &facts) == 0);
  CHECK((facts.st_mode & 0777) == 0700);
}

TEST_CASE("nothing is made where nothing is remembered") {
  const temporary_folder folder;
  { const line_history history({.file = folder.file("some/history")}); }
  CHECK_FALSE(std::filesystem::exists(folder.file("some")));
}

TEST_CASE("two shells at once keep each other's entries") {
  const temporary_folder folder;
  const auto file = folder.file("history");
  {
    line_history first({.file = file}), second({.file = file});
    first.add("a");
    second.add("b");
    first.add("c");
    CHECK(first.entries() == words{"a", "c"});
  }
  CHECK(stored_in(file) == words{"a", "b", "c"});
}

TEST_CASE("many writers lose nothing, also where the file is shortened meanwhile") {
  const temporary_folder folder;
  const auto file = folder.file("history");
  constexpr int writers = 4, each = 100;
  std::vector<std::thread> threads;
  for (int w = 0; w < writers; ++w)
    threads.emplace_back([&, w] {
      for (int i = 0; i < each; ++i)
        line_history({.file = file, .most = 300}).add(std::to_string(w) + "\n" + std::to_string(i));
    });
  for (auto& t : threads) t.join();
  const auto stored = stored_in(file);
  CHECK(stored.size() <= 300);
  CHECK(stored.size() >= 250);
  // The newest of each writer are there, in order and whole.
  for (int w = 0; w < writers; ++w) {
    int next = -1;
    for (const auto& entry : stored)
      if (entry.starts_with(std::to_string(w) + "\n")) {
        const int i = std::stoi(entry.substr(2));
        if (next >= 0) CHECK(i == next);
        next = i + 1;
      }
    if (next >= 0) CHECK(next == each);
  }
}

TEST_CASE("only so many entries are kept, the newest") {
  const temporary_folder folder;
  const auto file = folder.file("history");
  {
    line_history history({.file = file, .most = 3});
    for (const auto* entry : {"1", "2", "3", "4", "5"}) history.add(entry);
    CHECK(history.entries() == words{"3", "4", "5"});
  }
  CHECK(contents(file) == "3\n4\n5\n");
  CHECK(line_history({.file = file, .most = 2}).entries() == words{"4", "5"});
  CHECK(contents(file) == "4\n5\n");
}

TEST_CASE("a link to a history file stays one when the file is shortened") {
  const temporary_folder folder;
  std::ofstream(folder.file("real")) << "1\n2\n3\n";
  std::filesystem::create_symlink(folder.file("real"), folder.file("link"));
  { const line_history history({.file = folder.file("link"), .most = 2}); }
  CHECK(std::filesystem::is_symlink(folder.file("link")));
  CHECK(contents(folder.file("real")) == "2\n3\n");
}

TEST_CASE("an entry goes on a line of its own behind one that was cut off") {
  const temporary_folder folder;
  const auto file = folder.file("history");
  std::ofstream(file) << "whole\n\ncut o";
  line_history({.file = file}).add("next");
  CHECK(stored_in(file) == words{"whole", "cut o", "next"});
}

TEST_CASE("a file that cannot be used costs one warning, and history goes on without") {
  const temporary_folder folder;
  std::ofstream(folder.file("file")) << "x\n";
  REQUIRE(mkfifo(folder.file("pipe").c_str(), 0600) == 0);
  for (const auto& path :
       {folder.file(""), folder.file("file") + "/history", folder.file("pipe")}) {
    CAPTURE(path);
    words warnings;
    {
      line_history history(
          {.file = path, .warn = [&](const std::string& w) { warnings.push_back(w); }});
      CHECK(history.add("a"));
      CHECK(history.add("b"));
      CHECK(history.entries() == words{"a", "b"});
    }
    REQUIRE(warnings.size() == 1);
    CHECK(warnings[0].find('\n') == std::string::npos);
  }
}

TEST_CASE("the arrow keys find what begins like the line, and come back to it") {
  const words entries{"let a = 1", "print a", "let b = 2", "let b = 2"};
  recall keys(entries);
  CHECK(keys.older("le", "le") == "let b = 2");
  CHECK(keys.older("let b = 2", "let b = 2") == "let a = 1");
  CHECK(keys.older("let a = 1", "let a = 1") == std::nullopt);
  CHECK(keys.newer("let a = 1") == "let b = 2");
  CHECK(keys.newer("let b = 2") == "le");
  CHECK(keys.newer("le") == std::nullopt);
}

TEST_CASE("a line that was changed begins the search anew") {
  const words entries{"one", "two", "once"};
  recall keys(entries);
  CHECK(keys.older("", "") == "once");
  CHECK(keys.older("on", "on") == "once");
  CHECK(keys.older("once", "once") == "one");
  CHECK(keys.newer("onex") == std::nullopt);
}

TEST_CASE("a search takes letter by letter, and goes on to older and newer entries") {
  const words entries{"matmul", "add", "mat", "max"};
  history_search search(entries);
  CHECK(search.entry() == nullptr);
  search.extend("m");
  CHECK(*search.entry() == "max");
  search.extend("a");
  CHECK(*search.entry() == "max");
  search.extend("t");
  CHECK(*search.entry() == "mat");
  search.older();
  CHECK(*search.entry() == "matmul");
  search.older();
  CHECK(search.failed());
  CHECK(*search.entry() == "matmul");
  search.newer();
  CHECK(*search.entry() == "mat");
  CHECK_FALSE(search.failed());
  search.shorten();
  CHECK(search.wanted() == "ma");
  CHECK(*search.entry() == "max");
  search.extend("?");
  CHECK(search.failed());
}
