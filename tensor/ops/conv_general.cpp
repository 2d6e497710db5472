// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/conv_general.hpp"

#include <algorithm>
#include <string>

#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/arranging.hpp"
#include "troupe/tensor/ops/convolution.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/sequences.hpp"
#include "troupe/tensor/ops/slice.hpp"
#include "troupe/tensor/ops/volumes.hpp"

namespace troupe {

namespace {

constexpr std::int64_t farthest = std::int64_t{1} << 31;

/// The way along one axis.
struct axis_way {
  std::int64_t stride = 1, before = 0, behind = 0, input_dilation = 1, kernel_dilation = 1;
};

class general_convolution {
 public:
  general_convolution(const tensor& x, const tensor& weight, const conv_general_options& given,
                      caller where)
      : where_(where), groups_(given.groups) {
    const tensor* const inputs[] = {&x, &weight};
    common_home("conv_general", inputs, where);
    types_[0] = x.type();
    types_[1] = weight.type();
    const auto axes = x.rank() - 2;
    if (axes < 1 || axes > 3 || weight.rank() != x.rank())
      refuse("not 3, 4 or 5 axes, and as many of the kernels");
    ways_.resize(static_cast<std::size_t>(axes));
    read(given.stride, "stride", 1, [](axis_way& to, std::int64_t one) { to.stride = one; });
    read(given.input_dilation, "input_dilation", 1,
         [](axis_way& to, std::int64_t one) { to.input_dilation = one; });
    read(given.kernel_dilation, "kernel_dilation", 1,
         [](axis_way& to, std::int64_t one) { to.kernel_dilation = one; });
    std::vector<std::int64_t> before, behind;
    for (const auto& [first, last] : given.padding) {
      before.push_back(first);
      behind.push_back(last);
    }
    read(before, "padding", -farthest, [](axis_way& to, std::int64_t one) { to.before = one; });
    read(behind, "padding", -farthest, [](axis_way& to, std::int64_t one) { to.behind = one; });
    check_channels();
    for (std::size_t i = 0; i < ways_.size(); ++i) check_size(i);
  }

  tensor run(const tensor& x, const tensor& weight) const {
    auto in = x;
    for (int i = 0; i < static_cast<int>(ways_.size()); ++i) in = prepared(in, i);
    const auto stride = [&](std::size_t i) { return ways_[i].stride; };
    const auto dilation = [&](std::size_t i) { return ways_[i].kernel_dilation; };
    if (ways_.size() == 1)
      return conv1d(in, weight, {.stride = stride(0), .dilation = dilation(0), .groups = groups_},
                    where_);
    if (ways_.size() == 2)
      return conv2d(in, weight,
                    {.stride = {stride(0), stride(1)},
                     .dilation = {dilation(0), dilation(1)},
                     .groups = groups_},
                    where_);
    return conv3d(in, weight,
                  {.stride = {stride(0), stride(1), stride(2)},
                   .dilation = {dilation(0), dilation(1), dilation(2)},
                   .groups = groups_},
                  where_);
  }

 private:
  [[noreturn]] void refuse(const std::string& facts) const {
    troupe::refuse("conv_general", facts, types_, where_);
  }

  void check_channels() const {
    const auto &images = types_[0].dims, &kernels = types_[1].dims;
    if (!is_floating(types_[0].element) || !is_floating(types_[1].element))
      refuse("not of floating numbers");
    if (groups_ < 1) refuse(std::to_string(groups_) + " groups");
    const auto in_groups = " in " + std::to_string(groups_) + " groups";
    if (images[1] % groups_ != 0) refuse(std::to_string(images[1]) + " channels" + in_groups);
    if (kernels[0] % groups_ != 0) refuse(std::to_string(kernels[0]) + " kernels" + in_groups);
    if (images[1] / groups_ != kernels[1])
      refuse(std::to_string(images[1] / groups_) + " channels, but kernels for " +
             std::to_string(kernels[1]));
  }

  /// Throws unless the kernel fits into the input that is spread, padded and cut off.
  void check_size(std::size_t i) const {
    const auto& way = ways_[i];
    const auto length = types_[0].dims[2 + static_cast<int>(i)],
               kernel = types_[1].dims[2 + static_cast<int>(i)];
    if (kernel < 1) refuse("an empty kernel");
    if (length > farthest / way.input_dilation) refuse("more elements than can be counted");
    const auto spread = length > 0 ? (length - 1) * way.input_dilation + 1 : 0;
    if (spread + std::min<std::int64_t>(way.before, 0) + std::min<std::int64_t>(way.behind, 0) < 0)
      refuse("more is cut off than there is");
    const auto padded = spread + way.before + way.behind;
    if (padded == 0 || kernel - 1 > (padded - 1) / way.kernel_dilation)
      refuse("the kernel is larger than the padded input");
  }

  template <class Set>
  void read(const std::vector<std::int64_t>& all, const char* name, std::int64_t least, Set set) {
    if (all.empty()) return;
    if (all.size() != ways_.size())
      refuse(std::string(name) + " for " + std::to_string(all.size()) +
             (all.size() == 1 ? " axis" : " axes"));
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i] < least || all[i] > farthest)
        refuse(std::string(name) + " of " + std::to_string(all[i]));
      set(ways_[i], all[i]);
    }
  }

  /// Returns the input with zeros between and around its elements along one axis.
  tensor prepared(const tensor& x, int number) const {
    const auto& way = ways_[static_cast<std::size_t>(number)];
    const int axis = 2 + number;
    auto out = x;
    const auto length = x.shape()[axis];
    if (way.input_dilation > 1 && length > 1) {
      const auto apart =
          padded(expand_dims(x, axis + 1, where_), axis + 1, 0, way.input_dilation - 1);
      shape sizes = x.shape();
      sizes[axis] = length * way.input_dilation;
      out = slice(reshape(apart, sizes, where_), axis, 0, sizes[axis] - way.input_dilation + 1, 1,
                  where_);
    }
    const auto size = out.shape()[axis], first = std::max<std::int64_t>(-way.before, 0),
               last = size - std::max<std::int64_t>(-way.behind, 0);
    if (first > 0 || last < size) out = slice(out, axis, first, last, 1, where_);
    return padded(out, axis, std::max<std::int64_t>(way.before, 0),
                  std::max<std::int64_t>(way.behind, 0));
  }

  tensor padded(const tensor& x, int axis, std::int64_t before, std::int64_t behind) const {
    if (before == 0 && behind == 0) return x;
    std::vector<std::pair<std::int64_t, std::int64_t>> widths(static_cast<std::size_t>(x.rank()));
    widths[static_cast<std::size_t>(axis)] = {before, behind};
    return pad(x, widths, 0, where_);
  }

  caller where_;
  std::int64_t groups_;
  tensor_type types_[2];
  std::vector<axis_way> ways_;
};

}  // namespace

tensor conv_general(const tensor& x, const tensor& weight, const conv_general_options& options,
                    caller where) {
  return general_convolution(x, weight, options, where).run(x, weight);
}

}  // namespace troupe
