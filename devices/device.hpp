// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace troupe {

enum class device_kind : std::uint8_t { cpu, gpu };

/// The name of a place where values live and tasks run, such as `cpu:0`.
struct device {
  device_kind kind = device_kind::cpu;
  std::uint8_t index = 0;

  friend constexpr bool operator==(device, device) = default;
};

/// The i-th CPU device: a share of this machine's cores with its own memory pool.
constexpr device cpu(int index = 0) noexcept {
  return {device_kind::cpu, static_cast<std::uint8_t>(index)};
}

/// The i-th GPU.
constexpr device gpu(int index = 0) noexcept {
  return {device_kind::gpu, static_cast<std::uint8_t>(index)};
}

/// "cpu:0", "gpu:1", ...
inline std::string to_string(device d) {
  return (d.kind == device_kind::cpu ? "cpu:" : "gpu:") + std::to_string(d.index);
}

}  // namespace troupe
