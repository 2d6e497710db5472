// SPDX-License-Identifier: MIT
#include "troupe/tasks/default_float_environment.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>

#include "troupe/troupe.hpp"

using namespace troupe;

namespace {

/// Sets the rounding of the calling thread; at its end the earlier one is back.
struct rounding {
  explicit rounding(int mode) { std::fesetround(mode); }
  ~rounding() { std::fesetround(before); }
  const int before = std::fegetround();
};

}  // namespace

TEST_CASE("a thread has its own rounding and flags again when it has computed as usual") {
  const rounding upward(FE_UPWARD);
  std::feclearexcept(FE_ALL_EXCEPT);
  {
    const default_float_environment usual;
    CHECK(std::fegetround() == FE_TONEAREST);
    std::feraiseexcept(FE_DIVBYZERO);
  }
  CHECK(std::fegetround() == FE_UPWARD);
  CHECK(std::fetestexcept(FE_DIVBYZERO) == 0);
}

#if defined(__x86_64__)
TEST_CASE("tiny numbers stay where the thread around takes them for zero") {
  const auto before = _mm_getcsr();
  _mm_setcsr(before | 0x8040);  // flush to zero, denormals are zero
  const volatile float tiny = 1e-40F, two = 2;
  volatile float kept = 0, lost = 0;
  {
    const default_float_environment usual;
    kept = tiny * two;
  }
  lost = tiny * two;
  _mm_setcsr(before);
  CHECK(float{kept} > 0);
  CHECK(float{lost} == 0);
}
#endif

TEST_CASE("results do not depend on the rounding of the thread that asks for them") {
  const bool synchronous = GENERATE(false, true);
  runtime rt({.lanes = 1, .synchronous = synchronous});
  const auto quotient = [] { return (tensor{1.0, 2.0} / 3).to_vector<double>(); };
  const auto usual = quotient();
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    const rounding other(mode);
    CHECK(quotient() == usual);
    CHECK(std::fegetround() == mode);
  }
}

TEST_CASE("results do not depend on the rounding that code of the program leaves behind") {
  const bool synchronous = GENERATE(false, true);
  runtime rt({.lanes = 1, .synchronous = synchronous});
  const auto quotient = [] { return (tensor{1.0, 2.0} / 3).to_vector<double>(); };
  const auto usual = quotient();
  const auto seen = [] {
    int mode = -1;
    effect("look", {}, [&](const inputs&) { mode = std::fegetround(); }).wait();
    return mode;
  };
  for (const bool throws : {false, true}) {
    const rounding own(std::fegetround());
    const auto upward = effect("leave", {}, [throws](const inputs&) {
      std::fesetround(FE_UPWARD);
      if (throws) throw std::runtime_error("in the middle");
    });
    try {
      upward.wait();
    } catch (const error&) { CHECK(throws); }
    CHECK(seen() == FE_TONEAREST);
    CHECK(quotient() == usual);
    CHECK(std::fegetround() == FE_TONEAREST);
  }
}

TEST_CASE("results do not depend on the rounding of the thread that makes the runtime") {
  const auto quotients = [] {
    runtime rt({.lanes = 2});
    rt.seed(1);
    const auto x = normal({300, 300});
    return sum(matmul(x, x) / 7).item<float>();
  };
  const auto usual = quotients();
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    const rounding other(mode);
    CHECK(quotients() == usual);
    runtime rt({.lanes = 1});
    int seen = -1;
    effect("look", {}, [&](const inputs&) { seen = std::fegetround(); }).wait();
    CHECK(seen == FE_TONEAREST);
  }
}
