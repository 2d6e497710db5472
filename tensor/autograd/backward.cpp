// SPDX-License-Identifier: MIT
#include "troupe/tensor/autograd/backward.hpp"

#include <algorithm>
#include <limits>
#include <queue>
#include <unordered_map>
#include <utility>

#include "troupe/tasks/engine.hpp"
#include "troupe/tensor/autograd/functional.hpp"
#include "troupe/tensor/autograd/gradient_flow.hpp"
#include "troupe/tensor/autograd/gradient_sum.hpp"
#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/autograd/sources.hpp"
#include "troupe/tensor/batching/batching.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"

namespace troupe {

namespace {

/// One backward pass: gradient nodes pass their gradients on, the most recent node first, so that
/// all shares of its gradient have arrived by then.
class pass final : public gradient_flow {
 public:
  pass(std::span<const tensor> targets, bool collect, bool keep, caller where)
      : collect_(collect), keep_(keep), call_site_(where) {
    for (const auto& t : targets) {
      targets_.emplace(t.node().get(), tensor());
      oldest_ = std::min(oldest_, t.node()->order());
    }
  }

  /// Adds the gradient of a tensor that the pass starts with.
  void start(const tensor& of, const tensor& seed) {
    if (wants(of.node())) add(of.node(), seed);
  }

  void run() {
    for (;;) {
      if (queue_.empty() || late_for(queue_.top())) {
        if (!add_late()) return;
        continue;
      }
      const auto next = queue_.top();
      queue_.pop();
      const auto found = arrived_.find(next.get());
      const auto g = found->second.total();
      arrived_.erase(found);
      if (const auto target = targets_.find(next.get()); target != targets_.end())
        target->second = g;
      next->pass_on(g, *this);
    }
  }

  /// Returns the gradient that arrived at a target, or a tensor that names no array.
  const tensor& at(const gradient_node_ref& target) const { return targets_.at(target.get()); }

  bool wants(const gradient_node_ref& to) override {
    if (collect_) return true;
    // Nodes older than all targets do not lead to them, and may belong to another pass.
    return to && to->order() >= oldest_ && leads_to_target(to);
  }

  void add(const gradient_node_ref& to, const tensor& share) override { sum_at(to).add(share); }
  void add_part(const gradient_node_ref& to, const tensor& share, const layout& part,
                const shape& whole) override {
    sum_at(to).add_part(share, part, whole);
  }

  void leaves_device() noexcept override { several_devices_ = true; }
  bool may_wait(const gradient_node_ref& to) override { return several_devices_ && is_leaf(*to); }
  void add_later(std::vector<gradient_node_ref> to, std::function<void()> shares) override {
    add_late();
    late_ = {std::move(to), std::move(shares)};
  }

  bool collects() const noexcept override { return collect_; }
  bool keeps() const noexcept override { return keep_; }
  caller where() const noexcept override { return call_site_; }

 private:
  struct earlier {
    bool operator()(const gradient_node_ref& a, const gradient_node_ref& b) const noexcept {
      return a->order() < b->order();
    }
  };

  /// Shares that have yet to be added.
  struct late_shares {
    std::vector<gradient_node_ref> to;
    std::function<void()> add;
  };

  /// Returns true if a node's tensor is a leaf, or a copy of one.
  static bool is_leaf(const gradient_node& one) {
    const auto* at = &one;
    while (at->is_copy()) at = at->source(0).get();
    return at->source_count() == 0 && !at->leads_anywhere();
  }

  /// Returns true if a node's gradient is not complete without the late shares.
  bool late_for(const gradient_node_ref& next) const {
    return std::ranges::any_of(late_.to, [&](const gradient_node_ref& to) {
      const auto* at = to.get();
      while (at != next.get() && at->is_copy()) at = at->source(0).get();
      return at == next.get();
    });
  }

  /// Adds the late shares. Returns false if there are none.
  bool add_late() {
    if (!late_.add) return false;
    std::exchange(late_, {}).add();
    return true;
  }

  gradient_sum& sum_at(const gradient_node_ref& to) {
    const auto [at, first] = arrived_.try_emplace(to.get());
    if (first) queue_.push(to);
    return at->second;
  }

  bool leads_to_target(const gradient_node_ref& h) {
    if (const auto known = leads_.find(h.get()); known != leads_.end()) return known->second;
    known_.push_back(h);
    std::vector<const gradient_node*> all{h.get()};
    leads_.emplace(h.get(), false);
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t k = 0; k < all[i]->source_count(); ++k) {
        const auto* const s = all[i]->source(k).get();
        if (s && s->order() >= oldest_ && leads_.emplace(s, false).second) all.push_back(s);
      }
    }
    std::sort(all.begin(), all.end(), [](auto* a, auto* b) { return a->order() < b->order(); });
    for (const auto* one : all) {
      bool leads = targets_.count(one) != 0 || one->leads_anywhere();
      for (std::size_t k = 0; k < one->source_count() && !leads; ++k) {
        const auto at = leads_.find(one->source(k).get());
        leads = at != leads_.end() && at->second;
      }
      leads_[one] = leads;
    }
    return leads_.at(h.get());
  }

  const bool collect_, keep_;
  const caller call_site_;
  bool several_devices_ = false;
  late_shares late_;
  std::uint64_t oldest_ = std::numeric_limits<std::uint64_t>::max();
  std::priority_queue<gradient_node_ref, std::vector<gradient_node_ref>, earlier> queue_;
  std::unordered_map<const gradient_node*, gradient_sum> arrived_;
  std::unordered_map<const gradient_node*, tensor> targets_;
  std::unordered_map<const gradient_node*, bool> leads_;
  std::vector<gradient_node_ref> known_;  // keeps the nodes in `leads_` alive until the end
};

