// SPDX-License-Identifier: MIT
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "troupe/apps/shell/terminal/colours.hpp"
#include "troupe/apps/shell/terminal/line_reader.hpp"
#include "troupe/tests/apps/shell/pseudo_terminal.hpp"

using namespace troupe::shell;
using namespace troupe::testing::keys;
using troupe::testing::pseudo_terminal;

namespace {

std::string visible(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '\n' ? "\\n" : c == '\t' ? "\\t" : std::string(1, c);
  return out;
}

/// Prints each input and remembers it, until the end. Prompts are numbered, so that a test can wait
/// for one.
void echo_lines(line_reader& reader) {
  for (int i = 1;; ++i) {
    const auto next = reader.read(std::to_string(i) + "> ");
    if (next.what == input::kind::line) reader.remember(next.text);
    const char* const what = next.what == input::kind::line          ? "line"
                             : next.what == input::kind::interrupted ? "interrupted"
                                                                     : "end";
    std::printf("%s[%s]\n", what, visible(next.text).c_str());
    if (next.what == input::kind::end) return;
  }
}

void run_plain_reader() {
  plain_reader reader(STDIN_FILENO);
  echo_lines(reader);
}

}  // namespace

TEST_CASE("a reader without line editing prompts at a terminal") {
  pseudo_terminal user(run_plain_reader);
  user.expect("1> ");
  user.type("hello\n");
  user.expect("line[hello]");
  user.expect("2> ");
  user.type("dropp");
  user.type("\003");
  user.expect("interrupted[]");
  user.expect("3> ");
  user.type("\004");
  user.expect("end[]");
  CHECK(user.wait() == 0);
}

TEST_CASE("a terminal that cannot move its cursor has no line editing") {
  pseudo_terminal user([] {
    setenv("TERM", "dumb", 1);
    echo_lines(*make_line_reader({}));
  });
  CHECK(user.expect("1> ").find('\033') == std::string::npos);
  user.type("hello\n");
  CHECK(user.expect("line[hello]").find('\033') == std::string::npos);
}

#if defined(TROUPE_LIBEDIT) && TROUPE_LIBEDIT

namespace {

completions complete_names(std::string_view line, std::size_t cursor) {
  const auto before = line.substr(0, cursor);
  const auto begin = before.find_last_of(" (") + 1;
  const auto word = before.substr(begin);
  if (word == "throw") throw std::runtime_error("no completions");
  completions found{begin, {}};
  for (const std::string name : {"tensor", "tensor_map", "matmul", "caf\xC3\xA9", "transpose",
                                 "odd\033[2Ja", "odd\033[2Jb"}) {
    if (name.starts_with(word)) found.words.push_back(name);
  }
  return found;
}

std::function<void()> edit_lines(reader_options options = {}) {
  return [options] {
    std::setlocale(LC_CTYPE, "C.UTF-8");
    auto mine = options;
    mine.complete = complete_names;
    echo_lines(*make_line_reader(mine));
  };
}

/// Types a text and returns what the program received, once it asks for the next line.
std::string entered(pseudo_terminal& user, const std::string& keys) {
  user.type(keys + enter);
  user.expect("line[");
  const auto text = user.expect("]\r\n");
  user.expect("> ");
  return text;
}

}  // namespace

TEST_CASE("typed lines come in, also beyond ASCII") {
  pseudo_terminal user(edit_lines());
  user.expect("1> ");
  CHECK(entered(user, "let x = 1") == "let x = 1");
  CHECK(entered(user, "caf\xC3\xA9 \xE6\xBC\xA2 \xF0\x9F\x98\x80") ==
        "caf\xC3\xA9 \xE6\xBC\xA2 \xF0\x9F\x98\x80");
  CHECK(entered(user, "") == "");
}

TEST_CASE("what is typed ahead is not lost") {
  pseudo_terminal user(edit_lines());
  user.type("one\rtwo\rthree\r\004");
  for (const auto* line : {"line[one]", "line[two]", "line[three]", "end[]"}) user.expect(line);
  CHECK(user.wait() == 0);
}

