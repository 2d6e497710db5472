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

/// Marks the nodes that results depend on.
std::vector<bool> needed_nodes(const element_expression& e) {
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
  writer(x86::Compiler& cc, const element_expression& e, bool wide, std::vector<bool> needed,
         int widest)
      : cc_(cc),
        e_(e),
        wide_(wide),
        needed_(std::move(needed)),
        emit_(cc, wide, widest),
        registers_(e.nodes().size()),
        addresses_(e.nodes().size()),
        places_(e) {
    for (std::size_t i = 0; i < needed_.size(); ++i)
      calls_ = calls_ || (needed_[i] && e.nodes()[i].what == primitive::call && !inside(i));
  }

  int lanes() const noexcept { return emit_.lanes(); }

  void write() {
    auto* const f = cc_.addFunc(FuncSignatureT<void, const std::uint64_t*>());
    f->frame().setAvxEnabled();
    if (wide_) f->frame().setAvx512Enabled();
    f->frame().setAvxCleanup();
    words_ = cc_.newUIntPtr();
    index_ = cc_.newUIntPtr();
    f->setArg(0, words_);
    if (!calls_) load_before_the_loop();
    for (std::size_t i = 0; i < needed_.size(); ++i) {
      if (needed_[i] && inside(i)) emit_.prepare_exponentials(e_.nodes()[i]);
    }
    const auto top = cc_.newLabel();
    cc_.xor_(index_, index_);
    cc_.align(AlignMode::kCode, 64);
    cc_.bind(top);
    for (std::size_t i = 0; i < registers_.size(); ++i) {
      if (needed_[i] && !lies_in_memory(e_.nodes()[i].what)) compute(i);
    }
    store_results();
    cc_.add(index_, lanes());
    cc_.cmp(index_, word(0));
    cc_.jb(top);
    cc_.endFunc();
  }

 private:
  /// Returns true for a node that is computed in the loop, though it names a function.
  bool inside(std::size_t i) const { return emitter::is_exponential(e_.nodes()[i]); }

  /// Keeps addresses in registers, and what is the same for a row, if some are left. A function
  /// that is called would not leave them alone.
  void load_before_the_loop() {
    const auto nodes = e_.nodes();
    int left = wide_ ? 20 : 8;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (!needed_[i] || !lies_in_memory(nodes[i].what)) continue;
      if (nodes[i].what == primitive::input) {
        addresses_[i] = address(1 + nodes[i].bits);
      } else if (nodes[i].type != boolean && left-- > 0) {
        registers_[i] = fetched(i);
      }
    }
    for (std::size_t k = 0; k < e_.outputs.size(); ++k)
      results_.push_back(address(places_.first_output() + k));
  }

  x86::Mem word(std::size_t k) const { return x86::qword_ptr(words_, static_cast<int>(k) * 8); }
  x86::Gp address(std::size_t k) {
    const auto out = cc_.newUIntPtr();
    cc_.mov(out, word(k));
    return out;
  }

  x86::Mem place_of(std::size_t i) {
    const auto& n = e_.nodes()[i];
    const auto k = static_cast<std::size_t>(n.bits);
    if (n.what == primitive::number) return number_of(n);
    if (n.what == primitive::uniform) return x86::ptr(address(1 + k));
    return element_of(addresses_[i] ? *addresses_[i] : address(1 + k), n.type);
  }
  x86::Mem number_of(const expression_node& n) const {
    const auto k = places_.first_number() + static_cast<std::size_t>(n.bits);
    return x86::ptr(words_, static_cast<int>(k) * 8);
  }
  x86::Mem element_of(const x86::Gp& array, dtype t) const {
    return x86::ptr(array, index_, static_cast<std::uint32_t>(std::countr_zero(size_of(t))));
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
    std::int16_t order[3];
    std::copy(std::begin(n.operands), std::end(n.operands), order);
    const bool may_be = emitter::second_in_memory(n, from);
    if (may_be && emitter::commutes(n.what) && in_memory(order[0]) && !in_memory(order[1]))
      std::swap(order[0], order[1]);
    Operand x[3];
    for (int k = 0; k < 3 && order[k] >= 0; ++k) {
      if (k == 1 && may_be && in_memory(order[k])) x[k] = operand_in_memory(e_[order[k]]);
      else x[k] = register_of(order[k]);
    }
    registers_[i] = emit_.apply(n, from, x);
  }

  /// True for what instructions read where it is: full constants, and with AVX-512 single numbers.
  bool in_memory(std::int16_t node) const {
    const auto what = e_[node].what;
    return !registers_[static_cast<std::size_t>(node)] &&
           (what == primitive::constant || (wide_ && what == primitive::number));
  }
  x86::Mem operand_in_memory(const expression_node& n) {
    if (n.what == primitive::constant) return emit_.constant(n.type, n.bits);
    return emit_.repeated(number_of(n));
  }

  void store_results() {
    std::vector<x86::Reg> all;
    for (const auto i : e_.outputs) all.push_back(register_of(i));
    for (std::size_t k = 0; k < all.size(); ++k) {
      const auto t = e_[e_.outputs[k]].type;
      const auto to = calls_ ? address(places_.first_output() + k) : results_[k];
      emit_.store(t, element_of(to, t), all[k]);
    }
  }

  x86::Compiler& cc_;
  const element_expression& e_;
  bool wide_;
  std::vector<bool> needed_;
  emitter emit_;
  std::vector<std::optional<x86::Reg>> registers_;  ///< of each node
  std::vector<std::optional<x86::Gp>> addresses_;   ///< of each input's node
  std::vector<x86::Gp> results_;                    ///< addresses of outputs
  row_words places_;
  bool calls_ = false;
  x86::Gp words_, index_;
};

}  // namespace

bool row_code::write(const element_expression& e, bool wide) {
  auto needed = needed_nodes(e);
  int widest = 4;
  for (std::size_t i = 0; i < needed.size(); ++i) {
    const auto& n = e.nodes()[i];
    if (!needed[i]) continue;
    if (!emitter::takes(e, n, wide)) return false;
    widest = std::max(widest, static_cast<int>(size_of(n.type)));
  }
  error_note wrong;
  if (holder.init(Environment::host()) != kErrorOk) return false;
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
