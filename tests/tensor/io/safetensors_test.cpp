// SPDX-License-Identifier: MIT
#include "troupe/tensor/io/safetensors.hpp"

#include <cmath>

#include "troupe/tensor/ops/call.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tests/tensor/io/one_file.hpp"

namespace troupe::testing {

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

struct safetensors_files : one_file {
  safetensors_files() : one_file("x.safetensors") {}

  safetensors load(const std::string& header, const std::string& data) {
    return load_safetensors(put_bytes(path, file_bytes(header, data)));
  }
  std::string refusal_of_bytes(const std::string& bytes) {
    put_bytes(path, bytes);
    return facts_of(TROUPE_ERROR_OF(load_safetensors(path)), "load_safetensors");
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
    if (element == complex128) continue;
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
  CHECK(load_safetensors(path, {.dtype = complex128}).tensors.at("x.bool").dtype() == complex128);
  CHECK_THROWS_WITH(save_safetensors(path, {{"x", zeros({1}, complex128)}}),
                    Catch::Matchers::Contains("\"x\": safetensors files have no complex128"));
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
  check("U8", "\xff\1", "uint8[2]", {255, 1});
  check("I8", "\xff\1", "int8[2]", {-1, 1});
  check("I16", "\xff\xff\1\0"s, "int16[2]", {-1, 1});
  check("U16", "\xff\xff\1\0"s, "uint16[2]", {65535, 1});
  check("U32", "\xff\xff\xff\xff\1\0\0\0"s, "uint32[2]", {4294967295., 1});
  check("C64", "\0\0\x80\x3f\0\0\0\xc0\0\0\0\0\0\0\x80\x3f"s, "complex64[2]", {1, 0, -2, 1});
  check("F16", "\0\x3c\0\xc0"s, "float16[2]", {1, -2});
  check("BF16", "\x80\x3f\x49\x40", "bfloat16[2]", {1, 3.140625});
  for (const auto* type : {"F8_E4M3", "C128", "f32", ""})
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
  CHECK(refusal("{" + a + "," + a + "}", data) == "\"a\" is in the header twice");
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
  CHECK(why("{") == "2: unexpected end of input; expected string literal");
  CHECK(why("{}x") == "3: invalid literal");
  CHECK(why("{}{}") == "3: unexpected '{'; expected end of input");
  CHECK(why("{}\0"s) == "3: a zero byte");
  CHECK(why("{,}") == "2: unexpected ','; expected string literal");
  CHECK(why("{\"a\" 1}") == "6: unexpected number literal; expected ':'");
  CHECK(why("{//\n}") == "2: invalid literal");
  CHECK(why("{" + std::string(1'000'000, '[')) == "2: unexpected '['; expected string literal");
  CHECK(why("{\"a\":" + std::string(1'000'000, '[')) ==
        "\"a\": its description in the header is no object");
}

TEST_CASE_METHOD(safetensors_files, "texts in a header are those that JSON has, and UTF-8") {
  const auto why = [&](const std::string& text) {
    auto out = refusal("{\"" + text, "");
    const auto start = "its header makes no sense at character "s;
    return out.starts_with(start) ? out.substr(start.size()) : out;
  };
  CHECK(why("a") == "4: invalid string: missing closing quote");
  CHECK(why("\\x\"") == "4: invalid string: forbidden character after backslash");
  CHECK(why("\\u12\"") == "7: invalid string: '\\u' must be followed by 4 hex digits");
  CHECK(why("\\ud800\"").starts_with("9: invalid string: surrogate U+D800..U+DBFF"));
  CHECK(why("\\udc00\"").starts_with("8: invalid string: surrogate U+DC00..U+DFFF"));
  CHECK(why("a\nb\"").starts_with("4: invalid string: control character U+000A"));
  for (const auto* bad :
       {"\x80", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xff"})
    CHECK(why(bad + "\":1}"s).find(": invalid string: ill-formed UTF-8 byte") == 1);
  const std::string long_name(1'000'000, 'x');
  CHECK(why(long_name) == "1000003: invalid string: missing closing quote");
  CHECK(why(long_name + "\":1}").size() < 200);
}

TEST_CASE_METHOD(safetensors_files, "whatever does not describe a tensor is refused, and where") {
  const auto why = [&](const std::string& facts) { return refusal("{\"a\":" + facts + "}", ""); };
  const auto no_sizes = "\"a\": its shape is not made of whole numbers that fit int64"s;
  const auto no_offsets = "\"a\": its data_offsets are not two whole numbers that fit int64"s;
  for (const auto* other : {"1", "-1", "1.5", "\"\"", "null", "true", "[]"})
    CHECK(why(other) == "\"a\": its description in the header is no object");
  CHECK(why("{}") == "\"a\": the header does not give its dtype, shape and data_offsets");
  CHECK(why("{\"shape\":[],\"data_offsets\":[0,0]}") ==
        "\"a\": the header does not give its dtype, shape and data_offsets");
  CHECK(why("{\"strides\":[]}") == "\"a\": the header has the unknown key \"strides\"");
  CHECK(why("{\"dtype\":\"F32\",\"dtype\":\"F32\"}") == "\"a\": the header gives its dtype twice");
  CHECK(why("{\"shape\":[],\"shape\":[]}") == "\"a\": the header gives its shape twice");
  CHECK(why("{\"data_offsets\":[0,0],\"data_offsets\":[0,0]}") ==
        "\"a\": the header gives its data_offsets twice");
  for (const auto* other : {"1", "null", "[]", "{}"})
    CHECK(why("{\"dtype\":"s + other + "}") == "\"a\": its dtype is no text");
  for (const auto* other :
       {"1", "\"1\"", "{}", "[1.0]", "[-1]", "[-0]", "[1e3]", "[\"1\"]", "[[1]]", "[null]", "[{}]",
        "[9223372036854775808]", "[99999999999999999999]"})
    CHECK(why("{\"shape\":"s + other + "}") == no_sizes);
  CHECK(why("{\"shape\":[1e999]}").ends_with(": a number too large"));
  CHECK(why("{\"shape\":[007]}").ends_with(": unexpected number literal; expected ']'"));
  CHECK(why("{\"shape\":[1,1,1,1,1,1,1,1,1]}") ==
        "\"a\": its shape has more than the 8 possible axes");
  for (const auto* other : {"[]", "[1]", "[1,2,3]", "[-1,0]", "7", "[[0,0]]"})
    CHECK(why("{\"data_offsets\":"s + other + "}") == no_offsets);
}

TEST_CASE_METHOD(safetensors_files, "metadata are texts, each there once") {
  const auto why = [&](const std::string& metadata) {
    return refusal("{\"__metadata__\":" + metadata + "}", "");
  };
  for (const auto* other : {"1", "[]", "\"\"", "null"})
    CHECK(why(other) == "its metadata are no object");
  for (const auto* other : {"1", "[]", "null", "{\"b\":\"\"}"})
    CHECK(why("{\"a\":"s + other + "}") == "metadata \"a\" is no text");
  CHECK(why("{\"a\":\"\",\"a\":\"\"}") == "metadata \"a\" is there twice");
  CHECK(why("{},\"__metadata__\":{}") == "\"__metadata__\" is in the header twice");
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

}  // namespace troupe::testing
