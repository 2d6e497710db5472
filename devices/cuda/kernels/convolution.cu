// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/kernels/cuda_kernels.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "troupe/devices/cuda/gemm.hpp"
#include "troupe/devices/cuda/grid.hpp"
#include "troupe/devices/cuda/kernels/convolution_by_cudnn.hpp"
#include "troupe/devices/cuda/kernels/convolution_plan.hpp"
#include "troupe/devices/cuda/kernels/convolution_roles.hpp"
#include "troupe/devices/cuda/kernels/gather.hpp"
#include "troupe/devices/cuda/kernels/image_columns.hpp"
#include "troupe/devices/cuda/kernels/scratch_room.hpp"

namespace troupe::cuda {

// By cuDNN where it does them, else products of matrices, by `gemm`, whose columns are what the
// kernel sees of the images at each place.

namespace {

convolution_plan plan_of(convolution_pass pass, const kernel_args& args) noexcept {
  const auto roles = roles_of(pass, args);
  return {attributes_of(args), roles.images, roles.weights, roles.results};
}

/// Matrices for each image and group of a piece; a batch steps over images or over groups.
struct piece_matrices {
  matrices lie;
  std::int64_t image_step, group_step;
};

matrices part(const piece_matrices& x, std::int64_t element_size, std::int64_t step,
              std::int64_t number, std::int64_t batch_step) noexcept {
  auto out = x.lie;
  out.data = static_cast<std::byte*>(out.data) + number * step * element_size;
  out.batch_step = batch_step;
  return out;
}

/// Multiplies for all images and groups, in few calls of `gemm`.
void multiply_pieces(stream& on, dtype type, product_shape sizes, std::int64_t images,
                     std::int64_t groups, const piece_matrices& a, const piece_matrices& b,
                     const piece_matrices& c, bool add = false) {
  const bool by_images = images >= groups;
  sizes.batch = by_images ? images : groups;
  const auto element = static_cast<std::int64_t>(size_of(type));
  for (std::int64_t i = 0; i < std::min(images, groups); ++i) {
    const auto number = [&](const piece_matrices& x) {
      return by_images ? part(x, element, x.group_step, i, x.image_step)
                       : part(x, element, x.image_step, i, x.group_step);
    };
    gemm(on, type, sizes, number(a), number(b), number(c), add);
  }
}

/// Returns true if each channel of [n, channels, h, w] is a row of a matrix that `gemm` can read.
bool has_rows(const array& x) noexcept {
  const array plane{x.data, x.type, 2, x.shape + 2, x.strides + 2};
  return plane.contiguous() && (x.shape[1] == 1 || x.strides[1] >= plane.size()) &&
         (x.shape[0] == 1 || x.strides[0] >= 0);
}

/// Returns the channels of a group as rows, starting at an image.
template <class T>
piece_matrices rows_of(const array& x, std::int64_t of_group, std::int64_t image,
                       std::int64_t group) noexcept {
  const auto step = x.shape[1] == 1 ? x.shape[2] * x.shape[3] : x.strides[1];
  T* const first = x.as<T>() + image * x.strides[0] + group * of_group * x.strides[1];
  return {{first, step}, x.strides[0], of_group * x.strides[1]};
}

/// Weights in place, or a copy of them: for each group, a matrix with a row for each feature.
template <class T>
class weight_rows {
 public:
  weight_rows(const array& w, scratch_room& room) noexcept
      : w_(w), data_(w.contiguous() ? w.as<T>() : room.take<T>(w.size())) {}

  void ready(stream& on) const {
    if (data_ != w_.as<T>()) gather(on, w_, data_);
  }
  piece_matrices of(const convolution_plan& plan, const convolution_piece& p,
                    bool transposed) const noexcept {
    const auto row = plan.channels * plan.taps();
    T* const first = data_ + p.group * plan.features * row + p.channel * plan.taps();
    return {{first, row, 0, transposed}, 0, plan.features * row};
  }

