// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/cpu_kernels.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "troupe/devices/cpu/chunk_size.hpp"
#include "troupe/devices/cpu/operand_reader.hpp"
#include "troupe/devices/cpu/simd/update_loops.hpp"
#include "troupe/devices/layout/loop_nest.hpp"

namespace troupe::cpu_kernels {

namespace {

constexpr std::int64_t least_chunk = 4096, most_chunk = 32768;
constexpr std::int64_t block_size = 512;  // an operand's block stays in the first-level cache
constexpr int most_arrays = most_update_states + 2;

std::int64_t chunks(const kernel_args& args) {
  const auto n = args.outputs[0].size(), size = elements_per_chunk(n, least_chunk, most_chunk);
  return (n + size - 1) / size;
}

/// An input, handed out in contiguous pieces.
class source {
 public:
  void start(const array& x) noexcept {
    data_ = x.as<const char>();
    size_ = size_of(x.type);
    lies_ = arrangement_of(x);
    if (lies_ == arrangement::strided) axes_ = merge_axes({&x, 1});
    if (lies_ == arrangement::constant) repeat(room_, data_, size_, block_size);
  }
  bool contiguous() const noexcept { return lies_ == arrangement::contiguous; }
  /// The elements [first, first + n); at most a block of them if it is not contiguous.
  const void* at(std::int64_t first, std::int64_t n) noexcept {
    if (contiguous()) return data_ + first * static_cast<std::int64_t>(size_);
    if (lies_ == arrangement::strided) gather(room_, data_, size_, axes_, 0, first, n);
    return room_;
  }

 private:
  const char* data_;
  std::size_t size_;
  arrangement lies_;
  loop_nest axes_;
  alignas(64) char room_[block_size * sizeof(double)];
};

void run(const kernel_args& args, std::int64_t first, std::int64_t last, update_loop loop) {
  const auto& given = *static_cast<const update_attributes*>(args.attributes);
  const auto arrays = args.inputs.size() - 1;
  source from[most_arrays];
  bool contiguous = true;
  for (std::size_t k = 0; k < arrays; ++k) {
    from[k].start(args.inputs[k]);
    contiguous = contiguous && from[k].contiguous();
  }
  const auto size = elements_per_chunk(args.outputs[0].size(), least_chunk, most_chunk);
  const auto end = std::min(args.outputs[0].size(), last * size);
  const auto longest = contiguous ? end : block_size;
  for (std::int64_t position = first * size, n; position < end; position += n) {
    n = std::min(longest, end - position);
    const void* in[most_arrays];
    void* out[most_arrays];
    for (std::size_t k = 0; k < arrays; ++k) in[k] = from[k].at(position, n);
    for (std::size_t k = 0; k < args.outputs.size(); ++k)
      out[k] = args.outputs[k].as<char>() +
               position * static_cast<std::int64_t>(size_of(args.outputs[k].type));
    loop(out, in, n, given, args.inputs[arrays].data);
  }
}

template <std::size_t Rule, int Width>
void run(const kernel_args& args, std::int64_t first, std::int64_t last) {
  run(args, first, last, TROUPE_SELECT(update_loops).loops[Rule][Width]);
}

template <std::size_t... Rule>
constexpr auto make_kernels(std::index_sequence<Rule...>) noexcept {
  return std::array<std::array<kernel, 2>, sizeof...(Rule)>{
      {{kernel{.run = run<Rule, 0>, .chunks = chunks},
        kernel{.run = run<Rule, 1>, .chunks = chunks}}...}};
}

constexpr auto kernels = make_kernels(std::make_index_sequence<update_rule_count>{});

}  // namespace

const kernel* update_kernel(update_rule rule, dtype element) noexcept {
  if (!is_floating(element)) return nullptr;
  return &kernels[static_cast<std::size_t>(rule)][element == float64];
}

}  // namespace troupe::cpu_kernels
