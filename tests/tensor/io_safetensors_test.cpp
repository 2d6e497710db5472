// SPDX-License-Identifier: MIT
#include "troupe/tensor/io/safetensors.hpp"

#include <cmath>

#include "troupe/tensor/ops/call.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tests/tensor/temporary_folder.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe {

namespace {

using namespace std::string_literals;

/// Returns a file as in the format's specification: eight bytes of the header's length, the header,
/// the data.
std::string file_bytes(const std::string& header, const std::string& data) {
  std::string out(8, '\0');
  for (std::size_t i = 0, length = header.size(); i < 8; ++i, length >>= 8)
    out[i] = static_cast<char>(length & 255);
  return out + header + data;
}

/// Returns the header entry of one tensor.
std::string entry(const std::string& name, const std::string& type, const std::string& sizes,
                  int begin, int end) {
  return "\"" + name + "\":{\"dtype\":\"" + type + "\",\"shape\":" + sizes + ",\"data_offsets\":[" +
         std::to_string(begin) + "," + std::to_string(end) + "]}";
}

struct safetensors_files : test_engine {
  temporary_folder folder;
  std::string path = folder / "x.safetensors";

  safetensors load(const std::string& header, const std::string& data) {
    return load_safetensors(put_bytes(path, file_bytes(header, data)));
  }
  std::string refusal_of_bytes(const std::string& bytes) {
    put_bytes(path, bytes);
    const auto text = TROUPE_ERROR_OF(load_safetensors(path));
    const auto start = "load_safetensors: " + path + ": ";
    return text.starts_with(start) ? text.substr(start.size()) : text;
  }
  std::string refusal(const std::string& header, const std::string& data) {
    return refusal_of_bytes(file_bytes(header, data));
  }
};

}  // namespace

TEST_CASE_METHOD(safetensors_files, "a safetensors file has the bytes of its specification") {
  save_safetensors(path, {{"flag", tensor{true}}, {"w", tensor{{1.f}, {2.f}}}}, {{"format", "pt"}});
  const auto header = "{\"__metadata__\":{\"format\":\"pt\"}," +
                      entry("flag", "BOOL", "[1]", 8, 9) + "," + entry("w", "F32", "[2,1]", 0, 8) +
                      "}";
  const auto padded = header + std::string((8 - header.size() % 8) % 8, ' ');
  CHECK(bytes_in(path) == file_bytes(padded, "\0\0\x80\x3f\0\0\0\x40\1"s));
  save_safetensors(path, {});
  CHECK(bytes_in(path) == file_bytes("{}      ", ""));
}

TEST_CASE_METHOD(safetensors_files,
                 "load_safetensors reads what save_safetensors writes, in its order") {
  named_tensors all;
  for (const auto element : all_dtypes) {
    all.add("x." + std::string(name(element)), arange(6).astype(element).reshape({2, 3}).T());
    all.add("\"\\\n\xc3\xa4\x01" + std::string(name(element)), full({}, 1, element));
    all.add("empty " + std::string(name(element)), zeros({0, 2}, element));
  }
  const std::map<std::string, std::string> metadata = {{"", ""}, {"a \"b\"\t", "\xf0\x9f\x8e\xad"}};
  save_safetensors(path, all, metadata);
  const auto back = load_safetensors(path);
  CHECK(back.metadata == metadata);
  REQUIRE(back.tensors.size() == all.size());
  for (auto i = all.begin(), j = back.tensors.begin(); i != all.end(); ++i, ++j) {
    CHECK(i->first == j->first);
    CHECK(type_text(i->second) == type_text(j->second));
    CHECK(numbers(i->second) == numbers(j->second));
  }
  CHECK(load_safetensors(path, {.dtype = float64}).tensors.at("x.bool").dtype() == float64);
}

TEST_CASE_METHOD(safetensors_files, "large elements come first, so that all of them are aligned") {
  save_safetensors(
      path, {{"a", ones({3}, boolean)}, {"b", ones({1}, float64)}, {"c", ones({1}, float32)}});
  const auto bytes = bytes_in(path);
  CHECK(static_cast<unsigned char>(bytes[0]) % 8 == 0);
  CHECK(bytes.find(entry("b", "F64", "[1]", 0, 8)) != std::string::npos);
  CHECK(bytes.find(entry("c", "F32", "[1]", 8, 12)) != std::string::npos);
  CHECK(bytes.find(entry("a", "BOOL", "[3]", 12, 15)) != std::string::npos);
}

