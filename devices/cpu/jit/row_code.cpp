// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/jit/row_code.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <vector>

#include "troupe/devices/cpu/jit/emitter.hpp"

namespace troupe::cpu_kernels::jit {

using namespace asmjit;

namespace {

struct error_note : ErrorHandler {
  bool happened = false;
  void handleError(Error, const char*, BaseEmitter*) override { happened = true; }
};

bool lies_in_memory(primitive what) noexcept { return what <= primitive::constant; }
bool same_for_a_row(primitive what) noexcept {
  return lies_in_memory(what) && what != primitive::input;
}

/// Marks the nodes that results depend on.
std::vector<bool> needed_nodes(const expression& e) {
  std::vector<bool> needed(e.nodes().size());
  for (const auto i : e.outputs) needed[static_cast<std::size_t>(i)] = true;
  for (auto i = needed.size(); i-- > 0;) {
    if (!needed[i]) continue;
    for (const auto x : e.nodes()[i].operands) {
      if (x >= 0) needed[static_cast<std::size_t>(x)] = true;
    }
  }
  return needed;
}

class writer {
 public:
  writer(x86::Compiler& cc, const expression& e, bool wide, std::vector<bool> needed, int widest)
      : cc_(cc),
        e_(e),
        wide_(wide),
        needed_(std::move(needed)),
        emit_(cc, wide, widest),
        registers_(e.nodes().size()),
        pointers_(e.nodes().size()) {}

  int lanes() const noexcept { return emit_.lanes(); }

  void write() {
    auto* const f = cc_.addFunc(FuncSignatureT<void, const void* const*, void* const*,
                                               const std::uint64_t*, std::int64_t>());
    f->frame().setAvxEnabled();
    if (wide_) f->frame().setAvx512Enabled();
    f->frame().setAvxCleanup();
    auto inputs = cc_.newUIntPtr(), outputs = cc_.newUIntPtr(), rounds = cc_.newInt64();
    numbers_ = cc_.newUIntPtr();
    index_ = cc_.newUIntPtr();
    f->setArg(0, inputs);
    f->setArg(1, outputs);
    f->setArg(2, numbers_);
    f->setArg(3, rounds);
    load_pointers(inputs, outputs);
    load_before_the_loop();
    const auto top = cc_.newLabel();
    cc_.xor_(index_, index_);
    cc_.bind(top);
    for (std::size_t i = 0; i < registers_.size(); ++i) {
      if (needed_[i] && !lies_in_memory(e_.nodes()[i].what)) compute(i);
    }
    store_results();
    cc_.add(index_, lanes());
    cc_.dec(rounds);
    cc_.jnz(top);
    cc_.endFunc();
  }

 private:
  void load_pointers(const x86::Gp& inputs, const x86::Gp& outputs) {
    for (std::size_t i = 0; i < pointers_.size(); ++i) {
      const auto& n = e_.nodes()[i];
      if (!needed_[i] || (n.what != primitive::input && n.what != primitive::uniform)) continue;
      pointers_[i] = cc_.newUIntPtr();
      cc_.mov(pointers_[i], x86::ptr(inputs, static_cast<int>(n.bits) * 8));
    }
    for (std::size_t k = 0; k < e_.outputs.size(); ++k) {
      results_.push_back(cc_.newUIntPtr());
      cc_.mov(results_.back(), x86::ptr(outputs, static_cast<int>(k) * 8));
    }
  }

  /// Keeps what is the same for a row in registers, if some are left. A function that is called
  /// would not leave them alone.
  void load_before_the_loop() {
    const auto nodes = e_.nodes();
    int left = wide_ ? 20 : 8;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (needed_[i] && nodes[i].what == primitive::call) return;
    }
    for (std::size_t i = 0; i < nodes.size() && left > 0; ++i) {
      if (!needed_[i] || !same_for_a_row(nodes[i].what) || nodes[i].type == boolean) continue;
      registers_[i] = fetched(i);
      --left;
    }
  }

  x86::Mem place_of(std::size_t i) const {
    const auto& n = e_.nodes()[i];
    if (n.what == primitive::number) return x86::ptr(numbers_, static_cast<int>(n.bits) * 8);
    if (n.what == primitive::uniform) return x86::ptr(pointers_[i]);
    return element_of(pointers_[i], n.type);
  }
  x86::Mem element_of(const x86::Gp& pointer, dtype t) const {
    return x86::ptr(pointer, index_, static_cast<std::uint32_t>(std::countr_zero(size_of(t))));
  }

  x86::Reg fetched(std::size_t i) {
    const auto& n = e_.nodes()[i];
    if (n.what == primitive::constant) return emit_.loaded_constant(n.type, n.bits);
    if (n.what == primitive::input) return emit_.load(n.type, place_of(i));
    return emit_.broadcast(n.type, place_of(i));
  }

  /// Returns the register that a node is in. What is in memory is loaded: inputs once, because they
  /// may be overwritten at the end, the others each time.
  x86::Reg register_of(std::int16_t node) {
    const auto i = static_cast<std::size_t>(node);
    if (registers_[i]) return *registers_[i];
    const auto out = fetched(i);
    if (e_.nodes()[i].what == primitive::input) registers_[i] = out;
    return out;
  }

  void compute(std::size_t i) {
    const auto& n = e_.nodes()[i];
    const auto from = e_[n.operands[0]].type;
    Operand x[3];
    for (int k = 0; k < 3 && n.operands[k] >= 0; ++k) {
      const auto& operand = e_[n.operands[k]];
      if (k == 1 && operand.what == primitive::constant && !registers_of(n.operands[k]) &&
          emitter::second_in_memory(n, from))
        x[k] = emit_.constant(operand.type, operand.bits);
      else x[k] = register_of(n.operands[k]);
    }
    registers_[i] = emit_.apply(n, from, x);
  }
  bool registers_of(std::int16_t node) const {
    return registers_[static_cast<std::size_t>(node)].has_value();
  }

  void store_results() {
    std::vector<x86::Reg> all;
    for (const auto i : e_.outputs) all.push_back(register_of(i));
    for (std::size_t k = 0; k < all.size(); ++k) {
      const auto t = e_[e_.outputs[k]].type;
      emit_.store(t, element_of(results_[k], t), all[k]);
    }
  }

  x86::Compiler& cc_;
  const expression& e_;
  bool wide_;
  std::vector<bool> needed_;
  emitter emit_;
  std::vector<std::optional<x86::Reg>> registers_;  ///< of each node
  std::vector<x86::Gp> pointers_;                   ///< of each node
  std::vector<x86::Gp> results_;
  x86::Gp numbers_, index_;
};

}  // namespace

bool row_code::write(const expression& e, bool wide, const Environment& place) {
  auto needed = needed_nodes(e);
  int widest = 4;
  for (std::size_t i = 0; i < needed.size(); ++i) {
    const auto& n = e.nodes()[i];
    if (!needed[i]) continue;
    if (!emitter::takes(e, n, wide)) return false;
    widest = std::max(widest, static_cast<int>(size_of(n.type)));
  }
  error_note wrong;
  if (holder.init(place) != kErrorOk) return false;
  holder.setErrorHandler(&wrong);
  x86::Compiler cc(&holder);
  writer w(cc, e, wide, std::move(needed), widest);
  w.write();
  lanes = w.lanes();
  const bool done = cc.finalize() == kErrorOk && !wrong.happened;
  holder.setErrorHandler(nullptr);
  return done;
}

}  // namespace troupe::cpu_kernels::jit
