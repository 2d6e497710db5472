// SPDX-License-Identifier: MIT
#include "troupe/tensor/autograd/collector.hpp"

#include "troupe/tensor/autograd/functional.hpp"
#include "troupe/tensor/batching/batching.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/elementwise.hpp"

namespace troupe {

const gradient_node_ref collector::none_;

void collector::pass_on(const tensor& arriving, gradient_flow& flow) {
  if (!flow.collects()) return;
  const auto g = conj(arriving);
  for (;;) {
    const auto before = collector::sum();
    const auto after = before.defined() ? add(before, g) : g;
    const std::lock_guard lock(mutex_);
    if (sum_.source() != before.source()) continue;  // another thread has added to it
    sum_ = after;
    return;
  }
}

tensor collector::sum() const {
  const std::lock_guard lock(mutex_);
  return sum_;
}

void collector::set(const tensor& sum) {
  tensor before = sum;
  const std::lock_guard lock(mutex_);
  std::swap(sum_, before);
}

namespace {

collector& collector_of(const tensor& x, const char* what, caller where) {
  auto* const c = dynamic_cast<collector*>(x.node().get());
  if (!c || x.part())
    throw error(std::string(what) + ": " +
                    (x.defined() ? to_string(x.type()) : std::string("a tensor without an array")) +
                    " has no attach_grad" +
                    (x.node() ? ": it was computed, or changed, while recording" : ""),
                where);
  return *c;
}

}  // namespace

tensor& tensor::attach_grad(caller where) {
  checked("attach_grad", where);
  const auto now = type(where);
  if (!is_inexact(now.element))
    throw error("attach_grad: " + to_string(now) + " has no gradient: it has no floats", where);
  *this =
      (part_ ? troupe::copy(detach(), where) : *this).with_node(gradient_node_ref(new collector));
  return *this;
}

tensor tensor::grad(caller where) const { return collector_of(*this, "grad", where).sum(); }

void tensor::zero_grad(caller where) const { collector_of(*this, "zero_grad", where).reset(); }

void tensor::assign(const tensor& x, caller where) {
  collector_of(*this, "assign", where);
  const auto mine = type(where), other = x.type(where);
  if (mine != other)
    throw error("assign: " + to_string(other) + " on " + to_string(other.device) + " to " +
                    to_string(mine) + " on " + to_string(mine.device),
                where);
  batching::need_loop();
  *this = (x.part() ? troupe::copy(x.detach(), where) : x).with_node(node_);
}

tensor detail::argument(const tensor& x, caller where) {
  if (!x.node() || !is_inexact(x.dtype(where))) return tensor(x).attach_grad(where);
  // A view is copied to a whole array: gradients are those of whole arrays.
  const auto whole = x.part() ? copy(x, where) : x;
  return whole.with_node(gradient_node_ref(new stand_in(whole.node())));
}

tensor tensor::detach() const { return with_node(nullptr); }

}  // namespace troupe
