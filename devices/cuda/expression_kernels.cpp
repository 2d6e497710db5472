// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/expression_kernels.hpp"

#include <cuda.h>
#include <algorithm>
#include <optional>
#include <stdexcept>
#include <vector>

#include "troupe/devices/cuda/expression_source.hpp"
#include "troupe/devices/cuda/launch.hpp"
#include "troupe/devices/cuda/nvrtc_library.hpp"
#include "troupe/devices/cuda/shared_library.hpp"
#include "troupe/devices/made_once.hpp"

namespace troupe::cuda {

namespace {

/// Functions used of the driver, which is there wherever there is a GPU.
struct driver_library {
  decltype(&cuLibraryLoadData) load;
  decltype(&cuLibraryUnload) unload;
  decltype(&cuLibraryGetKernel) kernel;
  decltype(&cuLaunchKernel) launch;
  decltype(&cuGetErrorString) error_text;

  /// Returns the library; null if it is not there, or older than CUDA 12.
  static const driver_library* get() noexcept;
};

std::optional<driver_library> load_driver() {
  void* const library = open_library("libcuda.so.1");
  driver_library out{};
  const bool whole = library && bind(library, out.load, "cuLibraryLoadData") &&
                     bind(library, out.unload, "cuLibraryUnload") &&
                     bind(library, out.kernel, "cuLibraryGetKernel") &&
                     bind(library, out.launch, "cuLaunchKernel") &&
                     bind(library, out.error_text, "cuGetErrorString");
  if (whole) return out;
  return {};
}

const driver_library* driver_library::get() noexcept {
  static constinit made_once<const decltype(load_driver())> loaded;
  const auto& library = loaded.get(load_driver);
  return library ? &*library : nullptr;
}

/// Sizes of the elements of an expression's inputs and outputs, in bytes.
struct operand_sizes {
  explicit operand_sizes(const element_expression& e) {
    for (const auto& n : e.nodes()) {
      if (n.what != primitive::input && n.what != primitive::uniform) continue;
      if (inputs.size() <= n.bits) inputs.resize(n.bits + 1);
      inputs[n.bits] = size_of(n.type);
    }
    for (const auto at : e.outputs) outputs.push_back(size_of(e[at].type));
  }

