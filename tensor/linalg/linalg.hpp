// SPDX-License-Identifier: MIT
#pragma once

/// All of linear algebra.

#include "troupe/tensor/linalg/factors.hpp"
#include "troupe/tensor/linalg/least_squares.hpp"
#include "troupe/tensor/linalg/norms.hpp"
#include "troupe/tensor/linalg/products.hpp"
#include "troupe/tensor/linalg/spectra.hpp"
#include "troupe/tensor/linalg/systems.hpp"
