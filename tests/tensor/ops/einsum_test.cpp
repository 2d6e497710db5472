// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/einsum.hpp"

#include <map>
#include <random>

#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/program/compile.hpp"
#include "troupe/tests/tensor/numeric_gradient.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using list = std::vector<double>;

std::vector<std::string> terms_of(const std::string& text) {
  std::vector<std::string> all(1);
  for (const char c : text) {
    if (c == ',') all.emplace_back();
    else all.back() += c;
  }
  return all;
}

/// Returns the result of an equation without an ellipsis, by one loop over all of its letters.
list by_loop(const std::string& equation, const std::vector<tensor>& operands) {
  const auto arrow = equation.find("->");
  const auto terms = terms_of(equation.substr(0, arrow));
  const auto output = equation.substr(arrow + 2);
  std::map<char, std::int64_t> sizes, at;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    for (std::size_t k = 0; k < terms[i].size(); ++k) {
      auto& size = sizes.try_emplace(terms[i][k], 1).first->second;
      if (const auto here = operands[i].shape()[static_cast<int>(k)]; here != 1) size = here;
    }
  }
  std::vector<list> elements;
  for (const auto& x : operands) elements.push_back(numbers(x));
  std::int64_t places = 1, all = 1;
  for (const char c : output) places *= sizes[c];
  for (const auto& [c, size] : sizes) all *= size;
  list out(static_cast<std::size_t>(places), 0.);
  for (std::int64_t n = 0; n < all; ++n) {
    auto rest = n;
    for (const auto& [c, size] : sizes) at[c] = rest % size, rest /= size;
    double product = 1;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      std::int64_t place = 0;
      for (std::size_t k = 0; k < terms[i].size(); ++k) {
        const auto size = operands[i].shape()[static_cast<int>(k)];
        place = place * size + (size == 1 ? 0 : at[terms[i][k]]);
      }
      product *= elements[i][static_cast<std::size_t>(place)];
    }
    std::int64_t place = 0;
    for (const char c : output) place = place * sizes[c] + at[c];
    out[static_cast<std::size_t>(place)] += product;
  }
  return out;
}

void check_by_loop(const std::string& equation, const std::vector<tensor>& operands) {
  INFO(equation);
  const auto wanted = by_loop(equation, operands);
  const auto found = numbers(einsum(equation, operands));
  REQUIRE(found.size() == wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) REQUIRE(near(found[i], wanted[i], 1e-9));
}

}  // namespace

TEST_CASE("einsum multiplies and adds up as its equation says") {
  test_engine e;
  const auto x = distinct({2, 3}), y = distinct({3, 4}), z = distinct({3, 3, 2});
  for (const auto* one : {"ij->ji", "ij->i", "ij->", "ij->ij"}) check_by_loop(one, {x});
  for (const auto* one : {"iij->ij", "iij->j", "iij->ji", "iij->i", "iij->"})
    check_by_loop(one, {z});
  for (const auto* one : {"ij,jk->ik", "ij,jk->ki", "ij,jk->", "ij,jk->j", "ij,jk->ijk",
                          "ij,jk->kj", "ij,jk->jki", "ij,kl->ik", "ij,kl->jlik", "ij,jk->i"})
    check_by_loop(one, {x, y});
  for (const auto* one : {"ij,ij->", "ij,ij->i", "ij,ij->ji", "ij,kj->ki", "ij,ik->kj"})
    check_by_loop(one, {x, x});
  for (const auto* one : {"iij,ji->i", "kij,jk->ki"}) check_by_loop(one, {z, x});
  check_by_loop("ijk,kl,li->ij", {z, x, distinct({3, 3})});
  const auto q = distinct({2, 3, 4, 5}), k = distinct({2, 3, 6, 5});
  for (const auto* one : {"bhqd,bhkd->bhqk", "bhqd,bhkd->bhkq", "bhqd,bhkd->hbqk",
                          "bhqd,bhkd->bqhk", "bhqd,bhkd->qk", "bhqd,bhkd->bh", "bhqd,bhkd->dkq"})
    check_by_loop(one, {q, k});
  check_by_loop("abcd,cadb->", {q, distinct({4, 2, 5, 3})});
  check_by_loop("abcd,cbed->ae", {q, distinct({4, 3, 2, 5})});
}

