// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <vector>

#include "troupe/devices/cpu/lapack/lapack.hpp"
#include "troupe/devices/cuda/grid.hpp"
#include "troupe/devices/cuda/solver.hpp"

// Substitute for cuSOLVER where kernels run on the host, by LAPACK. As that does, svd takes tall
// matrices only. All of the work memory is written, to see that it is there.

namespace troupe::cuda {

namespace {

constexpr int work_size = 37;

template <class T>
void use(T* work, std::int64_t size) {
  std::fill_n(work, size, T(-1));
}

}  // namespace

template <class T>
int solver<T>::potrf_size(int) const {
  return work_size;
}

template <class T>
void solver<T>::potrf(int n, T* a, T* work, int size, int* info) const {
  put(on, [=] {
    use(work, size);
    cpu_kernels::lapack<T>()->potrf("U", &n, a, &n, info, 1);
  });
}

template <class T>
int solver<T>::getrf_size(int, int) const {
  return work_size;
}

template <class T>
void solver<T>::getrf(int rows, int columns, T* a, T* work, int* swaps, int* info) const {
  put(on, [=] {
    use(work, work_size);
    cpu_kernels::lapack<T>()->getrf(&rows, &columns, a, &rows, swaps, info);
  });
}

template <class T>
void solver<T>::getrs(bool transposed, int n, int count, const T* factors, const int* swaps, T* b,
                      int* info) const {
  put(on, [=] {
    cpu_kernels::lapack<T>()->getrs(transposed ? "T" : "N", &n, &count, factors, &n, swaps, b, &n,
                                    info, 1);
  });
}

template <class T>
int solver<T>::qr_size(int, int columns, int q_columns, int) const {
  return std::max(columns, q_columns) + work_size;
}

template <class T>
void solver<T>::geqrf(int rows, int columns, T* a, T* tau, T* work, int size, int* info) const {
  put(on, [=] {
    use(work, size);
    cpu_kernels::lapack<T>()->geqrf(&rows, &columns, a, &rows, tau, work, &size, info);
  });
}

template <class T>
void solver<T>::orgqr(int rows, int columns, int reflections, T* a, const T* tau, T* work, int size,
                      int* info) const {
  put(on, [=] {
    use(work, size);
    cpu_kernels::lapack<T>()->orgqr(&rows, &columns, &reflections, a, &rows, tau, work, &size,
                                    info);
  });
}

template <class T>
int solver<T>::gesvd_size(int rows, int columns) const {
  return rows < columns ? -1 : work_size;
}

template <class T>
void solver<T>::gesvd(char job, int rows, int columns, T* a, real* s, T* u, T* vt, T* work,
                      int size, real* more, int* info) const {
  put(on, [=] {
    use(work, size);
    use(more, columns);
    const int most = 100 * (rows + columns) * columns + 100;
    std::vector<T> room(static_cast<std::size_t>(most));
    std::vector<int> numbers(static_cast<std::size_t>(8 * columns));
    const cpu_kernels::lapack<T> library;
    if constexpr (is_complex_number<T>) {
      std::vector<real> reals(room.size());
      library->gesdd(&job, &rows, &columns, a, &rows, s, u, &rows, vt, &columns, room.data(), &most,
                     reals.data(), numbers.data(), info, 1);
    } else {
      library->gesdd(&job, &rows, &columns, a, &rows, s, u, &rows, vt, &columns, room.data(), &most,
                     numbers.data(), info, 1);
    }
  });
}

template <class T>
int solver<T>::syevd_size(bool, int) const {
  return work_size;
}

template <class T>
void solver<T>::syevd(bool vectors, int n, T* a, real* values, T* work, int size, int* info) const {
  put(on, [=] {
    use(work, size);
    const int most = 10 + 12 * n + 4 * n * n;
    std::vector<T> room(static_cast<std::size_t>(most));
    std::vector<int> numbers(static_cast<std::size_t>(most));
    const char* const job = vectors ? "V" : "N";
    const cpu_kernels::lapack<T> library;
    if constexpr (is_complex_number<T>) {
      std::vector<real> reals(room.size());
      library->syevd(job, "L", &n, a, &n, values, room.data(), &most, reals.data(), &most,
                     numbers.data(), &most, info, 1, 1);
    } else {
      library->syevd(job, "L", &n, a, &n, values, room.data(), &most, numbers.data(), &most, info,
                     1, 1);
    }
  });
}

template <class T>
typename solver<T>::geev_room solver<T>::geev_bytes(bool, int) const {
  return {work_size, work_size};
}

template <class T>
void solver<T>::geev(int n, T* a, complex_number<real>* values, T* vectors, std::byte* work,
                     geev_room bytes, int* info) const {
  put(on, [=] {
    use(work, static_cast<std::int64_t>(bytes.on_gpu));
    const int most = 100 * n;
    std::vector<T> room(static_cast<std::size_t>(most));
    std::vector<real> parts(static_cast<std::size_t>(2 * n));
    const char* const job = vectors ? "V" : "N";
    const cpu_kernels::lapack<T> library;
    if constexpr (is_complex_number<T>) {
      library->geev("N", job, &n, a, &n, values, nullptr, &n, vectors, &n, room.data(), &most,
                    parts.data(), info, 1, 1);
    } else {
      library->geev("N", job, &n, a, &n, parts.data(), parts.data() + n, nullptr, &n, vectors, &n,
                    room.data(), &most, info, 1, 1);
      for (int i = 0; i < n; ++i) values[i] = {parts[i], parts[n + i]};
    }
  });
}

template <class T>
void solver<T>::trsm(bool upper, bool transposed, bool unit, std::int64_t rows, std::int64_t n,
                     const T* a, std::int64_t step, T* b) const {
  put(on, [=] {
    const int down = static_cast<int>(rows), side = static_cast<int>(n),
              a_step = static_cast<int>(step);
    const T one = 1;
    cpu_kernels::lapack<T>()->trsm("R", upper ? "U" : "L", transposed ? "T" : "N", unit ? "U" : "N",
                                   &down, &side, &one, a, &a_step, b, &down, 1, 1, 1, 1);
  });
}

template struct solver<float>;
template struct solver<double>;
template struct solver<complex_number<float>>;
template struct solver<complex_number<double>>;

}  // namespace troupe::cuda
