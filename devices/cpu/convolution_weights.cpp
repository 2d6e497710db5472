// SPDX-License-Identifier: MIT
#include <algorithm>

#include "troupe/devices/cpu/convolution_plan.hpp"
#include "troupe/devices/cpu/cpu_kernels.hpp"
#include "troupe/devices/cpu/simd/convolution_loops.hpp"
#include "troupe/devices/cpu/workspace.hpp"

namespace troupe::cpu_kernels {

namespace {

window_axis windows(const kernel_args& args, int axis) {
  const auto& a = *static_cast<const convolution_attributes*>(args.attributes);
  return sliding_windows(
      args.inputs[0].shape[2 + axis], args.inputs[1].shape[2 + axis],
      {args.outputs[0].shape[2 + axis], a.stride[axis], a.padding[axis], a.dilation[axis]});
}

/// A chunk adds up the products of some bands, for some features and blocks of planes of some
/// groups. Where the bands are divided, each division has its own sums, which are added up in the
/// end.
template <class T>
class weight_gradient {
 public:
  explicit weight_gradient(const kernel_args& args)
      : args_(args),
        strips_(windows(args, 0), windows(args, 1)),
        groups_(static_cast<const convolution_attributes*>(args.attributes)->groups),
        features_(args.outputs[0].shape[0] / groups_),
        blocks_({args.inputs[0].shape[0], groups_, args.outputs[0].shape[1], features_}, strips_,
                sizeof(T)),
        size_(args.outputs[0].size()) {
    if (size_ == 0) return;
    const std::int64_t wanted = std::max<std::int64_t>(1, std::min(blocks_.wanted, most_chunks));
    divisions_ = std::clamp<std::int64_t>(std::min(wanted, most_sums / size_), 1,
                                          std::max<std::int64_t>(1, blocks_.bands));
    group_parts_ = std::min(parts(wanted, divisions_), groups_);
    feature_parts_ =
        std::clamp<std::int64_t>(parts(wanted, divisions_ * group_parts_), 1,
                                 std::max<std::int64_t>(1, features_ / fewest_features));
    block_parts_ =
        std::min(parts(wanted, divisions_ * group_parts_ * feature_parts_), blocks_.blocks);
  }

  std::int64_t chunks() const noexcept {
    return divisions_ * group_parts_ * feature_parts_ * block_parts_;
  }

  std::size_t scratch_bytes() const noexcept {
    return divisions_ < 2 ? 0 : static_cast<std::size_t>(divisions_ * size_) * sizeof(T);
  }

  void run(std::int64_t chunk) const {
    const share blocks(blocks_.blocks, chunk % block_parts_, block_parts_);
    chunk /= block_parts_;
    const share features(features_, chunk % feature_parts_, feature_parts_);
    chunk /= feature_parts_;
    const share groups(groups_, chunk % group_parts_, group_parts_);
    const std::int64_t division = chunk / group_parts_;
    const share bands(blocks_.bands, division, divisions_);
    T* const sums = sums_of(division);
    const room r = make_room();
    for (std::int64_t group = groups.begin; group < groups.end; ++group) {
      for (std::int64_t i = blocks.begin; i < blocks.end; ++i) {
        const share block = blocks_.block(i);
        find_places(r.places, block);
        clear(sums, group, features, r.places, taps_of(block));
        for (std::int64_t b = bands.begin; b < bands.end; ++b) {
          const window_band band = blocks_.band(b);
          strips_.copy(r.strips, r.offsets, r.patch, args_.inputs[0],
                       group * blocks_.sizes.channels, block, band);
          add_products(sums, r, band, block, group, features);
        }
      }
    }
  }

  void finish() const {
    if (!divided()) return;
    T* const out = args_.outputs[0].as<T>();
    std::copy_n(sums_of(0), size_, out);
    for (std::int64_t division = 1; division < divisions_; ++division) {
      const T* const sums = sums_of(division);
      for (std::int64_t i = 0; i < size_; ++i) out[i] += sums[i];
    }
  }

 private:
  static constexpr std::int64_t most_chunks = 64, fewest_features = 16;
  static constexpr std::int64_t most_sums = 1 << 19;   // elements, in all
  static constexpr std::int64_t most_left = 64 << 10;  // bytes of the arriving gradient in a copy

  /// A thread's memory for a chunk.
  struct room {
    T* strips;
    T* patch;
    T* left;
    std::int64_t* offsets;
    std::int64_t* places;
  };

  bool divided() const noexcept { return divisions_ > 1; }

  T* sums_of(std::int64_t division) const noexcept {
    return divided() ? static_cast<T*>(args_.scratch) + division * size_ : args_.outputs[0].as<T>();
  }

  /// A row of the left factor, filled up to whole vectors.
  static std::int64_t pitch(const window_band& band) noexcept {
    return parts(band.outputs(), 16) * 16;
  }
  std::int64_t features_at_once() const noexcept {
    const window_band band = blocks_.largest_band();
    const std::int64_t most = most_left / static_cast<std::int64_t>(sizeof(T));
    return std::max<std::int64_t>(loops_.dot_rows,
                                  most / std::max<std::int64_t>(1, band.images * pitch(band)));
  }

