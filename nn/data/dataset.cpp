// SPDX-License-Identifier: MIT
#include "troupe/nn/data/dataset.hpp"

#include <algorithm>
#include <cmath>

#include "troupe/nn/data/permutation.hpp"

namespace troupe::nn {

namespace {

constexpr std::uint64_t fixed_order = UINT64_MAX;  // stream of the fixed shuffles

}  // namespace

/// Source that computes samples from those of another dataset.
class dataset::mapped_source final : public detail::sample_source {
 public:
  mapped_source(dataset from, std::unique_ptr<const transform> f)
      : from_(std::move(from)), function_(std::move(f)) {}

  void read(std::int64_t i, outputs& into, random_bits& bits) const override {
    const detail::scratch_sample sample(from_.layout());
    const auto fields = sample.fields();
    outputs before(fields);
    from_.source().read(i, before, bits);
    before.check_written();
    function_->run(inputs(fields), into, bits);
  }
  std::vector<tensor> needs() const override { return from_.source().needs(); }

 private:
  dataset from_;
  std::unique_ptr<const transform> function_;
};

/// Source of samples of another dataset, chosen by a function of their numbers.
class dataset::chosen_source final : public detail::sample_source {
 public:
  using choice = std::function<std::int64_t(std::int64_t)>;
  chosen_source(dataset from, choice which) : from_(std::move(from)), which_(std::move(which)) {}

  void read(std::int64_t i, outputs& into, random_bits& bits) const override {
    from_.source().read(which_(i), into, bits);
  }
  std::vector<tensor> needs() const override { return from_.source().needs(); }
  std::optional<std::vector<tensor>> rows(std::span<const std::int64_t> numbers,
                                          caller where) const override {
    std::vector<std::int64_t> there(numbers.size());
    std::transform(numbers.begin(), numbers.end(), there.begin(), which_);
    return from_.source().rows(there, where);
  }

 private:
  dataset from_;
  choice which_;
};

dataset::dataset(std::shared_ptr<const detail::sample_source> source, std::int64_t size,
                 std::vector<output_type> fields, std::string_view what, caller where)
    : source_(std::move(source)), size_(size) {
  const auto name = std::string(what);
  if (size < 0) throw error(name + ": a size of " + std::to_string(size), where);
  if (fields.empty()) throw error(name + ": the samples have no fields", where);
  for (const auto& f : fields) {
    if (f.shape.rank() >= max_rank)
      throw error(name + ": a field has " + std::to_string(f.shape.rank()) +
                      " axes, and a batch one more than the " + std::to_string(max_rank) +
                      " possible ones",
                  where);
  }
  layout_ = std::make_shared<const detail::sample_layout>(std::move(fields));
}

dataset dataset::mapped(std::vector<output_type> fields, std::unique_ptr<const transform> f,
                        caller where) const {
  for (const auto& x : source_->needs()) {
    if (!x.device().traits().host_memory)
      throw error(
          "map: C++ code reads from CPU devices, and the samples are on " + to_string(x.device()),
          where);
  }
  return {std::make_shared<mapped_source>(*this, std::move(f)), size_, std::move(fields), "map",
          where};
}

dataset dataset::choose(std::int64_t count, std::function<std::int64_t(std::int64_t)> which) const {
  auto out = *this;
  out.source_ = std::make_shared<chosen_source>(*this, std::move(which));
  out.size_ = count;
  return out;
}

dataset dataset::take(std::vector<std::int64_t> numbers, caller where) const {
  for (auto& n : numbers) {
    if (n < -size_ || n >= size_)
      throw error(
          "take: there is no sample " + std::to_string(n) + " among " + std::to_string(size_),
          where);
    if (n < 0) n += size_;
  }
  const auto count = static_cast<std::int64_t>(numbers.size());
  return choose(count, [all = std::move(numbers)](std::int64_t i) {
    return all[static_cast<std::size_t>(i)];
  });
}

dataset dataset::subset(const range& part, caller where) const {
  if (part.step == 0) throw error("subset: the step is 0", where);
  const auto [start, step, count] = resolve(part, size_);
  return choose(count, [start = start, step = step](std::int64_t i) { return start + i * step; });
}

dataset dataset::shuffled(std::uint64_t seed) const {
  return choose(size_, detail::permutation(size_, seed, fixed_order));
}

std::pair<dataset, dataset> dataset::split(double share, caller where) const {
  if (!(share >= 0 && share <= 1))
    throw error("split: a share of " + std::to_string(share) + " of the samples", where);
  const auto first = std::llround(share * static_cast<double>(size_));
  return {subset(range{0, first}, where), subset(range{first, size_}, where)};
}

}  // namespace troupe::nn
