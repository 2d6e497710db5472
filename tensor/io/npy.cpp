// SPDX-License-Identifier: MIT
#include "troupe/tensor/io/npy.hpp"

#include <new>

#include "troupe/tasks/atomic_file.hpp"
#include "troupe/tensor/io/host_elements.hpp"
#include "troupe/tensor/io/npy_format.hpp"

namespace troupe {

void save_npy(const std::string& path, const tensor& x, caller where) {
  const file_call call{"save_npy", path, where};
  try {
    const host_elements elements(x, call);
    atomic_file file(call);
    file.write(npy_header_text(x.dtype(where), x.shape(), call));
    file.write(elements.data(), elements.size());
    file.commit();
  } catch (const std::bad_alloc&) { call.fail_without_memory(); }
}

tensor load_npy(const std::string& path, const tensor_options& options, caller where) {
  const file_call call{"load_npy", path, where};
  try {
    const input_file file(call);
    file_section all(file, 0, file.size(), call);
    return read_npy(all, options, call);
  } catch (const std::bad_alloc&) { call.fail_without_memory(); }
}

}  // namespace troupe
