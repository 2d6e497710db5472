// SPDX-License-Identifier: MIT
#pragma once

#include <signal.h>
#include <thread>
#include <utility>

namespace troupe {

/// Scope in which threads begin that no signal to the process is delivered to: those go to the
/// program's own threads, which may block them and wait for them. What a thread causes itself it
/// still gets, and what profilers send.
class without_signals {
 public:
  without_signals() noexcept {
    sigset_t all;
    sigfillset(&all);
    for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT, SIGPROF})
      sigdelset(&all, own);
    pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  without_signals(const without_signals&) = delete;
  without_signals& operator=(const without_signals&) = delete;
  ~without_signals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

/// True in threads of the library.
inline thread_local constinit bool on_library_thread = false;

/// Returns a thread of the library.
template <class F>
std::thread library_thread(F&& f) {
  const without_signals quiet;
  return std::thread([run = std::forward<F>(f)]() mutable {
    on_library_thread = true;
    run();
  });
}

}  // namespace troupe
