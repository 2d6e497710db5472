// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "troupe/nn/data/sample_layout.hpp"
#include "troupe/nn/data/sample_source.hpp"
#include "troupe/tensor/index.hpp"

namespace troupe::nn {

/// Function that reads a sample: `read(i, into)`, or `read(i, into, bits)` if it needs random
/// numbers.
template <class F>
concept reads_samples = std::invocable<const F&, std::int64_t, outputs&> ||
    std::invocable<const F&, std::int64_t, outputs&, random_bits&>;

/// Function that computes a sample from another: `f(in, into)`, or `f(in, into, bits)`.
template <class F>
concept transforms_samples = std::invocable<const F&, const inputs&, outputs&> ||
    std::invocable<const F&, const inputs&, outputs&, random_bits&>;

/// User's class that a dataset can be made of, with
///
///     std::int64_t size() const;                           // number of samples
///     std::vector<output_type> fields() const;             // dtypes and shapes of one sample
///     void read(std::int64_t i, outputs& into) const;      // writes sample i
///
/// `read` runs inside tasks, on several threads at once, and writes straight into the batch: it
/// must ask for every field's `span` and fill it. It may take a third argument, `random_bits&
/// bits`: random numbers that depend only on the seed, the epoch and the sample's place in it. An
/// exception from it fails the batch, naming the sample.
template <class T>
concept readable = requires(const T& t) {
  { t.size() } -> std::convertible_to<std::int64_t>;
  { t.fields() } -> std::convertible_to<std::vector<output_type>>;
}
&&(
    requires(const T& t, std::int64_t i, outputs& into) { t.read(i, into); } ||
    requires(const T& t, std::int64_t i, outputs& into, random_bits& bits) {
      t.read(i, into, bits);
    });

/// Handle to samples that can be read in any order; all have the same fields. Copying it copies no
/// samples, and derived datasets (`map`, `take`, ...) read through to it.
class dataset {
 public:
  /// Wraps any `readable` object, moved to where it outlives all tasks. Throws for a negative size,
  /// no fields, or a field with so many axes that a batch would have too many.
  template <readable T>
  requires(!std::same_as<std::remove_cvref_t<T>, dataset>)
      dataset(T&& object, caller where = caller::current()) {
    auto held = std::make_shared<reader<std::remove_cvref_t<T>>>(std::forward<T>(object));
    *this = dataset(held, held->object.size(), held->object.fields(), "dataset", where);
  }
  /// Wraps a source; errors name `what`.
  dataset(std::shared_ptr<const detail::sample_source> source, std::int64_t size,
          std::vector<output_type> fields, std::string_view what, caller where);

  std::int64_t size() const noexcept { return size_; }
  /// Returns the dtype and shape of each field of a sample.
  const std::vector<output_type>& fields() const noexcept { return layout_->fields(); }

  /// Returns the samples that `f(const inputs& in, outputs& into)` computes from these, at the time
  /// they are read and as part of the same task. Without `fields`, the fields stay the same. With a
  /// third argument, `random_bits& bits`, f gets random numbers that depend only on the seed, the
  /// epoch and the sample's place in it. Throws if the samples are tensors on a device that cannot
  /// run C++ code.
  template <transforms_samples F>
  dataset map(std::vector<output_type> fields, F f, caller where = caller::current()) const {
    return mapped(std::move(fields), std::make_unique<transform_holder<F>>(std::move(f)), where);
  }
  template <transforms_samples F>
  dataset map(F f, caller where = caller::current()) const {
    return map(fields(), std::move(f), where);
  }

  /// Returns the samples with these numbers, which may repeat; negative ones count from the end.
  /// Throws for one that is out of range.
  dataset take(std::vector<std::int64_t> numbers, caller where = caller::current()) const;
  /// Returns the samples of Python's start:stop:step: `data.subset({0, 100})`.
  dataset subset(const range& part, caller where = caller::current()) const;
  /// Returns the same samples in another, fixed order; to shuffle every epoch anew, use the option
  /// of `batches`.
  dataset shuffled(std::uint64_t seed) const;
  /// Returns the first share of the samples and the rest: `auto [train, validation] =
  /// data.shuffled(1).split(0.8);`. Throws unless the share is from 0 to 1.
  std::pair<dataset, dataset> split(double share, caller where = caller::current()) const;

  const detail::sample_source& source() const noexcept { return *source_; }
  const detail::sample_layout& layout() const noexcept { return *layout_; }

 private:
  /// Transform of any type.
  class transform {
   public:
    virtual ~transform() = default;
    virtual void run(const inputs& in, outputs& into, random_bits& bits) const = 0;
  };
  template <class F>
  struct transform_holder final : transform {
    explicit transform_holder(F f) : function(std::move(f)) {}
    void run(const inputs& in, outputs& into, random_bits& bits) const override {
      if constexpr (std::invocable<const F&, const inputs&, outputs&, random_bits&>)
        function(in, into, bits);
      else function(in, into);
    }
    F function;
  };
  template <class T>
  struct reader final : detail::sample_source {
    template <class From>
    explicit reader(From&& from) : object(std::forward<From>(from)) {}
    void read(std::int64_t i, outputs& into, random_bits& bits) const override {
      if constexpr (requires { object.read(i, into, bits); }) object.read(i, into, bits);
      else object.read(i, into);
    }
    T object;
  };
  class mapped_source;
  class chosen_source;

  dataset() = default;
  dataset mapped(std::vector<output_type> fields, std::unique_ptr<const transform> f,
                 caller where) const;
  dataset choose(std::int64_t count, std::function<std::int64_t(std::int64_t)> which) const;

  std::shared_ptr<const detail::sample_source> source_;
  std::int64_t size_ = 0;
  std::shared_ptr<const detail::sample_layout> layout_;
};

/// Returns a dataset of `count` samples that `read(i, into)` writes, called like the `read` of a
/// `readable` object.
template <reads_samples F>
dataset dataset_of(std::int64_t count, std::vector<output_type> fields, F read,
                   caller where = caller::current()) {
  struct function final : detail::sample_source {
    explicit function(F f) : call(std::move(f)) {}
    void read(std::int64_t i, outputs& into, random_bits& bits) const override {
      if constexpr (std::invocable<const F&, std::int64_t, outputs&, random_bits&>)
        call(i, into, bits);
      else call(i, into);
    }
    F call;
  };
  return {std::make_shared<function>(std::move(read)), count, std::move(fields), "dataset_of",
          where};
}

}  // namespace troupe::nn