TEST_CASE("the cursor moves and text is inserted where it is") {
  pseudo_terminal user(edit_lines());
  user.expect("1> ");
  CHECK(entered(user, std::string("acd") + left + left + "b") == "abcd");
  CHECK(entered(user, "bcd\001a\005e") == "abcde");
  CHECK(entered(user, "\xC3\xA9\xC3\xA9" + std::string(left) + "x\177y" + right + "z") ==
        "\xC3\xA9y\xC3\xA9z");
  CHECK(entered(user, "one two\027three") == "one three");
}

TEST_CASE("the arrow keys bring back what was entered") {
  pseudo_terminal user(edit_lines());
  user.expect("1> ");
  entered(user, "first");
  entered(user, "second");
  CHECK(entered(user, up) == "second");
  CHECK(entered(user, std::string(up) + up + "!") == "first!");
  CHECK(entered(user, std::string("fir") + up + up) == "first");
  CHECK(entered(user, std::string("draft") + up + down + "ed") == "drafted");
}

TEST_CASE("Ctrl-R finds entries by a part of them") {
  pseudo_terminal user(edit_lines());
  user.expect("1> ");
  for (const auto* line : {"let a = matmul(x, y)", "print caf\xC3\xA9", "let b = matmul(y, x)"})
    entered(user, line);
  CHECK(entered(user, "\022matmul") == "let b = matmul(y, x)");
  CHECK(entered(user, "\022matmul\022") == "let a = matmul(x, y)");
  CHECK(entered(user, "\022f\xC3\xA9\005!") == "print caf\xC3\xA9!");
  CHECK(entered(user, "\022print\177\177\005?") == "print caf\xC3\xA9!?");
  CHECK(entered(user, "\022caf" + std::string(left) + "X").find('[') == std::string::npos);
  CHECK(entered(user, "mine\022let\007?") == "mine?");
}

TEST_CASE("Tab inserts what all completions share") {
  pseudo_terminal user(edit_lines());
  user.expect("1> ");
  CHECK(entered(user, "x + mat\t(1)") == "x + matmul(1)");
  CHECK(entered(user, "te\t = 1") == "tensor = 1");
  CHECK(entered(user, "ca\t!") == "caf\xC3\xA9!");
  CHECK(entered(user, "mat)\002\t") == "matmul)");
  CHECK(entered(user, "unknown\t throw\t") == "unknown throw");
}

TEST_CASE("Tab lists completions that differ, and the line goes on below") {
  pseudo_terminal user(edit_lines());
  user.expect("1> ");
  user.type("y = t\t");
  user.expect("\r\ntensor      tensor_map  transpose\r\n");
  user.expect("1> y = t");
  CHECK(entered(user, "e\t\t\t_\t") == "y = tensor_map");
}

TEST_CASE("completions are listed without their control characters") {
  pseudo_terminal user(edit_lines());
  user.expect("1> ");
  user.type("odd\t\t");
  user.expect("\r\nodd\\x1b[2Ja  odd\\x1b[2Jb\r\n");
}

TEST_CASE("Ctrl-C drops the line and Ctrl-D ends on an empty one only") {
  pseudo_terminal user(edit_lines());
  user.expect("1> ");
  user.type("half a l");
  user.expect("half a l");
  user.type("\003");
  user.expect("^C\r\n");
  user.expect("interrupted[]");
  user.expect("2> ");
  CHECK(entered(user, "abc\001\004") == "bc");
  CHECK(entered(user, "x\004y") == "xy");
  user.type("\022matmul");
  user.expect("bck?");
  user.type("\003");
  user.expect("interrupted[]");
  user.expect("5> ");
  user.type("one two");
  user.expect("one two");
  user.type("\001x");
  user.expect("x");  // Ctrl-C discards input that has not been read yet
  user.type("\003");
  user.expect("^C\r\n");
  user.expect("6> ");
  user.type("\004");
  user.expect("end[]");
  CHECK(user.wait() == 0);
}

