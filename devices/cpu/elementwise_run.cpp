// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/elementwise_run.hpp"

#include <algorithm>

#include "troupe/devices/cpu/layout.hpp"

namespace troupe {

namespace {

constexpr std::int64_t chunk_size = 32768;
constexpr std::int64_t block_size = 1024;   // an operand's block stays in the first-level cache
constexpr std::int64_t shortest_row = 128;  // shorter rows are gathered, several to a block

bool single(const array& x) noexcept {
  for (int axis = 0; axis < x.rank; ++axis)
    if (x.strides[axis] != 0 && x.shape[axis] != 1) return false;
  return true;
}

/// One input on its way to the loop: where its next elements are, contiguous and of the right type.
class feed {
 public:
  enum class kind { direct, constant, row, gathered };

  void start(const array& x, dtype type) noexcept {
    data_ = x.as<const char>();
    size_ = size_of(x.type);
    from_ = x.type;
    to_ = type;
    if (x.contiguous()) kind_ = kind::direct;
    else if (single(x)) kind_ = kind::constant;
    else kind_ = kind::gathered;
  }

  bool direct() const noexcept { return kind_ == kind::direct && from_ == to_; }
  bool strided() const noexcept { return kind_ == kind::gathered; }
  const void* at(std::int64_t position) const noexcept { return data_ + position * size_; }

  /// A constant is laid out once, as long as the longest block will be.
  void prepare(std::int64_t longest) noexcept {
    if (kind_ != kind::constant) return;
    if (from_ == to_) return repeat(values_, data_, size_, longest);
    alignas(8) char one[8];
    const void* in[] = {data_};
    TROUPE_SELECT(conversion_loops).at[static_cast<int>(from_)][static_cast<int>(to_)](one, in, 1);
    repeat(values_, one, size_of(to_), longest);
  }

  /// The elements [position, position + n); `whole_row` when they lie within one row of `axes`.
  const void* next(const layout& axes, int k, std::int64_t position, std::int64_t n, bool whole_row) noexcept {
    if (kind_ == kind::constant) return values_;
    const void* raw = at(position);
    if (kind_ == kind::gathered) {
      if (whole_row && axes.strides[k][axes.rank - 1] == 1) {
        raw = at(axes.offset(k, position));
      } else {
        raw = values_;
        if (whole_row && axes.strides[k][axes.rank - 1] == 0)
          repeat(values_, at(axes.offset(k, position)), size_, n);
        else gather(values_, data_, size_, axes, k, position, n);
      }
    }
    if (from_ == to_) return raw;
    TROUPE_SELECT(conversion_loops).at[static_cast<int>(from_)][static_cast<int>(to_)](converted_, &raw, n);
    return converted_;
  }

 private:
  const char* data_;
  std::int64_t size_;
  dtype from_;
  dtype to_;
  kind kind_;
  alignas(64) char values_[block_size * 8];
  alignas(64) char converted_[block_size * 8];
};

void run_blocks(const kernel_args& args, std::int64_t begin, std::int64_t end, elementwise_loop loop, feed* feeds) {
  const array& out = args.outputs[0];
  char* const results = out.as<char>();
  const auto result_size = static_cast<std::int64_t>(size_of(out.type));
  const int count = static_cast<int>(args.inputs.size());
  bool strided = false;
  for (int k = 0; k < count; ++k) {
    feeds[k].prepare(std::min(block_size, end - begin));
    strided = strided || feeds[k].strided();
  }
  layout axes;
  axes.shape[0] = end;
  if (strided) axes = merge_axes(args.inputs);
  const std::int64_t row = axes.inner();
  const bool by_row = row >= shortest_row;
  for (std::int64_t position = begin; position < end;) {
    std::int64_t n = std::min(block_size, end - position);
    if (by_row) n = std::min(n, row - position % row);
    const void* in[3];
    for (int k = 0; k < count; ++k) in[k] = feeds[k].next(axes, k, position, n, by_row);
    loop(results + position * result_size, in, n);
    position += n;
  }
}

}  // namespace

std::int64_t elementwise_chunks(const kernel_args& args) {
  return (args.outputs[0].size() + chunk_size - 1) / chunk_size;
}

void run_elementwise(const kernel_args& args, std::int64_t first, std::int64_t last, elementwise_loop loop,
                     dtype compute, bool bool_first) {
  const array& out = args.outputs[0];
  const std::int64_t begin = first * chunk_size;
  const std::int64_t end = std::min(out.size(), last * chunk_size);
  if (begin >= end) return;
  const int count = static_cast<int>(args.inputs.size());
  feed feeds[3];
  bool direct = true;
  for (int k = 0; k < count; ++k) {
    feeds[k].start(args.inputs[k], k == 0 && bool_first ? boolean : compute);
    direct = direct && feeds[k].direct();
  }
  if (!direct) return run_blocks(args, begin, end, loop, feeds);
  const void* in[3];
  for (int k = 0; k < count; ++k) in[k] = feeds[k].at(begin);
  loop(out.as<char>() + begin * static_cast<std::int64_t>(size_of(out.type)), in, end - begin);
}

}  // namespace troupe
