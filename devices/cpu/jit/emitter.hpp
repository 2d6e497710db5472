// SPDX-License-Identifier: MIT
#pragma once

#include <asmjit/asmjit.h>

#include <cstdint>
#include <vector>

#include "troupe/devices/element_expression.hpp"

namespace troupe::cpu_kernels::jit {

inline constexpr std::uint64_t all_ones = ~std::uint64_t{0};

/// Instructions for what expressions are made of, on as many elements as the widest of them fill a
/// register with: 64 bytes if `wide`, else 32. Their results are those of the loops that the
/// project's compiler makes of the same expression, to the bit. A bool is a mask: with AVX-512 a
/// register of its own kind, otherwise as many zeros or ones as the widest element has bits.
class emitter {
 public:
  emitter(asmjit::x86::Compiler& to, bool wide, int widest) noexcept
      : cc_(to), wide_(wide), widest_(widest) {}

  /// Returns false for operations that there are no instructions for, or none that are worth it.
  static bool takes(const element_expression& e, const expression_node& n, bool wide) noexcept;

  int lanes() const noexcept { return (wide_ ? 64 : 32) / widest_; }

  asmjit::x86::Reg load(dtype t, const asmjit::x86::Mem& from);
  void store(dtype t, const asmjit::x86::Mem& to, const asmjit::x86::Reg& x);
  /// Returns a register full of the same number, which lies in memory.
  asmjit::x86::Reg broadcast(dtype t, const asmjit::x86::Mem& from);
  /// Returns memory that is full of the same number; for dtypes other than bool.
  asmjit::x86::Mem constant(dtype t, std::uint64_t bits);
  /// Returns the same number, which lies in memory, as an operand of an instruction of AVX-512.
  asmjit::x86::Mem repeated(const asmjit::x86::Mem& from) const;
  asmjit::x86::Reg loaded_constant(dtype t, std::uint64_t bits);

  /// Returns the result of a node that has operands; the second one may be in memory where
  /// `second_in_memory` says so.
  asmjit::x86::Reg apply(const expression_node& n, dtype from, const asmjit::Operand* x);
  static bool second_in_memory(const expression_node& n, dtype from) noexcept;
  static bool commutes(primitive what) noexcept;

  /// Returns true for nodes that call no function, though they name one.
  static bool is_exponential(const expression_node& n) noexcept;
  /// Makes the numbers that such a node needs, in registers if there are enough, for the loop that
  /// follows.
  void prepare_exponentials(const expression_node& n);

 private:
  using vec = asmjit::x86::Vec;
  using mem = asmjit::x86::Mem;
  using reg = asmjit::x86::Reg;
  using operand = asmjit::Operand;
  using instruction = std::uint32_t;

  vec new_vector(int bytes);
  vec new_vector(dtype t) { return new_vector(lanes() * static_cast<int>(size_of(t))); }
  mem splat(std::uint64_t bits, int size, int bytes);
  vec made(dtype t, instruction how, const operand& x);
  vec made(dtype t, instruction how, const operand& x, const operand& y);

  reg number(const expression_node& n, dtype from, const operand* x);
  reg logic(primitive what, const operand* x);
  reg compare(primitive what, dtype of, const operand& x, const operand& y);
  vec compare_integers(primitive what, dtype of, const operand& x, const operand& y);
  reg chosen(dtype t, const operand* x);
  vec converted(dtype from, dtype to, const operand& x);
  vec called(math_function f, dtype t, const operand* x);
  vec exponential(const expression_node& n, const operand& x);
  vec scaled_floats(vec x, const vec& n);
  vec scaled_doubles(vec x, const vec& n);

  reg mask_of_bytes(const operand& bytes);
  vec bytes_of_mask(const reg& mask);
  vec mask_like(const operand& mask, dtype t);

  asmjit::x86::Compiler& cc_;
  bool wide_;
  int widest_;
  std::vector<operand> exponential_numbers_[2][2];  ///< by base, e or 2, and type, float or double
};

}  // namespace troupe::cpu_kernels::jit
