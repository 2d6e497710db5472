// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>

#include "troupe/devices/block_reduction.hpp"
#include "troupe/tensor/program/block_scratch.hpp"
#include "troupe/tensor/program/joined_steps.hpp"

namespace troupe {

namespace {

constexpr std::int64_t side_by_side = 1;
constexpr std::size_t aligned_to = block_scratch::alignment;
static_assert(block_reduction::readable_before <= aligned_to);

std::size_t aligned(std::size_t bytes) noexcept {
  return (bytes + aligned_to - 1) / aligned_to * aligned_to;
}

/// Arguments of a reduction, whose input is nowhere as a whole.
class reduction_args {
 public:
  reduction_args(const joined_steps& all, const joined_reduction& one, const kernel_args& args,
                 std::size_t scratch)
      : size_(all.rows * all.row),
        input_{nullptr, dtype_of(all, one, args), 1, &size_, &side_by_side},
        args_{{&input_, 1}, args.outputs.subspan(one.output, 1), one.given.data()} {
    if (args.scratch) args_.scratch = static_cast<std::byte*>(args.scratch) + scratch;
  }
  reduction_args(const reduction_args&) = delete;
  reduction_args& operator=(const reduction_args&) = delete;

  const kernel_args& all() const noexcept { return args_; }

 private:
  static dtype dtype_of(const joined_steps& all, const joined_reduction& one,
                        const kernel_args& args) noexcept {
    const auto outputs = args.outputs.size();
    return one.position < outputs ? args.outputs[one.position].type
                                  : all.blocks[one.position - outputs];
  }

  std::int64_t size_;
  array input_;
  kernel_args args_;
};

/// Calls `f` with each reduction and its arguments.
template <class F>
void each_reduction(const kernel_args& args, const F& f) {
  const auto& all = steps_of(args);
  std::size_t scratch = 0;
  for (const auto& one : all.reductions) {
    const reduction_args own(all, one, args, scratch);
    scratch += aligned(one.kernel->scratch_bytes(own.all()));
    f(one, own);
  }
}

/// Memory for blocks of what is only reduced, and for what is not even that.
class block_memory {
 public:
  explicit block_memory(const joined_steps& all) : all_(all) {
    auto bytes = all.compiled ? 0 : aligned(all.scratch_bytes);
    for (const auto type : all.blocks) {
      bytes += aligned_to;  // before the block
      begins_.push_back(bytes);
      bytes += aligned(block_reduction::block * size_of(type));
    }
    data_.emplace(bytes);
  }

  std::byte* scratch() const noexcept { return data_->data(); }
  /// Lets the arrays behind the outputs begin so that element `first` is that of their block.
  void place(std::span<array> arrays, std::int64_t first) const noexcept {
    for (std::size_t i = 0; i < begins_.size(); ++i)
      arrays[i].data =
          scratch() + begins_[i] - first * static_cast<std::ptrdiff_t>(size_of(all_.blocks[i]));
  }

 private:
  const joined_steps& all_;
  std::vector<std::size_t> begins_;
  std::optional<block_scratch> data_;
};

void run_chunk(const kernel_args& args, const block_memory& memory, std::int64_t chunk) {
  const auto& all = steps_of(args);
  std::vector<array> arrays(args.outputs.begin(), args.outputs.end());
  for (const auto type : all.blocks) arrays.push_back({nullptr, type, 0, nullptr, nullptr});
  std::vector<block_reduction::state> states(all.reductions.size());
  std::int64_t in_chunk = 0;
  std::size_t number = 0;
  each_reduction(args, [&](const joined_reduction& one, const reduction_args& own) {
    const auto& steps = *one.kernel->by_blocks;
    in_chunk = steps.in_chunk(own.all());
    steps.start(own.all(), chunk, states[number++]);
  });
  const auto end = std::min(all.rows * all.row, (chunk + 1) * in_chunk);
  const kernel_args own{args.inputs, arrays, args.attributes, nullptr, args.numbers};
  for (auto i = chunk * in_chunk; i < end; i += block_reduction::block) {
    const auto n = std::min(block_reduction::block, end - i);
    memory.place(std::span(arrays).subspan(args.outputs.size()), i);
    run_elements(all, own, i, i + n, memory.scratch());
    for (std::size_t k = 0; k < states.size(); ++k) {
      const auto& one = all.reductions[k];
      const auto& from = arrays[one.position];
      one.kernel->by_blocks->add(
          from.as<std::byte>() + i * static_cast<std::ptrdiff_t>(size_of(from.type)), n, i,
          states[k]);
    }
  }
  number = 0;
  each_reduction(args, [&](const joined_reduction& one, const reduction_args& reduced) {
    one.kernel->by_blocks->end(reduced.all(), chunk, states[number++]);
  });
}

void run_reduced(const kernel_args& args, std::int64_t first, std::int64_t last) {
  const block_memory memory(steps_of(args));
  for (auto chunk = first; chunk < last; ++chunk) run_chunk(args, memory, chunk);
}

/// Returns the chunks of the reductions, which are as many for each.
std::int64_t reduced_chunks(const kernel_args& args) {
  const auto& all = steps_of(args);
  const auto& one = all.reductions.front();
  return one.kernel->chunks(reduction_args(all, one, args, 0).all());
}

std::size_t reduced_scratch(const kernel_args& args) {
  std::size_t bytes = 0;
  each_reduction(args, [&](const joined_reduction& one, const reduction_args& own) {
    bytes += aligned(one.kernel->scratch_bytes(own.all()));
  });
  return bytes;
}

void finish_reduced(const kernel_args& args) {
  each_reduction(args, [](const joined_reduction& one, const reduction_args& own) {
    one.kernel->finish(own.all());
  });
}

}  // namespace

constinit const kernel reduced_kernel{.run = run_reduced,
                                      .chunks = reduced_chunks,
                                      .scratch_bytes = reduced_scratch,
                                      .finish = finish_reduced};

}  // namespace troupe