  std::vector<std::size_t> inputs, outputs;
};

/// Machine code with the kernels of `source_of`.
class expression_kernel final : public stream_kernel {
 public:
  /// Throws std::runtime_error if the driver refuses the code.
  expression_kernel(const driver_library& driver, const element_expression& e,
                    const std::vector<char>& code)
      : driver_(&driver), sizes_(e) {
    check(driver.load(&library_, code.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
    try {
      check(driver.kernel(&packs_, library_, entry::packs));
      check(driver.kernel(&row_packs_, library_, entry::row_packs));
      check(driver.kernel(&rows_, library_, entry::rows));
      check(driver.kernel(&long_rows_, library_, entry::long_rows));
    } catch (...) {
      driver.unload(library_);
      throw;
    }
  }
  expression_kernel(const expression_kernel&) = delete;
  expression_kernel& operator=(const expression_kernel&) = delete;
  ~expression_kernel() override { driver_->unload(library_); }

  void launch(const row_work& work, stream& on) const override {
    auto size = work.rows * work.row, row = work.row;
    if (size == 0) return;
    std::vector<void*> parameters{&size, &row};
    const auto add = [&](const auto& x) {
      parameters.push_back(const_cast<void*>(static_cast<const void*>(&x)));
    };
    for (const auto& x : work.inputs)
      add(x.data), add(x.row_stride), add(x.stride), add(x.repeats.each), add(x.repeats.period);
    for (const auto& y : work.outputs) add(y);
    for (const auto& n : work.numbers) add(n);
    const auto [kernel, blocks, threads] = grid_for(work, size);
    check(driver_->launch(reinterpret_cast<CUfunction>(kernel), blocks.x, blocks.y, 1, threads.x,
                          threads.y, 1, 0, handle(on), parameters.data(), nullptr));
  }

 private:
  static constexpr std::int64_t most_short = std::int64_t{1} << 31;
  static constexpr std::int64_t most_blocks = 1 << 20, most_tall = 65'535;

  struct grid {
    CUkernel kernel;
    dim3 blocks, threads;
  };

  grid grid_for(const row_work& work, std::int64_t size) const noexcept {
    const bool is_short = size < most_short;
    if (lies_in_packs(work)) {
      const auto continues = [&](const row_input& x) {
        return x.repeats.none() && (work.rows == 1 || x.row_stride == x.stride * work.row);
      };
      if (std::ranges::all_of(work.inputs, continues))
        return flat(packs_, size, elements_of_pack * packs_of_thread);
      const auto begins_packs = [](const row_input& x) {
        return x.stride == 0 || x.row_stride % elements_of_pack == 0;
      };
      if (is_short && work.row % elements_of_pack == 0 &&
          std::ranges::all_of(work.inputs, begins_packs))
        return by_rows(work);
    }
    return flat(is_short ? rows_ : long_rows_, size, 1);
  }
  /// Returns a grid in which a thread takes some elements of all.
  static grid flat(CUkernel kernel, std::int64_t size, std::int64_t of_thread) noexcept {
    return {kernel, blocks_for(size, of_thread * threads_of_block, most_blocks), threads_of_block};
  }
  /// Returns a grid in which a thread takes a pack of a row; short rows share a block.
  grid by_rows(const row_work& work) const noexcept {
    const auto packs = work.row / elements_of_pack;
    unsigned wide = 1;
    while (wide < packs && wide < threads_of_block) wide *= 2;
    const unsigned tall = threads_of_block / wide;
    return {row_packs_,
            {blocks_for(packs, wide, most_blocks), blocks_for(work.rows, tall, most_tall)},
            {wide, tall}};
  }
  static unsigned blocks_for(std::int64_t count, std::int64_t of_block,
                             std::int64_t most) noexcept {
    return static_cast<unsigned>(std::min((count + of_block - 1) / of_block, most));
  }
  /// Returns true if the elements of rows are contiguous or the same, and addresses are those of
  /// packs.
  bool lies_in_packs(const row_work& work) const noexcept {
    const auto aligned = [](const void* data, std::size_t size) {
      const auto unit = std::min<std::size_t>(16, elements_of_pack * size);
      return reinterpret_cast<std::uintptr_t>(data) % unit == 0;
    };
    for (std::size_t i = 0; i < work.inputs.size(); ++i) {
      const auto& x = work.inputs[i];
      if (x.stride != 0 && (x.stride != 1 || !aligned(x.data, sizes_.inputs[i]))) return false;
    }
    for (std::size_t i = 0; i < work.outputs.size(); ++i) {
      if (!aligned(work.outputs[i], sizes_.outputs[i])) return false;
    }
    return true;
  }
  void check(CUresult result) const {
    if (result == CUDA_SUCCESS) return;
    const char* text = nullptr;
    driver_->error_text(result, &text);
    throw std::runtime_error(std::string("compiled kernel: ") + (text ? text : "unknown error"));
  }

  const driver_library* driver_;
  CUlibrary library_ = nullptr;
  CUkernel packs_ = nullptr, row_packs_ = nullptr, rows_ = nullptr, long_rows_ = nullptr;
  operand_sizes sizes_;
};

std::shared_ptr<const stream_kernel> compiled(const element_expression& e, int compute_capability) {
  const auto* const driver = driver_library::get();
  const auto source = source_of(e);
  if (!driver || source.empty()) return nullptr;
  const auto code = machine_code_of(source, compute_capability);
  if (code.empty()) return nullptr;
  try {
    return std::make_shared<const expression_kernel>(*driver, e, code);
  } catch (const std::runtime_error&) { return nullptr; }
}

}  // namespace

std::shared_ptr<const stream_kernel> expression_kernels::find(const element_expression& e) {
  auto key = e.key();
  std::lock_guard lock(mutex_);
  if (const auto* const found = kept_.find(key)) return *found;
  return kept_.add(std::move(key), compiled(e, compute_capability_));
}

}  // namespace troupe::cuda
