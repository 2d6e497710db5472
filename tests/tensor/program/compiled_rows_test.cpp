// SPDX-License-Identifier: MIT
#include <cstdlib>

#include "troupe/devices/cpu/features.hpp"
#include "troupe/devices/cpu/jit/row_kernel.hpp"
#include "troupe/tensor/program/compile.hpp"
#include "troupe/tensor/waiting.hpp"
#include "troupe/tests/devices/cpu/can_compile.hpp"
#include "troupe/tests/tensor/program/random_chain.hpp"
#include "troupe/tests/tensor/program/random_function.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

/// TROUPE_JIT, for as long as this lives.
struct jit_setting {
  explicit jit_setting(const char* value) { ::setenv("TROUPE_JIT", value, 1); }
  jit_setting(const jit_setting&) = delete;
  jit_setting& operator=(const jit_setting&) = delete;
  ~jit_setting() { ::unsetenv("TROUPE_JIT"); }
};

std::string how(const auto& compiled) {
  const auto told = compiled.explain();
  const bool code = told.find(", compiled") != std::string::npos;
  const bool blocks = told.find(", block by block") != std::string::npos;
  return code && blocks ? "both" : code ? "compiled" : blocks ? "blocks" : "not fused";
}

std::string if_possible(const char* text) { return can_compile() ? text : "blocks"; }

/// Fails the test unless a function is the same compiled, and block by block. Returns its program.
auto compiled_alike(const auto& f, const auto&... in) {
  const auto expected = f(in...);
  auto with = compile(f);
  CHECK(same_bits(with(in...), expected));
  const jit_setting off("0");
  const auto without = compile(f);
  CHECK(same_bits(without(in...), expected));
  CHECK(how(without) == "blocks");
  return with;
}

tensor test_gelu(const tensor& x) {
  return x * 0.5f * (1 + tanh(0.79788456f * (x + 0.044715f * x * x * x)));
}

}  // namespace

TEST_CASE("joined elementwise operations are compiled, unless TROUPE_JIT is 0") {
  test_engine e;
  const tensor x = normal({100, 100});
  const auto expected = test_gelu(x);
  const auto one = compile(test_gelu);
  CHECK(same_bits(one(x), expected));
  CHECK(how(one) == if_possible("compiled"));
  const jit_setting off("0");
  const auto other = compile(test_gelu);
  CHECK(same_bits(other(x), expected));
  CHECK(how(other) == "blocks");
}

TEST_CASE("programs of another size share the code of the same expression") {
  test_engine e;
  const auto f = compile(test_gelu);
  f(normal({5000}));
  const auto before = cpu_kernels::jit::count_kernels().compiled;
  for (const std::int64_t size : {6000, 70'000, 100'000}) {
    const tensor x = normal({size}), square = normal({size / 100, 100});
    CHECK(same_bits(f(x), test_gelu(x)));
    CHECK(same_bits(f(square), test_gelu(square)));
  }
  CHECK(cpu_kernels::jit::count_kernels().compiled == before);
}

TEST_CASE("what has no code runs block by block") {
  test_engine e;
  const tensor x = normal({100, 100}), y = normal({100, 100});
  const auto f = compile([](const tensor& a, const tensor& b) { return fmod(a, b) + a; });
  CHECK(same_bits(f(x, y), fmod(x, y) + x));
  CHECK(how(f) == "blocks");
  CHECK(same_bits(f(astype(x, float16), astype(y, float16)),
                  fmod(astype(x, float16), astype(y, float16)) + astype(x, float16)));
  const auto g = compile([](const tensor& a) { return a * 2 + a; });
  const auto half = astype(x, float16);
  CHECK(same_bits(g(half), half * 2 + half));
  CHECK(how(g) == "blocks");
}

TEST_CASE("compiled operations broadcast rows, columns and numbers") {
  test_engine e;
  const auto f = compile([](const tensor& x, const tensor& y) { return tanh(x * 2 + y) - x; });
  const shape shapes[] = {{300, 50}, {50}, {300, 1}, {1, 1}, {1, 50}};
  const tensor x = normal({300, 50});
  for (const auto& dims : shapes) {
    const tensor y = normal(dims);
    CAPTURE(to_string(y.type()));
    CHECK(same_bits(f(x, y), tanh(x * 2 + y) - x));
    CHECK(how(f) == if_possible("compiled"));
  }
  const tensor tall = normal({5000, 1});
  CHECK(same_bits(f(tall, tall), tanh(tall * 2 + tall) - tall));
  CHECK(how(f) == if_possible("compiled"));
  const tensor part = normal({400, 60}).slice(1, 3, 53).slice(0, 10, 310);
  CHECK(same_bits(f(part, x), tanh(part * 2 + x) - part));
  CHECK(how(f) == if_possible("compiled"));
}

TEST_CASE("compiled operations repeat rows along any axes, as broadcasting does") {
  test_engine e;
  const auto f = [](const tensor& x, const tensor& y) { return tanh(x * 2 + y) - x; };
  const shape whole{6, 5, 40, 32};
  const tensor x = normal(whole);
  for (unsigned kept = 0; kept < 16; ++kept) {
    shape dims = whole;
    for (int axis = 0; axis < 4; ++axis) {
      if ((kept >> axis & 1) == 0) dims[axis] = 1;
    }
    CAPTURE(to_string(dims));
    // Rows that come again lie evenly, unless they do so in the midst of others.
    const bool evenly = (kept & 0b111) != 0b101;
    const tensor y = normal(dims), apart = normal({6, 5, 40, 64}).slice(3, 0, 32);
    const auto program = compiled_alike(f, x, y);
    CHECK((program.explain().find("fused multiply, add,") != std::string::npos) == evenly);
    if (evenly) CHECK(how(program) == if_possible("compiled"));
    compiled_alike(f, apart, y);
  }
}

