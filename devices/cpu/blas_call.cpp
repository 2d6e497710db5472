// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/blas_call.hpp"

#include <pthread.h>
#include <sys/mman.h>

#include <atomic>
#include <cstddef>
#include <new>
#include <vector>

namespace troupe {

namespace {

// A buffer and what aligns it. It is made of addresses: most of its pages are never written.
constexpr std::size_t buffer_bytes = (std::size_t{128} << 20) + (std::size_t{64} << 10);

std::atomic<int> running = 0;  ///< calls
std::atomic<int> buffers = 0;  ///< that OpenBLAS has, or can have
std::mutex making_room;

// A child of fork has only the thread that called it: there the calls of others never end, and
// would never release the lock.
[[maybe_unused]] const int at_fork =
    pthread_atfork([] { making_room.lock(); }, [] { making_room.unlock(); },
                   [] {
                     running = 0;
                     making_room.unlock();
                   });

bool has_room() noexcept {
  void* const found =
      mmap(nullptr, buffer_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (found == MAP_FAILED) return false;
  munmap(found, buffer_bytes);
  return true;
}

/// Makes OpenBLAS take buffers for so many calls at the same time, all at once: those that are
/// there and free, and others. Returns false if there is no memory for them.
bool make_room(int calls, const blas& functions) {
  using allocate = void*(int);
  using release = void(void*);
  auto* const take = reinterpret_cast<allocate*>(functions.find("blas_memory_alloc"));
  auto* const give_back = reinterpret_cast<release*>(functions.find("blas_memory_free"));
  const std::lock_guard lock(making_room);
  if (buffers.load() >= calls) return true;
  std::vector<void*> taken(static_cast<std::size_t>(calls));
  std::size_t count = 0;
  while (count < taken.size() && has_room())
    taken[count++] = take != nullptr && give_back != nullptr ? take(0) : nullptr;
  for (std::size_t i = 0; i < count; ++i) {
    if (taken[i] != nullptr) give_back(taken[i]);
  }
  if (count < taken.size()) return false;
  buffers.store(calls);
  return true;
}

}  // namespace

blas_call::blas_call() : functions_(load_blas()) {
  if (functions_.one_at_a_time) alone_ = std::unique_lock(*functions_.one_at_a_time);
  const int calls = running.fetch_add(1) + 1;
  if (calls <= buffers.load()) return;
  bool there = false;
  try {
    there = make_room(calls, functions_);
  } catch (const std::bad_alloc&) {}
  if (there) return;
  running.fetch_sub(1);
  throw std::bad_alloc();
}

blas_call::~blas_call() { running.fetch_sub(1); }

}  // namespace troupe