  room make_room() const {
    const window_band band = blocks_.largest_band();
    const auto whole_lines = [](std::int64_t n) { return parts(n, 16) * 16; };
    const std::int64_t left = std::min(features_at_once(), features_) * band.images * pitch(band);
    const std::int64_t strips = whole_lines(blocks_.strip_elements() + loops_.read_ahead);
    const std::int64_t patch = whole_lines(blocks_.patch_elements());
    const std::int64_t taps = blocks_.block_taps();
    T* const memory =
        static_cast<T*>(workspace(static_cast<std::size_t>(strips + patch + left) * sizeof(T) +
                                  2 * static_cast<std::size_t>(taps) * sizeof(std::int64_t)));
    auto* const offsets = reinterpret_cast<std::int64_t*>(memory + strips + patch + left);
    return {memory, memory + strips, memory + strips + patch, offsets, offsets + taps};
  }

  /// The place of each tap of a block among a feature's weights.
  void find_places(std::int64_t* places, const share& block) const {
    const auto across = static_cast<std::int64_t>(strips_.along().taps.size()),
               down = static_cast<std::int64_t>(strips_.down().taps.size());
    for (std::int64_t p = block.begin; p < block.end; ++p) {
      for (std::int64_t tap = 0; tap < down; ++tap)
        *places++ = (p / across * down + tap) * across + p % across;
    }
  }

  std::int64_t taps_of(const share& block) const noexcept {
    return block.size() * static_cast<std::int64_t>(strips_.down().taps.size());
  }

  T* feature_sums(T* sums, std::int64_t group, std::int64_t feature) const noexcept {
    return sums + (group * features_ + feature) * blocks_.taps;
  }

  void clear(T* sums, std::int64_t group, const share& features, const std::int64_t* places,
             std::int64_t taps) const {
    for (std::int64_t f = features.begin; f < features.end; ++f) {
      for (std::int64_t t = 0; t < taps; ++t) feature_sums(sums, group, f)[places[t]] = T(0);
    }
  }

  /// Rows of the arriving gradient, [image, feature], with zeros behind them.
  void copy_left(T* to, const window_band& band, std::int64_t first, std::int64_t count) const {
    const array& g = args_.inputs[1];
    for (std::int64_t image = band.image; image < band.image + band.images; ++image) {
      for (std::int64_t f = first; f < first + count; ++f, to += pitch(band)) {
        loops_.copy_rows({.to = to,
                          .to_row = band.columns,
                          .from = g.as<T>() + image * g.strides[0] + f * g.strides[1] +
                                  band.row * g.strides[2] + band.column * g.strides[3],
                          .from_row = g.strides[2],
                          .step = g.strides[3],
                          .rows = band.rows,
                          .count = band.columns});
        std::fill(to + band.outputs(), to + pitch(band), T(0));
      }
    }
  }

  void add_products(T* sums, const room& r, const window_band& band, const share& block,
                    std::int64_t group, const share& features) const {
    const std::int64_t taps = taps_of(block), at_once = features_at_once();
    for (std::int64_t first = features.begin; first < features.end; first += at_once) {
      const std::int64_t count = std::min(at_once, features.end - first);
      copy_left(r.left, band, group * features_ + first, count);
      const std::int64_t high = parts(count, loops_.dot_rows),
                         wide = parts(taps, loops_.dot_columns);
      for (std::int64_t i = 0; i < high; ++i) {
        for (std::int64_t j = 0; j < wide; ++j) {
          const share rows(count, i, high), columns(taps, j, wide);
          loops_.add_dots({.sums = feature_sums(sums, group, first + rows.begin),
                           .pitch = blocks_.taps,
                           .places = r.places + columns.begin,
                           .left = r.left + rows.begin * pitch(band),
                           .left_pitch = pitch(band),
                           .left_image = count * pitch(band),
                           .from = r.strips,
                           .offsets = r.offsets + columns.begin,
                           .from_image = block.size() * strips_.plane_size(band.rows, band.columns),
                           .n = band.outputs(),
                           .images = band.images,
                           .rows = static_cast<int>(rows.size()),
                           .columns = static_cast<int>(columns.size())});
        }
      }
    }
  }

  const convolution_loops<T>& loops_ = select_convolution_loops<T>();
  const kernel_args& args_;
  window_strips strips_;
  std::int64_t groups_, features_;
  convolution_blocks blocks_;
  std::int64_t size_;
  std::int64_t divisions_ = 0, group_parts_ = 1, feature_parts_ = 1, block_parts_ = 1;
};

template <class T>
void run(const kernel_args& args, std::int64_t first, std::int64_t last) {
  const weight_gradient<T> gradient(args);
  for (std::int64_t chunk = first; chunk < last; ++chunk) gradient.run(chunk);
}

template <class T>
constexpr kernel kernel_of{
    .run = run<T>,
    .chunks = [](const kernel_args& args) { return weight_gradient<T>(args).chunks(); },
    .scratch_bytes =
        [](const kernel_args& args) { return weight_gradient<T>(args).scratch_bytes(); },
    .finish = [](const kernel_args& args) { weight_gradient<T>(args).finish(); }};

}  // namespace

const kernel* conv2d_weight_gradient_kernel(dtype type) noexcept {
  return type == float32 ? &kernel_of<float> : type == float64 ? &kernel_of<double> : nullptr;
}

}  // namespace troupe::cpu_kernels
