// SPDX-License-Identifier: MIT
#include "troupe/tensor/io/idx.hpp"

#include "troupe/tests/tensor/io/gzipped.hpp"
#include "troupe/tests/tensor/io/one_file.hpp"

namespace troupe::testing {

namespace {

using namespace std::string_literals;
using list = std::vector<double>;

struct idx_files : one_file {
  idx_files() : one_file("x-idx3-ubyte") {}

  tensor load(const std::string& bytes, const tensor_options& options = {}) {
    return load_idx(put_bytes(path, bytes), options);
  }
  std::string refusal(const std::string& bytes) {
    put_bytes(path, bytes);
    return facts_of(TROUPE_ERROR_OF(load_idx(path)), "load_idx");
  }
};

const auto two_images = "\0\0\x08\3\0\0\0\2\0\0\0\1\0\0\0\3\0\1\2\3\xfe\xff"s;

}  // namespace

TEST_CASE_METHOD(idx_files, "images of bytes are read, plain and gzipped") {
  for (const auto& bytes :
       {two_images, gzipped(two_images),
        gzipped(two_images.substr(0, 7)) + gzipped("") + gzipped(two_images.substr(7))}) {
    const auto x = load(bytes);
    CHECK(type_text(x) == "uint8[2,1,3]");
    CHECK(numbers(x) == list{0, 1, 2, 3, 254, 255});
    CHECK(type_text(load(bytes, {.dtype = float32, .device = cpu(1)})) == "float32[2,1,3]");
    CHECK(numbers(load(bytes, {.dtype = float32})) == list{0, 1, 2, 3, 254, 255});
  }
}

TEST_CASE_METHOD(idx_files, "every element type is read in big-endian order") {
  const auto check = [&](char code, const std::string& data, const char* type, list wanted) {
    const auto x = load("\0\0"s + code + "\1\0\0\0\2"s + data);
    CHECK(type_text(x) == type);
    CHECK(numbers(x) == wanted);
  };
  check(0x08, "\1\xff", "uint8[2]", {1, 255});
  check(0x09, "\1\xff", "int8[2]", {1, -1});
  check(0x0b, "\1\2\xff\xff", "int16[2]", {258, -1});
  check(0x0c, "\0\0\1\2\xff\xff\xff\xff"s, "int32[2]", {258, -1});
  check(0x0d, "\x3f\x80\0\0\xc0\0\0\0"s, "float32[2]", {1, -2});
  check(0x0e, "\x3f\xf0\0\0\0\0\0\0\xc0\0\0\0\0\0\0\0"s, "float64[2]", {1, -2});
}

TEST_CASE_METHOD(idx_files, "more than a buffer of elements is read") {
  std::string data = "\0\0\x08\1\0\1\x86\xa0"s;  // 100000
  for (int i = 0; i < 100'000; ++i) data += static_cast<char>(i % 251);
  for (const auto& bytes : {data, gzipped(data)}) {
    const auto x = load(bytes).to_vector<int>();
    REQUIRE(x.size() == 100'000);
    for (std::size_t i = 0; i < x.size(); ++i) REQUIRE(x[i] == static_cast<int>(i % 251));
  }
}

TEST_CASE_METHOD(idx_files, "a scalar and an array without elements are read") {
  CHECK(type_text(load("\0\0\x08\0\7"s)) == "uint8[]");
  CHECK(type_text(load("\0\0\x08\2\0\0\0\0\0\0\0\5"s)) == "uint8[0,5]");
}

TEST_CASE_METHOD(idx_files,
                 "IDX files that are too short, too long or of another format are refused") {
  for (std::size_t length = 0; length < two_images.size(); ++length)
    CHECK_THAT(refusal(two_images.substr(0, length)), Catch::StartsWith("truncated: "));
  CHECK(refusal(two_images + "1") == "1 byte more than the array has");
  CHECK(refusal("\x89PNG") == "is no IDX file: it does not begin with 0, 0");
  CHECK(refusal("\0\0\x0a\1\0\0\0\1"s) ==
        "is no IDX file: there is no type of elements with the code 10");
  CHECK(refusal("\0\0\x08\x09"s) == "has 9 axes; at most 8 are possible");
  CHECK(refusal("\0\0\x08\3\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"s) ==
        "[4294967295,4294967295,4294967295] has more elements than can be counted");
  CHECK(refusal("\0\0\x0e\1\xff\xff\xff\xff"s) ==
        "truncated: 34359738360 bytes should follow, and there are 0");
}

TEST_CASE_METHOD(idx_files, "damaged gzipped files are refused") {
  const auto bytes = gzipped(two_images);
  for (std::size_t length = 2; length < bytes.size(); ++length)
    REQUIRE_THAT(refusal(bytes.substr(0, length)), Catch::StartsWith("truncated: "));
  auto wrong = bytes;
  wrong[bytes.size() - 8] ^= 1;
  CHECK(refusal(wrong) == "its compressed data are damaged: incorrect data check");
  CHECK(refusal(bytes + "garbage") == "its compressed data are damaged: incorrect header check");
  CHECK(refusal(gzipped(two_images + "1")) == "its compressed data go on after the array");
  CHECK(refusal(gzipped(two_images) + gzipped("1")) == "its compressed data go on after the array");
  CHECK(refusal(gzipped("\0\0\x0e\1\xff\xff\xff\xff"s)) ==
        "truncated: 26 compressed bytes cannot become 34359738360");
}

}  // namespace troupe::testing
