// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "troupe/tasks/forks.hpp"

namespace troupe {

/// The process that an object with threads and connections belongs to. A child that is forked from
/// it has a copy of the object without the threads, and has to leave it alone.
class own_process {
 public:
  bool is_this() const noexcept { return number_ == forks::count(); }

 private:
  std::uint32_t number_ = forks::count();
};

/// Makes an object that is destroyed in this process only.
template <class T, class... Args>
std::shared_ptr<T> make_for_this_process(Args&&... args) {
  return {new T(std::forward<Args>(args)...), [own = own_process()](T* object) {
            if (own.is_this()) delete object;
          }};
}

}  // namespace troupe
