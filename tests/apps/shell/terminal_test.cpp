// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <clocale>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "troupe/apps/shell/terminal/colours.hpp"
#include "troupe/apps/shell/terminal/line_reader.hpp"
#include "troupe/apps/shell/terminal/signals.hpp"
#include "troupe/apps/timeline.hpp"

using namespace troupe::shell;
using troupe::colour_wanted;
namespace shell = troupe::shell;

namespace {

using words = std::vector<std::string>;

/// Pipe that holds a text and then ends.
class piped {
 public:
  explicit piped(const std::string& text) {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    read_ = ends[0];
    writer_ = std::thread([text, to = ends[1]] {
      for (std::size_t done = 0; done < text.size();) {
        const auto n = write(to, text.data() + done, text.size() - done);
        if (n <= 0) break;
        done += static_cast<std::size_t>(n);
      }
      close(to);
    });
  }
  ~piped() {
    writer_.join();
    close(read_);
  }
  int get() const { return read_; }

 private:
  int read_ = -1;
  std::thread writer_;
};

words lines_of(const std::string& text) {
  const piped in(text);
  plain_reader reader(in.get());
  words lines;
  for (;;) {
    const auto next = reader.read("never shown> ");
    if (next.what != shell::input::kind::line) {
      CHECK(next.what == shell::input::kind::end);
      return lines;
    }
    lines.push_back(next.text);
  }
}

/// Guard that sets or unsets a variable of the environment while it lives.
class environment_variable {
 public:
  environment_variable(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    set(value);
  }
  ~environment_variable() { set(before_ ? before_->c_str() : nullptr); }

 private:
  void set(const char* value) { value ? setenv(name_, value, 1) : unsetenv(name_); }

  const char* name_;
  std::optional<std::string> before_;
};

}  // namespace

TEST_CASE("lines come in as they are, the last one with or without a newline") {
  CHECK(lines_of("") == words{});
  CHECK(lines_of("one\ntwo\n") == words{"one", "two"});
  CHECK(lines_of("one\n\n two") == words{"one", "", " two"});
  CHECK(lines_of("\n") == words{""});
}

TEST_CASE("a carriage return goes with the newline behind it, and stays elsewhere") {
  CHECK(lines_of("one\r\ntw\ro\r\r\n\r\n") == words{"one", "tw\ro\r", ""});
  CHECK(lines_of("last\r") == words{"last\r"});
}

TEST_CASE("NUL bytes and bytes that are not UTF-8 are text like any other") {
  const std::string odd("a\0b\xff\xc3", 5);
  CHECK(lines_of(odd + "\n" + odd) == words{odd, odd});
}

TEST_CASE("a line may be longer than any buffer") {
  const std::string line(3'000'000, 'x');
  CHECK(lines_of("first\n" + line + "\nlast") == words{"first", line, "last"});
}

TEST_CASE("many short lines come in one after the other") {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += std::to_string(i) + "\n";
  const auto lines = lines_of(text);
  REQUIRE(lines.size() == 200'000);
  CHECK(lines.back() == "199999");
}

TEST_CASE("after the end there is only the end") {
  const piped in("x");
  plain_reader reader(in.get());
  CHECK(reader.read("").what == shell::input::kind::line);
  CHECK(reader.read("").what == shell::input::kind::end);
  CHECK(reader.read("").what == shell::input::kind::end);
}

TEST_CASE("a descriptor that cannot be read has ended") {
  const int folder = open("/", O_RDONLY);
  CHECK(plain_reader(folder).read("").what == shell::input::kind::end);
  close(folder);
  CHECK(plain_reader(1'000'000).read("").what == shell::input::kind::end);
  CHECK(plain_reader(-1).read("").what == shell::input::kind::end);
}

TEST_CASE("Ctrl-C while a reader waits drops the unfinished line") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  REQUIRE(write(ends[1], "half a li", 9) == 9);
  const interrupts outer;  // so that one that comes early does not end the test
  std::atomic<bool> over{false};
  std::thread user([&] {
    while (!over) {
      kill(getpid(), SIGINT);
      std::this_thread::yield();
    }
  });
  plain_reader reader(ends[0]);
  CHECK(reader.read("").what == shell::input::kind::interrupted);
  over = true;
  user.join();
  REQUIRE(write(ends[1], "whole\n", 6) == 6);
  auto next = reader.read("");
  while (next.what == shell::input::kind::interrupted) next = reader.read("");
  CHECK(next.text.ends_with("whole"));
  close(ends[0]);
  close(ends[1]);
}

