// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/jit/emitter.hpp"

// The part that masks take in it.

namespace troupe::cpu_kernels::jit {

using namespace asmjit;
namespace id = x86::Inst;

namespace {

/// The processor's numbers of comparisons: false for NaN, but for "differs".
int predicate(primitive what) noexcept {
  switch (what) {
    case primitive::equal: return 0;
    case primitive::less: return 1;
    case primitive::less_equal: return 2;
    default: return 4;
  }
}

}  // namespace

emitter::reg emitter::logic(primitive what, const operand* x) {
  if (wide_) {
    auto out = cc_.newKw();
    switch (what) {
      case primitive::bit_and: cc_.emit(id::kIdKandw, out, x[0], x[1]); break;
      case primitive::bit_or: cc_.emit(id::kIdKorw, out, x[0], x[1]); break;
      case primitive::bit_xor: cc_.emit(id::kIdKxorw, out, x[0], x[1]); break;
      default: cc_.emit(id::kIdKnotw, out, x[0]); break;
    }
    return out;
  }
  auto out = cc_.newYmm();
  switch (what) {
    case primitive::bit_and: cc_.emit(id::kIdVandps, out, x[0], x[1]); break;
    case primitive::bit_or: cc_.emit(id::kIdVorps, out, x[0], x[1]); break;
    case primitive::bit_xor: cc_.emit(id::kIdVxorps, out, x[0], x[1]); break;
    default: cc_.emit(id::kIdVxorps, out, x[0], splat(all_ones, 8, 32)); break;
  }
  return out;
}

emitter::reg emitter::compare(primitive what, dtype of, const operand& x, const operand& y) {
  const bool single = size_of(of) == 4;
  const auto how = imm(predicate(what));
  if (wide_) {
    auto out = cc_.newKw();
    if (is_floating(of)) cc_.emit(single ? id::kIdVcmpps : id::kIdVcmppd, out, x, y, how);
    else cc_.emit(single ? id::kIdVpcmpd : id::kIdVpcmpq, out, x, y, how);
    return out;
  }
  vec out;
  if (is_floating(of)) {
    out = new_vector(of);
    cc_.emit(single ? id::kIdVcmpps : id::kIdVcmppd, out, x, y, how);
  } else {
    out = compare_integers(what, of, x, y);
  }
  if (!single || widest_ == 4) return out;
  auto widened = cc_.newYmm();
  cc_.vpmovsxdq(widened, out);
  return widened;
}

emitter::vec emitter::compare_integers(primitive what, dtype of, const operand& x,
                                       const operand& y) {
  const bool single = size_of(of) == 4;
  const auto greater = single ? id::kIdVpcmpgtd : id::kIdVpcmpgtq;
  const auto equal = single ? id::kIdVpcmpeqd : id::kIdVpcmpeqq;
  if (what == primitive::equal) return made(of, equal, x, y);
  if (what == primitive::less) return made(of, greater, y, x);
  const auto turned = made(of, what == primitive::not_equal ? equal : greater, x, y);
  return made(of, id::kIdVxorps, turned, constant(of, all_ones));
}

emitter::reg emitter::chosen(dtype t, const operand* x) {
  if (t == boolean) {
    if (wide_) {
      auto first = cc_.newKw(), second = cc_.newKw(), out = cc_.newKw();
      cc_.emit(id::kIdKandw, first, x[0], x[1]);
      cc_.emit(id::kIdKandnw, second, x[0], x[2]);
      cc_.korw(out, first, second);
      return out;
    }
    auto out = cc_.newYmm();
    cc_.emit(id::kIdVblendvps, out, x[2], x[1], x[0]);
    return out;
  }
  auto out = new_vector(t);
  const bool single = size_of(t) == 4;
  if (wide_) {  // a blend's result would pass for one of its operands
    cc_.emit(id::kIdVmovups, out, x[2]);
    cc_.k(x[0].as<x86::KReg>()).emit(single ? id::kIdVmovups : id::kIdVmovupd, out, x[1]);
  } else {
    cc_.emit(single ? id::kIdVblendvps : id::kIdVblendvpd, out, x[2], x[1], mask_like(x[0], t));
  }
  return out;
}

/// Returns the mask with as many bits for each element as one of dtype t has.
emitter::vec emitter::mask_like(const operand& mask, dtype t) {
  const auto& all = mask.as<vec>();
  if (static_cast<int>(size_of(t)) == widest_) return all;
  auto upper = cc_.newXmm(), out = cc_.newXmm();
  cc_.vextractf128(upper, all, 1);
  cc_.vshufps(out, all.xmm(), upper, 0x88);
  return out;
}

/// Returns the mask of bytes in memory or in a register.
emitter::reg emitter::mask_of_bytes(const operand& bytes) {
  if (wide_) {
    vec loaded = cc_.newXmm();
    if (bytes.isReg()) loaded = bytes.as<vec>();
    else cc_.emit(lanes() == 16 ? id::kIdVmovups : id::kIdVmovq, loaded, bytes);
    auto out = cc_.newKw();
    cc_.vptestmb(out, loaded, loaded);
    return out;
  }
  auto out = cc_.newYmm();
  const bool fours = widest_ == 4;
  cc_.emit(fours ? id::kIdVpmovzxbd : id::kIdVpmovzxbq, out, bytes);
  cc_.emit(fours ? id::kIdVpcmpgtd : id::kIdVpcmpgtq, out, out, splat(0, 8, 32));
  return out;
}

/// Returns a register that begins with a byte for each element, 0 or 1.
emitter::vec emitter::bytes_of_mask(const reg& mask) {
  constexpr std::uint64_t ones = 0x0101010101010101;
  auto out = cc_.newXmm();
  if (wide_) {
    cc_.k(mask.as<x86::KReg>()).z().vmovdqu8(out, splat(ones, 8, 16));
    return out;
  }
  const auto& all = mask.as<x86::Ymm>();
  auto upper = cc_.newXmm();
  cc_.vextractf128(upper, all, 1);
  if (widest_ == 4) {
    cc_.vpackssdw(out, all.xmm(), upper);
  } else {
    cc_.vshufps(out, all.xmm(), upper, 0x88);
    cc_.vpackssdw(out, out, out);
  }
  cc_.vpacksswb(out, out, out);
  cc_.vpand(out, out, splat(ones, 8, 16));
  return out;
}

}  // namespace troupe::cpu_kernels::jit
