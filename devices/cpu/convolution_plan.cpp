// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/convolution_plan.hpp"

#include <algorithm>

namespace troupe::cpu_kernels {

namespace {

constexpr std::int64_t strip_bytes = 160 << 10;
constexpr std::int64_t wanted_taps =
    256;  // in a block: the panel of weights stays in the first-level cache
constexpr std::int64_t fewest_taps = 64;
constexpr std::int64_t most_outputs = 1024;  // in a band's image, of rows shorter than that
constexpr std::int64_t enough_outputs =
    512;  // in a band, for a panel of weights to be worth its making
constexpr std::int64_t narrowest = 64;
constexpr std::int64_t least_work = 1 << 20;  // multiplications that are worth a chunk: some 20 us
constexpr std::int64_t often_lanes = 16;      // a multiple of most numbers of lanes

}  // namespace

convolution_blocks::convolution_blocks(const convolution_sizes& s, const window_strips& strips,
                                       std::size_t element_size)
    : sizes(s), rows_(strips.down().outputs), columns_(strips.along().outputs) {
  const auto down = static_cast<std::int64_t>(strips.down().taps.size());
  const std::int64_t room = strip_bytes / static_cast<std::int64_t>(element_size);
  planes = s.channels * static_cast<std::int64_t>(strips.along().taps.size());
  taps = planes * down;
  const std::int64_t outputs = s.images * s.groups * s.features * rows_ * columns_;
  work = outputs * std::max<std::int64_t>(taps, 8);
  wanted = parts(work, least_work);
  if (wanted > often_lanes) wanted = parts(wanted, often_lanes) * often_lanes;

  // A panel of weights is worth its making, and what neighbouring bands both read is little, if a
  // band has many outputs: blocks are smaller for that, down to some point.
  const std::int64_t down_at_least = std::max<std::int64_t>(1, down);
  const std::int64_t some_rows = std::clamp<std::int64_t>(
      parts(enough_outputs, std::max<std::int64_t>(1, columns_)),
      std::min(rows_, 4 * strips.span()), std::max<std::int64_t>(1, rows_));
  const std::int64_t some_images =
      std::clamp<std::int64_t>(parts(enough_outputs, std::max<std::int64_t>(1, rows_ * columns_)),
                               1, std::max<std::int64_t>(1, s.images));
  const std::int64_t some =
      std::max<std::int64_t>(1, some_images * strips.plane_size(some_rows, columns_));
  blocks = std::max<std::int64_t>(
      1, parts(planes, std::clamp<std::int64_t>(room / some, parts(fewest_taps, down_at_least),
                                                parts(wanted_taps, down_at_least))));
  const std::int64_t planes_in_block = parts(planes, blocks);
  block_taps_ = planes_in_block * down;

  const auto fits = [&](std::int64_t images, std::int64_t rows, std::int64_t columns) {
    return images * planes_in_block * strips.plane_size(rows, columns) <= room;
  };
  const std::int64_t most_rows =
      std::max<std::int64_t>(1, most_outputs / std::max<std::int64_t>(1, columns_));
  std::int64_t images_in_band = 1, rows = std::min(rows_, most_rows), columns = columns_;
  while (rows > 1 && !fits(1, rows, columns_)) --rows;
  while (rows == 1 && columns > narrowest && !fits(1, 1, columns)) columns = (columns + 1) / 2;
  if (rows == rows_ && columns == columns_) {
    const std::int64_t most =
        std::max(parts(s.images, std::max<std::int64_t>(1, wanted)),
                 parts(enough_outputs, std::max<std::int64_t>(1, rows * columns)));
    while (images_in_band < std::min(most, s.images) && fits(images_in_band + 1, rows, columns))
      ++images_in_band;
  }
  if (s.images > 0) image_parts_ = parts(s.images, images_in_band);
  if (rows_ > 0) row_parts_ = parts(rows_, rows);
  if (columns_ > 0) column_parts_ = parts(columns_, columns);
  bands = s.images * rows_ * columns_ == 0 ? 0 : image_parts_ * row_parts_ * column_parts_;
  const window_band most = largest_band();
  strip_elements_ = most.images * planes_in_block * strips.plane_size(most.rows, most.columns);
  patch_elements_ = bands == 0 ? 0 : strips.patch_size(most.rows, most.columns);
}

window_band convolution_blocks::band(std::int64_t number) const noexcept {
  const share columns(columns_, number % column_parts_, column_parts_);
  number /= column_parts_;
  const share rows(rows_, number % row_parts_, row_parts_);
  const share images(sizes.images, number / row_parts_, image_parts_);
  return {images.begin, images.size(), rows.begin, rows.size(), columns.begin, columns.size()};
}

}  // namespace troupe::cpu_kernels
