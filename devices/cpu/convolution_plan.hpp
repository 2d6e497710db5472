// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "troupe/devices/cpu/window_strips.hpp"
#include "troupe/devices/layout/share.hpp"

namespace troupe::cpu_kernels {

/// The sizes of a convolution beside those of its images: of each group of its channels, inputs and
/// outputs.
struct convolution_sizes {
  std::int64_t images, groups, channels, features;
};

/// The parts of a convolution, cut so that what windows read fits in the second-level cache: bands
/// of outputs, and blocks of planes (see window_strips). It follows from the sizes alone.
struct convolution_blocks {
  convolution_sizes sizes;
  std::int64_t planes, taps;  ///< of a group
  std::int64_t work;          ///< multiplications in all
  std::int64_t wanted;        ///< chunks, so that lanes get equally many and each is worth it

  std::int64_t blocks;  ///< of planes
  std::int64_t bands;

  convolution_blocks(const convolution_sizes& sizes, const window_strips& strips,
                     std::size_t element_size);

  window_band band(std::int64_t number) const noexcept;
  share block(std::int64_t number) const noexcept { return {planes, number, blocks}; }

  /// As large as any.
  window_band largest_band() const noexcept {
    return {0, parts(sizes.images, image_parts_), 0, parts(rows_, row_parts_),
            0, parts(columns_, column_parts_)};
  }
  /// The most elements that the strips of one band and block take, those of a patch, and the most
  /// taps in a block.
  std::int64_t strip_elements() const noexcept { return strip_elements_; }
  std::int64_t patch_elements() const noexcept { return patch_elements_; }
  std::int64_t block_taps() const noexcept { return block_taps_; }

 private:
  std::int64_t rows_, columns_;
  std::int64_t image_parts_ = 1, row_parts_ = 1, column_parts_ = 1;
  std::int64_t strip_elements_, patch_elements_, block_taps_;
};

}  // namespace troupe::cpu_kernels
