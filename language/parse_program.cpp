// SPDX-License-Identifier: MIT
#include "troupe/language/parse_program.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <variant>

#include "troupe/language/evaluator/arguments.hpp"
#include "troupe/language/evaluator/evaluator.hpp"
#include "troupe/language/program_check.hpp"
#include "troupe/language/syntax/parser.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tensor/batching/batching.hpp"
#include "troupe/tensor/io/safetensors.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/program/capture.hpp"
#include "troupe/tensor/program/compile.hpp"
#include "troupe/text/display_width.hpp"
#include "troupe/text/utf8.hpp"

namespace troupe {

namespace {

using namespace language;

/// Mistake in a program's text: the message, the line, and a caret under the place.
class text_error final : public error {
 public:
  text_error(const std::string& facts, std::string_view text, text_span at, caller where)
      : error(quoted(facts, text, at), where) {}

 private:
  static std::string quoted(const std::string& facts, std::string_view text, text_span at) {
    constexpr std::size_t longest = 100;
    const auto place = std::min(at.begin, text.size());
    const auto before = text.substr(0, place);
    const auto begin = before.rfind('\n') + 1;  // 0 without one
    auto line = text.substr(begin, text.find('\n', begin) - begin);
    auto column = place - begin;
    if (column > longest / 2) {
      const auto cut = first_bytes(line, column - longest / 2).size();
      line.remove_prefix(cut);
      column -= cut;
    }
    const auto number = std::to_string(std::ranges::count(before, '\n') + 1);
    std::string shown(first_bytes(line, longest));
    std::ranges::replace(shown, '\0', '?');  // it would end the message
    return "program, line " + number + ": " + facts + "\n  " + shown + "\n  " +
           blanks_under(line.substr(0, column)) + '^';
  }
};

/// Array that belongs to a program alone.
class own_variable final : public place {
 public:
  explicit own_variable(tensor x) : value_(std::move(x)) {}

  const tensor& read() const override { return value_; }
  void write(const tensor& x) override { value_ = x; }
  void write_gradient(const tensor&) override {}

 private:
  tensor value_;
};

/// Items that the lists of a program have now, which other threads may let go of.
using item_count = std::atomic<std::int64_t>;

/// Share of one list in them.
class list_room final {
 public:
  list_room(std::shared_ptr<item_count> all, std::int64_t items)
      : all_(std::move(all)), own_(items) {
    *all_ += own_;
  }
  list_room(const list_room&) = delete;
  list_room& operator=(const list_room&) = delete;
  ~list_room() { *all_ -= own_; }

 private:
  std::shared_ptr<item_count> all_;
  std::int64_t own_;
};

/// Function of a text, which an evaluator goes through.
class text_function final : evaluator_host {
 public:
  text_function(std::string_view text, const named_tensors& arrays, caller where)
      : where_(where), arrays_(arrays), evaluator_(symbols_, *this) {
    try {
      const auto statements = parse(text, symbols_, {.file = "program"});
      check_program(statements, symbols_, evaluator_);
      for (const auto& s : statements) evaluator_.run(s);
      const auto& last = std::get<definition>(statements.back().node);
      name_ = last.name;
      for (const auto& one : last.parameters) arguments_.push_back(type_of(one));
    } catch (const syntax_error& e) { throw text_error(e.what(), text, e.at(), where); }
    for (const auto& [name, x] : arrays) {
      const auto s = symbols_.of(name);
      if (!variables_.contains(s) && !constants_.contains(s) && !counters_.contains(s))
        throw error("program: its text declares no " + name, where);
    }
    arrays_ = {};
  }

  std::vector<tensor> run(std::span<const tensor> in) {
    const std::lock_guard lock(mutex_);
    const forgetting after(*this);
    std::optional<on_device> at_home;
    if (const auto home = home_of(in)) at_home.emplace(*home);
    auto* const into = capture::active();
    steps_ = 0;
    for (const auto& [name, x] : constants_) evaluator_.assign(name, constant(x, where_));
    std::vector<tensor> before;
    for (const auto& [name, held] : variables_) {
      before.push_back(into ? into->read(held, false) : held->read());
      evaluator_.assign(name, before.back());
    }
    std::vector<dynamic_value> given(in.begin(), in.end());
    auto results = results_of(invoke(*evaluator_.find(name_), std::move(given), {}, where_));
    for (std::size_t i = 0; const auto& [name, held] : variables_) {
      const auto now = to_array(*evaluator_.find(name), symbols_.name(name), where_);
      const auto& was = before[i++];
      if (now.source() == was.source() && now.part() == was.part()) continue;
      batching::need_loop();
      if (into) into->write(held, now, where_);
      else write(*held, was, now);
    }
    return results;
  }

  program::parts parts(std::string text) const {
    program::parts out{.text = std::move(text), .arguments = arguments_, .body = {}};
    for (const auto& [name, held] : variables_)
      out.variables.emplace_back(symbols_.name(name), held);
    for (const auto& [name, held] : counters_)
      out.variables.emplace_back(symbols_.name(name), held);
    for (const auto& [name, x] : constants_) out.constants.add(symbols_.name(name), x, where_);
    return out;
  }

 private:
  /// Lets go of the arrays of a call at its end.
  struct forgetting {
    explicit forgetting(text_function& f) : of(f) {}
    forgetting(const forgetting&) = delete;
    forgetting& operator=(const forgetting&) = delete;
    ~forgetting() {
      for (const auto& [name, x] : of.constants_) of.evaluator_.assign(name, {});
      for (const auto& [name, x] : of.variables_) of.evaluator_.assign(name, {});
    }
    text_function& of;
  };

