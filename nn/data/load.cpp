// SPDX-License-Identifier: MIT
#include "troupe/nn/data/load.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "troupe/tensor/launch.hpp"

namespace troupe::nn {

namespace {

using std::chrono::steady_clock;

constexpr std::int64_t most_chunks = 64;  // enough for lanes to share, few enough to cost nothing
constexpr double unknown = 1e6;           // nanoseconds
// Least that a load is taken for, however quick others were: a file may be slow once, and idle
// lanes are to take what waits behind it, as they do not for a task that claims to take less.
constexpr double least = 2'000;

struct load_attributes {
  std::shared_ptr<const batch_load> load;
};

const batch_load& load_of(const kernel_args& args) noexcept {
  return *static_cast<const load_attributes*>(args.attributes)->load;
}

std::int64_t samples_of(const batch_load& l) noexcept {
  return static_cast<std::int64_t>(l.samples.size());
}

std::int64_t chunks(const kernel_args& args) {
  return std::min(samples_of(load_of(args)), most_chunks);
}

void read_sample(const batch_load& l, const std::vector<std::byte*>& into, std::int64_t row) {
  const auto& sample = l.samples[static_cast<std::size_t>(row)];
  const auto refuse = [&](const char* why) {
    throw std::runtime_error("sample " + std::to_string(sample.number) + ": " + why);
  };
  try {
    outputs fields(l.from.layout().row(into, row));
    random_bits bits(l.seed, static_cast<std::uint64_t>(sample.position));
    l.from.source().read(sample.number, fields, bits);
    fields.check_written();
  } catch (const std::bad_alloc&) { refuse("out of memory"); } catch (const std::exception& e) {
    refuse(e.what());
  } catch (...) { refuse("an exception that is no std::exception"); }
}

void run(const kernel_args& args, std::int64_t first, std::int64_t last) {
  const auto& l = load_of(args);
  if (l.unwanted.load(std::memory_order_relaxed)) return;
  const auto count = samples_of(l), parts = std::min(count, most_chunks);
  const auto begin = first * count / parts, end = last * count / parts;
  std::vector<std::byte*> into;
  for (const auto& out : args.outputs) into.push_back(out.as<std::byte>());
  const auto start = steady_clock::now();
  for (auto row = begin; row < end; ++row) read_sample(l, into, row);
  l.learns->note(std::chrono::duration<double, std::nano>(steady_clock::now() - start).count(),
                 end - begin);
}

constexpr kernel of_several{.run = run, .chunks = chunks};
constexpr kernel of_one{.run = run};  // no lane is to wait in vain for a share of it

constexpr operation load_operation{.name = "load",
                                   .doc = "Samples of a dataset, read into a batch.",
                                   .kernel =
                                       [](const task& t, const kernel_table&) {
                                         const auto& l = *t.attributes.as<load_attributes>().load;
                                         return samples_of(l) > 1 ? &of_several : &of_one;
                                       },
                                   .flops_per_element = 0,
                                   .users_own = true,
                                   .gradient = differentiability::none};

}  // namespace

void reading_time::note(double nanoseconds, std::int64_t samples) noexcept {
  if (samples == 0) return;
  const auto now = nanoseconds / static_cast<double>(samples);
  const auto before = per_sample_.load(std::memory_order_relaxed);
  // Of several simultaneous updates one wins, which is good enough for an estimate.
  per_sample_.store(before == 0 ? now : before + (now - before) / 8, std::memory_order_relaxed);
}

float reading_time::estimate(std::int64_t samples) const noexcept {
  const auto each = per_sample_.load(std::memory_order_relaxed);
  return static_cast<float>(each == 0 ? unknown
                                      : std::max(least, each * static_cast<double>(samples)));
}

std::vector<tensor> submit(engine& e, device place, std::shared_ptr<const batch_load> what,
                           caller where) {
  const auto& l = *what;
  task_ptr t(new task(load_operation, place, where));
  for (const auto& x : l.from.source().needs()) add_input(*t, x);
  t->estimate = l.learns->estimate(samples_of(l));
  std::vector<tensor_type> types;
  for (const auto& f : l.from.fields()) {
    tensor_type batch{{samples_of(l)}, f.dtype, place};
    for (const auto size : f.shape) batch.dims.push_back(size);
    types.push_back(batch);
  }
  t->attributes = load_attributes{std::move(what)};
  return launch(e, std::move(t), types);
}

}  // namespace troupe::nn
