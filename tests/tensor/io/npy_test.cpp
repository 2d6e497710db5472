// SPDX-License-Identifier: MIT
#include "troupe/tensor/io/npy.hpp"

#include <sys/stat.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "troupe/tensor/ops/call.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tests/tensor/io/one_file.hpp"

namespace troupe::testing {

namespace {

using namespace std::string_literals;

/// Returns a .npy file of a version of the format, as in its specification.
std::string npy_bytes(const std::string& dictionary, const std::string& data, char version = 1) {
  auto length = std::string{static_cast<char>(dictionary.size() & 255),
                            static_cast<char>(dictionary.size() >> 8)};
  if (version > 1) length += "\0\0"s;
  return "\x93NUMPY" + std::string{version, '\0'} + length + dictionary + data;
}

std::string dictionary(const std::string& descr, const std::string& sizes, bool fortran = false) {
  return "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") +
         ", 'shape': " + sizes + ", }\n";
}

struct npy_files : one_file {
  npy_files() : one_file("x.npy") {}

  tensor load(const std::string& bytes, const tensor_options& options = {}) {
    return load_npy(put_bytes(path, bytes), options);
  }
  std::string refusal(const std::string& bytes) {
    put_bytes(path, bytes);
    return facts_of(TROUPE_ERROR_OF(load_npy(path)), "load_npy");
  }
};

}  // namespace

TEST_CASE_METHOD(npy_files, "a .npy file is the bytes that NumPy writes") {
  save_npy(path, tensor{{1.f, 2.f, 3.f}});
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 3), }";
  header.resize(117, ' ');
  CHECK(bytes_in(path) ==
        "\x93NUMPY\x01\0\x76\0"s + header + "\n\0\0\x80\x3f\0\0\0\x40\0\0\x40\x40"s);
  save_npy(path, zeros({0}, boolean));
  CHECK(bytes_in(path).find("{'descr': '|b1', 'fortran_order': False, 'shape': (0,), }") == 10);
  save_npy(path, ones({}, int64));
  CHECK(bytes_in(path).find("{'descr': '<i8', 'fortran_order': False, 'shape': (), }") == 10);
}

TEST_CASE_METHOD(npy_files, "load_npy reads what save_npy writes, for every dtype and shape") {
  for (const auto element : {boolean, int8, int16, int32, int64, uint8, uint16, uint32, uint64,
                             float16, float32, float64}) {
    for (const auto& sizes : {shape{}, shape{0}, shape{7}, shape{2, 3}, shape{3, 0, 2},
                              shape{1, 2, 1, 2, 1, 2, 1, 2}, shape{5000}}) {
      const auto x = arange(sizes.size()).astype(element).reshape(sizes);
      save_npy(path, x);
      const auto y = load_npy(path);
      REQUIRE(type_text(y) == type_text(x));
      REQUIRE(numbers(y) == numbers(x));
    }
  }
}

TEST_CASE_METHOD(npy_files, "NumPy's files have no bfloat16, and nothing is written") {
  CHECK_THROWS_WITH(
      save_npy(path, zeros({2}, bfloat16)),
      Catch::Contains("NumPy's files have no bfloat16: convert it to float32, or save "
                      "safetensors"));
  CHECK_FALSE(std::filesystem::exists(path));
}

TEST_CASE_METHOD(npy_files, "difficult numbers stay bit-equal") {
  using limits = std::numeric_limits<double>;
  const tensor x = {limits::quiet_NaN(), limits::infinity(), -0.0, limits::denorm_min(), 0.1};
  save_npy(path, x);
  const auto y = load_npy(path).to_vector<double>();
  CHECK(std::isnan(y[0]));
  CHECK(y[1] == limits::infinity());
  CHECK(std::signbit(y[2]));
  CHECK(y[3] == limits::denorm_min());
  CHECK(y[4] == 0.1);
  const tensor n = {INT64_MIN, INT64_MAX};
  save_npy(path, n);
  CHECK(load_npy(path).to_vector<std::int64_t>() == std::vector{INT64_MIN, INT64_MAX});
}

