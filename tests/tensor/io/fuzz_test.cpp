// SPDX-License-Identifier: MIT
#include <functional>
#include <random>

#include "troupe/tensor/io/csv.hpp"
#include "troupe/tensor/io/idx.hpp"
#include "troupe/tensor/io/npy.hpp"
#include "troupe/tensor/io/npz.hpp"
#include "troupe/tensor/io/safetensors.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tests/address_limit.hpp"
#include "troupe/tests/memory_sizes.hpp"
#include "troupe/tests/temporary_folder.hpp"
#include "troupe/tests/tensor/io/gzipped.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

// Damaged or forged files: each is read, or refused with one line that names it, and no memory
// beyond a multiple of the file's size is used.

namespace troupe::testing {

namespace {

/// Source of damage to files, like that of transfers, disks and people.
class mutator {
 public:
  explicit mutator(std::uint64_t seed) : random_(seed) {}

  std::string operator()(std::string bytes) {
    for (auto times = below(3) + 1; times > 0; --times) {
      if (bytes.empty()) return bytes;
      switch (below(7)) {
        case 0: bytes[below(bytes.size())] ^= static_cast<char>(1 << below(8)); break;
        case 1: bytes.resize(below(bytes.size())); break;
        case 2: splice(bytes); break;
        case 3: bytes.erase(below(bytes.size()), 1 + below(8)); break;
        case 4:
          bytes.insert(below(bytes.size()), 1 + below(8), static_cast<char>(below(256)));
          break;
        case 5: overwrite(bytes); break;
        case 6: replace_number(bytes); break;
      }
    }
    return bytes;
  }

 private:
  std::size_t below(std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_);
  }

  void splice(std::string& bytes) {
    const auto part = bytes.substr(below(bytes.size()), below(64));
    bytes.replace(below(bytes.size()), below(64), part);
  }

  /// Sets a field of bytes to its smallest or greatest value.
  void overwrite(std::string& bytes) {
    const auto at = below(bytes.size());
    const auto count = std::min(std::size_t{1} << below(4), bytes.size() - at);
    constexpr char fills[] = {'\0', '\xff', '\x7f', '\x80'};
    bytes.replace(at, count, count, fills[below(4)]);
  }

  /// Replaces a number written in digits by a difficult one.
  void replace_number(std::string& bytes) {
    constexpr std::string_view digits = "0123456789";
    const auto begin = bytes.find_first_of(digits, below(bytes.size()));
    if (begin == std::string::npos) return;
    const auto end = bytes.find_first_not_of(digits, begin);
    constexpr const char* hard[] = {"0",
                                    "1",
                                    "-1",
                                    "4294967296",
                                    "4611686018427387904",
                                    "9223372036854775807",
                                    "18446744073709551616",
                                    "1e9",
                                    "00",
                                    ""};
    bytes.replace(begin, end - begin, hard[below(std::size(hard))]);
  }

  std::mt19937_64 random_;
};

struct damaged_files : test_engine {
  static constexpr int cases = 1500;

  temporary_folder folder;
  std::string path = folder / "x";

  /// Reads damaged copies of a file; they may yield `most` bytes of tensors at a time.
  void damage(const std::string& whole, std::size_t most, const std::function<void()>& load) {
    put_bytes(path, whole);
    REQUIRE_NOTHROW(load());
    int loaded = 0, refused = 0;
    const address_limit limit(32 * mebibyte);
    for (std::uint64_t seed = 1; seed <= cases; ++seed) {
      put_bytes(path, mutator(seed)(whole));
      std::string said;
      try {
        load();
        ++loaded;
        continue;
      } catch (const error& e) { said = e.what(); } catch (const std::exception& e) {
        said = std::string("another exception: ") + e.what();
      }
      ++refused;
      INFO("seed " << seed << ": " << said);
      REQUIRE(said.find(path + ": ") != std::string::npos);
      REQUIRE(said.find('\n') == std::string::npos);
      REQUIRE(said.size() < 500);
      REQUIRE(said.find("out of memory") == std::string::npos);
    }
    CHECK(loaded > 0);
    CHECK(refused > cases / 10);
    CHECK(engine.at(cpu(), "test", {}).memory()->statistics().peak <= most);
  }
};

named_tensors some_tensors() {
  return {{"a", arange(60, float32).reshape({3, 20})},
          {"b", ones({7}, boolean)},
          {"c", arange(9, int64)},
          {"d", zeros({}, float64)}};
}

}  // namespace

