// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace troupe {

enum class device_kind : std::uint8_t { cpu, gpu };

/// Properties of all devices of a kind, on this machine or on others: what is asked instead of
/// which kind it is.
struct device_traits {
  std::string_view name;
  /// The host reads and writes its memory.
  bool host_memory;
  /// A task has ended when its kernel returns. Else the kernel puts work on a stream, and the task
  /// ends when the stream gets behind that.
  bool synchronous;
  /// It computes on the threads of a machine's cores, with the kernels of CPU devices.
  bool computes_on_cores;
  // The pace of a single lane, and the cost of a task beside that, roughly: enough to tell small
  // tasks from large ones.
  double nanoseconds_per_byte, nanoseconds_per_flop, nanoseconds_per_task;

  /// Returns the nanoseconds that a task takes beside its own cost.
  constexpr double nanoseconds_for(double bytes, double flops) const noexcept {
    return std::max(bytes * nanoseconds_per_byte, flops * nanoseconds_per_flop);
  }
};

/// The same of a device on another machine, where tasks are commands on a stream.
constexpr device_traits on_other_machine(device_traits t) noexcept {
  t.host_memory = t.synchronous = false;
  t.nanoseconds_per_task += 2'000;
  return t;
}

namespace detail {

inline constexpr device_traits traits_here[] = {
    {.name = "cpu",
     .host_memory = true,
     .synchronous = true,
     .computes_on_cores = true,
     .nanoseconds_per_byte = 1.0 / 16,
     .nanoseconds_per_flop = 1.0 / 40,
     .nanoseconds_per_task = 150},
    {.name = "gpu",
     .host_memory = false,
     .synchronous = false,
     .computes_on_cores = false,
     .nanoseconds_per_byte = 1.0 / 2'000,
     .nanoseconds_per_flop = 1.0 / 50'000,
     .nanoseconds_per_task = 2'000},
};

/// The traits of each device_kind, on this machine and on others.
inline constexpr device_traits all_traits[] = {traits_here[0], traits_here[1],
                                               on_other_machine(traits_here[0]),
                                               on_other_machine(traits_here[1])};

}  // namespace detail

/// The number of a machine: 0 is the one that the program runs on, 1 the first of
/// `runtime_options::nodes`.
struct node {
  std::uint8_t number = 0;

  constexpr explicit node(int n) noexcept
      : number(n >= 0 && n <= UINT8_MAX ? static_cast<std::uint8_t>(n) : std::uint8_t{UINT8_MAX}) {}
};

/// The name of a place where values live and tasks run, such as `cpu:0`, or `cpu:0@2` on the second
/// of other machines.
struct device {
  device_kind kind = device_kind::cpu;
  std::uint8_t node = 0;  ///< its machine: 0 for this one
  std::int16_t index = 0;

  constexpr device() noexcept = default;
  constexpr device(device_kind k, std::int16_t i, std::uint8_t n = 0) noexcept
      : kind(k), node(n), index(i) {}

  // As one word: tasks' devices are compared many times.
  friend constexpr bool operator==(device a, device b) noexcept {
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
  }

  constexpr const device_traits& traits() const noexcept {
    return detail::all_traits[static_cast<std::size_t>(kind) + (node == 0 ? 0 : 2)];
  }

  /// An index, or one that no device has.
  static constexpr std::int16_t number(int index) noexcept {
    return index >= -1 && index <= INT16_MAX ? static_cast<std::int16_t>(index) : INT16_MAX;
  }
};

/// The i-th CPU device of a machine: a share of its cores with a memory pool of its own.
constexpr device cpu(int index = 0, node of = node(0)) noexcept {
  return {device_kind::cpu, device::number(index), of.number};
}

/// The i-th GPU of a machine.
constexpr device gpu(int index = 0, node of = node(0)) noexcept {
  return {device_kind::gpu, device::number(index), of.number};
}

/// The device whose streams copy from one device to another: one whose streams work by themselves
/// if one takes part.
constexpr device way_between(device from, device to) noexcept {
  return !from.traits().synchronous && to.traits().synchronous ? from : to;
}

/// "cpu:0", "gpu:1", "cpu:0@2", ...
inline std::string to_string(device d) {
  auto text = std::string(d.traits().name) + ':' + std::to_string(d.index);
  if (d.node != 0) text += '@' + std::to_string(d.node);
  return text;
}

}  // namespace troupe