TEST_CASE_METHOD(safetensors_files, "the header may be written in any way that JSON allows") {
  const auto x = load(
      "{ \"\\u00e4\\ud83c\\udfad\\/\" :\n{\"data_offsets\": [ 4 ,8],\t\"shape\":[1],"
      "\"dtype\":\"I32\"}, \"b\":{\"shape\":[],\"dtype\":\"F32\","
      "\"data_offsets\":[0,4]}}  \n ",
      "\0\0\x80\x3f\7\0\0\0"s);
  CHECK(numbers(x.tensors.at("b")) == std::vector<double>{1});
  CHECK(numbers(x.tensors.at("\xc3\xa4\xf0\x9f\x8e\xad/")) == std::vector<double>{7});
  CHECK(x.metadata.empty());
}

TEST_CASE_METHOD(safetensors_files,
                 "safetensors elements of unsupported dtypes become the smallest dtype that holds "
                 "them, others stay") {
  const auto check = [&](const char* type, const std::string& data, const char* wanted,
                         std::vector<double> elements) {
    const auto x = load("{" + entry("x", type, "[2]", 0, static_cast<int>(data.size())) + "}", data)
                       .tensors.at("x");
    CHECK(type_text(x) == wanted);
    CHECK(numbers(x) == elements);
  };
  check("U8", "\xff\1", "int32[2]", {255, 1});
  check("I8", "\xff\1", "int32[2]", {-1, 1});
  check("I16", "\xff\xff\1\0"s, "int32[2]", {-1, 1});
  check("U16", "\xff\xff\1\0"s, "int32[2]", {65535, 1});
  check("U32", "\xff\xff\xff\xff\1\0\0\0"s, "int64[2]", {4294967295., 1});
  check("F16", "\0\x3c\0\xc0"s, "float16[2]", {1, -2});
  check("BF16", "\x80\x3f\x49\x40", "bfloat16[2]", {1, 3.140625});
  for (const auto* type : {"U64", "F8_E4M3", "C64", "f32", ""})
    CHECK(refusal("{" + entry("x", type, "[0]", 0, 0) + "}", "") ==
          "\"x\": has dtype \"" + std::string(type) + "\", which tensors do not have");
}

TEST_CASE_METHOD(safetensors_files,
                 "data that overlap, leave gaps or do not fit their shape are refused") {
  const auto a = entry("a", "F32", "[2]", 0, 8);
  const std::string data(16, '\0');
  CHECK(load("{" + a + "," + entry("b", "F32", "[2]", 8, 16) + "}", data).tensors.size() == 2);
  CHECK(refusal("{" + a + "," + entry("b", "F32", "[2]", 4, 12) + "}", data) ==
        "\"b\": data_offsets [4,12] overlap those of another tensor");
  CHECK(refusal("{" + a + "," + entry("b", "F32", "[2]", 0, 8) + "}", data) ==
        "\"b\": data_offsets [0,8] overlap those of another tensor");
  CHECK(refusal("{" + a + "," + entry("b", "F32", "[1]", 12, 16) + "}", data) ==
        "\"b\": data_offsets [12,16] leave a gap before them, from 8");
  CHECK(refusal("{" + entry("b", "F32", "[2]", 8, 16) + "}", data) ==
        "\"b\": data_offsets [8,16] leave a gap before them, from 0");
  CHECK(refusal("{" + entry("b", "F32", "[0]", 4, 0) + "}", data) ==
        "\"b\": data_offsets [4,0] end before they begin");
  CHECK(refusal("{" + a + "}", data) == "8 bytes at its end belong to no tensor");
  CHECK(refusal("{" + entry("b", "F32", "[5]", 0, 20) + "}", data) ==
        "\"b\": truncated: data_offsets [0,20] go beyond the 16 bytes of data");
  CHECK(refusal("{" + entry("b", "F32", "[3]", 0, 16) + "}", data) ==
        "\"b\": data_offsets [0,16] are 16 bytes, but F32[3] has 12");
  CHECK(refusal("{" + entry("b", "F32", "[4294967296,4294967296,4294967296]", 0, 16) + "}", data) ==
        "\"b\": [4294967296,4294967296,4294967296] has more elements than can be counted");
  CHECK(refusal("{" + a + "," + a + "}", data) ==
        "its header makes no sense at character 59: \"a\" for the second time");
}

