// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace troupe {

enum class device_kind : std::uint8_t { cpu, gpu };

/// Properties of all devices of a kind: what is asked instead of which kind it is.
struct device_traits {
  std::string_view name;
  /// The host reads and writes its memory.
  bool host_memory;
  /// A task has ended when its kernel returns. Else the kernel puts work on a stream, and the task
  /// ends when the stream gets behind that.
  bool synchronous;
  /// Kernels that take narrow dtypes where possible take integers of 8 and 16 bits, and uint32.
  bool narrow_integers;
  // The pace of a single lane, and the cost of a task beside that, roughly: enough to tell small
  // tasks from large ones.
  double bytes_per_nanosecond, flops_per_nanosecond, nanoseconds_per_task;
};

/// The traits of each device_kind.
inline constexpr device_traits traits_by_kind[] = {
    {.name = "cpu",
     .host_memory = true,
     .synchronous = true,
     .narrow_integers = true,
     .bytes_per_nanosecond = 16,
     .flops_per_nanosecond = 40,
     .nanoseconds_per_task = 150},
    {.name = "gpu",
     .host_memory = false,
     .synchronous = false,
     .narrow_integers = false,
     .bytes_per_nanosecond = 2'000,
     .flops_per_nanosecond = 50'000,
     .nanoseconds_per_task = 2'000},
};

/// The name of a place where values live and tasks run, such as `cpu:0`.
struct device {
  device_kind kind = device_kind::cpu;
  std::int16_t index = 0;

  friend constexpr bool operator==(device, device) = default;

  constexpr const device_traits& traits() const noexcept {
    return traits_by_kind[static_cast<std::size_t>(kind)];
  }

  /// An index, or one that no device has.
  static constexpr std::int16_t number(int index) noexcept {
    return index >= -1 && index <= INT16_MAX ? static_cast<std::int16_t>(index) : INT16_MAX;
  }
};

/// The i-th CPU device: a share of this machine's cores with its own memory pool.
constexpr device cpu(int index = 0) noexcept { return {device_kind::cpu, device::number(index)}; }

/// The i-th GPU.
constexpr device gpu(int index = 0) noexcept { return {device_kind::gpu, device::number(index)}; }

/// The device whose streams copy from one device to another: one whose streams work by themselves
/// if one takes part.
constexpr device way_between(device from, device to) noexcept {
  return !from.traits().synchronous && to.traits().synchronous ? from : to;
}

/// "cpu:0", "gpu:1", ...
inline std::string to_string(device d) {
  return std::string(d.traits().name) + ':' + std::to_string(d.index);
}

}  // namespace troupe
