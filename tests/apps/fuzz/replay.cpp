// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

// Runs a fuzz target without a fuzzer: on every seed, then on random mixtures of them. Seeds are
// the .tr files of a folder, and pieces cut from the transcripts of another folder. Usage: replay
// FOLDER TRANSCRIPTS [COUNT [SEED]]

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

void run(const std::string& text) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
}

/// Returns a random mixture: a part of one text inserted into another, a part left out, or a few
/// characters changed.
std::string mixture(const std::vector<std::string>& all, std::mt19937& random) {
  const auto pick = [&](std::size_t n) { return n == 0 ? 0 : random() % n; };
  std::string out = all[pick(all.size())];
  for (auto changes = 1 + pick(4); changes > 0; --changes) {
    const auto at = pick(out.size() + 1),
               length = pick(std::min<std::size_t>(out.size() - at, 30) + 1);
    const auto& other = all[pick(all.size())];
    const auto from = pick(other.size() + 1);
    switch (pick(4)) {
      case 0: out.insert(at, other, from, pick(40)); break;
      case 1: out.erase(at, length); break;
      case 2: out.insert(at, out, at, length); break;
      default: {
        static constexpr std::string_view signs = "()[]{},:;.=+-*/@%<>&|^~ \n#'\"_019exT\\\x80";
        out.insert(at, 1, signs[pick(signs.size())]);
      }
    }
  }
  return out;
}

std::vector<std::filesystem::path> files_in(const char* folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// Appends the inputs of a transcript, some consecutive ones in each seed.
void cut_transcript(std::istream& in, std::vector<std::string>& seeds) {
  constexpr int inputs_per_seed = 6;
  int inputs = 0;
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("> ") && !line.starts_with(". ")) continue;
    if (line.starts_with("> ") && inputs++ % inputs_per_seed == 0) seeds.emplace_back();
    if (inputs > 0) seeds.back() += line.substr(2) + '\n';
  }
}

}  // namespace

int main(int count, char** words) {
  if (count < 3) return 2;
  std::vector<std::string> all;
  for (const auto& file : files_in(words[1])) {
    std::ifstream in(file, std::ios::binary);
    all.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  const auto own = all.size();
  for (const auto& file : files_in(words[2])) {
    std::ifstream in(file);
    cut_transcript(in, all);
  }
  if (own == 0 || all.size() == own) return 1;
  for (const auto& text : all) {
    if (std::getenv("TROUPE_REPLAY_SHOW")) std::cout << text << std::endl;
    run(text);
  }
  const long most = count > 3 ? std::atol(words[3]) : 0;
  const auto seed = static_cast<unsigned>(count > 4 ? std::atol(words[4]) : 1);
  for (long i = 0; i < most; ++i) {
    std::mt19937 random(seed + static_cast<unsigned>(i));
    const auto text = mixture(all, random);
    if (std::getenv("TROUPE_REPLAY_SHOW"))
      std::cout << "seed " << seed + i << ": " << text << std::endl;
    run(text);
  }
  std::cout << all.size() << " seeds, " << most << " mixtures from seed " << seed << '\n';
}
