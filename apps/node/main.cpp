// SPDX-License-Identifier: MIT
#include <poll.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <exception>
#include <iostream>
#include <mutex>
#include <stdexcept>

#include "troupe/apps/parse_words.hpp"
#include "troupe/nodes/node_server.hpp"
#include "troupe/troupe.hpp"

namespace {

using namespace troupe;

struct grammar {
  grammar(node_options& given, bool& tls) {
    app.add_option("--listen", given.listen, "where owners connect to; port 0: any free one")
        ->type_name("HOST:PORT")
        ->capture_default_str();
    app.add_option("--key", given.key, "the file with the key that they have to prove")
        ->type_name("FILE")
        ->required();
    app.add_flag("--tls", tls, "encrypt what travels; owners need TROUPE_TLS=1 then");
    app.set_help_flag("-h,--help", "this text");
  }

  CLI::App app{"", "troupe node"};
};

/// Blocks the signals that end the program, in this thread and those that it starts.
sigset_t blocked_signals() {
  sigset_t all;
  sigemptyset(&all);
  sigaddset(&all, SIGINT);
  sigaddset(&all, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  return all;
}

/// Lines on standard error. Nobody waits for a reader that does not come: lines that a full pipe
/// would hold up are left out, which the next line says.
class patient_log {
 public:
  void write(const std::string& line) {
    const std::lock_guard lock(mutex_);
    pollfd place{STDERR_FILENO, POLLOUT, 0};
    if (::poll(&place, 1, 0) != 1 || place.revents != POLLOUT) {
      ++left_out_;
      return;
    }
    if (left_out_ > 0) std::cerr << left_out_ << " lines were left out\n";
    left_out_ = 0;
    std::cerr << line << std::endl;
  }

 private:
  std::mutex mutex_;
  std::uint64_t left_out_ = 0;
};

int serve(node_options options, bool tls) {
  const auto signals = blocked_signals();
  const auto host = options.listen.substr(0, options.listen.rfind(':'));
  patient_log log;
  options.log = [&log](const std::string& line) { log.write(line); };
  runtime_options settings{.max_pending = 1 << 20, .tell_failures = false};
  settings.nodes.emplace();  // TROUPE_NODES is for owners
  if (tls) settings.tls = true;
  runtime rt(settings);
  const node_server node(rt, std::move(options), {});
  std::cout << "listening at " << host << ':' << node.port() << std::endl;
  int which = 0;
  sigwait(&signals, &which);
  return 0;
}

}  // namespace

int main(int count, char** words) {
  node_options given;
  bool tls = false;
  grammar known(given, tls);
  try {
    if (parse_words(known.app, {words + 1, words + count})) return serve(std::move(given), tls);
    std::cout << "Usage: troupe node --key FILE [OPTION...]\n\n"
                 "Offers this machine's devices to programs on others.\n"
              << options_help(known.app);
    return 0;
  } catch (const std::invalid_argument& e) {
    std::cerr << "troupe node: " << e.what() << '\n';
    return 2;
  } catch (const std::exception& e) {
    std::cerr << "troupe node: " << e.what() << '\n';
    return 1;
  }
}
