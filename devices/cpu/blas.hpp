// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <mutex>
#include <string>

namespace troupe {

/// The functions of OpenBLAS that kernels call, in row-major cblas form.
struct blas {
  enum order : int { row_major = 101 };
  enum transpose : int { no_transpose = 111, transposed = 112 };

  void (*sgemm)(int, int, int, int, int, int, float, const float*, int, const float*, int, float,
                float*, int);
  void (*dgemm)(int, int, int, int, int, int, double, const double*, int, const double*, int,
                double, double*, int);
  void (*cgemm)(int, int, int, int, int, int, const void*, const void*, int, const void*, int,
                const void*, void*, int);
  void (*zgemm)(int, int, int, int, int, int, const void*, const void*, int, const void*, int,
                const void*, void*, int);
  void (*sgemv)(int, int, int, int, float, const float*, int, const float*, int, float, float*,
                int);
  void (*dgemv)(int, int, int, int, double, const double*, int, const double*, int, double, double*,
                int);
  /// Returns the address of another function of this library; null if it has none of that name.
  void* find(const char* name) const noexcept;

  void* library;
  std::string description;
  /// To be held by who calls, if it is there: this build may not be called by several threads at
  /// once.
  std::unique_ptr<std::mutex> one_at_a_time;
};

/// Loads OpenBLAS, if it can be had. For a user's thread: while OpenBLAS is loaded, variables of
/// the environment are changed, which a lane must not do behind the back of other threads.
void prepare_blas() noexcept;

/// OpenBLAS, loaded at the first call, single-threaded (lanes are our threads) and with the kernels
/// that suit this CPU unless OPENBLAS_CORETYPE says otherwise. Throws std::runtime_error when it
/// cannot be loaded.
const blas& load_blas();

/// The library that was loaded: OpenBLAS's version, configuration and the name of its kernels.
/// Loads it if need be.
std::string blas_description();

}  // namespace troupe
