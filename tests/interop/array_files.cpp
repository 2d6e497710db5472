// SPDX-License-Identifier: MIT
// Writes arrays for NumPy to read, and copies arrays that NumPy wrote: see numpy_files.py.
#include <cmath>
#include <iostream>
#include <limits>
#include <string_view>

#include "troupe/troupe.hpp"

using namespace troupe;

namespace {

/// Returns arrays that numpy_files.py knows as well.
named_tensors known_arrays() {
  constexpr auto infinity = std::numeric_limits<double>::infinity();
  named_tensors out;
  for (const auto element : all_dtypes) {
    if (element == bfloat16) continue;  // unknown to NumPy
    const auto x = (arange(24).reshape({2, 3, 4}) - 5).astype(element);
    const std::string of(name(element));
    out.add("all " + of, x);
    out.add("scalar " + of, full({}, 1, element));
    out.add("empty " + of, zeros({0, 3}, element));
    out.add("turned " + of, x.T());
    out.add("some " + of, x(every, range{.step = -2}, range{1, 3}));
  }
  out.add("hard float64", tensor{NAN, infinity, -infinity, -0.0, 0.1, 5e-324});
  out.add("hard int64", tensor{INT64_MIN, INT64_MAX});
  out.add("n\xc3\xa4me", ones({2}));
  return out;
}

void write_known(const std::string& folder) {
  const auto arrays = known_arrays();
  for (const auto& [name, x] : arrays) save_npy(folder + "/" + name + ".npy", x);
  save_npz(folder + "/all.npz", arrays);
  save_npz(folder + "/compressed.npz", arrays, true);
}

void copy(std::string_view command, const std::string& from, const std::string& to) {
  if (command == "copy_npy") save_npy(to, load_npy(from));
  if (command == "copy_npz") save_npz(to, load_npz(from));
  if (command == "copy_npz_compressed") save_npz(to, load_npz(from), true);
}

}  // namespace

/// Usage: write <folder> | copy_npy (<from> <to>)... | copy_npz ... | copy_npz_compressed ...
int main(int count, char** words) {
  runtime rt;
  try {
    if (count == 3) write_known(words[2]);
    for (int i = 2; i + 1 < count; i += 2) copy(words[1], words[i], words[i + 1]);
    return 0;
  } catch (const error& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
