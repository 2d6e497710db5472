// SPDX-License-Identifier: MIT
#include "troupe/tensor/batching/batching.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "troupe/tensor/autograd/collector.hpp"
#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/reshape.hpp"

namespace troupe {

namespace {

/// Gradient node of an input of a task that has not been submitted yet.
struct noted_node {
  const task* of;
  std::size_t input;
  gradient_node_ref node;
};

thread_local std::vector<noted_node> noted_nodes;

/// Returns the nodes of a task's inputs, and forgets them.
std::vector<gradient_node_ref> nodes_of(const task& t) {
  std::vector<gradient_node_ref> out(t.inputs.size());
  for (const auto& one : noted_nodes) {
    if (one.of == &t && one.input < out.size()) out[one.input] = one.node;
  }
  batching::forget_notes(t);
  return out;
}

}  // namespace

void batching::forget_notes(const task& t) noexcept {
  std::erase_if(noted_nodes, [&](const noted_node& one) { return one.of == &t; });
}

batching::scope::~scope() {
  active_ = of_.before_;
  if (!active_) noted_nodes.clear();  // of tasks that were refused
}

batching::batching(const engine& of, std::int64_t count, caller where)
    : engine(of.devices(), found::by_choice), original_(of.id()), count_(count), where_(where) {}

batching::~batching() {
  retire();
  failure_ptr why;
  try {
    auto f = std::make_shared<failure>();
    f->text =
        "vmap: a tensor has left the function while it was mapped; results are what it returns" +
        call_site_text(where_);
    f->call_site = where_;
    why = std::move(f);
  } catch (const std::bad_alloc&) { why = failure_without_memory(); }
  for (auto& [v, one] : arrays_) {
    if (one.placeholder->pending()) one.placeholder->fail(failure_ptr(why));
  }
}

batching* batching::owner(std::span<const tensor* const> some) noexcept {
  for (auto* b = active_; b; b = b->before_) {
    for (const auto* x : some) {
      if (x->source()->engine == b->id()) return b;
    }
  }
  return nullptr;
}

void batching::note_input(const task& t, std::size_t input, const gradient_node_ref& node) {
  for (auto& one : noted_nodes) {
    if (one.of == &t && one.input == input) {
      one.node = node;
      return;
    }
  }
  noted_nodes.push_back({&t, input, node});
}

tensor batching::argument(const tensor& whole) {
  shape dims;
  for (int i = 1; i < whole.rank(); ++i) dims.push_back(whole.shape()[i]);
  const value_ref v(new value({dims, whole.dtype(), whole.device()}));
  v->engine = id();
  arrays_.emplace(v.get(), array{v, whole, true});
  // A node of its own shows in the function which tensors are constants.
  return whole.node() ? tensor(v, gradient_node_ref(new stand_in(whole.node()))) : tensor(v);
}

tensor batching::part_of(array& from, const layout& view) {
  if (view.dims.rank() >= max_rank) throw needs_loop{};
  from.whole = contiguous(from.whole);
  layout all;
  all.offset = from.whole.view().offset + view.offset;
  if (from.batched) {
    all.dims.push_back(from.whole.shape()[0]);
    all.strides[0] = from.placeholder->dims().size();
  }
  for (int i = 0; i < view.dims.rank(); ++i) {
    all.strides[all.dims.rank()] = view.strides[i];
    all.dims.push_back(view.dims[i]);
  }
  return from.whole.viewed(all);
}

tensor batching::result(const tensor& x, caller where) {
  if (!x.defined()) throw error("vmap: the function gives a tensor that names no array", where);
  auto one = x;
  if (const auto at = arrays_.find(x.source().get()); at != arrays_.end()) {
    auto& behind = at->second;
    one = x.part() ? part_of(behind, x.view()) : behind.whole;
    if (!x.node()) one = one.detach();
    if (behind.batched) return one;
  } else {
    adopt(*x.source());
  }
  if (one.rank() >= max_rank) throw needs_loop{};
  shape all{count_};
  for (const auto size : one.shape()) all.push_back(size);
  return broadcast_to(one, all, where);
}

void batching::adopt(value& v) const noexcept {
  if (v.engine == id()) v.engine = original_;
}

batch_input batching::seen(const operand& in, const gradient_node_ref& node) {
  batch_input out{.element = in.element, .number = in.immediate};
  if (!in.source) return out;
  const auto at = arrays_.find(in.source.get());
  if (at == arrays_.end()) {
    adopt(*in.source);
    out.array = tensor(in.source);
    if (in.part) out.array = out.array.viewed(in.part->layout);
    out.array = out.array.with_node(node);
    return out;
  }
  out.batched = at->second.batched;
  out.array = in.part ? part_of(at->second, in.part->layout) : at->second.whole;
  if (!node) out.array = out.array.detach();
  return out;
}

void batching::drop_unused() {
  constexpr std::size_t few = 32;
  if (arrays_.size() < next_drop_) return;
  std::erase_if(arrays_, [](const auto& one) { return one.second.placeholder->references() == 1; });
  next_drop_ = std::max(few, 2 * arrays_.size());
}

void batching::submit(task_ptr t) {
  const auto nodes = nodes_of(*t);
  if (t->op->users_own) throw needs_loop{};
  batched_call call{.op = *t->op,
                    .given = t->attributes,
                    .device = t->device,
                    .call_site = t->call_site,
                    .count = count_};
  auto* const inside = std::exchange(active_, before_);
  struct back {
    batching* to;
    ~back() { active_ = to; }
  } const again{inside};
  const use_engine same(original_);
  for (std::size_t i = 0; i < t->inputs.size(); ++i)
    call.inputs.push_back(seen(t->inputs[i], nodes[i]));
  for (const auto& v : t->outputs) call.outputs.push_back(v->type());
  const auto batched =
      std::ranges::any_of(call.inputs, [](const batch_input& x) { return x.batched; });
  auto all = batched ? run_batched(call) : run_once(call);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& v = t->outputs[i];
    v->producer = nullptr;
    arrays_.emplace(v.get(), array{v, std::move(all[i]), batched});
  }
  t->outputs.clear();  // they do not fail with the task
  t.reset();
  drop_unused();
}

bool batching::wait(const value_ref&, const wait_limit&) { throw needs_loop{}; }

}  // namespace troupe
