// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/cpu_driver.hpp"

#include <sched.h>
#include <sys/resource.h>

#include <unistd.h>
#include <algorithm>
#include <cmath>

#include "troupe/devices/cpu/control_group.hpp"
#include "troupe/devices/cpu/cpu_kernels.hpp"
#include "troupe/devices/cpu/memory_pool.hpp"
#include "troupe/devices/cpu/topology.hpp"
#include "troupe/devices/layout/copy_bytes.hpp"

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
  void copy(void* to, const void* from, std::size_t bytes) override { copy_bytes(to, from, bytes); }
  std::unique_ptr<event> record() override { return std::make_unique<cpu_event>(); }
  void wait(const event& point) override { point.wait(); }
};

class cpu_driver final : public driver {
 public:
  cpu_driver(int index, const cpu_settings& settings, cpu_share share, int cores)
      : id_(cpu(index)),
        lanes_(settings.lanes > 0 ? settings.lanes : cores),
        memory_(std::make_shared<memory_pool>(
            settings.memory_limit, settings.capacity > 0 ? settings.capacity : available_memory(),
            settings.lock, share.node)),
        cores_(set_of(share.processors)) {}

  device id() const override { return id_; }
  std::string description() const override {
    return "CPU, " + std::to_string(lanes_) + (lanes_ == 1 ? " lane" : " lanes");
  }
  const std::shared_ptr<troupe::memory>& memory() const override { return memory_; }
  const kernel_table& kernels() const override { return cpu_kernels::all_kernels; }
  std::unique_ptr<stream> open_stream() override { return std::make_unique<cpu_stream>(); }
  int lanes() const override { return lanes_; }

  // Lanes share the processors of their device: bound to one, a lane would wait whenever another
  // program is on it, though the next one may be idle.
  void enter(int) noexcept override {
    // If it is refused, the thread runs anywhere, which is only slower.
    if (!cores_.empty()) sched_setaffinity(0, cores_.size() * sizeof(cpu_set_t), cores_.data());
  }

 private:
  static std::vector<cpu_set_t> set_of(const std::vector<int>& processors) {
    if (processors.empty()) return {};
    const auto last = *std::ranges::max_element(processors);
    std::vector<cpu_set_t> set(static_cast<std::size_t>(last) / CPU_SETSIZE + 1);
    for (const int one : processors)
      CPU_SET_S(static_cast<std::size_t>(one), set.size() * sizeof(cpu_set_t), set.data());
    return set;
  }

  device id_;
  int lanes_;
  std::shared_ptr<troupe::memory> memory_;
  std::vector<cpu_set_t> cores_;  ///< empty: all
};

}  // namespace

int available_cores() {
  const auto cores = static_cast<int>(allowed_processors().size());
  const auto paid_for = limits_of_this_process().cores.value_or(cores);
  return paid_for < cores ? std::max(1, static_cast<int>(std::ceil(paid_for))) : cores;
}

std::size_t available_memory() {
  const auto pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGE_SIZE);
  const auto machine = pages > 0 && page > 0
                           ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(page)
                           : std::size_t{4} << 30;
  std::size_t least =
      std::min<std::size_t>(machine, limits_of_this_process().memory.value_or(machine));
  for (const auto resource : {RLIMIT_AS, RLIMIT_DATA}) {
    rlimit own{};
    if (getrlimit(resource, &own) == 0) least = std::min<std::size_t>(least, own.rlim_cur);
  }
  return least;
}

drivers make_cpu_drivers(const cpu_settings& settings) {
  drivers made;
  if (settings.devices == 1) {
    const int cores = settings.lanes > 0 ? settings.lanes : available_cores();
    made.push_back(std::make_shared<cpu_driver>(0, settings, cpu_share{}, cores));
    return made;
  }
  for (auto& share : divide(describe_allowed_processors(), settings.devices)) {
    const auto cores = std::max(1, static_cast<int>(share.processors.size()));
    made.push_back(std::make_shared<cpu_driver>(static_cast<int>(made.size()), settings,
                                                std::move(share), cores));
  }
  return made;
}

}  // namespace troupe
