// SPDX-License-Identifier: MIT
#ifdef TROUPE_HAS_ASMJIT

#include "troupe/devices/cpu/jit/code_memory.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bit>
#include <catch2/catch.hpp>

#include "troupe/devices/cpu/jit/row_code.hpp"
#include "troupe/devices/cpu/jit/row_kernel.hpp"
#include "troupe/tests/devices/cpu/can_compile.hpp"

using namespace troupe;
using namespace troupe::cpu_kernels;
using namespace troupe::testing;

TEST_CASE("code that finds no memory has no place") {
  element_expression e;
  const auto x = e.add({primitive::input, float32, {}, 0});
  e.outputs = {e.add({primitive::add, float32, {x, x}})};
  jit::code_memory memory;
  jit::row_code refused, placed;
  REQUIRE(refused.write(e, false));
  REQUIRE(placed.write(e, false));
  rlimit files{};
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &files) == 0);
  const rlimit none{0, files.rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &none);  // memory that is mapped twice is a file
  const auto nowhere = memory.place(refused.holder);
  ::setrlimit(RLIMIT_NOFILE, &files);
  CHECK(nowhere == nullptr);
  const auto somewhere = memory.place(placed.holder);
  CHECK(somewhere != nullptr);
  memory.release(somewhere);
}

TEST_CASE("a forked process does not write over its parent's code") {
  if (!can_compile()) return;
  const auto compiled = [](float by) {
    element_expression e;
    const auto x = e.add({primitive::input, float32, {}, 0});
    const auto factor = e.add({primitive::constant, float32, {}, std::bit_cast<std::uint32_t>(by)});
    e.outputs = {e.add({primitive::multiply, float32, {x, factor}})};
    return jit::kernel_of(e);
  };
  const auto first = compiled(0.1f);
  int go[2];
  REQUIRE(::pipe(go) == 0);
  const auto child = ::fork();
  REQUIRE(child >= 0);
  char word = 0;
  if (child == 0) {
    if (::read(go[0], &word, 1) == 1) compiled(0.2f);
    ::_exit(0);
  }
  const auto second = compiled(0.3f);
  REQUIRE(::write(go[1], &word, 1) == 1);
  ::waitpid(child, nullptr, 0);
  ::close(go[0]);
  ::close(go[1]);
  const auto result = [](const jit::row_kernel& kernel) {
    const float x = 1;
    float y = 0;
    const void* inputs[] = {&x};
    void* outputs[] = {&y};
    kernel.run(inputs, outputs, nullptr, 1);
    return y;
  };
  CHECK(result(*first) == 0.1f);
  CHECK(result(*second) == 0.3f);
}

#endif