TEST_CASE_METHOD(npy_files, "views are saved as the elements they show") {
  const auto x = arange(24).reshape({2, 3, 4});
  for (const auto& view : {x.transpose({2, 0, 1}), x(every, range{.step = -1}), x(1, every, 2),
                           broadcast_to(x[0], {2, 3, 4}), x[range{1, 1}]}) {
    save_npy(path, view);
    CHECK(numbers(load_npy(path)) == numbers(view));
    CHECK(load_npy(path).shape() == view.shape());
  }
  const tensor flags = {{true, false}, {true, true}};
  save_npy(path, flags.T());
  CHECK(numbers(load_npy(path)) == std::vector<double>{1, 1, 0, 1});
}

TEST_CASE_METHOD(npy_files, "versions 2 and 3 of the format are read") {
  for (const char version : {1, 2, 3})
    CHECK(numbers(load(npy_bytes(dictionary("<i4", "(2,)"), "\1\0\0\0\2\0\0\0"s, version))) ==
          std::vector<double>{1, 2});
  CHECK(refusal(npy_bytes(dictionary("<i4", "(0,)"), "", 4)) ==
        "has version 4.0 of the format, not 1.0, 2.0 or 3.0");
}

TEST_CASE_METHOD(npy_files, "big-endian elements are byte-swapped") {
  CHECK(numbers(load(npy_bytes(dictionary(">f4", "(2,)"), "\x3f\x80\0\0\x40\0\0\0"s))) ==
        std::vector<double>{1, 2});
  CHECK(numbers(load(npy_bytes(dictionary(">i8", "(1,)"), "\0\0\0\0\0\0\1\2"s))) ==
        std::vector<double>{258});
  CHECK(numbers(load(npy_bytes(dictionary(">i2", "(2,)"), "\1\2\xff\xfe"s))) ==
        std::vector<double>{258, -2});
  const auto converted = load(npy_bytes(dictionary(">i4", "(1,)"), "\0\0\1\0"s), {float64});
  CHECK(type_text(converted) == "float64[1]");
  CHECK(converted.to_vector<double>() == std::vector<double>{256});
}

TEST_CASE_METHOD(npy_files, "arrays whose first axis varies fastest are read without a copy") {
  const auto x = load(npy_bytes(dictionary("<i4", "(2, 3)", true),
                                "\0\0\0\0\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0\5\0\0\0"s));
  CHECK(type_text(x) == "int32[2,3]");
  CHECK(numbers(x) == std::vector<double>{0, 2, 4, 1, 3, 5});
  CHECK(x.strides()[0] == 1);
}

TEST_CASE_METHOD(npy_files,
                 ".npy elements of unsupported dtypes become the smallest dtype that holds them") {
  const auto check = [&](const char* descr, const std::string& data, const char* type,
                         std::vector<double> wanted) {
    const auto x = load(npy_bytes(dictionary(descr, "(2,)"), data));
    CHECK(type_text(x) == type);
    CHECK(numbers(x) == wanted);
  };
  check("|i1", "\xff\x02", "int8[2]", {-1, 2});
  check("|u1", "\xff\x02", "uint8[2]", {255, 2});
  check("<u2", "\xff\xff\2\0"s, "uint16[2]", {65535, 2});
  check("<u4", "\xff\xff\xff\xff\2\0\0\0"s, "uint32[2]", {4294967295., 2});
  check("|b1", "\x02\0"s, "bool[2]", {1, 0});
}

TEST_CASE_METHOD(npy_files, "every float16 is read exactly") {
  std::string data;
  for (int i = 0; i < 0x10000; ++i) data += {static_cast<char>(i & 255), static_cast<char>(i >> 8)};
  const auto all = load(npy_bytes(dictionary("<f2", "(65536,)"), data));
  CHECK(type_text(all) == "float16[65536]");
  const auto x = all.to_vector<float>();
  for (int i = 0; i < 0x10000; ++i) {
    const int exponent = i >> 10 & 31, fraction = i & 1023;
    const double size = exponent == 0    ? std::ldexp(fraction, -24)
                        : exponent == 31 ? (fraction ? std::nan("") : INFINITY)
                                         : std::ldexp(1024 + fraction, exponent - 25);
    const auto got = x[static_cast<std::size_t>(i)];
    if (std::isnan(size)) REQUIRE(std::isnan(got));
    else REQUIRE(static_cast<double>(got) == (i & 0x8000 ? -size : size));
    REQUIRE(std::signbit(got) == ((i & 0x8000) != 0));
  }
}

