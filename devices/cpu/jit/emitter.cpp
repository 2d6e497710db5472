// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/jit/emitter.hpp"

#include <cstring>

#include "troupe/devices/cpu/jit/vector_functions.hpp"

namespace troupe::cpu_kernels::jit {

using namespace asmjit;
namespace id = x86::Inst;

namespace {

/// Returns the instruction for an operation on int32, int64, float32 or float64.
std::uint32_t instruction_for(primitive what, dtype t, bool wide) noexcept {
  struct row {
    primitive what;
    std::uint32_t ids[4];
  };
  // Logic is the same for all of one size, in which a number in memory is repeated.
  static constexpr row rows[] = {
      {primitive::add, {id::kIdVpaddd, id::kIdVpaddq, id::kIdVaddps, id::kIdVaddpd}},
      {primitive::subtract, {id::kIdVpsubd, id::kIdVpsubq, id::kIdVsubps, id::kIdVsubpd}},
      {primitive::multiply, {id::kIdVpmulld, id::kIdVpmullq, id::kIdVmulps, id::kIdVmulpd}},
      {primitive::divide, {0, 0, id::kIdVdivps, id::kIdVdivpd}},
      {primitive::negate, {id::kIdVpsubd, id::kIdVpsubq, id::kIdVxorps, id::kIdVxorpd}},
      {primitive::absolute, {0, 0, id::kIdVandps, id::kIdVandpd}},
      {primitive::square_root, {0, 0, id::kIdVsqrtps, id::kIdVsqrtpd}},
      {primitive::bit_and, {id::kIdVandps, id::kIdVandpd, 0, 0}},
      {primitive::bit_or, {id::kIdVorps, id::kIdVorpd, 0, 0}},
      {primitive::bit_xor, {id::kIdVxorps, id::kIdVxorpd, 0, 0}},
      {primitive::bit_not, {id::kIdVxorps, id::kIdVxorpd, 0, 0}},
  };
  const auto column = t == int32 ? 0 : t == int64 ? 1 : t == float32 ? 2 : 3;
  for (const auto& r : rows) {
    if (r.what == what) return r.ids[column];
  }
  if (!is_floating(t)) return 0;
  const bool single = t == float32;  // what is left rounds
  if (wide) return single ? id::kIdVrndscaleps : id::kIdVrndscalepd;
  return single ? id::kIdVroundps : id::kIdVroundpd;
}

bool has_two_operands(primitive what) noexcept {
  switch (what) {
    case primitive::add:
    case primitive::subtract:
    case primitive::multiply:
    case primitive::divide:
    case primitive::bit_and:
    case primitive::bit_or:
    case primitive::bit_xor: return true;
    default: return false;
  }
}

}  // namespace

bool emitter::takes(const element_expression& e, const expression_node& n, bool wide) noexcept {
  if (is_narrow(n.type)) return n.what == primitive::input && is_narrow_integer(n.type);
  const auto from = n.operands[0] < 0 ? n.type : e[n.operands[0]].type;
  switch (n.what) {
    case primitive::multiply: return wide || n.type != int64;
    case primitive::call:
      return vector_function(static_cast<math_function>(n.bits), wide, n.type == float64);
    case primitive::convert:
      if (is_narrow(from)) return n.type == int32 && size_of(from) < 4;
      if (from == boolean || from == n.type) return true;
      if (from == int32) return true;
      if (n.type == float32) return from == float64;
      return n.type == float64 && (from == float32 || (from == int64 && wide));
    default: return true;
  }
}

bool emitter::second_in_memory(const expression_node& n, dtype from) noexcept {
  return from != boolean && has_two_operands(n.what);
}

bool emitter::commutes(primitive what) noexcept {
  return has_two_operands(what) && what != primitive::subtract && what != primitive::divide;
}

emitter::vec emitter::new_vector(int bytes) {
  if (bytes == 64) return cc_.newZmm();
  if (bytes == 32) return cc_.newYmm();
  return cc_.newXmm();
}

emitter::mem emitter::splat(std::uint64_t bits, int size, int bytes) {
  unsigned char all[64];
  for (int i = 0; i < bytes; i += size) std::memcpy(all + i, &bits, static_cast<std::size_t>(size));
  return cc_.newConst(ConstPoolScope::kLocal, all, static_cast<std::size_t>(bytes));
}

emitter::vec emitter::made(dtype t, instruction how, const operand& x) {
  auto out = new_vector(t);
  cc_.emit(how, out, x);
  return out;
}

emitter::vec emitter::made(dtype t, instruction how, const operand& x, const operand& y) {
  auto out = new_vector(t);
  cc_.emit(how, out, x, y);
  return out;
}

x86::Mem emitter::constant(dtype t, std::uint64_t bits) {
  const auto size = static_cast<int>(size_of(t));
  return splat(bits, size, lanes() * size);
}

x86::Mem emitter::repeated(const mem& from) const {
  return lanes() == 16 ? from._1to16() : from._1to8();
}

x86::Reg emitter::loaded_constant(dtype t, std::uint64_t bits) {
  if (t != boolean) return made(t, id::kIdVmovups, constant(t, bits));
  if (wide_) {
    auto general = cc_.newUInt32();
    cc_.mov(general, bits ? 0xffff : 0);
    auto mask = cc_.newKw();
    cc_.kmovw(mask, general);
    return mask;
  }
  auto mask = cc_.newYmm();
  cc_.vmovups(mask, splat(bits ? all_ones : 0, 8, 32));
  return mask;
}

x86::Reg emitter::load(dtype t, const mem& from) {
  if (t == boolean) return mask_of_bytes(from);
  const auto bytes = lanes() * static_cast<int>(size_of(t));
  return made(t, bytes >= 16 ? id::kIdVmovups : bytes == 8 ? id::kIdVmovq : id::kIdVmovd, from);
}

void emitter::store(dtype t, const mem& to, const x86::Reg& x) {
  if (t != boolean) {
    cc_.emit(id::kIdVmovups, to, x);
    return;
  }
  const auto bytes = bytes_of_mask(x);
  cc_.emit(lanes() == 16 ? id::kIdVmovups : lanes() == 8 ? id::kIdVmovq : id::kIdVmovd, to, bytes);
}

x86::Reg emitter::broadcast(dtype t, const mem& from) {
  if (t != boolean)
    return made(t, size_of(t) == 4 ? id::kIdVbroadcastss : id::kIdVbroadcastsd, from);
  auto bytes = cc_.newXmm();
  cc_.vpbroadcastb(bytes, from);
  return mask_of_bytes(bytes);
}

x86::Reg emitter::apply(const expression_node& n, dtype from, const operand* x) {
  switch (n.what) {
    case primitive::equal:
    case primitive::not_equal:
    case primitive::less:
    case primitive::less_equal: return compare(n.what, from, x[0], x[1]);
    case primitive::choose: return chosen(n.type, x);
    case primitive::convert: return converted(from, n.type, x[0]);
    case primitive::call:
      if (is_exponential(n)) return exponential(n, x[0]);
      return called(static_cast<math_function>(n.bits), n.type, x);
    default: return n.type == boolean ? logic(n.what, x) : number(n, from, x);
  }
}

emitter::reg emitter::number(const expression_node& n, dtype, const operand* x) {
  const auto t = n.type;
  const auto how = instruction_for(n.what, t, wide_);
  const auto bits = size_of(t) * 8;
  const auto sign = std::uint64_t{1} << (bits - 1);
  if (has_two_operands(n.what)) return made(t, how, x[0], x[1]);
  switch (n.what) {
    case primitive::negate:
      if (is_floating(t)) return made(t, how, x[0], constant(t, sign));
      return made(t, how, loaded_constant(t, 0), x[0]);
    case primitive::absolute: return made(t, how, x[0], constant(t, sign - 1));
    case primitive::bit_not: return made(t, how, x[0], constant(t, all_ones));
    // Bit 3: without an exception for what was not whole.
    case primitive::floor: return made(t, how, x[0], imm(8 | 1));
    case primitive::ceil: return made(t, how, x[0], imm(8 | 2));
    case primitive::trunc: return made(t, how, x[0], imm(8 | 3));
    case primitive::rint: return made(t, how, x[0], imm(4));
    default: return made(t, how, x[0]);
  }
}

emitter::vec emitter::converted(dtype from, dtype to, const operand& x) {
  if (from == boolean) {
    const auto one = to == float32   ? std::uint64_t{0x3f800000}
                     : to == float64 ? std::uint64_t{0x3ff0000000000000}
                                     : std::uint64_t{1};
    if (!wide_) return made(to, id::kIdVandps, mask_like(x, to), constant(to, one));
    auto out = new_vector(to);
    cc_.k(x.as<x86::KReg>())
        .z()
        .emit(size_of(to) == 4 ? id::kIdVmovups : id::kIdVmovupd, out, constant(to, one));
    return out;
  }
  if (is_narrow(from)) {
    const bool has_sign = from == int8 || from == int16;
    if (size_of(from) == 1) return made(to, has_sign ? id::kIdVpmovsxbd : id::kIdVpmovzxbd, x);
    return made(to, has_sign ? id::kIdVpmovsxwd : id::kIdVpmovzxwd, x);
  }
  if (from == int32 && to == int64) return made(to, id::kIdVpmovsxdq, x);
  if (from == int32) return made(to, to == float32 ? id::kIdVcvtdq2ps : id::kIdVcvtdq2pd, x);
  if (from == int64) return made(to, id::kIdVcvtqq2pd, x);
  return made(to, to == float32 ? id::kIdVcvtpd2ps : id::kIdVcvtps2pd, x);
}

emitter::vec emitter::called(math_function f, dtype t, const operand* x) {
  const bool doubles = t == float64;
  const int bytes = wide_ ? 64 : 32;
  const bool half = lanes() * static_cast<int>(size_of(t)) < bytes;
  const auto type = wide_ ? (doubles ? TypeId::kFloat64x8 : TypeId::kFloat32x16)
                          : (doubles ? TypeId::kFloat64x4 : TypeId::kFloat32x8);
  FuncSignatureBuilder signature;
  signature.setRet(type);
  vec arguments[2];
  for (int i = 0; i < arity(f); ++i) {
    signature.addArg(type);
    arguments[i] = x[i].as<vec>();
    if (!half) continue;
    // The same elements twice: no others could take as long as a function's rare cases.
    auto full = new_vector(bytes);
    if (wide_) {
      cc_.vmovups(full.ymm(), arguments[i]);
      cc_.vinsertf64x4(full, full, arguments[i], 1);
    } else {
      cc_.vmovups(full.xmm(), arguments[i]);
      cc_.vinsertf128(full, full, arguments[i], 1);
    }
    arguments[i] = full;
  }
  InvokeNode* call = nullptr;
  cc_.invoke(&call, imm(vector_function(f, wide_, doubles)), signature);
  auto out = new_vector(bytes);
  if (!call) return out;  // the error handler knows
  for (int i = 0; i < arity(f); ++i) call->setArg(static_cast<std::uint32_t>(i), arguments[i]);
  call->setRet(0, out);
  if (!half) return out;
  if (wide_) return made(t, id::kIdVmovups, out.ymm());
  return made(t, id::kIdVmovups, out.xmm());
}

}  // namespace troupe::cpu_kernels::jit