TEST_CASE("several lines that are pasted come in as one text") {
  pseudo_terminal user(edit_lines());
  user.expect("\033[?2004h");
  user.expect("1> ");
  user.type("a \033[200~one\rtwo\033[201~ b\r");
  user.expect("\033[?2004l");
  user.expect("line[a one\\ntwo b]");
  user.expect("2> ");
  CHECK(entered(user, "\033[200~one\r\n\ttwo\nthree\r\r\033[201~") == "one\\n\\ttwo\\nthree");
  CHECK(entered(user, "\033[200~x\033[31my\bz\033[201~") == "x[31myz");
  CHECK(entered(user, std::string(up) + up) == "one\\n\\ttwo\\nthree");
  CHECK(entered(user, std::string("\033[200~ab\rcd\033[201~") + up + "X" + down + "Y") ==
        "abX\\ncdY");
}

TEST_CASE("a long text can be pasted") {
  std::string text, expected;
  for (int i = 0; i < 400; ++i) {
    const auto line = "let x" + std::to_string(i) + " = matmul(a, b) + " + std::to_string(i);
    text += line + "\r";
    expected += (i ? "\\n" : "") + line;
  }
  pseudo_terminal user(edit_lines());
  user.expect("1> ");
  CHECK(entered(user, "\033[200~" + text + "\033[201~") == expected);
  CHECK(entered(user, "short") == "short");
}

TEST_CASE("a paste that does not end can be interrupted") {
  pseudo_terminal user(edit_lines());
  user.expect("1> ");
  user.type("\033[200~one\r");
  user.type("\003");
  user.expect("interrupted[]");
  user.expect("2> ");
  CHECK(entered(user, "x") == "x");
}

TEST_CASE("a line is drawn again when the window changes") {
  pseudo_terminal user(edit_lines());
  user.expect("1> ");
  user.type("0123456789abcdefghij");
  user.expect("j");
  user.resize(12, 20);
  user.expect("1> 012345678");
  user.expect("9abcdefghij");
  user.resize(60, 20);
  user.expect("1> 0123456789abcdefghij");
  CHECK(entered(user, "!") == "0123456789abcdefghij!");
}

TEST_CASE("the prompt has its colour, and what is typed stands out") {
  pseudo_terminal user(edit_lines({.colour = true}));
  const palette colours{true};
  user.expect(std::string(colours.begin(style::prompt)) + "1>" +
              std::string(colours.begin(style::typed)) + " ");
  user.type("abc\r");
  user.expect("\033[0m");
  user.expect("line[abc]");
}

TEST_CASE("history outlives the program") {
  char name[] = "/tmp/troupe-shell-XXXXXX";
  REQUIRE(mkdtemp(name) != nullptr);
  const reader_options options{.history_file = std::string(name) + "/new/history"};
  {
    pseudo_terminal user(edit_lines(options));
    user.expect("1> ");
    entered(user, "\033[200~one\rtwo\033[201~");
    user.type("\004");
    CHECK(user.wait() == 0);
  }
  pseudo_terminal user(edit_lines(options));
  user.expect("1> ");
  CHECK(entered(user, up) == "one\\ntwo");
  std::remove((options.history_file).c_str());
  rmdir((std::string(name) + "/new").c_str());
  rmdir(name);
}

TEST_CASE("the user's own keys are obeyed") {
  char name[] = "/tmp/troupe-editrc-XXXXXX";
  const int file = mkstemp(name);
  REQUIRE(file >= 0);
  const std::string keys = "bind ^T ed-move-to-beg\n";
  REQUIRE(write(file, keys.data(), keys.size()) == static_cast<ssize_t>(keys.size()));
  close(file);
  pseudo_terminal user([&] {
    setenv("EDITRC", name, 1);
    edit_lines()();
  });
  user.expect("1> ");
  CHECK(entered(user, "bc\024a") == "abc");
  unlink(name);
}

