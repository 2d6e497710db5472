// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace troupe::bench {

/// Measurement that a peer offers.
struct peer_case {
  std::string_view name;
  double (*run)(
      int count);  ///< seconds, in all or the median of `count` repetitions; or what it says
};

/// Says what the peer is, then answers lines "<case> <count>" with seconds until there are no more.
/// Before each answer the process has come to rest. Returns the exit status.
int serve(const std::string& description, std::span<const peer_case> cases);

}  // namespace troupe::bench
