// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/jit/row_kernel.hpp"

#include <cstring>

#include "troupe/devices/cpu/jit/code_memory.hpp"

namespace troupe::cpu_kernels::jit {

namespace {

constexpr std::size_t most_bytes = 64;  // of the elements that are computed at a time

}  // namespace

row_kernel::row_kernel(const expression& of, std::shared_ptr<code_memory> memory, row_function code,
                       std::int64_t lanes)
    : memory_(std::move(memory)), code_(code), lanes_(lanes) {
  for (const auto& n : of.nodes()) {
    if (n.what != primitive::input && n.what != primitive::uniform) continue;
    const auto position = static_cast<std::size_t>(n.bits);
    if (position >= input_sizes_.size()) input_sizes_.resize(position + 1);
    if (n.what == primitive::input) input_sizes_[position] = size_of(n.type);
  }
  for (const auto i : of.outputs) output_sizes_.push_back(size_of(of[i].type));
}

row_kernel::~row_kernel() { memory_->release(code_); }

void row_kernel::run(const void* const* inputs, void* const* outputs, const std::uint64_t* numbers,
                     std::int64_t n) const {
  const auto rounds = n / lanes_, done = rounds * lanes_;
  if (rounds > 0) code_(inputs, outputs, numbers, rounds);
  if (done < n) run_rest(inputs, outputs, numbers, done, n);
}

/// Computes the last elements in memory of their own, followed by others like them.
void row_kernel::run_rest(const void* const* inputs, void* const* outputs,
                          const std::uint64_t* numbers, std::int64_t done, std::int64_t n) const {
  alignas(64) std::byte room[most_arrays][most_bytes];
  const void* in[most_arrays];
  void* out[most_arrays];
  std::size_t used = 0;
  const auto left = static_cast<std::size_t>(n - done), lanes = static_cast<std::size_t>(lanes_);
  for (std::size_t k = 0; k < input_sizes_.size(); ++k) {
    const auto size = input_sizes_[k];
    in[k] = inputs[k];
    if (size == 0) continue;
    auto* const to = room[used++];
    const auto* const from =
        static_cast<const std::byte*>(inputs[k]) + static_cast<std::size_t>(done) * size;
    std::memcpy(to, from, left * size);
    for (auto i = left; i < lanes; ++i) std::memcpy(to + i * size, from, size);
    in[k] = to;
  }
  for (std::size_t k = 0; k < output_sizes_.size(); ++k) out[k] = room[used++];
  code_(in, out, numbers, 1);
  for (std::size_t k = 0; k < output_sizes_.size(); ++k)
    std::memcpy(
        static_cast<std::byte*>(outputs[k]) + static_cast<std::size_t>(done) * output_sizes_[k],
        out[k], left * output_sizes_[k]);
}

}  // namespace troupe::cpu_kernels::jit
