// SPDX-License-Identifier: MIT
#include <iterator>

#include "troupe/devices/cpu/exponential_series.hpp"
#include "troupe/devices/cpu/jit/emitter.hpp"
#include "troupe/devices/traced.hpp"

// The part that exponentials take in it: the same steps as cpu/simd/exponential.hpp.

namespace troupe::cpu_kernels::jit {

using namespace asmjit;
namespace id = x86::Inst;

namespace {

/// The numbers that the steps need: those of the range, of the reduction, and the coefficients.
template <class T>
std::vector<T> numbers_of(bool of_two) {
  using series = exponential_series<T>;
  std::vector<T> all;
  if (of_two) all = {series::least_of_two, series::most_of_two, series::ln_2};
  else all = {series::least, series::most, series::log2_e, -series::ln_2, -series::ln_2_rest};
  all.insert(all.end(), std::begin(series::coefficients), std::end(series::coefficients));
  return all;
}

}  // namespace

bool emitter::is_exponential(const expression_node& n) noexcept {
  if (n.what != primitive::call) return false;
  const auto f = static_cast<math_function>(n.bits);
  return f == math_function::exp || f == math_function::exp2;
}

void emitter::prepare_exponentials(const expression_node& n) {
  const bool of_two = static_cast<math_function>(n.bits) == math_function::exp2;
  auto& kept = exponential_numbers_[of_two][n.type == float64];
  if (!kept.empty()) return;
  const auto keep_each = [&](instruction how, const auto& numbers) {
    for (const auto x : numbers) {
      if (wide_)
        kept.push_back(made(n.type, how, cc_.newConst(ConstPoolScope::kLocal, &x, sizeof x)));
      else kept.push_back(constant(n.type, tracing::bits_of(x)));  // there are no registers for all
    }
  };
  if (n.type == float64) keep_each(id::kIdVbroadcastsd, numbers_of<double>(of_two));
  else keep_each(id::kIdVbroadcastss, numbers_of<float>(of_two));
}

emitter::vec emitter::exponential(const expression_node& n, const operand& x) {
  const auto t = n.type;
  const bool doubles = t == float64;
  const bool of_two = static_cast<math_function>(n.bits) == math_function::exp2;
  const auto one_of = [&](instruction floats, instruction of_doubles) {
    return doubles ? of_doubles : floats;
  };
  const auto& known = exponential_numbers_[of_two][doubles];
  auto next = known.begin();
  // The number comes second, for what is no number: the other operand.
  const auto limit = [&] { return wide_ ? *next++ : made(t, id::kIdVmovups, *next++); };
  auto within = made(t, one_of(id::kIdVmaxps, id::kIdVmaxpd), limit(), x);
  within = made(t, one_of(id::kIdVminps, id::kIdVminpd), limit(), within);
  const auto multiply = one_of(id::kIdVmulps, id::kIdVmulpd);
  auto power = of_two ? within : made(t, multiply, within, *next++);
  const auto round = wide_ ? one_of(id::kIdVrndscaleps, id::kIdVrndscalepd)
                           : one_of(id::kIdVroundps, id::kIdVroundpd);
  power = made(t, round, power, imm(8));
  vec rest;
  if (of_two) {
    rest = made(t, one_of(id::kIdVsubps, id::kIdVsubpd), within, power);
    rest = made(t, multiply, rest, *next++);
  } else {
    rest = within;
    for (int i = 0; i < 2; ++i)
      cc_.emit(one_of(id::kIdVfmadd231ps, id::kIdVfmadd231pd), rest, power, *next++);
  }
  auto sum = made(t, id::kIdVmovups, *next++);
  while (next != known.end())
    cc_.emit(one_of(id::kIdVfmadd213ps, id::kIdVfmadd213pd), sum, rest, *next++);
  if (wide_) return made(t, one_of(id::kIdVscalefps, id::kIdVscalefpd), sum, power);
  return doubles ? scaled_doubles(sum, power) : scaled_floats(sum, power);
}

/// Returns x * 2^n for whole n, in two steps, of which the first is exact.
emitter::vec emitter::scaled_floats(vec x, const vec& n) {
  const auto all = made(float32, id::kIdVcvtps2dq, n);
  const auto half = made(float32, id::kIdVpsrad, all, imm(1));
  for (const auto& part : {half, made(float32, id::kIdVpsubd, all, half)}) {
    auto power = made(float32, id::kIdVpaddd, part, constant(int32, 127));
    power = made(float32, id::kIdVpslld, power, imm(23));
    x = made(float32, id::kIdVmulps, x, power);
  }
  return x;
}
emitter::vec emitter::scaled_doubles(vec x, const vec& n) {
  const auto all = cc_.newXmm(), half = cc_.newXmm(), other = cc_.newXmm();
  cc_.vcvtpd2dq(all, n.as<x86::Ymm>());
  cc_.vpsrad(half, all, 1);
  cc_.vpsubd(other, all, half);
  for (const auto& part : {half, other}) {
    auto power = made(float64, id::kIdVpmovsxdq, part);
    power = made(float64, id::kIdVpaddq, power, constant(int64, 1023));
    power = made(float64, id::kIdVpsllq, power, imm(52));
    x = made(float64, id::kIdVmulpd, x, power);
  }
  return x;
}

}  // namespace troupe::cpu_kernels::jit
