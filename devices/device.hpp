// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace troupe {

enum class device_kind : std::uint8_t { cpu, gpu };

/// The name of a place where values live and tasks run, such as `cpu:0`.
struct device {
  device_kind kind = device_kind::cpu;
  std::int16_t index = 0;

  friend constexpr bool operator==(device, device) = default;

  /// An index, or one that no device has.
  static constexpr std::int16_t number(int index) noexcept {
    return index >= -1 && index <= INT16_MAX ? static_cast<std::int16_t>(index) : INT16_MAX;
  }
};

/// The i-th CPU device: a share of this machine's cores with its own memory pool.
constexpr device cpu(int index = 0) noexcept { return {device_kind::cpu, device::number(index)}; }

/// The i-th GPU.
constexpr device gpu(int index = 0) noexcept { return {device_kind::gpu, device::number(index)}; }

/// The device whose streams copy from one device to another: a GPU if one takes part.
constexpr device way_between(device from, device to) noexcept {
  return from.kind == device_kind::gpu && to.kind != device_kind::gpu ? from : to;
}

/// "cpu:0", "gpu:1", ...
inline std::string to_string(device d) {
  return (d.kind == device_kind::cpu ? "cpu:" : "gpu:") + std::to_string(d.index);
}

}  // namespace troupe
