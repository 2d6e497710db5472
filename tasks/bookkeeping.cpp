// SPDX-License-Identifier: MIT
#include "troupe/tasks/bookkeeping.hpp"

#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <new>
#include <string_view>
#include <thread>
#include <utility>

#include "troupe/devices/made_once.hpp"
#include "troupe/tasks/engine.hpp"

namespace troupe {

namespace {

// Addresses only: nobody writes there.
constexpr std::size_t reserve_bytes = std::size_t{4} << 20;
constexpr std::chrono::milliseconds nap{1};
constexpr int naps_until_told = 1000;
constexpr std::string_view waits =
    "troupe: there is no memory to keep track of tasks with, so they wait until the program gives "
    "some back\n";

std::atomic<void*> reserve = nullptr;
std::atomic<bool> spent = false, told = false;
std::atomic<std::new_handler> of_program = nullptr;

bool take_reserve() noexcept {
  void* const found =
      mmap(nullptr, reserve_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (found == MAP_FAILED) return false;
  if (void* const other = reserve.exchange(found)) munmap(other, reserve_bytes);
  return true;
}

/// Lets all threads share one heap where the process may not have addresses for as many as glibc
/// makes: a thread that got none would take a page for each small block.
void share_heap_if_addresses_are_few() noexcept {
#ifdef M_ARENA_MAX
  const auto heaps = 8 * std::max(1u, std::thread::hardware_concurrency());
  constexpr rlim_t heap = rlim_t{128} << 20;
  rlimit addresses{};
  if (::getrlimit(RLIMIT_AS, &addresses) == 0 && addresses.rlim_cur < heaps * heap)
    ::mallopt(M_ARENA_MAX, 1);
#endif
}

/// Lets engines give back what they keep for reuse, now and then. Returns true if there was some.
bool trim_what_is_kept() noexcept {
  constexpr auto between = std::chrono::milliseconds(10);
  static constinit std::atomic<std::chrono::steady_clock::rep> last = 0;
  const auto time = std::chrono::steady_clock::now().time_since_epoch();
  auto before = last.load();
  if (time.count() - before < std::chrono::steady_clock::duration(between).count()) return false;
  return last.compare_exchange_strong(before, time.count()) && engine::trim_all();
}

}  // namespace

thread_local constinit bookkeeping::state bookkeeping::here_;

bookkeeping::bookkeeping() noexcept
    : before_(std::exchange(here_, {true, working_scope::active()})) {}

void bookkeeping::forget() noexcept { here_ = {}; }

bookkeeping::~bookkeeping() {
  here_ = before_;
  if (here_.active || !spent.load(std::memory_order_relaxed) || !spent.exchange(false)) return;
  if (take_reserve()) told = false;
  else spent = true;
}

void bookkeeping::prepare() {
  static constinit made_once<const bool> prepared;
  prepared.get([] {
    share_heap_if_addresses_are_few();
    spent = !take_reserve();
    of_program = std::set_new_handler(find_memory);
    return true;
  });
}

/// Handler of the process for allocations that find no memory: returning means that another try may
/// succeed.
void bookkeeping::find_memory() {
  if (trim_what_is_kept()) return;
  if (!here_.active || (working_scope::active() && !here_.inside_operation)) {
    if (const auto handler = of_program.load()) return handler();
    throw std::bad_alloc();
  }
  if (void* const given = reserve.exchange(nullptr)) {
    spent = true;
    munmap(given, reserve_bytes);
  } else {
    if (++here_.naps == naps_until_told && !told.exchange(true))
      (void)!::write(STDERR_FILENO, waits.data(), waits.size());
    std::this_thread::sleep_for(nap);
  }
}

}  // namespace troupe
