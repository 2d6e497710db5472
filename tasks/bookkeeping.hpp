// SPDX-License-Identifier: MIT
#pragma once

namespace troupe {

/// Scope in which the calling thread keeps an engine's books: messages, lists of tasks, reports. An
/// allocation by `operator new` that finds no memory does not throw there. It takes from a reserve
/// of the process, and when that is used up waits until there is memory again; after a second it
/// says so once, on the standard error output. Operations that run within it still get
/// std::bad_alloc.
class bookkeeping {
 public:
  bookkeeping() noexcept;
  bookkeeping(const bookkeeping&) = delete;
  bookkeeping& operator=(const bookkeeping&) = delete;
  ~bookkeeping();

  /// Prepares the process for such scopes: to be called before the first. A handler that the
  /// program set by std::set_new_handler is called outside of them as before.
  static void prepare();
  /// Ends all scopes of the calling thread, which is the only one of a forked process.
  static void forget() noexcept;

 private:
  struct state {
    bool active = false;
    bool inside_operation = false;  ///< it began there, so the operation is not within it
    int naps = 0;
  };

  static void find_memory();

  static thread_local state here_;
  state before_;
};

}  // namespace troupe
