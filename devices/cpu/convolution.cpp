// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/cpu_kernels.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "troupe/devices/cpu/convolution_plan.hpp"
#include "troupe/devices/cpu/simd/convolution_loops.hpp"
#include "troupe/devices/cpu/workspace.hpp"

namespace troupe::cpu_kernels {

namespace {

/// The operands of a pass. Steps count elements.
struct pass_operands {
  const array* images;
  const array* weights;
  const array* bias;  ///< null: none
  const array* out;
  std::int64_t group_step, feature_step, channel_step;  ///< of the weights
  std::int64_t row_step, column_step, first;            ///< of what is made, in `out`
};

/// Windows over images times weights: a whole convolution, or the gradient of those of its inputs
/// that see the same taps. A chunk makes some features of some bands of some groups.
template <class T>
class pass {
 public:
  pass(const pass_operands& operands, const convolution_sizes& sizes, window_strips strips)
      : operands_(operands), strips_(std::move(strips)), blocks_(sizes, strips_, sizeof(T)) {
    constexpr std::int64_t fewest_features = 12, often_lanes = 16;
    units_ = blocks_.bands * sizes.groups;
    if (units_ == 0 || sizes.features == 0) return;
    feature_parts_ =
        std::clamp<std::int64_t>(parts(std::min(blocks_.wanted, often_lanes), units_), 1,
                                 std::max<std::int64_t>(1, sizes.features / fewest_features));
    unit_parts_ = std::clamp<std::int64_t>(parts(blocks_.wanted, feature_parts_), 1, units_);
  }

  std::int64_t chunks() const noexcept { return unit_parts_ * feature_parts_; }

  void run(std::int64_t chunk) const {
    const share features(blocks_.sizes.features, chunk % feature_parts_, feature_parts_);
    const share units(units_, chunk / feature_parts_, unit_parts_);
    const room r = make_room();
    for (std::int64_t unit = units.begin; unit < units.end; ++unit) {
      const std::int64_t group = unit % blocks_.sizes.groups;
      const window_band band = blocks_.band(unit / blocks_.sizes.groups);
      for (std::int64_t i = 0; i < blocks_.blocks; ++i) {
        const share block = blocks_.block(i);
        strips_.copy(r.strips, r.offsets, r.patch, *operands_.images,
                     group * blocks_.sizes.channels, block, band);
        multiply(r, band, block, group, features);
      }
    }
  }

 private:
  using loops = convolution_loops<T>;
  using product = typename loops::panel_product;
  static constexpr std::int64_t tile_columns = 128;

  /// A thread's memory for a chunk.
  struct room {
    T* strips;
    T* patch;
    T* panel;
    T* tile;
    std::int64_t* offsets;
  };

  room make_room() const {
    const auto whole_lines = [](std::int64_t n) { return parts(n, 16) * 16; };
    const std::int64_t strips = whole_lines(blocks_.strip_elements() + loops_.read_ahead);
    const std::int64_t patch = whole_lines(blocks_.patch_elements());
    const std::int64_t panel = whole_lines(loops_.panel_rows * blocks_.block_taps());
    const std::int64_t tile = loops_.panel_rows * tile_columns;
    T* const memory = static_cast<T*>(
        workspace(static_cast<std::size_t>(strips + patch + panel + tile) * sizeof(T) +
                  static_cast<std::size_t>(blocks_.block_taps()) * sizeof(std::int64_t)));
    T* const end = memory + strips + patch + panel + tile;
    return {memory, memory + strips, memory + strips + patch, end - tile,
            reinterpret_cast<std::int64_t*>(end)};
  }

  /// The weights of some features, those for a tap side by side.
  void copy_panel(T* panel, const share& block, const share& features, std::int64_t group) const {
    if (block.size() == 0) return;
    const array& w = *operands_.weights;
    const auto &along = strips_.along().taps, &down = strips_.down().taps;
    const auto across = static_cast<std::int64_t>(along.size());
    for (std::int64_t f = 0; f < features.size(); ++f) {
      const T* channel = w.as<T>() + group * operands_.group_step +
                         (features.begin + f) * operands_.feature_step +
                         block.begin / across * operands_.channel_step;
      T* to = panel + f;
      std::int64_t j = block.begin % across;
      for (std::int64_t p = 0; p < block.size(); ++p) {
        const T* const plane = channel + along[static_cast<std::size_t>(j)].index * w.strides[3];
        for (const auto& tap : down) {
          *to = plane[tap.index * w.strides[2]];
          to += features.size();
        }
        if (++j == across) j = 0, channel += operands_.channel_step;
      }
    }
  }