TEST_CASE("einsum gives what a loop gives, of random equations") {
  test_engine e;
  const unsigned seed = 20240917;
  INFO("seed " << seed);
  std::mt19937 random(seed);
  const auto draw = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (int round = 0; round < 300; ++round) {
    std::string equation, used;
    std::vector<tensor> operands;
    constexpr std::int64_t sizes[] = {2, 3, 1, 4, 2};
    const int count = 1 + draw(8);
    for (int i = 0; i < count; ++i) {
      shape dims;
      if (i > 0) equation += ',';
      for (int axes = draw(4); axes > 0; --axes) {
        const int letter = draw(5);
        const char c = static_cast<char>('a' + letter);
        equation += c;
        if (used.find(c) == std::string::npos) used += c;
        dims.push_back(sizes[letter]);
      }
      operands.push_back(distinct(dims));
    }
    equation += "->";
    std::shuffle(used.begin(), used.end(), random);
    check_by_loop(equation + used.substr(0, static_cast<std::size_t>(
                                                draw(static_cast<int>(used.size()) + 1))),
                  operands);
  }
}

TEST_CASE("an equation without an output has the letters that stand once, in order") {
  test_engine e;
  const auto x = arange(6).reshape({2, 3});
  CHECK(type_text(einsum("ba", {x})) == "int64[3,2]");
  CHECK(type_text(einsum("aB", {x})) == "int64[3,2]");
  CHECK(numbers(einsum("ij,kj", {x, x})) == list{5, 14, 14, 50});
  CHECK(numbers(einsum("ii", {arange(9).reshape({3, 3})})) == list{12});
  CHECK(type_text(einsum(" i j , j k ", {x, ones({3, 4}, int64)})) == "int64[2,4]");
  CHECK(numbers(einsum("", {full({}, 3)})) == list{3});
  CHECK(numbers(einsum(",", {full({}, 3), full({}, 2)})) == list{6});
}

TEST_CASE("an ellipsis stands for axes that broadcast") {
  test_engine e;
  const auto x = arange(24).reshape({2, 3, 4});
  CHECK(numbers(einsum("...i->...", {x})) == list{6, 22, 38, 54, 70, 86});
  CHECK(type_text(einsum("i...->...i", {x})) == "int64[3,4,2]");
  CHECK(type_text(einsum("i...", {x})) == "int64[3,4,2]");
  CHECK(type_text(einsum("...ij,...jk", {ones({5, 1, 2, 3}), ones({4, 3, 6})})) ==
        "float32[5,4,2,6]");
  CHECK(type_text(einsum("...,...", {ones({2, 3}), ones({2, 1})})) == "float32[2,3]");
  CHECK(type_text(einsum("...i->...i", {ones({3})})) == "float32[3]");
  CHECK(type_text(einsum("...->", {ones({})})) == "float32[]");
  CHECK(type_text(einsum("ij->...ij", {x[0]})) == "int64[3,4]");
}

TEST_CASE("axes of size 1 are stretched to those with their letter") {
  test_engine e;
  check_by_loop("ij,jk->ik", {distinct({2, 1}), distinct({3, 4})});
  check_by_loop("ij,ij->ij", {distinct({2, 1}), distinct({1, 4})});
  check_by_loop("i,i,i->", {distinct({1}), distinct({3}), distinct({1})});
  CHECK(type_text(einsum("i,i->i", {ones({0}), ones({1})})) == "float32[0]");
  CHECK(numbers(einsum("i,i->", {ones({0}), ones({1})})) == list{0});
}

TEST_CASE("einsum computes in the dtype that its operands promote to") {
  test_engine e;
  CHECK(type_text(einsum("i->", {ones({3}, int32)})) == "int32[]");
  CHECK(type_text(einsum("i,i", {ones({3}, int32), ones({3}, float64)})) == "float64[]");
  const tensor truths{true, false, true};
  CHECK(type_text(einsum("i,i", {truths, truths})) == "bool[]");
  CHECK(numbers(einsum("i->", {truths})) == list{1});
  CHECK(numbers(einsum("i,j->ij", {truths, truths})) == list{1, 0, 1, 0, 0, 0, 1, 0, 1});
}

TEST_CASE("gradients flow through einsum") {
  test_engine e;
  const auto x = distinct({2, 3}), y = distinct({3, 4});
  check_gradient([&](const tensor& v) { return einsum("ij,jk->ki", {v, y}); }, x);
  check_gradient([&](const tensor& v) { return einsum("ij,jk->ki", {x, v}); }, y);
  check_gradient([&](const tensor& v) { return einsum("ij,ij->i", {v, v}); }, x);
  check_gradient([&](const tensor& v) { return einsum("iij->j", {v}); }, distinct({2, 2, 3}));
  check_gradient(
      [&](const tensor& v) {
        return einsum("...i,ij,ij->...", {x, v, v});
      },
      distinct({3, 2}));
  check_gradient([&](const tensor& v) { return einsum("ij,jk->ik", {v, y}); }, distinct({2, 1}));
}

