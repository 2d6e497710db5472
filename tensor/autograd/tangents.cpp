// SPDX-License-Identifier: MIT
#include "troupe/tensor/autograd/tangents.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <unordered_map>

#include "troupe/tasks/engine.hpp"
#include "troupe/tensor/autograd/backward.hpp"
#include "troupe/tensor/autograd/collector.hpp"
#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/autograd/tangent_flow.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"

namespace troupe {

namespace {

/// One forward pass: nodes compute their tangents, the oldest node first.
class forward_pass final : public tangent_flow {
 public:
  forward_pass(bool record, caller where) : record_(record), call_site_(where) {}

  void start(const gradient_node_ref& node, const tensor& change) {
    first_ = std::min(first_, node->order());
    known_.insert_or_assign(node.get(), entry{node, change, false});
  }

  tensor of(const gradient_node_ref& node) override {
    if (!node || node->order() < first_) return {};
    if (const auto at = known_.find(node.get()); at != known_.end()) return tangent_of(at->second);
    for (const auto& one : unknown_before(node)) {
      // A node may have asked for others on its own.
      if (known_.count(one.get()) != 0) continue;
      // A missing derivative is refused only to those who ask for it.
      known_.emplace(one.get(), one->bars_gradients() ? entry{one, {}, changes(*one)}
                                                      : entry{one, one->tangent(*this), false});
    }
    return tangent_of(known_.at(node.get()));
  }

  bool recorded() const noexcept override { return record_; }
  caller where() const noexcept override { return call_site_; }

 private:
  struct entry {
    gradient_node_ref node;  ///< keeps it alive
    tensor tangent;
    bool barred;  ///< changes without a derivative
  };

  tensor tangent_of(const entry& one) {
    return one.barred ? one.node->tangent(*this) : one.tangent;
  }

  /// Returns true if one of a node's sources changes.
  bool changes(const gradient_node& of) const {
    for (std::size_t k = 0; k < of.source_count(); ++k) {
      const auto at = known_.find(of.source(k).get());
      if (at != known_.end() && (at->second.barred || at->second.tangent.defined())) return true;
    }
    return false;
  }

  /// Returns the nodes without a known tangent that a node depends on, and itself, the oldest
  /// first. Nodes older than all that tangents start from are left out: their tangents are 0.
  std::vector<gradient_node_ref> unknown_before(const gradient_node_ref& node) const {
    std::vector<gradient_node_ref> all{node};
    std::unordered_map<const gradient_node*, bool> seen{{node.get(), true}};
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t k = 0; k < all[i]->source_count(); ++k) {
        const auto& s = all[i]->source(k);
        if (s && s->order() >= first_ && known_.count(s.get()) == 0 &&
            seen.emplace(s.get(), true).second)
          all.push_back(s);
      }
    }
    std::sort(all.begin(), all.end(),
              [](const auto& a, const auto& b) { return a->order() < b->order(); });
    return all;
  }

  const bool record_;
  const caller call_site_;
  std::uint64_t first_ = std::numeric_limits<std::uint64_t>::max();
  std::unordered_map<const gradient_node*, entry> known_;
};

/// Returns the tangent of a tensor, which may be a view of its node's array.
tensor tangent_of(const tensor& x, forward_pass& pass, caller where) {
  const auto type = x.type(where);
  const auto whole = pass.of(x.node());
  if (!whole.defined()) return zeros(type.dims, {.dtype = type.element, .device = type.device});
  if (!x.part()) return whole;
  const auto in_order = contiguous(whole);
  auto view = x.view();
  view.offset += in_order.view().offset;
  return in_order.viewed(view);
}

void check_variable(const tensor& x, const tensor& change, caller where) {
  const auto type = x.type(where);
  if (!x.node() || x.part())
    throw error("tangents: " + to_string(type) +
                    (x.node() ? " is a view: change what it is a view of"
                              : " is a constant: it has no attach_grad"),
                where);
  if (change.defined() && change.type(where) != type)
    throw error(
        "tangents: " + to_string(change.type(where)) + " as the change of " + to_string(type),
        where);
}

}  // namespace

std::vector<tensor> tangents(std::span<const tensor> of, std::span<const tensor> xs,
                             std::span<const tensor> changes, bool record, caller where) {
  if (xs.empty() || xs.size() != changes.size())
    throw error("tangents: " + std::to_string(xs.size()) + " tensors and " +
                    std::to_string(changes.size()) + " changes",
                where);
  for (std::size_t i = 0; i < xs.size(); ++i) check_variable(xs[i], changes[i], where);
  const use_engine same(xs[0].source()->engine);
  forward_pass pass(record, where);
  for (std::size_t i = 0; i < xs.size(); ++i) pass.start(xs[i].node(), changes[i]);
  std::vector<tensor> out;
  const auto run = [&] {
    for (const auto& one : of) out.push_back(tangent_of(one, pass, where));
  };
  if (record) {
    const recording on;
    run();
  } else {
    const no_grad off;
    run();
  }
  return out;
}

tensor detail::arriving_like(const tensor_type& type, caller where) {
  // Ones: some gradients are linear as a whole, but not in their parts, which take logarithms.
  return ones(type.dims, {.dtype = type.element, .device = type.device}, where)
      .with_node(gradient_node_ref(new collector));
}

tensor detail::transposed(std::span<const tensor> given, const tensor& arriving,
                          std::span<const tensor> changes, bool record, caller where) {
  tensor total;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (!given[i].defined() || !changes[i].defined() || !given[i].node()) continue;
    const auto seed = conj(astype(changes[i], given[i].dtype()));
    const auto part =
        gradients(given[i], {&arriving, 1}, {.seed = seed, .keep = true, .record = record}, where)
            .front();
    total = total.defined() ? add(total, conj(part)) : conj(part);
  }
  return total;
}

}  // namespace troupe