  void multiply(const room& r, const window_band& band, const share& block, std::int64_t group,
                const share& features) const {
    const std::int64_t taps = block.size() * static_cast<std::int64_t>(strips_.down().taps.size());
    const std::int64_t panels = parts(features.size(), loops_.panel_rows);
    const array& out = *operands_.out;
    for (std::int64_t i = 0; i < panels; ++i) {
      share rows(features.size(), i, panels);
      rows.begin += features.begin, rows.end += features.begin;
      copy_panel(r.panel, block, rows, group);
      const std::int64_t feature = group * blocks_.sizes.features + rows.begin;
      T start[loops::most_panel_rows] = {};
      if (operands_.bias != nullptr && block.begin == 0) {
        for (std::int64_t f = 0; f < rows.size(); ++f)
          start[f] = operands_.bias->as<T>()[(feature + f) * operands_.bias->strides[0]];
      }
      product p{.out = nullptr,
                .pitch = out.strides[1],
                .panel = r.panel,
                .start = start,
                .add = block.begin > 0,
                .from = r.strips,
                .offsets = r.offsets,
                .taps = taps,
                .columns = band.outputs(),
                .rows = static_cast<int>(rows.size())};
      for (std::int64_t image = 0; image < band.images; ++image) {
        p.out = out.as<T>() + (band.image + image) * out.strides[0] + feature * out.strides[1] +
                operands_.first + band.row * operands_.row_step +
                band.column * operands_.column_step;
        if (side_by_side(band)) loops_.multiply(p);
        else multiply_scattered(p, r.tile, band);
        p.from += block.size() * strips_.plane_size(band.rows, band.columns);
      }
    }
  }

  bool side_by_side(const window_band& band) const noexcept {
    return operands_.column_step == 1 && (band.rows == 1 || operands_.row_step == band.columns);
  }

  /// Tile by tile, where outputs do not lie side by side.
  void multiply_scattered(product p, T* tile, const window_band& band) const {
    T* const out = p.out;
    const std::int64_t pitch = p.pitch;
    const bool add = p.add;
    p.out = tile;
    p.pitch = tile_columns;
    p.add = false;
    for (std::int64_t column = 0; column < band.outputs(); column += tile_columns) {
      p.columns = std::min(tile_columns, band.outputs() - column);
      loops_.multiply(p);
      p.from += p.columns;
      for (int row = 0; row < p.rows; ++row)
        scatter(tile + row * tile_columns, out + row * pitch, column, p.columns, band.columns, add);
    }
  }

  /// Puts outputs of a band, from number `first` on, where they belong.
  void scatter(const T* from, T* out, std::int64_t first, std::int64_t count, std::int64_t width,
               bool add) const {
    std::int64_t row = first / width, column = first % width;
    while (count > 0) {
      const std::int64_t n = std::min(count, width - column), step = operands_.column_step;
      T* const to = out + row * operands_.row_step + column * step;
      if (add) {
        for (std::int64_t i = 0; i < n; ++i) to[i * step] += from[i];
      } else {
        for (std::int64_t i = 0; i < n; ++i) to[i * step] = from[i];
      }
      from += n, count -= n, ++row, column = 0;
    }
  }