TEST_CASE_METHOD(safetensors_files,
                 "headers that are not valid JSON of this kind are refused with their position") {
  const auto why = [&](const std::string& header) {
    auto out = refusal(header, "");
    const auto start = "its header makes no sense at character "s;
    return out.starts_with(start) ? out.substr(start.size()) : out;
  };
  CHECK(why("[]") == "is no safetensors file: its header does not begin with {");
  CHECK(why("") == "is no safetensors file: its header does not begin with {");
  CHECK(why("{") == "2: no string");
  CHECK(why("{}x") == "3: more text");
  CHECK(why("{\"a\":1}") == "6: no '{'");
  CHECK(why("{\"a\":{}}") == "\"a\": the header does not give its dtype, shape and data_offsets");
  CHECK(why("{\"a\":{\"strides\":[]}}") == "17: the unknown key \"strides\"");
  CHECK(why("{\"a\":{\"dtype\":\"F32\",\"dtype\":\"F32\"}}") ==
        "29: \"dtype\" for the second time");
  CHECK(why("{\"a\":{\"shape\":[1.0]}}") == "17: no ']'");
  CHECK(why("{\"a\":{\"shape\":[-1]}}") == "16: no whole number");
  CHECK(why("{\"a\":{\"shape\":[1,1,1,1,1,1,1,1,1]}}") == "32: more than the 8 possible axes");
  CHECK(why("{\"a\":{\"data_offsets\":[1]}}") == "25: fewer than two data_offsets");
  CHECK(why("{\"a\":{\"data_offsets\":[1,2,3]}}") == "28: more than two data_offsets");
  CHECK(why("{\"__metadata__\":{\"a\":1}}") == "22: no string");
  CHECK(why("{\"__metadata__\":{\"a\":\"\",\"a\":\"\"}}") == "29: \"a\" for the second time");
  CHECK(why("{\"__metadata__\":{\"a\":{\"b\":\"\"}}}") == "22: no string");
  CHECK(why("{" + std::string(1'000'000, '[')) == "2: no string");
}

TEST_CASE_METHOD(safetensors_files,
                 "files that are shorter than their header declares are refused") {
  const auto whole = file_bytes("{" + entry("a", "F32", "[2]", 0, 8) + "}", std::string(8, '\1'));
  for (std::size_t length = 0; length < whole.size(); ++length)
    REQUIRE_THAT(refusal_of_bytes(whole.substr(0, length)),
                 Catch::Contains("truncated") || Catch::Contains("is no safetensors file"));
  CHECK(refusal_of_bytes("1234567") == "is no safetensors file: it has no 8 bytes");
  CHECK(refusal_of_bytes("\xff\xff\xff\xff\xff\xff\xff\xff") ==
        "is no safetensors file, or truncated: a header of 18446744073709551615 bytes in a file of "
        "8");
}

TEST_CASE_METHOD(safetensors_files, "names and texts that JSON cannot hold are refused") {
  CHECK(TROUPE_ERROR_OF(save_safetensors(path, {{"a\xff", ones({})}})) ==
        "save_safetensors: " + path + ": \"a\\xff\": its name is not UTF-8");
  CHECK(TROUPE_ERROR_OF(save_safetensors(path, {{"__metadata__", ones({})}})) ==
        "save_safetensors: " + path + ": \"__metadata__\": this name stands for the metadata");
  CHECK(TROUPE_ERROR_OF(save_safetensors(path, {}, {{"note", "\xc3"}})) ==
        "save_safetensors: " + path + ": metadata \"note\" is not UTF-8");
  CHECK(folder.names().empty());
}

TEST_CASE_METHOD(safetensors_files, "a failed tensor leaves the older file unchanged") {
  save_safetensors(path, {{"a", ones({2})}});
  const auto before = bytes_in(path);
  const auto bad = call("load", {}, {float32, {2}},
                        [](const inputs&, outputs&) { throw std::runtime_error("disk on fire"); });
  CHECK_THROWS_AS(save_safetensors(path, {{"a", ones({3})}, {"b", bad}}), task_error);
  CHECK(bytes_in(path) == before);
  CHECK(folder.names() == "x.safetensors ");
}

}  // namespace troupe