TEST_CASE_METHOD(npy_files, "the options choose dtype and device") {
  save_npy(path, tensor{0., 1.5, -2.});
  const auto x = load_npy(path, {.dtype = int32, .device = cpu(1)});
  CHECK(type_text(x) == "int32[3]");
  CHECK(x.device() == cpu(1));
  CHECK(numbers(x) == std::vector<double>{0, 1, -2});
  CHECK(type_text(load_npy(path, {boolean})) == "bool[3]");
  CHECK(TROUPE_ERROR_OF(load_npy(path, {.device = cpu(7)})) ==
        "load_npy: there is no device cpu:7; this runtime has cpu:0, cpu:1");
  save_npy(path, x);
  CHECK(numbers(load_npy(path)) == std::vector<double>{0, 1, -2});
}

TEST_CASE_METHOD(npy_files, "dtypes without a counterpart are refused by name") {
  const auto kind = [&](const char* descr) {
    return refusal(npy_bytes(dictionary(descr, "(1,)"), std::string(64, '\0')));
  };
  const auto end = ", which no dtype of a tensor stands for"s;
  CHECK(kind("<c32") == "holds complex256 (\"<c32\")" + end);
  CHECK(kind("|O") == "holds Python objects (\"|O\")" + end);
  CHECK(kind("<U5") == "holds text (\"<U5\")" + end);
  CHECK(kind("|S3") == "holds bytes (\"|S3\")" + end);
  CHECK(kind("<M8[ns]") == "holds dates (\"<M8[ns]\")" + end);
  CHECK(kind("<f16") == "holds float128 (\"<f16\")" + end);
  CHECK(kind("nonsense") == "holds an unknown dtype (\"nonsense\")" + end);
  CHECK(kind("") == "holds an unknown dtype (\"\")" + end);
  CHECK(kind("|f4") == "dtype \"|f4\" does not say the order of its bytes");
  CHECK(
      refusal(npy_bytes("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", "")) ==
      "holds records (a structured dtype), which no dtype of a tensor stands for");
}

TEST_CASE_METHOD(npy_files, "invalid headers are refused with their position") {
  const auto why = [&](const std::string& text) {
    auto out = refusal(npy_bytes(text, std::string(16, '\0')));
    const auto start = "its header makes no sense at character "s;
    return out.starts_with(start) ? out.substr(start.size()) : out;
  };
  CHECK(why("") == "1: no '{'");
  CHECK(why("{}") == "3: no \"descr\"");
  CHECK(why("{'descr': '<f4', 'fortran_order': False}") == "41: no \"shape\"");
  CHECK(why("{'descr': '<f4', 'descr': '<f4'}") == "25: descr for the second time");
  CHECK(why("{'strides': 3}") == "11: the unknown key \"strides\"");
  CHECK(why("{'fortran_order': 1}") == "19: neither True nor False");
  CHECK(why("{'shape': (2, -3)}") == "15: a negative size");
  CHECK(why("{'shape': (2.5,)}") == "13: no ')'");
  CHECK(why("{'shape': (03,)}") == "12: a size that begins with 0");
  CHECK(why("{'shape': (1, 00)}") == "15: a size that begins with 0");
  CHECK(why("{'shape': (2)}") == "14: a number where a tuple should be");
  CHECK(why("{'shape': (99999999999999999999,)}") == "12: a size beyond int64");
  CHECK(why("{'shape': (1,1,1,1,1,1,1,1,1)}") == "has more than the 8 possible axes");
  CHECK(why("{'descr': '<f4}") == "12: text without an end");
  CHECK(why(dictionary("<f4", "(4,)") + "x") == "59: more text");
  CHECK(why(dictionary("<f4", "(4611686018427387904, 4611686018427387904)")) ==
        "[4611686018427387904,4611686018427387904] has more elements than can be counted");
  // As written by Python 2 and other programs.
  CHECK(load(npy_bytes("{\"shape\":(2L,2L),\"fortran_order\":False,\"descr\":\"<f4\"}",
                       std::string(16, '\0')))
            .shape() == shape{2, 2});
}

