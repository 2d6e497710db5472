// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "troupe/apps/shell/cpp_writer/cpp_scope.hpp"
#include "troupe/apps/shell/cpp_writer/cpp_value.hpp"

namespace troupe::shell {

/// What is known while a program is translated, from the top to the bottom.
class cpp_context {
 public:
  explicit cpp_context(symbol_table& names);
  cpp_context(const cpp_context&) = delete;
  cpp_context& operator=(const cpp_context&) = delete;
  ~cpp_context();

  symbol_table& symbols;
  cpp_entities entities;
  cpp_variables variables{entities, symbols};
  cpp_scope scope;
  cpp_block* block = nullptr;                          ///< where statements go now
  std::vector<std::shared_ptr<cpp_instance>> running;  ///< the functions around, the innermost last
  std::vector<std::shared_ptr<cpp_function>> functions;  ///< all that were made
  int in_order = 0;
  int maybe = 0;        ///< in what may not be evaluated
  bool draws = false;   ///< random numbers, so far
  int cpu_devices = 1;  ///< that are needed; 0: all that the session has

  /// The numbers and entities of outputs.
  std::map<unsigned, cpp_binding> outputs;

  bool prints_truths = false;

  const cpp_instance* function() const noexcept {
    return running.empty() ? nullptr : running.back().get();
  }
  cpp_item& emit(cpp_item item) {
    block->push_back(std::move(item));
    return block->back();
  }
  /// "rt"
  std::string runtime() const { return mark(runtime_); }
  int runtime_entity() const noexcept { return runtime_; }

  /// What a name stands for; nothing if that is a word of the language.
  std::optional<cpp_binding> find(symbol name);
  /// What is in an entity.
  cpp_value value_of(const cpp_binding& b, std::source_location where) const;
  /// Gives a name a value.
  cpp_item& assign(symbol name, const cpp_value& value, std::source_location where);
  /// A variable of the program's own with that value.
  cpp_value named(const std::string& base, cpp_value value);
  /// If several draw random numbers, has them do so in this order, which C++ leaves open.
  void put_in_order(std::vector<cpp_value>& values);

 private:
  int runtime_;
};

}  // namespace troupe::shell
