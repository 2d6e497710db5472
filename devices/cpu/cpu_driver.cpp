// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/cpu_driver.hpp"

#include <sched.h>

#include <unistd.h>
#include <algorithm>
#include <cmath>
#include <cstring>

#include "troupe/devices/cpu/control_group.hpp"
#include "troupe/devices/cpu/cpu_kernels.hpp"
#include "troupe/devices/cpu/memory_pool.hpp"

namespace troupe {

namespace cpu_kernels {

constinit const kernel_table all_kernels{
#define TROUPE_KERNEL_FAMILY(name, ...) .name = name##_kernel,
#include "troupe/devices/kernel_families.def"
};

}  // namespace cpu_kernels

namespace {

/// Host work is done by the thread that asks for it, so a point of it is reached once it is
/// recorded.
class cpu_event final : public event {
 public:
  bool reached() const override { return true; }
  void wait() const override {}
};

class cpu_stream final : public stream {
 public:
  void copy(void* to, const void* from, std::size_t bytes) override {
    std::memcpy(to, from, bytes);
  }
  std::unique_ptr<event> record() override { return std::make_unique<cpu_event>(); }
  void wait(const event& point) override { point.wait(); }
};

class cpu_driver final : public driver {
 public:
  cpu_driver(int index, int lanes, const cpu_settings& settings, std::vector<int> cores)
      : id_(cpu(index)),
        lanes_(lanes),
        cores_(std::move(cores)),
        memory_(std::make_shared<memory_pool>(settings.memory_limit, available_memory(),
                                              settings.lock)) {}

  device id() const override { return id_; }
  std::string description() const override {
    return "CPU, " + std::to_string(lanes_) + (lanes_ == 1 ? " lane" : " lanes");
  }
  const std::shared_ptr<troupe::memory>& memory() const override { return memory_; }
  const kernel_table& kernels() const override { return cpu_kernels::all_kernels; }
  std::unique_ptr<stream> open_stream() override { return std::make_unique<cpu_stream>(); }
  int lanes() const override { return lanes_; }

  // With as many lanes as cores, each has a core to itself: left to the system, two of them may
  // share one for milliseconds while another core is idle.
  void enter(int lane) override {
    if (cores_.empty()) return;
    const bool own = lane != no_lane && cores_.size() == static_cast<std::size_t>(lanes_);
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int i = 0; const int core : cores_) {
      if (i++ == lane || !own) CPU_SET(core, &set);
    }
    sched_setaffinity(0, sizeof set,
                      &set);  // refused: the thread runs anywhere, which is only slower
  }

 private:
  device id_;
  int lanes_;
  std::vector<int> cores_;
  std::shared_ptr<troupe::memory> memory_;
};

std::vector<int> cores_of_this_process() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cores;
  if (sched_getaffinity(0, sizeof set, &set) == 0) {
    for (int i = 0; i < CPU_SETSIZE; ++i) {
      if (CPU_ISSET(i, &set)) cores.push_back(i);
    }
  }
  if (cores.empty()) cores.push_back(0);
  return cores;
}

}  // namespace

int available_cores() {
  const auto cores = static_cast<int>(cores_of_this_process().size());
  const auto paid_for = limits_of_this_process().cores.value_or(cores);
  return paid_for < cores ? std::max(1, static_cast<int>(std::ceil(paid_for))) : cores;
}

std::size_t available_memory() {
  const auto pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGE_SIZE);
  const auto machine = pages > 0 && page > 0
                           ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(page)
                           : std::size_t{4} << 30;
  return std::min<std::size_t>(machine, limits_of_this_process().memory.value_or(machine));
}

drivers make_cpu_drivers(const cpu_settings& settings) {
  const auto cores = cores_of_this_process();
  const auto count = static_cast<std::size_t>(settings.devices);
  const auto share = cores.size() / count;
  drivers made;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<int> mine;
    if (share > 0) {
      const auto first = cores.begin() + static_cast<std::ptrdiff_t>(i * share);
      mine.assign(first, i + 1 == count ? cores.end() : first + static_cast<std::ptrdiff_t>(share));
    }
    const int lanes =
        settings.lanes > 0 ? settings.lanes : static_cast<int>(std::max<std::size_t>(share, 1));
    made.push_back(
        std::make_shared<cpu_driver>(static_cast<int>(i), lanes, settings, std::move(mine)));
  }
  return made;
}

}  // namespace troupe
