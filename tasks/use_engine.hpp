// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace troupe {

class engine;

/// Scope in which new values of this thread belong to a given engine.
class use_engine {
 public:
  explicit use_engine(const engine& e) noexcept;
  /// Chooses the engine with this id, or no particular one for 0.
  explicit use_engine(std::uint32_t id) noexcept;
  use_engine(const use_engine&) = delete;
  use_engine& operator=(const use_engine&) = delete;
  ~use_engine();

 private:
  std::uint32_t before_;
};

}  // namespace troupe
