// SPDX-License-Identifier: MIT
#include "troupe/tasks/thread_end.hpp"

#include <pthread.h>

#include "troupe/devices/made_once.hpp"

namespace troupe {

namespace {

extern "C" void call_all(void* first) {
  for (auto* one = static_cast<thread_end_call*>(first); one; one = one->next) one->what();
}

/// Key whose value in each thread is the first of its calls.
class thread_end_key {
 public:
  thread_end_key() noexcept : made_(pthread_key_create(&key_, call_all) == 0) {}
  thread_end_key(const thread_end_key&) = delete;
  thread_end_key& operator=(const thread_end_key&) = delete;
  ~thread_end_key() {
    if (made_) pthread_key_delete(key_);
    made_ = false;
  }

  bool push(thread_end_call& one) const noexcept {
    if (!made_) return false;
    one.next = static_cast<thread_end_call*>(pthread_getspecific(key_));
    return pthread_setspecific(key_, &one) == 0;
  }

 private:
  pthread_key_t key_{};
  bool made_;
};

}  // namespace

void thread_end_call::note_first() noexcept {
  static constinit made_once<thread_end_key> key;
  noted = key.get().push(*this);
}

}  // namespace troupe
