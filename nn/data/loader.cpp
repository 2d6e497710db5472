// SPDX-License-Identifier: MIT
#include "troupe/nn/data/loader.hpp"

#include <algorithm>
#include <utility>

#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/random_numbers.hpp"

namespace troupe::nn {

namespace {

constexpr std::int64_t most_prefetch = 1024;

std::uint64_t drawn_seed(engine& e) {
  const auto source = draw(e, 1);
  return random_bits(source.key, source.counter)();
}

engine& engine_of(const dataset& d, caller where) {
  const auto needs = d.source().needs();
  return needs.empty() ? engine::current("batches", where)
                       : engine::of(*needs[0].source(), "batches", where);
}

void check(const batches_options& o, caller where) {
  const auto refuse = [&](const std::string& facts) { throw error("batches: " + facts, where); };
  if (o.size < 1) refuse("a batch of " + std::to_string(o.size) + " samples");
  if (o.prefetch < 0 || o.prefetch > most_prefetch)
    refuse("a prefetch of " + std::to_string(o.prefetch) + " batches, not 0 to " +
           std::to_string(most_prefetch));
}

}  // namespace

batches::loader::loader(dataset from, const batches_options& o, caller where)
    : from_(std::move(from)), prefetch_(o.prefetch), call_site_(where) {
  check(o, where);
  auto& e = engine_of(from_, where);
  engine_ = e.id();
  const auto needs = from_.source().needs();
  device_ = o.device ? *o.device : needs.empty() ? default_device() : needs[0].device();
  e.at(device_, "batches", where);
  if (!needs.empty()) reading_device_ = needs[0].device();
  else reading_device_ = device_.traits().host_memory ? device_ : cpu();
  order_ = {from_.size(), o.size, o.shuffle, o.last, o.seed ? *o.seed : drawn_seed(e)};
  const auto allow = [&](device d) {
    return std::make_shared<memory_budget>(d, e.at(d, "batches", where).memory(), credits());
  };
  to_read_ = allow(reading_device_);
  if (device_ != reading_device_) to_copy_ = allow(device_);
}

/// Returns the bytes of the current batch and of those ahead of it.
std::size_t batches::loader::credits() const noexcept {
  const auto samples =
      order_.last == last_batch::roll_over ? order_.size : std::min(order_.size, order_.samples);
  std::size_t bytes = 0;
  const auto batches = static_cast<std::size_t>(prefetch_ + 1);
  if (__builtin_mul_overflow(static_cast<std::size_t>(samples), from_.layout().bytes(), &bytes) ||
      __builtin_mul_overflow(bytes, batches, &bytes))
    return SIZE_MAX;
  return bytes;
}

batches::loader::loading batches::loader::start(std::int64_t epoch, std::int64_t number) const {
  const use_engine same(engine_);
  const no_grad constants;
  auto& e = engine::current("batches", call_site_);
  loading out;
  auto fields = read(e, order_.batch(epoch, number), out.task);
  if (to_copy_) {
    const budget_scope bound(to_copy_);
    for (auto& x : fields) x = to(x, device_, call_site_);
  }
  out.tensors = batch(std::move(fields), call_site_);
  return out;
}

std::vector<tensor> batches::loader::read(engine& e, std::vector<drawn_sample> samples,
                                          std::shared_ptr<batch_load>& task) const {
  const budget_scope bound(to_read_);
  std::vector<std::int64_t> numbers;
  for (const auto& s : samples) numbers.push_back(s.number);
  if (auto rows = from_.source().rows(numbers, call_site_)) return *std::move(rows);
  task = std::make_shared<batch_load>(from_, std::move(samples), order_.seed, learns_);
  return submit(e, reading_device_, task, call_site_);
}

memory_statistics batches::loader::memory(device on) const {
  for (const auto& a : {to_read_, to_copy_}) {
    if (a && a->place() == on) return a->statistics();
  }
  return {};
}

batches::pass::pass(std::shared_ptr<const loader> from, std::int64_t epoch, std::int64_t first)
    : from_(std::move(from)), epoch_(epoch), count_(from_->order().batches(epoch)), next_(first) {
  advance();
}

batches::pass::~pass() {
  for (auto& one : ahead_) {
    if (one.task) one.task->unwanted.store(true, std::memory_order_relaxed);
  }
}

void batches::pass::advance() {
  now_.reset();  // first: the next load may be waiting for its memory
  while (next_ < count_ && static_cast<std::int64_t>(ahead_.size()) <= from_->prefetch())
    ahead_.push_back(from_->start(epoch_, next_++));
  if (ahead_.empty()) return;
  now_ = std::move(ahead_.front().tensors);
  ahead_.pop_front();
}

}  // namespace troupe::nn
