// SPDX-License-Identifier: MIT
#include "troupe/nn/variable.hpp"

#include "troupe/tensor/autograd/backward.hpp"
#include "troupe/tensor/autograd/collector.hpp"
#include "troupe/tensor/batching/batching.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/program/capture.hpp"

namespace troupe::nn {

const tensor& variable::value(caller where) const {
  if (!defined())
    throw error(
        "nn: a parameter has no array yet: its layer learns its shape when it is first called",
        where);
  if (auto* const into = capture::active()) return into->read(state_, state_->trained);
  return state_->value;
}

void variable::state::write(const tensor& x) {
  value = x.with_node(value.node());
  defined.store(value.defined(), std::memory_order_release);
}

void variable::state::write_gradient(const tensor& sum) {
  if (auto* const to = dynamic_cast<collector*>(value.node().get())) to->set(sum);
}

tensor variable::on(device place, caller where) const { return to(value(where), place, where); }

void variable::assign(const tensor& x, caller where) {
  batching::need_loop();
  auto& now = state_->value;
  if (auto* const into = capture::active()) {
    if (!now.defined()) throw first_call_needed{};
    into->write(state_, x, where);
    return;
  }
  if (now.defined() && now.node()) {
    now.assign(x, where);
    return;
  }
  const auto type = x.type(where);
  if (now.defined() && type != now.type())
    throw error("assign: " + to_string(type) + " on " + to_string(type.device) + " to " +
                    to_string(now.type()) + " on " + to_string(now.device()),
                where);
  auto fresh = x.part() ? copy(x.detach(), where) : x.detach();
  if (state_->trained) fresh.attach_grad(where);
  now = std::move(fresh);
  state_->defined.store(true, std::memory_order_release);
}

void variable::assign_first(const std::function<tensor()>& make, caller where) const {
  if (defined()) return;
  const std::lock_guard lock(state_->changing);
  if (!defined()) variable(*this).assign(make(), where);
}

void variable::update(const std::function<tensor(const tensor& now)>& change, caller where) const {
  for (;;) {
    const auto before = current(where);
    const auto after = change(before);
    const std::lock_guard lock(state_->changing);
    if (value(where).source() != before.source()) continue;  // another thread has changed it
    return variable(*this).assign(after, where);
  }
}

tensor variable::current(caller where) const {
  const std::lock_guard lock(state_->changing);
  return value(where);
}

variable variable::clone() const {
  variable out;
  if (defined()) out.assign(value());
  return out;
}

tensor parameter::grad() const { return defined() && trained() ? value().grad() : tensor(); }

void parameter::zero_grad() const {
  if (defined() && trained()) value().zero_grad();
}

void parameter::set_grad(const tensor& gradient, caller where) const {
  const auto& mine = value(where);
  if (!trained())
    throw error("set_grad: " + to_string(mine.type()) + " is frozen: it has no gradient", where);
  const auto type = gradient.type(where), wanted = mine.type();
  if (type != wanted)
    throw error("set_grad: " + to_string(type) + " on " + to_string(type.device) + " for " +
                    to_string(wanted) + " on " + to_string(wanted.device),
                where);
  const auto fresh = gradient.detach();
  mine.zero_grad();
  backward(mine, {.seed = fresh}, where);  // the seed itself is the gradient
}

void parameter::freeze() {
  ++troupe::detail::changes_of_course;
  state_->trained = false;
  state_->value = state_->value.detach();
}

void parameter::unfreeze() {
  if (trained()) return;
  ++troupe::detail::changes_of_course;
  if (defined()) state_->value.attach_grad();
  state_->trained = true;
}

parameter parameter::clone() const {
  parameter out;
  if (!trained()) out.freeze();
  if (defined()) out.assign(value());
  return out;
}

}  // namespace troupe::nn