 private:
  const array& w_;
  T* data_;
};

/// Makes the columns of a piece. Its images follow each other as wholes, or, with `along_rows`,
/// within each row.
template <class T>
void make_columns(stream& on, const convolution_plan& plan, const convolution_piece& p,
                  const array& x, T* columns, bool along_rows) {
  const auto places = plan.places(), row = along_rows ? p.images * places : places;
  const auto channel = plan.taps() * row, group = p.channels * channel;
  const auto image = along_rows ? places : p.groups * group;
  const auto& s = x.strides;
  const image_steps shape{{p.images, p.groups, p.channels, plan.down.outputs, plan.along.outputs}};
  const image_steps steps[] = {{{s[0], plan.channels * s[1], s[1], 0, 0}},
                               {{0, 0, 0, plan.down.stride, 0}},
                               {{0, 0, 0, 0, plan.along.stride}},
                               {{image, group, channel, plan.along.outputs, 1}}};
  const T* const first =
      x.as<const T>() + p.image * s[0] + (p.group * plan.channels + p.channel) * s[1];
  for_each(on, p.images * p.groups * p.channels * places,
           copy_taps<T>{first, columns, plan.down, plan.along, s[2], s[3], row,
                        image_offsets(shape, steps)});
}

/// Returns the columns of a piece whose images follow each other as wholes.
template <class T>
piece_matrices columns_of(const convolution_plan& plan, const convolution_piece& p,
                          T* columns) noexcept {
  const auto group = p.channels * plan.taps() * plan.places();
  return {{columns, plan.places()}, p.groups * group, group};
}

// Each of these classes keeps its working arrays in scratch memory, which `scratch_bytes` counts.

template <class T>
class forward {
 public:
  static constexpr auto pass = convolution_pass::results;

  explicit forward(const kernel_args& args)
      : args_(args),
        plan_(plan_of(pass, args)),
        room_(args.scratch),
        weights_(args.inputs[1], room_),
        direct_(plan_.pixel_by_pixel() && has_rows(args.inputs[0])) {
    if (direct_) plan_.join();
    else columns_ = room_.take<T>(plan_.column_elements(plan_.largest()));
  }

  std::size_t scratch_bytes() const noexcept { return room_.bytes(); }

  void launch(stream& on) const {
    const array& out = args_.outputs[0];
    if (out.size() == 0) return;
    const bool biased = args_.inputs.size() > 2;
    if (biased) repeat_bias(on);
    else if (plan_.channels == 0) clear(on, out);
    if (plan_.channels == 0) return;
    weights_.ready(on);
    plan_.for_each_piece([&](const convolution_piece& p) {
      multiply_pieces(on, out.type, {plan_.features, plan_.places(), p.channels * plan_.taps()},
                      p.images, p.groups, weights_.of(plan_, p, false), columns(on, p),
                      rows_of<T>(out, plan_.features, p.image, p.group), biased || p.channel > 0);
    });
  }

 private:
  void repeat_bias(stream& on) const {
    const array &bias = args_.inputs[2], &out = args_.outputs[0];
    const std::int64_t strides[] = {0, bias.strides[0], 0, 0};
    gather(on, {bias.data, bias.type, 4, out.shape, strides}, out.data);
  }

  piece_matrices columns(stream& on, const convolution_piece& p) const {
    const array& x = args_.inputs[0];
    if (direct_) return rows_of<T>(x, plan_.channels, p.image, p.group);
    make_columns(on, plan_, p, x, columns_, false);
    return columns_of(plan_, p, columns_);
  }

  const kernel_args& args_;
  convolution_plan plan_;
  scratch_room room_;
  weight_rows<T> weights_;
  bool direct_;
  T* columns_ = nullptr;
};

template <class T>
class input_gradient {
 public:
  static constexpr auto pass = convolution_pass::images;

