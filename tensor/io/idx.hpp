// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// Reads the array in a file of the format that MNIST comes in (`train-images-idx3-ubyte`), gzipped
/// or not: http://yann.lecun.com/exdb/mnist/. Elements stay what they are, uint8 in
/// MNIST, unless the options name a dtype:
///
///     // float32[60000,28,28]
///     tensor images = load_idx("train-images-idx3-ubyte.gz", {.dtype = float32});
///
/// Throws for files that are damaged, or longer or shorter than they say.
tensor load_idx(const std::string& path, const tensor_options& options = {},
                caller where = caller::current());

}  // namespace troupe