TEST_CASE("short rows that come again are computed as without a program, several to a block") {
  test_engine e;
  const auto f = [](const tensor& x, const tensor& y) { return tanh(x * 2 + y) - x; };
  const auto alike = [](const auto& of, const tensor& x, const tensor& y) {
    const auto program = compile(of);
    CHECK(same_bits(program(x, y), of(x, y)));
    return how(program);
  };
  for (const std::int64_t row : {1, 2, 5, 16, 31}) {
    const shape whole{6, 35, 40, row};
    const tensor x = normal(whole);
    for (unsigned kept = 0; kept < 16; ++kept) {
      shape dims = whole;
      for (int axis = 0; axis < 4; ++axis) {
        if ((kept >> axis & 1) == 0) dims[axis] = 1;
      }
      CAPTURE(to_string(dims));
      alike(f, x, normal(dims));
      alike([&](const tensor& a, const tensor& b) { return sum(f(a, b)); }, x, normal(dims));
    }
    // Both repeat rows of their own.
    alike([&](const tensor& a, const tensor& b) { return f(a, b) * a; }, normal({1, 35, 1, row}),
          normal({6, 1, 40, 1}));
  }
  CHECK(alike(f, normal({100, 1, 20}), normal({30, 20})) == "blocks");
  // Blocks of four rows would take longer than the operations one after the other.
  CHECK(alike(f, normal({64, 64, 4, 4}), normal({64, 1, 1})) == "not fused");
}

TEST_CASE("compiled operations read integers of 8 and 16 bits") {
  test_engine e;
  for (const auto from : {int8, uint8, int16, uint16}) {
    for (const auto to : {int32, int64, float32, float64}) {
      for (const std::int64_t size : {4096, 10'007}) {
        CAPTURE(name(from), name(to), size);
        const tensor whole = astype(randint({size + 3}, -40'000, 70'000), from),
                     x = whole.slice(0, 3, size + 3), y = normal({size}, 0, 1, {.dtype = float64});
        const auto f = [&](const tensor& a, const tensor& b) {
          return where(a < 100, astype(a, to) * 3 - 7, astype(b > 0, to));
        };
        const auto program = compiled_alike(f, x, y);
        // AVX2 has no products of int64.
        if (to != int64) CHECK(how(program) == if_possible("compiled"));
      }
    }
  }
}

TEST_CASE("compiled logic of integers has numbers as wide as they are") {
  test_engine e;
  const auto element = GENERATE(int32, int64);
  const auto y = randint({5000, 3}, -200, 200, {.dtype = element});
  const auto of_numbers = [](const tensor& x) { return exp(((x & 100) | 3) ^ -5) + (x ^ 7); };
  const auto program = compiled_alike(of_numbers, y);
  // AVX2 does not convert int64.
  if (element == int32) CHECK(how(program) == if_possible("compiled"));
  const auto negated = [](const tensor& x) { return exp(~x * 0.5); };
  compiled_alike(negated, y);
}

TEST_CASE("images are normalised by one compiled task") {
  test_engine e;
  const auto normalised = [](const tensor& images) {
    const auto means = tensor{0.5f, 0.4f, 0.3f}.reshape({3, 1, 1}),
               spreads = tensor{0.25f, 0.2f, 0.1f}.reshape({3, 1, 1});
    return (astype(images, float32) / 255.f - means) / spreads;
  };
  const tensor images = astype(randint({4, 3, 30, 31}, 0, 256), uint8);
  const auto f = compile(normalised);
  CHECK(same_bits(f(images), normalised(images)));
  CHECK(how(f) == if_possible("compiled"));
  CHECK_THAT(f.explain(), Catch::Contains("1 task\n"));
}

TEST_CASE("random chains of rows are the same compiled, block by block and one by one") {
  test_engine e;
  const unsigned chains = std::getenv("TROUPE_LONG_TESTS") ? 12'000 : 600;
  unsigned compiled = 0;
  for (unsigned seed = 1; seed <= chains; ++seed) {
    CAPTURE(seed);
    e.engine.seed(seed);
    const auto in = arguments_of_chains(seed);
    const random_chain f{seed};
    const auto expected = f(in);
    const auto with = compile(f), without = compile(f);
    const auto got = with(in);
    compiled += how(with) == "compiled" || how(with) == "both";
    const jit_setting off("0");
    const auto blocks = without(in);
    REQUIRE((how(without) == "blocks" || how(without) == "not fused"));
    for (std::size_t i = 0; i < expected.size(); ++i) {
      REQUIRE(same_numbers(got[i], expected[i]));
      REQUIRE(same_numbers(blocks[i], expected[i]));
    }
  }
  // Without AVX-512 there is no code for int64 as float64: 245 of 600 are compiled.
  CHECK(compiled >= (can_compile() ? chains / 3 : 0));
}

}  // namespace troupe::testing
