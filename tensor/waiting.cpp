// SPDX-License-Identifier: MIT
#include "troupe/tensor/waiting.hpp"

#include <utility>

#include "troupe/tasks/engine.hpp"

namespace troupe {

namespace {

/// Returns true if the value has settled before the limit; does not throw its failure.
bool await_settled(const tensor& x, const wait_limit& limit, caller where) {
  if (x.ready(where) || x.failed(where)) return true;
  refuse_while_working("wait", where);
  return engine::of(*x.source(), "wait", where).wait(x.source(), limit);
}

}  // namespace

void wait(std::span<const tensor> all, caller where) {
  for (const auto& x : all) await_settled(x, {}, where);
  for (const auto& x : all) x.wait(where);
}

bool wait(const tensor& x, std::stop_token stop, caller where) {
  if (!await_settled(x, {.stop = std::move(stop)}, where)) return false;
  x.wait(where);
  return true;
}

}  // namespace troupe
