// SPDX-License-Identifier: MIT
#include "troupe/tensor/io/npy_format.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "troupe/tensor/io/npy_header.hpp"
#include "troupe/tensor/ops/transpose.hpp"

namespace troupe {

namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::uint64_t longest_header = std::uint64_t{1} << 20;

}  // namespace

std::string npy_header_text(dtype element, const shape& sizes, const file_call& call) {
  const auto code = stored_type_of(element).npy;
  if (code.empty())
    call.fail("NumPy's files have no " + std::string(name(element)) +
              ": convert it to float32, or save safetensors");
  constexpr std::size_t alignment = 64;
  std::string text = "{'descr': '";
  text += size_of(element) == 1 ? '|' : '<';
  text += code;
  text += "', 'fortran_order': False, 'shape': (";
  for (int i = 0; i < sizes.rank(); ++i) {
    text += std::to_string(sizes[i]);
    if (i + 1 < sizes.rank()) text += ", ";
  }
  text += sizes.rank() == 1 ? ",), }" : "), }";
  const auto before = magic.size() + 4, used = before + text.size() + 1;
  text.append((alignment - used % alignment) % alignment, ' ');
  text += '\n';
  std::string out(magic);
  out +=
      {'\x01', '\x00', static_cast<char>(text.size() & 255), static_cast<char>(text.size() >> 8)};
  return out + text;
}

tensor read_npy(byte_source& from, const tensor_options& options, const file_call& call) {
  char start[8];  // magic, major and minor version
  from.read(start, sizeof start);
  if (std::string_view(start, magic.size()) != magic) call.fail("is no .npy file");
  const int version = static_cast<unsigned char>(start[6]);
  if (version < 1 || version > 3 || start[7] != 0)
    call.fail("has version " + std::to_string(version) + "." +
              std::to_string(static_cast<unsigned char>(start[7])) +
              " of the format, not 1.0, 2.0 or 3.0");
  std::uint32_t length = 0;  // little-endian, as this machine
  from.read(&length, version == 1 ? 2 : 4);
  if (length > longest_header)
    call.fail("has a header of " + count_text(length, "byte") + ", more than the " +
              std::to_string(longest_header) + " that are read");
  from.expect(length);
  std::string text(length, '\0');
  from.read(text.data(), length);

  auto header = parse_npy_header(text, call);
  auto& sizes = header.array.sizes;
  shape reversed;
  for (int i = sizes.rank() - 1; i >= 0; --i) reversed.push_back(sizes[i]);
  if (header.column_major) sizes = reversed;
  auto out = read_tensor(from, header.array, options, call);
  from.finish();
  return header.column_major ? transpose(out, call.call_site) : out;
}

}  // namespace troupe