  explicit input_gradient(const kernel_args& args)
      : args_(args),
        plan_(plan_of(pass, args)),
        room_(args.scratch),
        weights_(args.inputs[1], room_),
        copied_(!has_rows(args.inputs[0])),
        direct_(plan_.pixel_by_pixel()) {
    if (direct_ && !copied_) plan_.join();
    if (!direct_) columns_ = room_.take<T>(plan_.column_elements(plan_.largest()));
    if (copied_) copy_ = room_.take<T>(plan_.largest().images * image_elements());
  }

  std::size_t scratch_bytes() const noexcept { return room_.bytes(); }

  void launch(stream& on) const {
    const array& out = args_.outputs[0];
    if (out.size() == 0) return;
    if (plan_.features == 0) return clear(on, out);
    weights_.ready(on);
    plan_.for_each_piece([&](const convolution_piece& p) {
      multiply_pieces(on, out.type, {p.channels * plan_.taps(), plan_.places(), plan_.features},
                      p.images, p.groups, weights_.of(plan_, p, true), arriving(on, p),
                      direct_ ? rows_of<T>(out, plan_.channels, p.image, p.group)
                              : columns_of(plan_, p, columns_));
      if (!direct_) add_columns(on, p);
    });
  }

 private:
  std::int64_t image_elements() const noexcept {
    return plan_.groups * plan_.features * plan_.places();
  }

  /// Returns the arriving gradient of a piece; copies its images at their first piece.
  piece_matrices arriving(stream& on, const convolution_piece& p) const {
    const array& g = args_.inputs[0];
    if (!copied_) return rows_of<T>(g, plan_.features, p.image, p.group);
    if (p.group == 0 && p.channel == 0) {
      const std::int64_t shape[] = {p.images, g.shape[1], g.shape[2], g.shape[3]};
      gather(on, {g.as<T>() + p.image * g.strides[0], g.type, 4, shape, g.strides}, copy_);
    }
    const auto group = plan_.features * plan_.places();
    return {{copy_ + p.group * group, plan_.places()}, image_elements(), group};
  }

  void add_columns(stream& on, const convolution_piece& p) const {
    const array& out = args_.outputs[0];
    const auto &down = plan_.down, &along = plan_.along;
    const auto channel = plan_.taps() * plan_.places(), group = p.channels * channel;
    const auto& s = out.strides;
    const image_steps shape{{p.images, p.groups, p.channels, down.inputs, along.inputs}};
    const image_steps steps[] = {{{s[0], plan_.channels * s[1], s[1], s[2], s[3]}},
                                 {{0, 0, 0, 1, 0}},
                                 {{0, 0, 0, 0, 1}},
                                 {{p.groups * group, group, channel, 0, 0}}};
    T* const first = out.as<T>() + p.image * s[0] + (p.group * plan_.channels + p.channel) * s[1];
    for_each(
        on, p.images * p.groups * p.channels * plan_.pixels(),
        sum_taps<T>{columns_, first, down, along, plan_.places(), image_offsets(shape, steps)});
  }

  const kernel_args& args_;
  convolution_plan plan_;
  scratch_room room_;
  weight_rows<T> weights_;
  bool copied_, direct_;
  T* columns_ = nullptr;
  T* copy_ = nullptr;
};

/// Gradient of the weights. Images are side by side in each row of the columns and of the arriving
/// gradient, so they form one sum.
template <class T>
class weight_gradient {
 public:
  static constexpr auto pass = convolution_pass::weights;

  explicit weight_gradient(const kernel_args& args)
      : args_(args),
        plan_(plan_of(pass, args)),
        room_(args.scratch),
        columns_(room_.take<T>(plan_.column_elements(plan_.largest()))),
        copied_(plan_.largest().images > 1 || !has_rows(args.inputs[1])),
        copy_(copied_ ? room_.take<T>(plan_.largest().images * plan_.groups * plan_.features *
                                      plan_.places())
                      : nullptr) {}

  std::size_t scratch_bytes() const noexcept { return room_.bytes(); }