  const convolution_loops<T>& loops_ = select_convolution_loops<T>();
  pass_operands operands_;
  window_strips strips_;
  convolution_blocks blocks_;
  std::int64_t units_, unit_parts_ = 0, feature_parts_ = 0;
};

window_steps steps_of(const kernel_args& args, const array& weights, int axis) noexcept {
  const auto& a = *static_cast<const convolution_attributes*>(args.attributes);
  return {weights.shape[2 + axis], a.stride[axis], a.padding[axis], a.dilation[axis]};
}

std::int64_t groups_of(const kernel_args& args) noexcept {
  return static_cast<const convolution_attributes*>(args.attributes)->groups;
}

template <class T>
std::vector<pass<T>> forward(const kernel_args& args) {
  const array &x = args.inputs[0], &w = args.inputs[1], &out = args.outputs[0];
  const std::int64_t groups = groups_of(args), features = w.shape[0] / groups;
  const pass_operands operands{.images = &x,
                               .weights = &w,
                               .bias = args.inputs.size() > 2 ? &args.inputs[2] : nullptr,
                               .out = &out,
                               .group_step = features * w.strides[0],
                               .feature_step = w.strides[0],
                               .channel_step = w.strides[1],
                               .row_step = out.strides[2],
                               .column_step = out.strides[3],
                               .first = 0};
  std::vector<pass<T>> all;
  all.emplace_back(operands, convolution_sizes{x.shape[0], groups, w.shape[1], features},
                   window_strips(sliding_windows(x.shape[2], out.shape[2], steps_of(args, w, 0)),
                                 sliding_windows(x.shape[3], out.shape[3], steps_of(args, w, 1))));
  return all;
}

/// Inputs whose positions are equal modulo the stride see the same taps: a pass for each remainder.
template <class T>
std::vector<pass<T>> backward(const kernel_args& args) {
  const array &g = args.inputs[0], &w = args.inputs[1], &out = args.outputs[0];
  const std::int64_t groups = groups_of(args), channels = w.shape[0] / groups;
  const window_steps down = steps_of(args, w, 0), along = steps_of(args, w, 1);
  std::vector<pass<T>> all;
  for (std::int64_t y = 0; y < std::min(down.stride, out.shape[2]); ++y) {
    for (std::int64_t x = 0; x < std::min(along.stride, out.shape[3]); ++x)
      all.emplace_back(pass_operands{.images = &g,
                                     .weights = &w,
                                     .bias = nullptr,
                                     .out = &out,
                                     .group_step = channels * w.strides[0],
                                     .feature_step = w.strides[1],
                                     .channel_step = w.strides[0],
                                     .row_step = down.stride * out.strides[2],
                                     .column_step = along.stride * out.strides[3],
                                     .first = y * out.strides[2] + x * out.strides[3]},
                       convolution_sizes{g.shape[0], groups, channels, w.shape[1]},
                       window_strips(transposed_windows(out.shape[2], g.shape[2], down, y),
                                     transposed_windows(out.shape[3], g.shape[3], along, x)));
  }
  return all;
}

/// The chunks of a task are groups of those of its passes, few enough that readying the passes for
/// each costs little.
constexpr std::int64_t most_chunks = 64;

template <class T>
std::int64_t chunks_of(const std::vector<pass<T>>& passes) {
  std::int64_t n = 0;
  for (const auto& p : passes) n += p.chunks();
  return n;
}

template <auto Passes>
std::int64_t chunks(const kernel_args& args) {
  return std::min(most_chunks, chunks_of(Passes(args)));
}

template <auto Passes>
void run(const kernel_args& args, std::int64_t first, std::int64_t last) {
  const auto passes = Passes(args);
  const std::int64_t all = chunks_of(passes), groups = std::min(most_chunks, all);
  if (all == 0) return;
  const std::int64_t from = all * first / groups, to = all * last / groups;
  std::int64_t begin = 0;
  for (const auto& p : passes) {
    const std::int64_t end = begin + p.chunks();
    for (std::int64_t i = std::max(from, begin); i < std::min(to, end); ++i) p.run(i - begin);
    begin = end;
  }
}

template <auto Passes>
constexpr kernel kernel_of{.run = run<Passes>, .chunks = chunks<Passes>};

}  // namespace

const kernel* conv2d_kernel(dtype type) noexcept {
  return type == float32   ? &kernel_of<forward<float>>
         : type == float64 ? &kernel_of<forward<double>>
                           : nullptr;
}

const kernel* conv2d_input_gradient_kernel(dtype type) noexcept {
  return type == float32   ? &kernel_of<backward<float>>
         : type == float64 ? &kernel_of<backward<double>>
                           : nullptr;
}

}  // namespace troupe::cpu_kernels
