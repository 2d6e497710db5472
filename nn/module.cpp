// SPDX-License-Identifier: MIT
#include "troupe/nn/module.hpp"

#include <algorithm>

namespace troupe::nn {

std::vector<named_parameter> detail::parameters_seen_by(void (*show)(void* net, visitor& to),
                                                        void* net) {
  struct collect final : visitor {
    void at(parameter& p) override {
      if (std::ranges::find(found, p, &named_parameter::value) == found.end())
        found.push_back({path(), p});
    }
    std::vector<named_parameter> found;
  } all;
  show(net, all);
  return std::move(all.found);
}

void detail::set_mode(void (*show)(void* net, visitor& to), void* net, bool training) {
  struct turn final : visitor {
    explicit turn(bool b) noexcept : on(b) {}
    void at(mode& m) override { m.training = on; }
    bool on;
  } to(training);
  show(net, to);
  ++troupe::detail::changes_of_course;
}

}  // namespace troupe::nn
