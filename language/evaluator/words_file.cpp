// SPDX-License-Identifier: MIT
#include <algorithm>

#include "troupe/language/evaluator/word.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tensor/io/csv.hpp"
#include "troupe/tensor/io/idx.hpp"
#include "troupe/tensor/io/npy.hpp"
#include "troupe/tensor/io/npz.hpp"
#include "troupe/tensor/io/safetensors.hpp"

namespace troupe::language {

namespace {

/// Returns the tensor of that name, or the only one.
tensor pick(const named_tensors& all, const arguments& a) {
  std::string names;
  for (const auto& [name, x] : all) {
    if (a.has(1) ? name == a.text(1) : all.size() == 1) return x;
    names += (names.empty() ? "" : ", ") + name;
  }
  throw error("load: " + a.text(0) + " has " +
                  (names.empty() ? "no arrays"
                   : a.has(1)    ? "no array " + a.text(1) + ", only " + names
                                 : "several arrays, name one of " + names),
              a.where());
}

dynamic_value load(const arguments& a) {
  const auto& path = a.text(0);
  const auto options = a.options(2, 3);
  if (path.ends_with(".npz"))
    return a.has(1) ? load_npz_array(path, a.text(1), options, a.where())
                    : pick(load_npz(path, options, a.where()), a);
  if (path.ends_with(".safetensors"))
    return pick(load_safetensors(path, options, a.where()).tensors, a);
  if (a.has(1)) throw error("load: " + path + " holds one array, which has no name", a.where());
  if (path.ends_with(".csv") || path.ends_with(".txt")) {
    csv_options csv{.device = options.device};
    if (options.dtype) csv.dtype = *options.dtype;
    return load_csv(path, csv, a.where());
  }
  if (path.find("-ubyte") != std::string::npos || path.find(".idx") != std::string::npos)
    return load_idx(path, options, a.where());
  return load_npy(path, options, a.where());
}

dynamic_value save(const arguments& a) {
  const auto& path = a.text(0);
  const auto& x = a.finished_array(1);
  const auto name = a.has(2) ? a.text(2) : std::string("x");
  if (path.ends_with(".npz")) save_npz(path, {{name, x}}, false, a.where());
  else if (path.ends_with(".safetensors")) save_safetensors(path, {{name, x}}, {}, a.where());
  else if (path.ends_with(".npy")) save_npy(path, x, a.where());
  else if (path.ends_with(".csv")) save_csv(path, x, {}, a.where());
  else throw error("save: " + path + " should end in .npy, .npz, .safetensors or .csv", a.where());
  return {};
}

}  // namespace

std::vector<word> file_words() {
  return {
      {"load", "files", "path: text, name: text = none, dtype: dtype = none, device: device = none",
       "The array in a .npy, .npz, .safetensors, .csv or MNIST file; of several, that of a name.",
       load, "load_npy, load_npz, load_safetensors, load_csv, load_idx"},
      {"save", "files", "path: text, x, name: text = none",
       "Writes an array as a .npy, .npz, .safetensors or .csv file: waits for it.", save,
       "save_npy, save_npz, save_safetensors, save_csv"},
  };
}

}  // namespace troupe::language
