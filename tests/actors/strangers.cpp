// SPDX-License-Identifier: MIT

// Runtimes where programs keep them: in static storage, in processes that fork, on threads that
// live on. Each fault ended such a program with a crash, or never; so this is a program, whose exit
// status tells.

#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <semaphore>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "troupe/nodes/node_server.hpp"
#include "troupe/tasks/clock.hpp"
#include "troupe/tasks/engine.hpp"
#include "troupe/troupe.hpp"

using namespace troupe;

namespace {

// AddressSanitizer's allocator stays locked in the child of a process with threads.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool can_fork = false;
#else
constexpr bool can_fork = true;
#endif

runtime in_static_storage({.lanes = 2});
tensor kept_in_static_storage;

std::optional<runtime> far;
std::optional<node_server> node_in_static_storage;

/// Strangers who come to the node when `main` has ended, and OpenSSL might have.
struct late_strangers {
  ~late_strangers() {
    if (!node_in_static_storage) return;
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    to.sin_port = htons(node_in_static_storage->port());
    for (int i = 0; i < 5; ++i) {
      const int one = ::socket(AF_INET, SOCK_STREAM, 0);
      char none = 0;
      // It reads nothing but the end of the connection.
      const bool asked = ::connect(one, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0 &&
                         ::write(one, "GET / HTTP/1.0\r\n\r\n", 18) == 18;
      while (asked && ::read(one, &none, 1) > 0) {}
      ::close(one);
    }
  }
} late_strangers_come;

runtime& made_at_first_use() {
  static runtime rt({.lanes = 1});
  return rt;
}

int faults = 0;

void check(bool true_thing, const char* what) {
  if (true_thing) return;
  std::cerr << "not true: " << what << '\n';
  ++faults;
}

template <class F>
std::string error_of(F&& f) {
  try {
    f();
  } catch (const error& e) { return e.what(); }
  return "";
}

bool says_that_it_stayed_behind(const std::string& text) {
  return text.find("stayed behind in the process that this one was forked from") !=
         std::string::npos;
}

/// Runs in a child of fork. Its end is that of any program: static objects are destroyed.
[[noreturn]] void live_in_child(const tensor& ready, const tensor& pending) {
  check(says_that_it_stayed_behind(error_of([] { ones({3}); })), "creating is refused");
  check(says_that_it_stayed_behind(error_of([&] { ready + 1; })), "computing is refused");
  check(says_that_it_stayed_behind(error_of([&] { pending.wait(); })), "waiting is refused");
  check(says_that_it_stayed_behind(error_of([] { in_static_storage.wait_all(); })),
        "wait_all is refused");
  check(ready.item<float>() == 3, "a ready value can be read");
  {
    runtime own({.lanes = 2});
    const use_engine chosen(own.engine());
    check(sum(ones({1000})).item<float>() == 1000, "the child starts a runtime of its own");
  }
  check(says_that_it_stayed_behind(error_of([] { ones({3}); })), "the parent's is not used again");
  std::exit(faults);
}

void fork_while_it_runs() {
  const use_engine chosen(in_static_storage.engine());
  const auto ready = (ones({}) + 2).wait();
  std::binary_semaphore released(0);
  const auto pending = effect("held", {ready}, [&](const inputs&) { released.acquire(); });
  std::cout.flush();
  const auto child = fork();
  if (child == 0) live_in_child(ready, pending);
  released.release();
  int status = -1;
  waitpid(child, &status, 0);
  check(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the child ends as any program does");
  check((ready + 1).item<float>() == 4, "the parent goes on");
}

/// Returns the exit status of a child that runs a function, or -1 if it does not end by itself.
template <class F>
int status_of_child(const F& f) {
  std::cout.flush();
  const auto child = fork();
  if (child == 0) {
    alarm(30);  // ends the process
    f();
    _exit(99);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// Forks while another thread captures a function, for which others wait.
void fork_while_a_function_is_captured() {
  std::binary_semaphore inside(0), go(0);
  std::atomic<bool> waits = true;
  const auto f = compile([&](const tensor& x) {
    if (waits) {
      inside.release();
      go.acquire();
    }
    return x + 1;
  });
  const auto sum_of = [&f] { return sum(f(ones({3}))).item<float>(); };
  std::jthread other([&] {
    const use_engine chosen(in_static_storage.engine());
    check(sum_of() == 6, "a function that was captured during a fork does what it should");
  });
  inside.acquire();
  waits = false;
  const auto status = status_of_child([&] {
    runtime own({.lanes = 2});
    float of_other = 0;
    std::thread([&] { of_other = sum_of(); }).join();
    std::_Exit(sum_of() + of_other == 12 ? 8 : 9);
  });
  check(status == 8, "a child waits for no thread of its parent to capture a function");
  go.release();
}

/// An operation ends the program, or forks, and the child goes on with a runtime of its own.
void leave_from_operations() {
  check(status_of_child([] {
          static runtime rt({.lanes = 2});
          const use_engine chosen(rt.engine());
          effect("fatal", {}, [](const inputs&) { std::exit(7); }).wait();
        }) == 7,
        "an operation may end the program");
  const use_engine chosen(in_static_storage.engine());
  int status = -1;
  effect("forks", {}, [&](const inputs&) {
    status = status_of_child([] {
      runtime own({.lanes = 2});
      std::_Exit(sum(ones({40}) + 1).item<float>() == 80 ? 8 : 9);
    });
  }).wait();
  check(status == 8, "a child of an operation's process starts a runtime and uses it");
  effect("forks", {}, [&](const inputs&) {
    const auto child = ::fork();
    if (child == 0) {
      (void)!::freopen("/dev/null", "w", stderr);
      throw std::runtime_error("there was nothing to execute");
    }
    ::waitpid(child, &status, 0);
  }).wait();
  check(WIFEXITED(status) && WEXITSTATUS(status) == 1, "a child ends that leaves an operation");
}

/// Forks while another thread measures how long a tick of the clock is, which only its first use
/// does: each round is a process of its own.
void fork_while_the_clock_is_measured() {
  constexpr auto use_the_clock = [] { return seconds_between(now(), now()); };
  for (int round = 0; round < 8; ++round) {
    const auto first = fork();
    if (first == 0) {
      const std::jthread other(use_the_clock);
      std::this_thread::sleep_for(std::chrono::microseconds(200 * (round + 1)));
      const auto second = fork();
      if (second == 0) {
        alarm(20);  // ends the process
        use_the_clock();
        _exit(0);
      }
      int status = -1;
      waitpid(second, &status, 0);
      _exit(status == 0 ? 0 : 1);
    }
    int status = -1;
    waitpid(first, &status, 0);
    check(status == 0, "the clock can be used after a fork at any moment");
  }
}

/// A process that may start a few threads only, as nobody's or in a small container.
[[noreturn]] void live_with_few_threads() {
  if (geteuid() == 0 && setuid(65534) != 0) std::exit(97);
  const rlimit few{6, 6};
  if (setrlimit(RLIMIT_NPROC, &few) != 0) std::exit(98);
  const auto refused = error_of([] { runtime many({.lanes = 32}); });
  check(refused.find("runtime: the system refuses a thread, after ") == 0, refused.c_str());
  check(error_of([] { runtime many({.lanes = 32}); }) == refused, "it is refused again");
  runtime small({.lanes = 1});
  const use_engine chosen(small.engine());
  check((ones({}) + 2).item<float>() == 3, "one with fewer lanes starts afterwards");
  std::exit(faults);
}

void start_few_threads() {
  const auto child = fork();
  if (child == 0) live_with_few_threads();
  int status = -1;
  waitpid(child, &status, 0);
  check(WIFEXITED(status) && WEXITSTATUS(status) == 0, "threads that are refused are an error");
}

std::size_t addresses_in_use() {
  std::ifstream table("/proc/self/statm");
  std::size_t pages = 0;
  table >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

/// A process that has no addresses left for another of OpenBLAS's buffers, which it asks for when
/// two lanes multiply at the same time for the first time.
[[noreturn]] void multiply_with_few_addresses() {
  runtime rt({.lanes = 2});
  const use_engine chosen(rt.engine());
  const tensor x = ones({256, 256});
  matmul(x, x).wait();
  rlimit before{};
  getrlimit(RLIMIT_AS, &before);
  const rlimit few{addresses_in_use() + (std::size_t{100} << 20), before.rlim_max};
  if (setrlimit(RLIMIT_AS, &few) != 0) std::exit(98);
  std::vector<tensor> products;
  for (int i = 0; i < 200; ++i) products.push_back(matmul(x, x));
  for (const auto& one : products) {
    const auto said = error_of([&] { one.wait(); });
    check(said.empty() || said.find("out of memory") != std::string::npos, said.c_str());
  }
  setrlimit(RLIMIT_AS, &before);
  check(matmul(x, x).to_vector<float>()[0] == 256, "there are products once there is memory");
  error_of([&] { rt.wait_all(); });
  std::exit(faults);
}

void multiply_where_memory_is_short() {
  const auto child = fork();
  if (child == 0) multiply_with_few_addresses();
  int status = -1;
  waitpid(child, &status, 0);
  check(WIFEXITED(status) && WEXITSTATUS(status) == 0, "products without memory are errors");
}

constexpr const char* few_addresses = "few addresses";

/// In a program that was started with few addresses.
[[noreturn]] void fail_with_few_addresses() {
  {
    runtime rt({.lanes = 2});
    std::set_terminate([] { std::_Exit(1); });  // it has started, and must do without more
    const use_engine chosen(rt.engine());
    for (int i = 0; i < 300'000; ++i)
      call("bad", {}, {float32, {2}}, [](const inputs&, outputs&) { throw 1; });
    check(!error_of([&] { rt.wait_all(); }).empty(), "tasks with few addresses end");
  }
  {
    // Nobody but this thread could give memory back.
    runtime rt({.lanes = 2, .memory_limit = std::size_t{1} << 40, .tell_failures = false});
    const use_engine chosen(rt.engine());
    try {
      std::vector<tensor> all;
      for (;;) all.push_back(ones({20}) + 1);
    } catch (const std::bad_alloc&) {
    } catch (const error&) {}
    check(sum(ones({3})).item<float>() == 3, "a program goes on that has found no memory");
  }
  std::exit(faults);
}

/// A program that may have hardly more addresses than its code and its threads take: the first
/// limit of these with which it starts at all.
void fail_where_addresses_are_few() {
  int status = -1;
  for (rlim_t limit = rlim_t{200} << 20; limit <= rlim_t{4} << 30; limit *= 2) {
    const auto child = fork();
    if (child == 0) {
      rlimit few{};
      getrlimit(RLIMIT_AS, &few);
      few.rlim_cur = limit;
      if (setrlimit(RLIMIT_AS, &few) != 0) std::_Exit(98);
      execl("/proc/self/exe", "strangers", few_addresses, nullptr);
      std::_Exit(97);
    }
    waitpid(child, &status, 0);
    if (WIFEXITED(status)) break;
  }
  check(WIFEXITED(status) && WEXITSTATUS(status) == 0, "many small blocks need few addresses");
}

/// A thread that made a runtime, or used one, and lives on after the runtime's end.
void outlive_a_runtime() {
  std::unique_ptr<runtime> rt;
  std::binary_semaphore made(0), ended(0);
  std::jthread pool([&] {
    rt = std::make_unique<runtime>(runtime_options{.lanes = 2});
    rt->wait_all();
    check((ones({3}) + 1).wait_for(std::chrono::seconds(30)), "a value is computed in time");
    made.release();
    ended.acquire();
  });
  made.acquire();
  rt = nullptr;  // without a wait for that thread's end
  ended.release();
}

/// Starts a node with TLS, whose key no folder has.
void start_node() {
  const int key = ::memfd_create("key", MFD_CLOEXEC);
  const std::string text = "0123456789abcdef0123456789abcdef";
  check(key >= 0 && ::fchmod(key, S_IRUSR | S_IWUSR) == 0 &&
            ::write(key, text.data(), text.size()) == static_cast<ssize_t>(text.size()),
        "a key can be made");
  far.emplace(runtime_options{.lanes = 1, .tls = true});
  node_in_static_storage.emplace(
      *far, node_options{.listen = "127.0.0.1:0", .key = "/proc/self/fd/" + std::to_string(key)});
}

}  // namespace

int main(int count, char** words) {
  if constexpr (can_fork) {
    if (count > 1 && std::string_view(words[1]) == few_addresses) fail_with_few_addresses();
    start_few_threads();
    multiply_where_memory_is_short();
    fail_where_addresses_are_few();
    fork_while_the_clock_is_measured();
    fork_while_it_runs();
    fork_while_a_function_is_captured();
    leave_from_operations();
  }
  outlive_a_runtime();
  start_node();
  {
    const use_engine chosen(made_at_first_use().engine());
    kept_in_static_storage = ones({100}) + 1;
  }
  return faults;
}
