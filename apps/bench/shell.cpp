// SPDX-License-Identifier: MIT
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "troupe/apps/bench/bench_case.hpp"
#include "troupe/apps/bench/timing.hpp"
#include "troupe/apps/path_beside.hpp"
#include "troupe/apps/shell/session/report.hpp"
#include "troupe/apps/shell/session/session.hpp"
#include "troupe/troupe.hpp"

namespace troupe::bench {

namespace {

/// Session whose output is discarded, with an array x that is ready.
class typist {
 public:
  typist() { enter("x = ones(1, 2); wait x"); }

  void enter(const std::string& input) {
    if (!session_.enter(input)) throw std::runtime_error("the shell: " + written_.str());
  }
  runtime& engine() { return session_.engine(); }

 private:
  std::ostringstream written_;
  shell::text_report report_{written_, written_, {}};
  shell::session session_{{}, report_};
};

/// Measures the time of each input beyond that of the one operation that it submits, which is
/// measured beside it.
measurement statement(runtime&, int count) {
  const auto user = std::make_shared<typist>();
  std::vector<std::string> inputs;
  for (int i = 0; i < count; ++i)
    inputs.push_back(std::to_string(i).insert(0, 1, 'y') + " = x + 1;");
  return [user, inputs, x = ones({1, 2})] {
    const auto thread_seconds = [&](auto&& one) {
      const auto seconds = seconds_of(
          [&] {
            for (const auto& input : inputs) one(input);
          },
          CLOCK_THREAD_CPUTIME_ID);
      user->engine().wait_all();
      return seconds;
    };
    std::vector<tensor> results;
    results.reserve(inputs.size());
    const auto typed = thread_seconds([&](const auto& input) { user->enter(input); });
    const auto called = thread_seconds([&](const auto&) { results.push_back(x + 1); });
    return (typed - called) / static_cast<double>(inputs.size());
  };
}

measurement loop(runtime&, int count) {
  const auto user = std::make_shared<typist>();
  const auto text = "y = x; repeat " + std::to_string(count) + " { y = y + 1 }; wait y";
  return [user, text] { return seconds_of([&] { user->enter(text); }); };
}

measurement loop_in_cpp(runtime&, int count) {
  auto x = ones({1, 2});
  x.wait();
  return [count, x] {
    return seconds_of([&] {
      auto y = x;
      for (int i = 0; i < count; ++i) y = y + 1;
      y.wait();
    });
  };
}

measurement start(runtime&, int) {
  return [path = path_beside("troupe")] {
    return seconds_of([&] {
      std::string words[] = {path, "-e", "1;"};
      char* const arguments[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
      pid_t process = 0;
      int status = -1;
      if (posix_spawn(&process, path.c_str(), nullptr, nullptr, arguments, environ) == 0)
        waitpid(process, &status, 0);
      if (status != 0) throw std::runtime_error("cannot run " + path);
    });
  };
}

constexpr bench_case shell_cases[] = {
    {.name = "shell_start",
     .title = "the shell: start, one input, end",
     .in_a_row = 10,
     .ours = start,
     .aim = {target::below, 50e-3},
     .synchronous = false},
    {.name = "shell_statement",
     .title = "an input of the shell, beyond submitting: CPU time",
     .count = 20'000,
     .in_a_row = 3,
     .ours = statement,
     .aim = {target::below, 20e-6},
     .synchronous = false},
    {.name = "shell_loop",
     .title = "the shell: repeat 100000 { y = y + 1 }, shape (1,2)",
     .count = 100'000,
     .in_a_row = 5,
     .shown = figure::rate,
     .ours = loop,
     .aim = {target::times_as_fast, 1.0 / 3},
     .beside = loop_in_cpp,
     .beside_name = "in C++",
     .synchronous = false},
};

}  // namespace

const std::span<const bench_case> shell_inputs = shell_cases;

}  // namespace troupe::bench
