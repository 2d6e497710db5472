// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/blas.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <stdexcept>

#include "troupe/devices/cpu/features.hpp"
#include "troupe/devices/made_once.hpp"

namespace troupe {

namespace {

/// Sets a variable of the environment while it lives; with null for a value, leaves it alone.
class environment_guard {
 public:
  environment_guard(const char* name, const char* value) : name_(name), active_(value != nullptr) {
    if (!active_) return;
    if (const char* old = std::getenv(name)) old_ = old, set_ = true;
    setenv(name, value, 1);
  }
  ~environment_guard() {
    if (!active_) return;
    if (set_) setenv(name_, old_.c_str(), 1);
    else unsetenv(name_);
  }
  environment_guard(const environment_guard&) = delete;
  environment_guard& operator=(const environment_guard&) = delete;

 private:
  const char* name_;
  bool active_;
  bool set_ = false;
  std::string old_;
};

/// OpenBLAS before 0.3.22 takes newer CPUs with AVX-512 for ones without, at half the speed.
const char* better_core_type() {
  if (std::getenv("OPENBLAS_CORETYPE") != nullptr) return nullptr;
  return best_instruction_set() == instruction_set::x86_64_v4 ? "SkylakeX" : nullptr;
}

/// OpenBLAS reads its variables while it is loaded, and only then.
void* open(const char* file) {
  const environment_guard threads("OPENBLAS_NUM_THREADS", "1");
  const environment_guard kernels("OPENBLAS_CORETYPE", better_core_type());
  return dlopen(file, RTLD_NOW | RTLD_LOCAL);
}

template <class F>
F* symbol(void* library, const char* name) {
  return reinterpret_cast<F*>(dlsym(library, name));
}

/// 0 when it was built without threads (and without the locks to be called by several), 1 with its
/// own, 2 with OpenMP.
int parallelism(void* library) {
  auto* const get = symbol<int()>(library, "openblas_get_parallel");
  return get == nullptr ? 0 : get();
}

/// The build that several threads may call at once stands beside the others where Debian keeps
/// them.
void* open_threaded(void* found) {
  if (found != nullptr && parallelism(found) != 0) return found;
  for (const char* file :
       {"/usr/lib/x86_64-linux-gnu/openblas-pthread/libopenblas.so.0",
        "/usr/lib/aarch64-linux-gnu/openblas-pthread/libopenblas.so.0", "libopenblasp.so.0"}) {
    void* const library = open(file);
    if (library == nullptr) continue;
    if (parallelism(library) != 0) return library;
    dlclose(library);
  }
  return found;
}

template <class F>
void bind(void* library, F*& function, const char* name) {
  function = symbol<F>(library, name);
  if (function == nullptr)
    throw std::runtime_error(std::string("OpenBLAS: it has no function ") + name);
}

blas load() {
  void* found = open("libopenblas.so.0");
  if (found == nullptr) found = open("libopenblas.so");
  void* const library = open_threaded(found);
  if (library == nullptr)
    throw std::runtime_error(
        "OpenBLAS: libopenblas.so.0 cannot be loaded; install libopenblas0-pthread or the like");
  blas functions{};
  functions.library = library;
  bind(library, functions.sgemm, "cblas_sgemm");
  bind(library, functions.dgemm, "cblas_dgemm");
  bind(library, functions.cgemm, "cblas_cgemm");
  bind(library, functions.zgemm, "cblas_zgemm");
  bind(library, functions.sgemv, "cblas_sgemv");
  bind(library, functions.dgemv, "cblas_dgemv");
  // Somebody else may have loaded it before us, with threads of its own.
  auto* const set_threads = symbol<void(int)>(library, "openblas_set_num_threads");
  auto* const threads = symbol<int()>(library, "openblas_get_num_threads");
  if (set_threads != nullptr && threads != nullptr && threads() != 1) set_threads(1);
  auto* const configuration = symbol<char*()>(library, "openblas_get_config");
  auto* const core = symbol<char*()>(library, "openblas_get_corename");
  if (parallelism(library) == 0) functions.one_at_a_time = std::make_unique<std::mutex>();
  functions.description = configuration != nullptr ? configuration() : "OpenBLAS";
  if (core != nullptr) functions.description += std::string(", kernels for ") + core();
  return functions;
}

}  // namespace

void* blas::find(const char* name) const noexcept { return dlsym(library, name); }

void prepare_blas() noexcept {
  static constinit made_once<const bool> tried;
  tried.get([] {
    try {
      load_blas();
    } catch (const std::exception&) {}  // who needs it will say so
    return true;
  });
}

const blas& load_blas() {
  static constinit made_once<const blas> functions;
  return functions.get(load);
}

std::string blas_description() { return load_blas().description; }

}  // namespace troupe
