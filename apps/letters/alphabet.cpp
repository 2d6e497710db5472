// SPDX-License-Identifier: MIT
#include "troupe/apps/letters/alphabet.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>

#include "troupe/text/quoted.hpp"
#include "troupe/text/utf8.hpp"

namespace troupe::letters {

namespace {

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string out{std::istreambuf_iterator<char>(file), {}};
  if (!file) throw std::runtime_error("cannot read " + troupe::quoted(path.string()));
  return out;
}

}  // namespace

std::string read_text(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code problem;
  if (!fs::is_directory(path, problem)) return read_file(path);
  std::set<fs::path> files;
  for (const auto& entry : fs::directory_iterator(path, problem)) {
    if (!entry.is_symlink() && entry.is_regular_file()) files.insert(entry.path());
  }
  if (problem)
    throw std::runtime_error("cannot read " + troupe::quoted(path) + ": " + problem.message());
  if (files.empty()) throw std::runtime_error("there are no files in " + troupe::quoted(path));
  std::string out;
  for (const auto& file : files) out += read_file(file) + '\n';
  return out;
}

alphabet::alphabet(const std::vector<std::int64_t>& codes) {
  for (const auto code : codes) letters_ += static_cast<wchar_t>(code);
}

alphabet::alphabet(std::string_view text) : letters_(to_wide(text)) {
  std::sort(letters_.begin(), letters_.end());
  letters_.erase(std::unique(letters_.begin(), letters_.end()), letters_.end());
}

std::vector<std::int64_t> alphabet::codes() const { return {letters_.begin(), letters_.end()}; }

std::vector<std::int64_t> alphabet::numbers_of(std::string_view text) const {
  std::vector<std::int64_t> out;
  for (const auto letter : to_wide(text)) {
    const auto found = std::lower_bound(letters_.begin(), letters_.end(), letter);
    if (found == letters_.end() || *found != letter)
      throw std::runtime_error("" + troupe::quoted(to_utf8({&letter, 1})) +
                               " is no letter of the text that was learnt");
    out.push_back(found - letters_.begin());
  }
  return out;
}

std::string alphabet::letter(std::int64_t number) const {
  return to_utf8({&letters_.at(static_cast<std::size_t>(number)), 1});
}

}  // namespace troupe::letters