  /// Returns the device of the first array: those that the program creates are there, too.
  std::optional<device> home_of(std::span<const tensor> in) const {
    if (!in.empty()) return in[0].device(where_);
    if (!variables_.empty()) return variables_.begin()->second->read().device(where_);
    if (!constants_.empty()) return constants_.begin()->second.device(where_);
    return {};
  }

  static std::optional<tensor_type> type_of(const parameter_declaration& p) {
    if (!p.type) return {};
    return tensor_type{p.type->dims, p.type->element, {}};
  }

  void write(place& to, const tensor& was, const tensor& now) const {
    if (now.type() != was.type())
      throw error("program: a variable of " + to_string(was.type()) + " cannot become " +
                      to_string(now.type()),
                  where_);
    to.write(now.part() ? copy(now.detach(), where_) : now.detach());
  }

  std::vector<tensor> results_of(const dynamic_value& x) const {
    if (std::holds_alternative<std::monostate>(x)) return {};
    const auto* items = std::get_if<std::shared_ptr<const list>>(&x);
    if (!items) return {to_array(x, "program", where_)};
    std::vector<tensor> out;
    for (const auto& one : (*items)->items) out.push_back(to_array(one, "program", where_));
    return out;
  }

  // The evaluator's surroundings: only computing is possible.

  engine& home() override { return engine::current("program", where_); }
  void declared(const declaration& s) override {
    const auto& name = symbols_.name(s.name);
    const auto* x = arrays_.find(name);
    const auto type = to_string(tensor_type{s.type.dims, s.type.element, {}});
    if (!x) throw error("program: is not given its array " + name + ", " + type, where_);
    if (!x->defined()) throw error("program: " + name + " names no array yet", where_);
    if (x->shape() != s.type.dims || x->dtype() != s.type.element)
      throw error("program: " + name + " is to be " + type + ", not " + to_string(x->type()),
                  where_);
    auto own = x->detach();
    if (s.is == declaration::kind::counter) {
      auto held = std::make_shared<own_variable>(own.part() ? copy(own) : own);
      evaluator_.assign(s.name, held);
      counters_.emplace(s.name, std::move(held));
    } else if (s.is == declaration::kind::variable) {
      variables_.emplace(s.name, std::make_shared<own_variable>(own.part() ? copy(own) : own));
      evaluator_.share(s.name);
    } else {
      constants_.emplace(s.name, std::move(own));
    }
  }
  void assigned(symbol, const dynamic_value&) override {}
  void result(const dynamic_value&, bool, caller) override {}
  void print(const dynamic_value&, caller where) override { refuse("print", where); }
  void timed(const timed_block&) override {}
  dynamic_value output(std::uint64_t, caller where) override { refuse("an output", where); }
  void wait(const tensor& x, caller where) override { x.wait(where); }
  void wait_all() override { refuse("wait", where_); }
  void look_up() override {
    constexpr std::uint64_t most_steps = 1'000'000;
    if (++steps_ > most_steps) throw error("program: its loops have no end", where_);
  }
  std::shared_ptr<void> room_for(std::size_t items, caller where) override {
    constexpr std::int64_t most_items = 4'000'000;
    auto taken = std::make_shared<list_room>(items_, static_cast<std::int64_t>(items));
    if (items_->load() > most_items)
      throw error("program: its lists grow beyond " + std::to_string(most_items) + " items", where);
    return taken;
  }
  [[noreturn]] static void refuse(const std::string& what, caller where) {
    throw error("program: " + what + " is not possible in a program", where);
  }

  caller where_;
  named_tensors arrays_;  // until they are declared
  symbol_table symbols_;
  std::map<symbol, std::shared_ptr<place>> variables_;
  std::map<symbol, std::shared_ptr<place>> counters_;
  std::map<symbol, tensor> constants_;
  evaluator evaluator_;
  symbol name_ = 0;
  std::vector<std::optional<tensor_type>> arguments_;
  std::mutex mutex_;
  std::uint64_t steps_ = 0;
  std::shared_ptr<item_count> items_ = std::make_shared<item_count>(0);
};

}  // namespace

program parse_program(std::string_view text, const named_tensors& arrays, caller where) {
  const auto f = std::make_shared<text_function>(text, arrays, where);
  auto parts = f->parts(std::string(text));
  parts.body = [f](std::span<const tensor> in) { return f->run(in); };
  parts.fixed = true;
  return program(std::move(parts), where);
}

program load_program(const std::string& path, const tensor_options& options, caller where) {
  if (options.dtype)
    throw error("load_program: " + path + ": its text says which dtypes its arrays have", where);
  const auto named = [&](const error& e, std::string_view instead_of, const std::string& name) {
    std::string facts = e.what();
    const auto place = call_site_text(e.where());
    if (facts.ends_with(place)) facts.resize(facts.size() - place.size());
    if (facts.starts_with(instead_of)) facts.erase(0, instead_of.size());
    return error(name + facts, where);
  };
  const auto file = [&] {
    try {
      return load_safetensors(path, options, where);
    } catch (const error& e) { throw named(e, "load_safetensors: ", "load_program: "); }
  }();
  const auto text = file.metadata.find(program_text_key);
  if (text == file.metadata.end()) throw error("load_program: " + path + " has no program", where);
  try {
    return parse_program(text->second, file.tensors, where);
  } catch (const error& e) { throw named(e, "", "load_program: " + path + ": "); }
}

}  // namespace troupe
