// SPDX-License-Identifier: MIT
#include "troupe/tensor/io/npz.hpp"

#include "troupe/tensor/io/npy.hpp"
#include "troupe/tensor/io/zip_writer.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tests/tensor/io/one_file.hpp"

namespace troupe::testing {

namespace {

using namespace std::string_literals;

struct npz_files : one_file {
  npz_files() : one_file("x.npz") {}
  named_tensors some = {{"weight", arange(6, float32).reshape({2, 3})},
                        {"flags", tensor{{true}, {false}}},
                        {"empty", zeros({0, 3}, int64)},
                        {"h\xc3\xa4/deep name", full({}, 2.5)}};

  std::string refusal(const std::string& bytes) {
    put_bytes(path, bytes);
    return facts_of(TROUPE_ERROR_OF(load_npz(path)), "load_npz");
  }

  std::string npy_of(const tensor& x) {
    save_npy(folder / "one.npy", x);
    return bytes_in(folder / "one.npy");
  }

  /// Returns a zip file of these entries, with numbers from `least_64_bit` on in Zip64's fields.
  std::string zipped(const std::vector<std::pair<std::string, std::string>>& entries,
                     bool compressed = false, std::uint64_t least_64_bit = 0xffffffff) {
    const file_call call{"test", path, std::source_location::current()};
    atomic_file file(call);
    zip_writer zip(file, least_64_bit);
    for (const auto& [name, bytes] : entries)
      zip.add(name, bytes.substr(0, bytes.size() / 2), bytes.substr(bytes.size() / 2), compressed,
              call);
    zip.finish();
    file.commit();
    return bytes_in(path);
  }
};

void check_equal(const named_tensors& a, const named_tensors& b) {
  REQUIRE(a.size() == b.size());
  for (auto i = a.begin(), j = b.begin(); i != a.end(); ++i, ++j) {
    CHECK(i->first == j->first);
    CHECK(type_text(i->second) == type_text(j->second));
    CHECK(numbers(i->second) == numbers(j->second));
  }
}

/// Returns `bytes` with those from a position on replaced.
std::string with(std::string bytes, std::size_t at, const std::string& others) {
  return bytes.replace(at, others.size(), others);
}

}  // namespace

TEST_CASE_METHOD(npz_files, "load_npz_array reads one array, whatever else is there") {
  const auto x = arange(3);
  put_bytes(path,
            zipped({{"names.npy", "\x93NUMPY no numbers"}, {"x.npy", npy_of(x)}, {"note", "?"}}));
  CHECK(numbers(load_npz_array(path, "x")) == numbers(x));
  CHECK(type_text(load_npz_array(path, "x", {.dtype = float32})) == "float32[3]");
  const auto refusal_of = [&](const char* name) {
    return facts_of(TROUPE_ERROR_OF(load_npz_array(path, name)), "load_npz_array");
  };
  CHECK(refusal_of("y") == "has no array y, only names, x");
  CHECK(refusal_of("note") == "has no array note, only names, x");
  CHECK_FALSE(refusal_of("names").empty());
  put_bytes(path, zipped({}));
  CHECK(refusal_of("x") == "has no array x");
}

TEST_CASE_METHOD(npz_files, "load_npz reads what save_npz writes, in the same order") {
  for (const bool compressed : {false, true}) {
    save_npz(path, some, compressed);
    check_equal(load_npz(path), some);
  }
  save_npz(path, {});
  CHECK(load_npz(path).empty());
}

TEST_CASE_METHOD(npz_files, "equal tensors give equal files") {
  save_npz(path, some);
  save_npz(folder / "again.npz", some);
  CHECK(bytes_in(path) == bytes_in(folder / "again.npz"));
}

TEST_CASE_METHOD(npz_files, "compressed arrays take less space, however large they are") {
  const named_tensors large = {{"x", zeros({1'000'000})}};
  save_npz(path, large, true);
  CHECK(bytes_in(path).size() < 6000);
  CHECK(numbers(load_npz(path).at("x")) == std::vector<double>(1'000'000, 0.));
}

TEST_CASE_METHOD(npz_files, "the options choose the dtype of all arrays") {
  save_npz(path, some, true);
  for (const auto& [name, x] : load_npz(path, {.dtype = float64, .device = cpu(1)})) {
    CHECK(x.dtype() == float64);
    CHECK(x.device() == cpu(1));
    CHECK(numbers(x) == numbers(some.at(name)));
  }
}

TEST_CASE_METHOD(npz_files, "sizes and offsets beyond 32 bits are written and read as Zip64") {
  const auto one = npy_of(tensor{1.f, 2.f});
  for (const bool compressed : {false, true}) {
    const auto bytes = zipped({{"a.npy", one}, {"b.npy", one}}, compressed, 1);
    CHECK(bytes.find("PK\x06\x06"s) != std::string::npos);
    CHECK(bytes.find("PK\x06\x07"s) != std::string::npos);
    const auto all = load_npz(path);
    CHECK(all.size() == 2);
    CHECK(numbers(all.at("b")) == std::vector<double>{1, 2});
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      put_bytes(path, with(bytes, i, {static_cast<char>(~bytes[i])}));
      try {
        load_npz(path);
      } catch (const error&) {}
    }
  }
}

