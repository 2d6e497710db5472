// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <mutex>
#include <new>
#include <utility>

#include "troupe/devices/made_once.hpp"
#include "troupe/tasks/thread_end.hpp"

namespace troupe {

/// Allocator for objects of one size that are created on one thread and destroyed on another, many
/// millions of times a second. Each thread keeps a short list; whole lists of `run` nodes travel
/// between threads through a shared depot, so the lock is taken once for many objects. Nodes are
/// never returned to the system. Under AddressSanitizer every node is an allocation of its own.
template <std::size_t Size>
class node_pool {
 public:
  static void* allocate() {
#if defined(__SANITIZE_ADDRESS__)
    return ::operator new(Size);
#else
    if (!local_.head) refill();
    --local_.count;
    auto* mine = std::exchange(local_.head, local_.head->next);
    // The next node may lie in another core's cache.
    for (std::size_t at = 0; local_.head && at < spacing; at += line)
      __builtin_prefetch(reinterpret_cast<const char*>(local_.head) + at, 1);
    return mine;
#endif
  }

  static void deallocate(void* memory) noexcept {
#if defined(__SANITIZE_ADDRESS__)
    ::operator delete(memory);
#else
    if (!local_.head) enrol();
    local_.head = ::new (memory) node{local_.head, nullptr, 0};
    if (++local_.count >= 2 * run || local_.closed) spill();
#endif
  }

 private:
  static constexpr std::size_t run = 64;
  static constexpr std::size_t line = 64;  // cache line; no two nodes share one
  static constexpr std::size_t spacing = (Size + line - 1) / line * line;

  // Free node. The last two members are used only in the first node of a run.
  struct node {
    node* next;
    node* next_run;
    std::size_t count;
  };
  static_assert(spacing >= sizeof(node));

  struct depot {
    fork_lock mutex;
    node* runs = nullptr;
  };

  // Trivially destructible, so that objects destroyed after their thread's end still find it.
  struct list {
    node* head;
    std::size_t count;
    bool closed;
  };

  static void close() noexcept {
    local_.closed = true;
    while (local_.head) spill();
  }

  // Never destroyed: tensors in static storage may be its last users.
  static depot& shared() {
    static constinit made_once<depot> all;
    return all.get();
  }

  // Arranges for the calling thread's list to go to the depot when the thread ends.
  static void enrol() noexcept {
    thread_local constinit thread_end_call at_thread_end{close};
    at_thread_end.note();
  }

  static void refill() {
    enrol();
    auto& d = shared();
    {
      std::lock_guard lock(d.mutex);
      if (d.runs) local_.head = std::exchange(d.runs, d.runs->next_run);
    }
    if (local_.head) {
      local_.count = local_.head->count;
      return;
    }
    auto* slab = static_cast<std::byte*>(::operator new (spacing* run, std::align_val_t{line}));
    for (std::size_t i = 0; i < run; ++i)
      local_.head = ::new (slab + i * spacing) node{local_.head, nullptr, 0};
    local_.count = run;
  }

  static void spill() noexcept {
    auto* first = local_.head;
    auto* last = first;
    std::size_t n = 1;
    for (; n < run && last->next; ++n) last = last->next;
    local_.head = std::exchange(last->next, nullptr);
    local_.count -= n;
    first->count = n;
    auto& d = shared();
    std::lock_guard lock(d.mutex);
    first->next_run = std::exchange(d.runs, first);
  }

  static inline thread_local constinit list local_{};
};

/// Base that gives a class `new` and `delete` from a node_pool.
template <class T>
struct pooled {
  static void* operator new(std::size_t) { return node_pool<sizeof(T)>::allocate(); }
  static void operator delete(void* memory) noexcept { node_pool<sizeof(T)>::deallocate(memory); }
};

}  // namespace troupe
