// SPDX-License-Identifier: MIT
#include "troupe/tensor/autograd/backward.hpp"

#include <algorithm>
#include <queue>
#include <unordered_map>

#include "troupe/tasks/engine.hpp"
#include "troupe/tensor/autograd/gradient_flow.hpp"
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
  pass(const tensor& of, tensor seed, std::span<const tensor> targets, bool collect, bool keep,
       caller where)
      : collect_(collect), keep_(keep), call_site_(where) {
    for (const auto& t : targets) targets_.emplace(t.node().get(), tensor());
    add(of.node(), std::move(seed));
  }

  void run() {
    while (!queue_.empty()) {
      const auto next = queue_.top();
      queue_.pop();
      const auto found = arrived_.find(next.get());
      const auto g = std::move(found->second);
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
    return to && leads_to_target(to);
  }

  void add(const gradient_node_ref& to, tensor share) override {
    const auto [at, first] = arrived_.try_emplace(to.get());
    at->second = first ? std::move(share) : troupe::add(at->second, share);
    if (first) queue_.push(to);
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

  bool leads_to_target(const gradient_node_ref& h) {
    if (const auto known = leads_.find(h.get()); known != leads_.end()) return known->second;
    known_.push_back(h);
    std::vector<const gradient_node*> all{h.get()};
    leads_.emplace(h.get(), false);
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t k = 0; k < all[i]->source_count(); ++k) {
        if (const auto* s = all[i]->source(k).get(); leads_.emplace(s, false).second)
          all.push_back(s);
      }
    }
    std::sort(all.begin(), all.end(), [](auto* a, auto* b) { return a->order() < b->order(); });
    for (const auto* one : all) {
      bool leads = targets_.count(one) != 0 || one->leads_anywhere();
      for (std::size_t k = 0; k < one->source_count() && !leads; ++k)
        leads = leads_.at(one->source(k).get());
      leads_[one] = leads;
    }
    return leads_.at(h.get());
  }

  const bool collect_, keep_;
  const caller call_site_;
  std::priority_queue<gradient_node_ref, std::vector<gradient_node_ref>, earlier> queue_;
  std::unordered_map<const gradient_node*, tensor> arrived_;
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
  const auto type = of.type(where);
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
  pass p(of, seed_for(of, options, "backward", where), {}, true, options.keep || options.record,
         where);
  run(p, of, options.record);
}

std::vector<tensor> gradients(const tensor& of, std::span<const tensor> with_respect_to,
                              const backward_options& options, caller where) {
  for (const auto& x : with_respect_to) {
    if (!x.node() || x.part())
      throw error("gradients: " + to_string(x.type(where)) +
                      (x.node() ? " is a view: ask for the gradient of what it is a view of"
                                : " is a constant: it has no attach_grad"),
                  where);
  }
  pass p(of, seed_for(of, options, "gradients", where), with_respect_to, false,
         options.keep || options.record, where);
  run(p, of, options.record);
  std::vector<tensor> out;
  for (const auto& x : with_respect_to) {
    const auto& g = p.at(x.node());
    out.push_back(g.defined()
                      ? conj(g)
                      : zeros(x.shape(), {.dtype = x.dtype(), .device = x.device()}, where));
  }
  return out;
}

void tensor::backward(caller where) const { troupe::backward(*this, {}, where); }

}  // namespace troupe