  void launch(stream& on) const {
    const array& out = args_.outputs[0];
    if (out.size() == 0) return;
    if (plan_.images == 0) return clear(on, out);
    const auto row = plan_.channels * plan_.taps();
    plan_.for_each_piece([&](const convolution_piece& p) {
      make_columns(on, plan_, p, args_.inputs[0], columns_, true);
      const auto columns = p.channels * plan_.taps(), sum = p.images * plan_.places();
      T* const first = out.as<T>() + p.group * plan_.features * row + p.channel * plan_.taps();
      multiply_pieces(on, out.type, {plan_.features, columns, sum}, 1, p.groups, arriving(on, p),
                      {{columns_, sum, 0, true}, 0, columns * sum},
                      {{first, row}, 0, plan_.features * row}, p.image > 0);
    });
  }

 private:
  /// Returns the arriving gradient of a piece; copies its images at their first piece.
  piece_matrices arriving(stream& on, const convolution_piece& p) const {
    const array& g = args_.inputs[1];
    if (!copied_) return rows_of<T>(g, plan_.features, p.image, p.group);
    const auto& s = g.strides;
    if (p.group == 0 && p.channel == 0) {
      const std::int64_t shape[] = {g.shape[1], p.images, g.shape[2], g.shape[3]};
      const std::int64_t strides[] = {s[1], s[0], s[2], s[3]};
      gather(on, {g.as<T>() + p.image * s[0], g.type, 4, shape, strides}, copy_);
    }
    const auto row = p.images * plan_.places();
    return {{copy_ + p.group * plan_.features * row, row}, 0, plan_.features * row};
  }

  const kernel_args& args_;
  convolution_plan plan_;
  scratch_room room_;
  T* columns_;
  bool copied_;
  T* copy_;
};

/// Adds each feature's bias to its images.
template <class T>
struct add_bias {
  const T* bias;
  T* out;
  offsets<1> positions;

  TROUPE_BOTH void operator()(std::int64_t i) const { out[i] += bias[positions(i)]; }
};

/// Returns false if cuDNN does not support the convolution.
template <class T>
bool launch_with_cudnn(convolution_pass pass, const kernel_args& args, stream& on) {
  if (!convolution_by_cudnn(args, roles_of(pass, args), on).launch(on)) return false;
  if (args.inputs.size() < 3) return true;
  const array &bias = args.inputs[2], &out = args.outputs[0];
  const std::int64_t strides[] = {0, bias.strides[0], 0, 0};
  for_each(on, out.size(),
           add_bias<T>{bias.as<const T>(), out.as<T>(),
                       offsets_of({bias.data, bias.type, 4, out.shape, strides})});
  return true;
}

// cuDNN may still refuse at the launch, so the scratch memory is enough for either way.

template <template <class> class Work, class T>
constexpr kernel kernel_of{
    .launch =
        [](const kernel_args& args, stream& on) {
          if (!launch_with_cudnn<T>(Work<T>::pass, args, on)) Work<T>(args).launch(on);
        },
    .launch_scratch_bytes =
        [](const kernel_args& args, stream& on) {
          const convolution_by_cudnn with_cudnn(args, roles_of(Work<T>::pass, args), on);
          return std::max(with_cudnn.scratch_bytes(), Work<T>(args).scratch_bytes());
        }};

/// Returns the kernel for a floating-point dtype.
template <template <class> class Work>
const kernel* choose(dtype type) noexcept {
  return type == float32   ? &kernel_of<Work, float>
         : type == float64 ? &kernel_of<Work, double>
                           : nullptr;
}

}  // namespace

const kernel* conv2d_kernel(dtype type) noexcept { return choose<forward>(type); }

const kernel* conv2d_input_gradient_kernel(dtype type) noexcept {
  return choose<input_gradient>(type);
}

const kernel* conv2d_weight_gradient_kernel(dtype type) noexcept {
  return choose<weight_gradient>(type);
}

}  // namespace troupe::cuda
