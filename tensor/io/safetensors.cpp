// SPDX-License-Identifier: MIT
#include "troupe/tensor/io/safetensors.hpp"

#include <algorithm>
#include <new>

#include "troupe/tasks/atomic_file.hpp"
#include "troupe/tensor/io/host_elements.hpp"
#include "troupe/tensor/io/safetensors_header.hpp"
#include "troupe/text/utf8.hpp"

namespace troupe {

namespace {

/// Fills the header, and returns the tensors in the order of their data: those with large elements
/// come first, so that all are aligned.
std::vector<const tensor*> lay_out(const named_tensors& arrays, safetensors_header& header,
                                   const file_call& call) {
  std::vector<const tensor*> order;
  for (const auto& [name, x] : arrays) {
    const auto part = call.inside(name);
    if (!is_utf8(name)) part.fail("its name is not UTF-8");
    if (name == safetensors_metadata_key) part.fail("this name stands for the metadata");
    await_elements(x, part);
    if (stored_type_of(x.dtype()).safetensors.empty())
      part.fail("safetensors files have no " + std::string(troupe::name(x.dtype())));
    header.entries.push_back({name, {&stored_type_of(x.dtype()), false, x.shape()}, 0, 0});
    order.push_back(&x);
  }
  std::vector<std::size_t> places(order.size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
  std::ranges::stable_sort(places, std::ranges::greater{},
                           [&](std::size_t i) { return header.entries[i].array.type->bytes; });
  std::uint64_t next = 0;
  for (auto& place : places) {
    auto& e = header.entries[place];
    e.begin = next;
    e.end = next += bytes_of(e.array, call);
  }
  std::vector<const tensor*> out;
  for (const auto place : places) out.push_back(order[place]);
  return out;
}

}  // namespace

void save_safetensors(const std::string& path, const named_tensors& tensors,
                      const std::map<std::string, std::string>& metadata, caller where) {
  const file_call call{"save_safetensors", path, where};
  try {
    safetensors_header header;
    for (const auto& [word, text] : metadata) {
      if (!is_utf8(word) || !is_utf8(text)) call.fail("metadata " + quoted(word) + " is not UTF-8");
    }
    header.metadata = metadata;
    const auto in_order = lay_out(tensors, header, call);
    const auto text = safetensors_header_text(header);
    const std::uint64_t length = text.size();
    if (length > longest_safetensors_header)
      call.fail("the header would have " + count_text(length, "byte") + ", more than the " +
                std::to_string(longest_safetensors_header) + " of the format");
    atomic_file file(call);
    file.write(&length, sizeof length);
    file.write(text);
    for (const auto* x : in_order) {
      const host_elements elements(*x, call);
      file.write(elements.data(), elements.size());
    }
    file.commit();
  } catch (const std::bad_alloc&) { call.fail_without_memory(); }
}

safetensors load_safetensors(const std::string& path, const tensor_options& options, caller where) {
  const file_call call{"load_safetensors", path, where};
  try {
    const input_file file(call);
    std::uint64_t length = 0;
    if (file.size() < sizeof length) call.fail("is no safetensors file: it has no 8 bytes");
    file.read(0, &length, sizeof length);
    const auto rest = file.size() - sizeof length;
    if (length > longest_safetensors_header || length > rest)
      call.fail("is no safetensors file, or truncated: a header of " + count_text(length, "byte") +
                " in a file of " + std::to_string(file.size()));
    std::string text(static_cast<std::size_t>(length), '\0');
    file.read(sizeof length, text.data(), text.size());
    const auto data = sizeof length + length;
    auto header = parse_safetensors_header(text, file.size() - data, call);
    safetensors out;
    out.metadata = std::move(header.metadata);
    for (auto& e : header.entries) {
      const auto part = call.inside(e.name);
      file_section bytes(file, data + e.begin, data + e.end, part);
      out.tensors.add(std::move(e.name), read_tensor(bytes, e.array, options, part), where);
    }
    return out;
  } catch (const std::bad_alloc&) { call.fail_without_memory(); }
}

}  // namespace troupe