TEST_CASE("vi's keys have completion and history too") {
  char name[] = "/tmp/troupe-editrc-XXXXXX";
  const int file = mkstemp(name);
  REQUIRE(file >= 0);
  REQUIRE(write(file, "bind -v\n", 8) == 8);
  close(file);
  pseudo_terminal user([&] {
    setenv("EDITRC", name, 1);
    edit_lines()();
  });
  CHECK(user.expect("1> ").find("2004h") == std::string::npos);
  CHECK(entered(user, "mat\t") == "matmul");
  CHECK(entered(user, "bc\0330ia\033kA!") == "matmul!");
  unlink(name);
}

TEST_CASE("a line of several rows is drawn once when the program goes on") {
  pseudo_terminal user([] {
    std::signal(SIGTTOU, SIG_IGN);
    const auto child = fork();  // only a process with a parent in its session can be stopped
    if (child == 0) {
      setpgid(0, 0);
      tcsetpgrp(STDIN_FILENO, getpid());
      edit_lines()();
      _exit(0);
    }
    int status = 0;
    while (waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status)) kill(child, SIGCONT);
  });
  user.expect("1> ");
  user.type(std::string(100, 'x'));
  user.expect(std::string(70, 'x'));
  user.type("\032");
  user.expect("1> xxxx");
  user.type("!\r");
  CHECK(user.expect("line[").find("1> ") == std::string::npos);
}

TEST_CASE("between lines the terminal is as it was") {
  pseudo_terminal user([] {
    std::setlocale(LC_CTYPE, "C.UTF-8");
    const auto reader = make_line_reader({});
    reader->read("1> ");
    std::printf("reading\n");
    std::fflush(stdout);
    int c;
    while ((c = std::getchar()) != '\n') std::printf("<%c>", c);
    std::printf("\n");
    echo_lines(*reader);
  });
  user.expect("1> ");
  user.type("abc");
  user.expect("c");
  CHECK((user.local_flags() & ICANON) == 0);
  user.type("\r");
  user.expect("reading");
  CHECK((user.local_flags() & (ICANON | ECHO | ISIG)) == (ICANON | ECHO | ISIG));
  user.type("xy\n");
  user.expect("<x><y>");
  user.expect("1> ");
  CHECK(entered(user, "still\001here ") == "here still");
}

TEST_CASE("signals that end the program find the terminal as it was") {
  for (const int signal : {SIGTERM, SIGHUP, SIGABRT}) {
    CAPTURE(signal);
    pseudo_terminal user(edit_lines());
    user.expect("1> ");
    user.type("abc");
    user.expect("c");
    REQUIRE((user.local_flags() & ICANON) == 0);
    kill(user.program(), signal);
    user.expect("\033[?2004l");
    CHECK(user.wait() == -signal);
    CHECK((user.local_flags() & (ICANON | ECHO)) == (ICANON | ECHO));
  }
}

TEST_CASE("another thread that ends the program leaves the terminal as it was") {
  pseudo_terminal user([] {
    const auto reader = make_line_reader({.complete = [](auto...) -> completions {
      std::thread([] { std::exit(7); }).detach();
      return {};
    }});
    reader->read("1> ");
  });
  user.expect("1> ");
  user.type("\t");
  CHECK(user.wait() == 7);
  CHECK((user.local_flags() & (ICANON | ECHO)) == (ICANON | ECHO));
}

TEST_CASE("a line goes on after the program was stopped") {
  pseudo_terminal user(edit_lines());
  user.expect("1> ");
  user.type("abc");
  user.expect("c");
  kill(user.program(), SIGSTOP);
  kill(user.program(), SIGCONT);
  user.expect("1> abc");
  user.type("\032");  // nobody could continue it here, so it is not stopped
  user.expect("1> abc");
  CHECK(entered(user, "d") == "abcd");
}

#endif
