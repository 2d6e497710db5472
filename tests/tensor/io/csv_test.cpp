// SPDX-License-Identifier: MIT
#include "troupe/tensor/io/csv.hpp"
#include "troupe/tests/tensor/io/one_file.hpp"

#include <cmath>
#include <limits>

#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/print.hpp"

namespace troupe::testing {

namespace {

using namespace std::string_literals;
using list = std::vector<double>;

struct csv_files : one_file {
  csv_files() : one_file("x.csv") {}

  tensor load(const std::string& text, const csv_options& options = {}) {
    return load_csv(put_bytes(path, text), options);
  }
  std::string refusal(const std::string& text, const csv_options& options = {}) {
    put_bytes(path, text);
    return facts_of(TROUPE_ERROR_OF(load_csv(path, options)), "load_csv");
  }
};

}  // namespace

TEST_CASE_METHOD(csv_files, "lines of numbers become the rows of a tensor") {
  const auto x = load("1,2.5,-3e2\n4, +5 ,6\n");
  CHECK(type_text(x) == "float32[2,3]");
  CHECK(numbers(x) == list{1, 2.5, -300, 4, 5, 6});
  CHECK(type_text(load("7")) == "float32[1,1]");
}

TEST_CASE_METHOD(csv_files, "line endings, empty lines and a byte order mark do not matter") {
  CHECK(numbers(load("\xef\xbb\xbf"
                     "1,2\r\n\r\n3,4\r\n   \n\n")) == list{1, 2, 3, 4});
  CHECK(numbers(load("\n\n1\n2")) == list{1, 2});
}

TEST_CASE_METHOD(csv_files, "a first line without numbers holds the column names") {
  CHECK(numbers(load("width,height\n1,2\n")) == list{1, 2});
  CHECK(numbers(load("\"a, b\",\"c \"\"d\"\"\"\n\"1\",2\n")) == list{1, 2});
  CHECK(numbers(load(",x\n1,2\n")) == list{1, 2});
  CHECK(refusal("1.o,2\n3,4\n") == "line 1, column 1: \"1.o\" is no float32");
  CHECK(refusal("1.5,2.5\n3,4\n", {.dtype = int32}) == "line 1, column 1: \"1.5\" is no int32");
}

TEST_CASE_METHOD(csv_files, "skip_rows leaves out that many lines") {
  CHECK(numbers(load("made by hand, \"with care\n1,2\n3,4\n", {.skip_rows = 1})) ==
        list{1, 2, 3, 4});
  CHECK(numbers(load("2019,2020\n\n1,2\n", {.skip_rows = 1})) == list{1, 2});
  CHECK(refusal("a,b\n1,2\n", {.skip_rows = 0}) == "line 1, column 1: \"a\" is no float32");
  CHECK(refusal("a,b\n1,2\nx,3", {.skip_rows = 1}) == "line 3, column 1: \"x\" is no float32");
  CHECK(refusal("1,2\n", {.skip_rows = 5}) == "has no numbers");
  CHECK(refusal("1", {.skip_rows = -1}) == "skip_rows is -1");
}

TEST_CASE_METHOD(csv_files, "columns are chosen, in any order") {
  const auto text = "5.1,3.5,setosa,0\n4.9,3.0,\"vir,gin\nica\",1\n6,7,x,8"s;
  CHECK(numbers(load(text, {.dtype = float64, .columns = {-1, 0}})) == list{0, 5.1, 1, 4.9, 8, 6});
  CHECK(numbers(load("a,b,c\n1,2,3\n", {.columns = {2, 0, -1, 2}})) == list{3, 1, 3, 3});
  CHECK(numbers(load("a,7,c\n1,2,3\n", {.columns = {2, 0}})) == list{3, 1});
  CHECK(refusal(text, {.columns = {4}}) == "there is no column 4: the first line has 4 fields");
  CHECK(refusal(text, {.columns = {-5}}) == "there is no column -5: the first line has 4 fields");
  CHECK(refusal(text) == "line 1, column 3: \"setosa\" is no float32");
  CHECK(refusal(text + "\n1,2,3,?", {.columns = {0, 3}}) ==
        "line 5, column 4: \"?\" is no float32");
}

TEST_CASE_METHOD(csv_files, "fields may have other delimiters") {
  CHECK(numbers(load("1;2\n3;4", {.delimiter = ';'})) == list{1, 2, 3, 4});
  CHECK(numbers(load("1\t2\n3\t 4", {.delimiter = '\t'})) == list{1, 2, 3, 4});
  CHECK(numbers(load("  1   2\t3 \n 4 5 6\r\n", {.delimiter = ' '})) == list{1, 2, 3, 4, 5, 6});
  CHECK(refusal("1\t\t2\n3\t4\t5", {.delimiter = '\t'}) == "line 1, column 2: is empty");
  for (const char c : {'0', 'a', '"', '.', '-', '\n', '\0'}) {
    CHECK(refusal("1", {.delimiter = c}).starts_with("the delimiter cannot be \""));
    CHECK_THROWS_WITH(save_csv(path, ones({2}), {.delimiter = c}),
                      Catch::Contains("the delimiter cannot be \""));
  }
}

TEST_CASE_METHOD(csv_files, "every dtype is read exactly") {
  CHECK(load("9223372036854775807,-9223372036854775808", {.dtype = int64})
            .to_vector<std::int64_t>() == std::vector{INT64_MAX, INT64_MIN});
  CHECK(load("0.1", {.dtype = float64}).item<double>() == 0.1);
  CHECK(load("16777217", {.dtype = float32}).item<float>() == 16777216.f);
  CHECK(numbers(load("0,1,true,False", {.dtype = boolean})) == list{0, 1, 1, 0});
  CHECK(refusal("3000000000", {.dtype = int32}) ==
        "line 1, column 1: \"3000000000\" does not fit int32");
  CHECK(refusal("2", {.dtype = boolean}) == "line 1, column 1: \"2\" is no bool");
}

TEST_CASE_METHOD(csv_files, "nan, infinity and the ends of the range of floats are numbers") {
  const auto x = load("nan,-inf,1e-50,1e-400,-0.0", {.dtype = float64}).to_vector<double>();
  CHECK(std::isnan(x[0]));
  CHECK(x[1] == -INFINITY);
  CHECK(x[2] == 1e-50);
  CHECK(x[3] == 0);
  CHECK(std::signbit(x[4]));
  CHECK(load("1e-50").item<float>() == 0.f);
  CHECK(load("1e-40").item<float>() == 1e-40f);
  const std::string zeros(5000, '0');
  for (const auto& tiny : {"1e-5000"s, "+123.5e-99999999999999999999"s, "0." + zeros + "1"})
    CHECK(load(tiny, {.dtype = float64}).item<double>() == 0);
  CHECK(std::signbit(load("-1e-5000").item<float>()));
  for (const auto& huge : {"1e5000"s, "0.001e99999999999999999999"s, "1" + zeros})
    CHECK(refusal(huge, {.dtype = float64}).ends_with("does not fit float64"));
  CHECK(refusal("1e39") == "line 1, column 1: \"1e39\" does not fit float32");
  CHECK(refusal("1e400", {.dtype = float64}) == "line 1, column 1: \"1e400\" does not fit float64");
  CHECK(refusal("1e99999", {.dtype = float64}) ==
        "line 1, column 1: \"1e99999\" does not fit float64");
}

TEST_CASE_METHOD(csv_files, "empty fields are an error, or a chosen number") {
  CHECK(refusal("1,\n") == "line 1, column 2: is empty");
  CHECK(refusal("1,2\n,4\n") == "line 2, column 1: is empty");
  CHECK(numbers(load("1,\n ,4\n", {.missing = -1})) == list{1, -1, -1, 4});
  CHECK(std::isnan(load("1,", {.missing = NAN}).to_vector<float>()[1]));
  CHECK(refusal("1,", {.dtype = int32, .missing = NAN}) ==
        "nan, which stands for empty fields, is no int32");
  CHECK(refusal("1,", {.dtype = int32, .missing = 3e9}) ==
        "3000000000.000000, which stands for empty fields, is no int32");
  CHECK(numbers(load("1,", {.dtype = int64, .missing = -1})) == list{1, -1});
}

TEST_CASE_METHOD(csv_files, "lines of different lengths are named") {
  CHECK(refusal("1,2\n3,4\n5\n") == "line 3 has 1 field, and the first has 2");
  CHECK(refusal("1,2\n\n3,4,5\n") == "line 3 has 3 fields, and the first has 2");
  CHECK(refusal("1,2\nx\n") == "line 2 has 1 field, and the first has 2");
  CHECK(refusal("1,2\n3,4\n5,6,7", {.columns = {1, 0}}) ==
        "line 3 has 3 fields, and the first has 2");
}

TEST_CASE_METHOD(csv_files, "fields that are no numbers are named") {
  for (const auto* field : {"1.2.3", "0x10", "1 2", "--1", "+-1", "1e", "\"1", "1\"2\"", ".", "-"})
    CHECK(refusal("0,0\n0,"s + field).starts_with("line 2"));
  CHECK(refusal("1,\"2\n3,4") == "line 1: column 2 begins with a quote that is not closed");
  CHECK(refusal("1,\"2\"3") == "line 1: column 2 goes on after its quotes");
  CHECK(refusal("0\n"s + std::string(100, 'x')) ==
        "line 2, column 1: \"" + std::string(64, 'x') + "...\" is no float32");
}

TEST_CASE_METHOD(csv_files, "files without numbers are refused") {
  CHECK(refusal("") == "has no numbers");
  CHECK(refusal("\n \n") == "has no numbers");
  CHECK(refusal("a,b\n") == "has no numbers after the names of its columns");
  CHECK(refusal("\0\0\0\0"s) == "has no numbers after the names of its columns");
}

TEST_CASE_METHOD(csv_files, "the tensor is created on the device in the options") {
  CHECK(load("1", {.device = cpu(1)}).device() == cpu(1));
}

TEST_CASE_METHOD(csv_files,
                 "narrow floats are read as such, and numbers they cannot hold are refused") {
  CHECK(type_text(load("1.1,2\n", {.dtype = float16})) == "float16[1,2]");
  CHECK(numbers(load("1.1,2\n", {.dtype = float16})) == list{1.099609375, 2});
  CHECK(refusal("1,x\n", {.dtype = bfloat16}) == "line 1, column 2: \"x\" is no bfloat16");
  CHECK(refusal("1,70000\n", {.dtype = float16}) ==
        "line 1, column 2: \"70000\" does not fit float16");
}

TEST_CASE_METHOD(csv_files, "lines that begin with a comment's sign are skipped") {
  CHECK(numbers(load("# made by hand\n1,2\n  # more, \"to come\n3,4\n#")) == list{1, 2, 3, 4});
  CHECK(numbers(load("#a,b\n1,2\n")) == list{1, 2});
  CHECK(numbers(load("% x\n1,2\n", {.comment = '%'})) == list{1, 2});
  CHECK(refusal("1,2\n#3,4\n", {.comment = '\0'}) == "line 2, column 1: \"#3\" is no float32");
  CHECK(refusal("# nothing\n") == "has no numbers");
}

TEST_CASE_METHOD(csv_files, "numbers are written so that they can be read again") {
  const auto written = [&](const tensor& x, const save_csv_options& options = {}) {
    save_csv(path, x, options);
    return bytes_in(path);
  };
  CHECK(written(tensor{{1., -0.1}, {1e300, 3.}}) == "1,-0.1\n1e+300,3\n");
  CHECK(written(tensor{0.1f, 16777216.f}) == "0.1\n16777216\n");
  CHECK(written(tensor{{1, 2}}.T(), {.names = {"a"}}) == "a\n1\n2\n");
  CHECK(written(tensor{{1, 2}}, {.delimiter = ';', .names = {"a;b", "c"}}) == "\"a;b\";c\n1;2\n");
  CHECK(written(full({1}, std::numeric_limits<std::uint64_t>::max(), uint64)) ==
        "18446744073709551615\n");
  CHECK(written(full({1, 2}, 1.5, float16)) == "1.5,1.5\n");
  CHECK(written(ones({2}, boolean)) == "1\n1\n");
  const tensor x = from_data(list{NAN, INFINITY, -INFINITY, 5e-324, 0.1 + 0.2, -0.}, {2, 3});
  save_csv(path, x);
  CHECK(to_string(load_csv(path, {.dtype = float64})) == to_string(x));

  const auto refused = [&](const tensor& what, const save_csv_options& options = {}) {
    return facts_of(TROUPE_ERROR_OF(save_csv(path, what, options)), "save_csv");
  };
  CHECK(refused(ones({2, 2, 2})) ==
        "neither a vector nor a matrix of real numbers: float32[2,2,2]");
  CHECK(refused(ones({2}, complex64)) ==
        "neither a vector nor a matrix of real numbers: complex64[2]");
  CHECK(refused(ones({2, 2}), {.names = {"a"}}) == "1 name for 2 columns");
  CHECK(refused(ones({2}), {.names = {"a\nb"}}) == "a column cannot be named \"a\\x0ab\"");
  CHECK(to_string(load_csv(path, {.dtype = float64})) == to_string(x));  // still there
}

}  // namespace troupe::testing