TEST_CASE_METHOD(npz_files, "a file may hold any number of arrays") {
  const auto one = npy_of(ones({}));
  std::vector<std::pair<std::string, std::string>> entries;
  for (int i = 0; i < 66'000; ++i) entries.emplace_back(std::to_string(i) + ".npy", one);
  zipped(entries);
  CHECK(load_npz(path).size() == 66'000);
}

TEST_CASE_METHOD(npz_files, "files truncated anywhere are refused") {
  save_npz(path, {{"a", ones({3})}, {"b", ones({3})}}, true);
  const auto bytes = bytes_in(path);
  for (std::size_t length = 0; length < bytes.size(); ++length)
    REQUIRE(refusal(bytes.substr(0, length)) ==
            "is no .npz file, or truncated: a zip file ends in a directory");
}

TEST_CASE_METHOD(npz_files, "changed bytes are detected by the check sum") {
  save_npz(path, {{"a", arange(100, float32)}});
  const auto bytes = bytes_in(path);
  CHECK(refusal(with(bytes, 300, "?")) == "\"a\": damaged: its check sum (CRC-32) is wrong");
  save_npz(path, {{"a", arange(100, float32)}}, true);
  const auto deflated = bytes_in(path);
  int damaged = 0;
  for (std::size_t i = 35; i + 80 < deflated.size(); ++i)
    damaged +=
        refusal(with(deflated, i, {static_cast<char>(deflated[i] ^ 4)})) != "nothing was thrown";
  CHECK(damaged == static_cast<int>(deflated.size()) - 115);
}

TEST_CASE_METHOD(npz_files, "invalid directories are refused") {
  const auto one = npy_of(ones({2}));
  const auto bytes = zipped({{"a.npy", one}});
  const auto directory = bytes.find("PK\1\2"), end = bytes.find("PK\5\6");
  CHECK(refusal(with(bytes, 0, "?")) == "\"a.npy\": damaged: it is not where the directory says");
  CHECK(refusal(with(bytes, directory, "?")) ==
        "damaged: the directory has fewer entries than it says");
  CHECK(refusal(with(bytes, end + 10, "\x09")) ==
        "damaged: 9 entries do not fit into a directory of 51 bytes");
  CHECK(refusal(with(bytes, end + 16, "\xff\xff")) ==
        "damaged: the directory lies beyond the end of the file");
  CHECK(refusal(with(bytes, directory + 28, "\xff")) ==
        "damaged: the directory ends in the middle of an entry");
  CHECK(refusal(with(bytes, directory + 8, "\1")) == "\"a\": is encrypted");
  CHECK(refusal(with(bytes, directory + 10, "\x0c")) ==
        "\"a\": is compressed by method 12, not by deflate");
  CHECK(refusal(with(bytes, directory + 20, "\xff\xff")) ==
        "\"a.npy\": damaged: it shares bytes with another part of the file");
  CHECK(refusal(with(bytes, directory + 24, "\x01")) ==
        "\"a\": truncated: 8 bytes should follow, and there is 1");
}

TEST_CASE_METHOD(npz_files, "entries that share their data are refused: small files stay small") {
  const auto one = npy_of(ones({2}));
  auto bytes = zipped({{"a.npy", one}, {"b.npy", one}});
  const auto second = bytes.find("PK\1\2", bytes.find("PK\1\2") + 4);
  CHECK(refusal(with(bytes, second + 42, "\0\0\0\0"s)) ==
        "\"a.npy\": damaged: it shares bytes with another part of the file");
}

TEST_CASE_METHOD(npz_files, "a name that changed in one of its two places is refused") {
  const auto bytes = zipped({{"a.npy", npy_of(ones({2}))}, {"b.npy", npy_of(ones({2}))}});
  const auto facts = "damaged: it has another name in the directory than before its data"s;
  CHECK(refusal(with(bytes, 30, "x")) == "\"a.npy\": " + facts);
  CHECK(refusal(with(bytes, bytes.find("PK\1\2") + 46, "x")) == "\"x.npy\": " + facts);
  CHECK(refusal(with(bytes, 26, "\4")) == "\"a.npy\": " + facts);
}

TEST_CASE_METHOD(npz_files, "a size that deflate cannot reach is refused before memory is taken") {
  auto huge = npy_of(ones({2}));
  const auto place = huge.find("(2,)");
  huge.replace(place, 15, "(999999999,), }");
  // The directory may claim any size: its check sum is not needed yet.
  auto bytes = zipped({{"a.npy", huge}}, true);
  const auto directory = bytes.find("PK\1\2");
  bytes = with(bytes, directory + 24, "\xfe\xff\xff\xff");
  CHECK_THAT(refusal(bytes), Catch::Matches("\"a\": truncated: [0-9]+ compressed bytes cannot "
                                            "become 3999999996"));
  CHECK(engine.at(cpu(), "test", {}).memory()->statistics().peak < 1000);
}

TEST_CASE_METHOD(npz_files, "a size that deflate could reach is tried before memory is taken") {
  auto large = npy_of(ones({2}));
  const auto place = large.find("(2,)");
  large.replace(place, 14, "(99999999,), }");
  std::string noise(1 << 20, '\0');
  for (std::uint32_t i = 0, x = 1; i < noise.size(); ++i)
    noise[i] = static_cast<char>((x = x * 1664525 + 1013904223) >> 24);
  auto bytes = zipped({{"a.npy", large + noise}}, true);
  bytes = with(bytes, bytes.rfind("PK\1\2") + 24, "\xfe\xff\xff\xff");
  CHECK_THAT(refusal(bytes), Catch::Matches("\"a\": truncated: its compressed data end after "
                                            "[0-9]+ bytes"));
  CHECK(engine.at(cpu(), "test", {}).memory()->statistics().peak < 1000);
}

TEST_CASE_METHOD(npz_files, "entries that are no arrays of numbers are named") {
  CHECK((zipped({{"a.npy", npy_of(ones({}))}, {"readme.txt", "hello"}}), refusal(bytes_in(path))) ==
        "\"readme.txt\": is no array: its name does not end in .npy");
  CHECK((zipped({{"a.npy", "hello you"}}), refusal(bytes_in(path))) == "\"a\": is no .npy file");
  const auto one = npy_of(ones({}));
  CHECK((zipped({{"a.npy", one}, {"a.npy", one}}), refusal(bytes_in(path))) ==
        "\"a\": is there twice");
}

TEST_CASE_METHOD(npz_files, "names that a zip file cannot hold are refused") {
  CHECK(TROUPE_ERROR_OF(save_npz(path, {{"a\0b"s, ones({})}})) ==
        "save_npz: " + path + ": \"a\\x00b\": a name with a zero byte");
  CHECK_THAT(TROUPE_ERROR_OF(save_npz(path, {{std::string(70'000, 'x'), ones({})}})),
             Catch::EndsWith("...\": a name of more than 65535 bytes"));
  CHECK(TROUPE_ERROR_OF(save_npz(path, {{"a", ones({})}, {"b", tensor()}})) ==
        "save_npz: " + path + ": \"b\": the tensor names no array yet");
  CHECK(folder.names().empty());
}

}  // namespace troupe::testing
