// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/jit/row_kernel.hpp"

#include <algorithm>
#include <cstring>

#include "troupe/devices/cpu/jit/code_memory.hpp"

namespace troupe::cpu_kernels::jit {

namespace {

constexpr std::size_t most_bytes = 64;  // of the elements that are computed at a time

std::uint64_t word_of(const void* address) noexcept {
  return reinterpret_cast<std::uintptr_t>(address);
}

}  // namespace

row_words::row_words(const element_expression& of) noexcept : outputs(of.outputs.size()) {
  for (const auto& n : of.nodes()) {
    const auto end = static_cast<std::size_t>(n.bits) + 1;
    if (n.what == primitive::input || n.what == primitive::uniform) inputs = std::max(inputs, end);
    if (n.what == primitive::number) numbers = std::max(numbers, end);
  }
}

row_kernel::row_kernel(const element_expression& of, std::shared_ptr<code_memory> memory,
                       row_function code, std::int64_t lanes)
    : words_(of),
      memory_(std::move(memory)),
      code_(code),
      lanes_(lanes),
      input_sizes_(words_.inputs) {
  for (const auto& n : of.nodes()) {
    if (n.what == primitive::input)
      input_sizes_[static_cast<std::size_t>(n.bits)] = size_of(n.type);
  }
  for (const auto i : of.outputs) output_sizes_.push_back(size_of(of[i].type));
}

row_kernel::~row_kernel() { memory_->release(code_); }

void row_kernel::run(const void* const* inputs, void* const* outputs, const std::uint64_t* numbers,
                     std::int64_t n) const {
  const auto done = n / lanes_ * lanes_;
  std::uint64_t words[most_words];
  words[0] = static_cast<std::uint64_t>(done);
  for (std::size_t k = 0; k < words_.inputs; ++k) words[1 + k] = word_of(inputs[k]);
  for (std::size_t k = 0; k < words_.outputs; ++k)
    words[words_.first_output() + k] = word_of(outputs[k]);
  std::copy_n(numbers, words_.numbers, words + words_.first_number());
  if (done == n) {
    if (n > 0) code_(words);
    return;
  }
  // Elements are computed twice only if their inputs have not been overwritten.
  const bool again = done > 0 && !overwrites(words);
  if (done > 0) code_(words);
  if (again) run_last(words, n);
  else run_rest(words, done, n);
}

bool row_kernel::overwrites(const std::uint64_t* words) const noexcept {
  const auto* const inputs = words + 1;
  const auto* const outputs = words + words_.first_output();
  return std::any_of(outputs, outputs + words_.outputs, [&](std::uint64_t out) {
    return std::find(inputs, inputs + words_.inputs, out) != inputs + words_.inputs;
  });
}

/// Computes the last elements together with those before them, as many as make a whole.
void row_kernel::run_last(std::uint64_t* words, std::int64_t n) const {
  const auto first = static_cast<std::uint64_t>(n - lanes_);
  words[0] = static_cast<std::uint64_t>(lanes_);
  for (std::size_t k = 0; k < words_.inputs; ++k) words[1 + k] += first * input_sizes_[k];
  for (std::size_t k = 0; k < words_.outputs; ++k)
    words[words_.first_output() + k] += first * output_sizes_[k];
  code_(words);
}

/// Computes the last elements in memory of their own, followed by others like them.
void row_kernel::run_rest(std::uint64_t* words, std::int64_t done, std::int64_t n) const {
  alignas(64) std::byte room[most_words][most_bytes];
  const auto begin = static_cast<std::size_t>(done), left = static_cast<std::size_t>(n - done),
             lanes = static_cast<std::size_t>(lanes_);
  words[0] = lanes;
  for (std::size_t k = 0; k < words_.inputs; ++k) {
    const auto size = input_sizes_[k];
    if (size == 0) continue;
    const auto* const from = reinterpret_cast<const std::byte*>(words[1 + k]) + begin * size;
    std::memcpy(room[k], from, left * size);
    for (auto i = left; i < lanes; ++i) std::memcpy(room[k] + i * size, from, size);
    words[1 + k] = word_of(room[k]);
  }
  std::byte* to[most_words];
  for (std::size_t k = 0; k < words_.outputs; ++k) {
    auto& word = words[words_.first_output() + k];
    to[k] = reinterpret_cast<std::byte*>(word) + begin * output_sizes_[k];
    word = word_of(room[words_.inputs + k]);
  }
  code_(words);
  for (std::size_t k = 0; k < words_.outputs; ++k)
    std::memcpy(to[k], room[words_.inputs + k], left * output_sizes_[k]);
}

}  // namespace troupe::cpu_kernels::jit