TEST_CASE_METHOD(npy_files,
                 ".npy files that are too short, too long or of another format are refused") {
  const auto whole = npy_bytes(dictionary("<f4", "(3,)"), std::string(12, '\1'));
  CHECK(load(whole).size() == 3);
  for (std::size_t length = 0; length < whole.size(); ++length)
    CHECK_THAT(refusal(whole.substr(0, length)), Catch::StartsWith("truncated: "));
  CHECK(refusal(whole.substr(0, whole.size() - 1)) ==
        "truncated: 12 bytes should follow, and there are 11");
  CHECK(refusal(whole + "12") == "2 bytes more than the array has");
  CHECK(refusal("PK\3\4 and so on") == "is no .npy file");
  CHECK(refusal(npy_bytes(dictionary("<f8", "(99999999999,)"), "1")) ==
        "truncated: 799999999992 bytes should follow, and there is 1");
  CHECK(refusal(npy_bytes("", "").substr(0, 6) + "\2\0\xff\xff\xff\x7f"s) ==
        "has a header of 2147483647 bytes, more than the 1048576 that are read");
}

TEST_CASE_METHOD(npy_files, "a file that cannot be opened is refused with its path") {
  CHECK(TROUPE_ERROR_OF(load_npy("/nowhere/x.npy")) ==
        "load_npy: /nowhere/x.npy: cannot be opened: No such file or directory");
  CHECK(TROUPE_ERROR_OF(load_npy("")) ==
        "load_npy: \"\": cannot be opened: No such file or directory");
  CHECK(TROUPE_ERROR_OF(load_npy(folder.path())) == "load_npy: " + folder.path() + ": is a folder");
  CHECK(TROUPE_ERROR_OF(load_npy("/dev/zero")) == "load_npy: /dev/zero: is no regular file");
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  CHECK(TROUPE_ERROR_OF(load_npy(path)) == "load_npy: " + path + ": is no regular file");
  CHECK(TROUPE_ERROR_OF(load_npy("a\nb\0c"s)) ==
        "load_npy: a\\x0ab\\x00c: a path has no zero bytes");
}

TEST_CASE_METHOD(npy_files, "a failed tensor is not saved, and an older file stays") {
  save_npy(path, ones({2}));
  const auto before = bytes_in(path);
  const auto bad = call("load", {}, {float32, {2}},
                        [](const inputs&, outputs&) { throw std::runtime_error("disk on fire"); });
  CHECK_THROWS_WITH(save_npy(path, bad + 1.f), Catch::StartsWith("load: disk on fire"));
  CHECK_THROWS_AS(save_npy(path, bad), task_error);
  CHECK(bytes_in(path) == before);
  CHECK(folder.names() == "x.npy ");
  CHECK(TROUPE_ERROR_OF(save_npy(path, tensor())) ==
        "save_npy: " + path + ": the tensor names no array yet");
}

TEST_CASE_METHOD(npy_files, "an operation may not save, since that would wait") {
  const auto x = ones({2});
  std::string said;
  effect("saves", {x}, [&](const inputs&) { said = TROUPE_ERROR_OF(save_npy(path, x)); }).wait();
  CHECK(said == "save_npy: not possible inside an operation, which would wait for itself");
  CHECK(folder.names().empty());
}

TEST_CASE("without a runtime loading throws, and ready tensors can still be saved") {
  temporary_folder folder;
  const auto path = folder / "x.npy";
  tensor x, view;
  {
    test_engine e;
    x = arange(6, float32).reshape({2, 3});
    view = x.T();
  }
  save_npy(path, view);
  CHECK(TROUPE_ERROR_OF(load_npy(path)) ==
        "load_npy: no runtime is running; start one with `troupe::runtime rt;`");
  test_engine e;
  CHECK(numbers(load_npy(path)) == std::vector<double>{0, 3, 1, 4, 2, 5});
}

}  // namespace troupe::testing