[[noreturn]] void refuse_constant(const char* what, const tensor_type& type, caller where) {
  auto text = std::string(what) + ": " + to_string(type) +
              " was not computed, while recording, from a tensor with attach_grad";
  if (const auto& end = recording::last_dead_end(); !end.name.empty())
    text += "; " + std::string(end.name) + call_site_text(end.call_site) + " has no gradient";
  throw error(text, where);
}

/// Returns the gradient that the pass starts with.
tensor seed_for(const tensor& of, const backward_options& options, const char* what, caller where) {
  if (!of.defined()) throw error(std::string(what) + ": of a tensor that names no array", where);
  const auto type = of.type(where);
  engine::of(*of.source(), what, where);  // throws if it has ended
  const use_engine same(of.source()->engine);
  const auto whole = [&](const tensor& seed) {
    return source_gradient(seed, of.part(), of.source()->dims(), type.element);
  };
  if (!of.node()) refuse_constant(what, type, where);
  if (!options.seed.defined()) {
    if (type.dims.size() != 1)
      throw error(
          std::string(what) + ": " + to_string(type) + " has not one element, so it takes a seed",
          where);
    if (is_complex(type.element))
      throw error(std::string(what) + ": " + to_string(type) +
                      " is not real, so it takes a seed; or ask for that of its real part",
                  where);
    return whole(ones(type.dims, {.dtype = type.element, .device = type.device}, where));
  }
  if (options.seed.shape() != type.dims || options.seed.device() != type.device ||
      options.seed.dtype() != type.element)
    throw error(std::string(what) + ": the seed is " + to_string(options.seed.type()) + " on " +
                    to_string(options.seed.device()) + " and not " + to_string(type) + " on " +
                    to_string(type.device),
                where);
  return whole(conj(options.seed));
}

/// Runs a pass, recorded or not.
void run(pass& p, const tensor& of, bool record) {
  const use_engine same(of.source()->engine);
  if (record) {
    const recording on;
    p.run();
  } else {
    const no_grad off;
    p.run();
  }
}

}  // namespace

void backward(const tensor& of, const backward_options& options, caller where) {
  batching::need_loop();
  pass p({}, true, options.keep || options.record, where);
  p.start(of, seed_for(of, options, "backward", where));
  run(p, of, options.record);
}

namespace {

void check_targets(std::span<const tensor> all, caller where) {
  for (const auto& x : all) {
    if (!x.node() || x.part())
      throw error("gradients: " + to_string(x.type(where)) +
                      (x.node() ? " is a view: ask for the gradient of what it is a view of"
                                : " is a constant: it has no attach_grad"),
                  where);
  }
}

/// Returns what has arrived at the targets.
std::vector<tensor> arrived_at(std::span<const tensor> targets, const pass& p, caller where) {
  std::vector<tensor> out;
  for (const auto& x : targets) {
    const auto& g = p.at(x.node());
    out.push_back(g.defined()
                      ? conj(g)
                      : zeros(x.shape(), {.dtype = x.dtype(), .device = x.device()}, where));
  }
  return out;
}

}  // namespace

std::vector<tensor> gradients(const tensor& of, std::span<const tensor> with_respect_to,
                              const backward_options& options, caller where) {
  check_targets(with_respect_to, where);
  pass p(with_respect_to, false, options.keep || options.record, where);
  if (of.defined() && !of.node()) return arrived_at(with_respect_to, p, where);
  p.start(of, seed_for(of, options, "gradients", where));
  run(p, of, options.record);
  return arrived_at(with_respect_to, p, where);
}

std::vector<tensor> gradients(std::span<const tensor> of, std::span<const tensor> with_respect_to,
                              std::span<const tensor> seeds, const backward_options& options,
                              caller where) {
  if (of.size() != seeds.size())
    throw error("gradients: " + std::to_string(of.size()) + " tensors and " +
                    std::to_string(seeds.size()) + " seeds",
                where);
  check_targets(with_respect_to, where);
  pass p(with_respect_to, false, options.keep || options.record, where);
  const tensor* first = nullptr;
  for (std::size_t i = 0; i < of.size(); ++i) {
    if (!of[i].node() || !seeds[i].defined()) continue;
    p.start(of[i], seed_for(of[i], {.seed = seeds[i]}, "gradients", where));
    first = first ? first : &of[i];
  }
  if (first) run(p, *first, options.record);
  return arrived_at(with_respect_to, p, where);
}

std::pair<std::vector<tensor>, std::vector<tensor>> detail::values_and_products(
    const tensor_function& f, const std::vector<tensor>& xs, const std::vector<tensor>& seeds,
    caller where) {
  const bool record = recording::active();
  std::vector<tensor> in, values;
  {
    const recording on;
    for (const auto& x : xs) in.push_back(argument(x, where));
    values = f(in);
  }
  if (values.size() != seeds.size())
    throw error("vjp: the function gives " + std::to_string(values.size()) +
                    (values.size() == 1 ? " tensor, not " : " tensors, not ") +
                    std::to_string(seeds.size()) + " as there are seeds",
                where);
  auto found = gradients(values, in, seeds, {.record = record}, where);
  if (!record) {
    for (auto& one : values) one = one.detach();
  }
  return {std::move(values), std::move(found)};
}

void tensor::backward(caller where) const { troupe::backward(*this, {}, where); }

}  // namespace troupe