TEST_CASE("a compiled function may use einsum") {
  test_engine e;
  const auto f = compile([](const tensor& a, const tensor& b) {
    return einsum("bhqd,bhkd->bhqk", {a, b});
  });
  const auto q = distinct({2, 3, 4, 5}), k = distinct({2, 3, 6, 5});
  for (int i = 0; i < 2; ++i) CHECK(numbers(f(q, k)) == numbers(matmul(q, swapaxes(k, -1, -2))));
}

TEST_CASE("einsum refuses equations that are none, and operands without such axes") {
  test_engine e;
  const auto x = zeros({2, 3}), y = zeros({4, 5}, int64);
  CHECK(TROUPE_ERROR_OF(einsum("ij,jk", {x, y})) ==
        "einsum: \"ij,jk\": the sizes of j differ, 3 and 4: float32[2,3] and int64[4,5]");
  CHECK(TROUPE_ERROR_OF(einsum("...,...", {x, y})) ==
        "einsum: \"...,...\": the sizes of ... differ, 2 and 4: float32[2,3] and int64[4,5]");
  CHECK(TROUPE_ERROR_OF(einsum("ii", {x})) ==
        "einsum: \"ii\": the sizes of i differ in float32[2,3]");
  CHECK(TROUPE_ERROR_OF(einsum("ij->ik", {x})) ==
        "einsum: \"ij->ik\": no term has k of the output");
  CHECK(TROUPE_ERROR_OF(einsum("ij->ii", {x})) == "einsum: \"ij->ii\": i is twice in the output");
  CHECK(TROUPE_ERROR_OF(einsum("ij", {x, y})) == "einsum: \"ij\": 1 term for 2 operands");
  CHECK(TROUPE_ERROR_OF(einsum("ij,jk", {x})) == "einsum: \"ij,jk\": 2 terms for 1 operand");
  CHECK(TROUPE_ERROR_OF(einsum("ij", {})) == "einsum: \"ij\": there are no operands");
  CHECK(TROUPE_ERROR_OF(einsum("ijk", {x})) ==
        "einsum: \"ijk\": term 0 has 3 letters for float32[2,3]");
  CHECK(TROUPE_ERROR_OF(einsum("i", {x})) == "einsum: \"i\": term 0 has 1 letter for float32[2,3]");
  CHECK(TROUPE_ERROR_OF(einsum("i2", {x})) == "einsum: \"i2\": \"2\" is no letter");
  CHECK(TROUPE_ERROR_OF(einsum("i..j", {x})) == "einsum: \"i..j\": a . that is no part of ...");
  CHECK(TROUPE_ERROR_OF(einsum("...i...", {x})) == "einsum: \"...i...\": a term has two ellipses");
  CHECK(TROUPE_ERROR_OF(einsum("i-j", {x})) ==
        "einsum: \"i-j\": an arrow is ->, and there is one at most");
  CHECK(TROUPE_ERROR_OF(einsum("ij->i->j", {x})) ==
        "einsum: \"ij->i->j\": an arrow is ->, and there is one at most");
  CHECK(TROUPE_ERROR_OF(einsum("ij->i,j", {x})) == "einsum: \"ij->i,j\": more than one output");
  CHECK(TROUPE_ERROR_OF(einsum("...i->i", {x})) ==
        "einsum: \"...i->i\": the output lacks ... for the axes of float32[2,3]");
  CHECK(TROUPE_ERROR_OF(einsum("ij", {tensor{}})) == "einsum: the input names no array yet");
}

TEST_CASE("einsum refuses products with more axes or elements than there can be") {
  test_engine e;
  const auto x = ones({1, 1, 1, 1, 1});
  CHECK(TROUPE_ERROR_OF(einsum("abcde,fghij", {x, x})) ==
        "einsum: \"abcde,fghij\": too many axes come out of float32[1,1,1,1,1] and "
        "float32[1,1,1,1,1]");
  const auto y = ones({1, 1, 1, 1, 1, 1, 1, 1});
  CHECK(TROUPE_ERROR_OF(einsum("abcdefgh,abcijklm,deflmnop,ghijknop->", {y, y, y, y})) ==
        "einsum: \"abcdefgh,abcijklm,deflmnop,ghijknop->\": a product of two operands has 10 axes, "
        "more than there can be");
  const auto wide = broadcast_to(full({}, 1), {std::int64_t{1} << 40});
  CHECK(TROUPE_ERROR_OF(einsum("i,j", {wide, wide})) ==
        "einsum: \"i,j\": a product of two operands has more elements than can be counted");
}

}  // namespace troupe::testing
