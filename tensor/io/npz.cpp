// SPDX-License-Identifier: MIT
#include "troupe/tensor/io/npz.hpp"

#include <new>

#include "troupe/tensor/io/host_elements.hpp"
#include "troupe/tensor/io/npy_format.hpp"
#include "troupe/tensor/io/zip_reader.hpp"
#include "troupe/tensor/io/zip_writer.hpp"

namespace troupe {

namespace {

constexpr std::string_view suffix = ".npy";

/// Returns the name of the array in a part of a file. Throws for what is none.
std::string array_name(const zip_entry& of, const file_call& call) {
  if (!of.name.ends_with(suffix))
    call.inside(of.name).fail("is no array: its name does not end in .npy");
  return of.name.substr(0, of.name.size() - suffix.size());
}

}  // namespace

void save_npz(const std::string& path, const named_tensors& arrays, bool compressed, caller where) {
  const file_call call{"save_npz", path, where};
  try {
    for (const auto& [name, x] : arrays) await_elements(x, call.inside(name));
    atomic_file file(call);
    zip_writer zip(file);
    for (const auto& [name, x] : arrays) {
      const auto part = call.inside(name);
      const host_elements elements(x, part);
      zip.add(name + std::string(suffix), npy_header_text(x.dtype(where), x.shape(), part),
              {reinterpret_cast<const char*>(elements.data()), elements.size()}, compressed, part);
    }
    zip.finish();
    file.commit();
  } catch (const std::bad_alloc&) { call.fail_without_memory(); }
}

named_tensors load_npz(const std::string& path, const tensor_options& options, caller where) {
  const file_call call{"load_npz", path, where};
  try {
    const input_file file(call);
    named_tensors out;
    for (const auto& entry : read_zip_directory(file, call)) {
      const auto name = array_name(entry, call);
      const auto part = call.inside(name);
      if (out.contains(name)) part.fail("is there twice");
      out.add(name, read_npy(*open_zip_entry(file, entry, part), options, part), where);
    }
    return out;
  } catch (const std::bad_alloc&) { call.fail_without_memory(); }
}

tensor load_npz_array(const std::string& path, std::string_view name, const tensor_options& options,
                      caller where) {
  const file_call call{"load_npz_array", path, where};
  try {
    const input_file file(call);
    std::string names;
    for (const auto& entry : read_zip_directory(file, call)) {
      if (!entry.name.ends_with(suffix)) continue;
      const auto found = array_name(entry, call);
      const auto part = call.inside(found);
      if (found == name) return read_npy(*open_zip_entry(file, entry, part), options, part);
      names += (names.empty() ? "" : ", ") + found;
    }
    call.fail("has no array " + std::string(name) + (names.empty() ? "" : ", only " + names));
  } catch (const std::bad_alloc&) { call.fail_without_memory(); }
}

}  // namespace troupe