TEST_CASE_METHOD(damaged_files, "damaged .npy files are read or refused") {
  save_npy(path, arange(100, int32).reshape({20, 5}));
  auto bytes = bytes_in(path);
  damage(bytes, 16 * bytes.size(), [&] { load_npy(path); });
  bytes.replace(bytes.find("<i4"), 3, ">i4");
  bytes.replace(bytes.find("False, 'shape'"), 14, "True , 'shape'");
  damage(bytes, 16 * bytes.size(), [&] { load_npy(path, {.dtype = float64}); });
}

TEST_CASE_METHOD(damaged_files, "damaged .npz files are read or refused") {
  save_npz(path, some_tensors());
  const auto bytes = bytes_in(path);
  damage(bytes, 16 * bytes.size(), [&] { load_npz(path); });
}

TEST_CASE_METHOD(damaged_files, "damaged compressed .npz files are read or refused") {
  save_npz(path, some_tensors(), true);
  damage(bytes_in(path), 5 * mebibyte, [&] { load_npz(path); });
}

TEST_CASE_METHOD(damaged_files, "damaged safetensors files are read or refused") {
  save_safetensors(path, some_tensors(), {{"format", "pt"}, {"note", "\xc3\xa4\n"}});
  const auto bytes = bytes_in(path);
  damage(bytes, 16 * bytes.size(), [&] { load_safetensors(path); });
}

TEST_CASE_METHOD(damaged_files, "damaged CSV files are read or refused") {
  std::string text = "a,b,\"c d\"\r\n";
  for (int i = 0; i < 30; ++i)
    text += std::to_string(i) + ",\"" + std::to_string(i * 0.1) + "\",1e3\r\n";
  damage(text, 16 * text.size(), [&] { load_csv(path); });
  damage(text, 16 * text.size(), [&] { load_csv(path, {.dtype = float64, .missing = 0.}); });
  damage(text, 16 * text.size(), [&] { load_csv(path, {.columns = {-1, 0}}); });
}

TEST_CASE_METHOD(damaged_files, "a long line takes no more memory than the file and its numbers") {
  // Sanitizers limit nothing, and take long for each field.
  constexpr auto length = address_limit::possible ? 8 * mebibyte : mebibyte / 8;
  put_bytes(path, std::string(length, ','));
  load_csv(put_bytes(folder / "one", "1"));  // what the first reading takes, it keeps
  const address_limit limit(32 * mebibyte);
  CHECK_THAT(TROUPE_ERROR_OF(load_csv(path)), Catch::EndsWith(": line 1, column 1: is empty"));
  CHECK_THAT(TROUPE_ERROR_OF(load_csv(path, {.columns = {-1, 5}})),
             Catch::EndsWith(": line 1, column 6: is empty"));
  put_bytes(path, "7" + std::string(length, ',') + "8");
  CHECK(numbers(load_csv(path, {.columns = {-1, 0}})) == std::vector<double>{8, 7});
}

TEST_CASE_METHOD(damaged_files, "damaged IDX files are read or refused") {
  const auto bytes = std::string("\0\0\x08\3\0\0\0\4\0\0\0\5\0\0\0\6", 16) + std::string(60, '\7') +
                     std::string(60, 'x');
  damage(bytes, 16 * bytes.size(), [&] { load_idx(path); });
}

TEST_CASE_METHOD(damaged_files, "damaged gzipped IDX files are read or refused") {
  std::string bytes("\0\0\x08\2\0\0\0\x14\0\0\0\x14", 12);
  for (int i = 0; i < 400; ++i) bytes += static_cast<char>(i * i);
  damage(gzipped(bytes), 5 * mebibyte, [&] { load_idx(path); });
}

}  // namespace troupe::testing
