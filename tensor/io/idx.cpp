// SPDX-License-Identifier: MIT
#include "troupe/tensor/io/idx.hpp"

#include <new>

#include "troupe/tensor/io/deflate.hpp"
#include "troupe/tensor/io/stored_array.hpp"

namespace troupe {

namespace {

/// Reads the header: four bytes, which are 0, 0, the type and the number of axes, and the size of
/// each axis. All numbers have their highest byte first.
stored_array read_header(byte_source& from, const file_call& call) {
  unsigned char start[4];
  from.read(start, sizeof start);
  if (start[0] != 0 || start[1] != 0) call.fail("is no IDX file: it does not begin with 0, 0");
  stored_array out;
  out.type = find_idx_type(start[2]);
  if (!out.type)
    call.fail("is no IDX file: there is no type of elements with the code " +
              std::to_string(start[2]));
  out.swapped = out.type->bytes > 1;
  const int rank = start[3];
  if (rank > max_rank)
    call.fail("has " + std::to_string(rank) + " axes; at most " + std::to_string(max_rank) +
              " are possible");
  for (int axis = 0; axis < rank; ++axis) {
    unsigned char size[4];
    from.read(size, sizeof size);
    out.sizes.push_back(std::int64_t{size[0]} << 24 | size[1] << 16 | size[2] << 8 | size[3]);
  }
  return out;
}

bool is_gzip(const input_file& file) {
  unsigned char start[2]{};
  if (file.size() >= sizeof start) file.read(0, start, sizeof start);
  return start[0] == 0x1f && start[1] == 0x8b;
}

tensor read_all(byte_source&& from, const tensor_options& options, const file_call& call) {
  const auto about = read_header(from, call);
  auto out = read_tensor(from, about, options, call);
  from.finish();
  return out;
}

}  // namespace

tensor load_idx(const std::string& path, const tensor_options& options, caller where) {
  const file_call call{"load_idx", path, where};
  try {
    const input_file file(call);
    if (is_gzip(file))
      return read_all(inflating_source(file, 0, file.size(), inflating_source::format::gzip, call),
                      options, call);
    return read_all(file_section(file, 0, file.size(), call), options, call);
  } catch (const std::bad_alloc&) { call.fail_without_memory(); }
}

}  // namespace troupe