TEST_CASE("interrupts are counted until they are cleared, and the handler before is put back") {
  struct sigaction before {
  }, after{};
  sigaction(SIGINT, nullptr, &before);
  {
    interrupts outer;
    CHECK(outer.count() == 0);
    raise(SIGINT);
    raise(SIGINT);
    CHECK(outer.count() == 2);
    {
      const interrupts inner;
      CHECK(inner.count() == 0);
      raise(SIGINT);
      CHECK(inner.count() == 1);
    }
    CHECK(outer.count() == 2);
    outer.clear();
    CHECK(outer.count() == 0);
  }
  sigaction(SIGINT, nullptr, &after);
  CHECK(before.sa_handler == after.sa_handler);
}

TEST_CASE("a signal left in a watch is raised when the watch ends") {
  const interrupts outer;
  {
    signal_watch watch({SIGINT});
    raise(SIGINT);
    raise(SIGINT);
    CHECK(watch.take() == SIGINT);
    CHECK(outer.count() == 0);
  }
  CHECK(outer.count() == 1);
}

TEST_CASE("words stand in columns that are read downwards") {
  CHECK(in_columns({}, 80).empty());
  CHECK(in_columns({"one"}, 80) == "one\n");
  CHECK(in_columns({"a", "b", "c"}, 80) == "a  b  c\n");
  CHECK(in_columns({"a", "bbb", "c", "d", "e"}, 12) == "a    d\nbbb  e\nc\n");
}

TEST_CASE("words that are too wide for columns have a line each") {
  CHECK(in_columns({"abcdefgh", "ij"}, 4) == "abcdefgh\nij\n");
  CHECK(in_columns({"a", "b"}, 0) == "a\nb\n");
  CHECK(in_columns({"", ""}, -1) == "\n\n");
}

TEST_CASE("columns are never wider than they may be") {
  words list;
  for (std::size_t i = 0; i < 300; ++i) list.push_back(std::string(1 + i * 7 % 13, 'x'));
  for (int width = 14; width < 200; ++width) {
    std::istringstream lines(in_columns(list, width));
    for (std::string line; std::getline(lines, line);)
      REQUIRE(static_cast<int>(line.size()) < width);
  }
}

TEST_CASE("columns have room for wide characters and accents") {
  std::setlocale(LC_CTYPE, "C.UTF-8");
  CHECK(in_columns({"\xC3\xA9", "bb", "\xE6\xBC\xA2", "d"}, 8) ==
        "\xC3\xA9   \xE6\xBC\xA2\nbb  d\n");
}

TEST_CASE("colours are for terminals, unless the user refuses them") {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  REQUIRE(terminal >= 0);
  const environment_variable term("TERM", "xterm");
  {
    const environment_variable unset("NO_COLOR", nullptr);
    CHECK(colour_wanted(terminal));
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    CHECK_FALSE(colour_wanted(ends[1]));
    close(ends[0]);
    close(ends[1]);
  }
  {
    const environment_variable empty("NO_COLOR", "");
    CHECK(colour_wanted(terminal));
    const environment_variable dumb("TERM", "dumb");
    CHECK_FALSE(colour_wanted(terminal));
    const environment_variable none("TERM", nullptr);
    CHECK_FALSE(colour_wanted(terminal));
  }
  const environment_variable set("NO_COLOR", "1");
  CHECK_FALSE(colour_wanted(terminal));
  close(terminal);
}

TEST_CASE("a palette that is off leaves text alone") {
  CHECK(palette{false}.paint(style::error, "no") == "no");
  const palette on{true};
  CHECK(on.paint(style::error, "") == "");
  for (const auto s : {style::error, style::caret, style::name, style::number, style::state,
                       style::faint, style::heading, style::prompt, style::typed}) {
    const auto painted = on.paint(s, "text");
    CHECK(painted.starts_with("\033["));
    CHECK(painted.ends_with("text\033[0m"));
  }
}

TEST_CASE("completions share whole characters") {
  CHECK(common_prefix({}).empty());
  CHECK(common_prefix({"tensor"}) == "tensor");
  CHECK(common_prefix({"tensor", "tend", "tent"}) == "ten");
  CHECK(common_prefix({"a\xC3\xA9", "a\xC3\xA8"}) == "a");
  CHECK(common_prefix({"a", "b"}).empty());
}
