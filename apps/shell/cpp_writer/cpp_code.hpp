// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

#include "troupe/apps/shell/cpp_writer/cpp_kind.hpp"
#include "troupe/apps/shell/language/symbols.hpp"

// A C++ program before its names are settled: statements whose texts have marks where names will
// stand. Only once all of it is there can be said where a variable is declared and what it is
// called.

namespace troupe::shell {

struct cpp_item;
using cpp_block = std::vector<cpp_item>;

/// What a name stands for at some point of the program.
struct cpp_binding {
  int entity = -1;  ///< -1: a function that is called by its own name
  cpp_kind kind;
};

/// The names that a function has of its own, or the whole program has.
using cpp_names = std::map<symbol, cpp_binding>;

/// A function with parameters of certain kinds, as a C++ lambda.
struct cpp_instance {
  cpp_function* of = nullptr;
  std::vector<cpp_kind> signature;
  std::vector<int> parameters;  ///< entities
  cpp_block body;
  std::string text;  ///< instead of a body: an expression, such as grad(f)
  cpp_kind returns;
  cpp_kind assumed;      ///< of a recursive function: what its calls give
  int entity = -1;       ///< its name
  int results = 0;       ///< how many returns it has
  bool typed = false;    ///< what it returns has to be said
  bool running = false;  ///< it is being translated
  bool recursive = false;
  bool draws = false;   ///< random numbers
  cpp_names relied_on;  ///< what names of the whole program stood for; entity -2: for nothing
  std::source_location where;
};

/// What a mark stands for.
struct cpp_entity {
  enum class what : std::uint8_t {
    variable,
    own,        ///< declared by what it belongs to: a parameter, a loop's counter
    instance,   ///< the name of a function
    inlined,    ///< the lambda of a function that has no name, written where it stands
    reference,  ///< the name of a function that is handed on
    presence    ///< nothing: says that an instance is called
  };
  what is = what::variable;
  std::string base = {};  ///< what it is called if nothing else is
  cpp_kind kind = {};
  std::shared_ptr<cpp_function> function = {};  ///< of inlined and reference
  std::shared_ptr<cpp_instance> instance = {};  ///< of instance and presence
  std::shared_ptr<cpp_instance> given_to = {};  ///< of inlined and reference: an argument of this
  std::source_location where = {};
};

/// The shell_values that have names in a program, by number.
class cpp_entities {
 public:
  int add(cpp_entity e) {
    all_.push_back(std::move(e));
    return static_cast<int>(all_.size()) - 1;
  }
  cpp_entity& operator[](int i) noexcept { return all_[static_cast<std::size_t>(i)]; }
  const cpp_entity& operator[](int i) const noexcept { return all_[static_cast<std::size_t>(i)]; }
  int size() const noexcept { return static_cast<int>(all_.size()); }

 private:
  std::deque<cpp_entity> all_;
};

/// What stands in a text for the name of an entity.
std::string mark(int entity);

/// A piece of a text: characters, or an entity.
struct cpp_piece {
  std::string_view text;
  int entity = -1;
};
/// A text with marks, piece by piece.
std::vector<cpp_piece> pieces_of(std::string_view text);
bool has_mark(std::string_view text, int entity);

/// A statement.
struct cpp_item {
  enum class what : std::uint8_t {
    line,        ///< text
    assignment,  ///< entity = text; where it comes first it declares the entity
    unpacking,   ///< the two entities = text, a pair
    output,      ///< text is shown, and named if the entity is used
    result,      ///< return text
    compound,    ///< text { body } else { otherwise }
    functions    ///< where the instances of a function are
  };
  what is = what::line;
  std::string text = {};
  int entity = -1;
  std::vector<int> entities = {};  ///< of unpacking; of a compound: those that its head declares
  std::string operation = {};      ///< of an assignment: "+" for +=
  std::string shown = {};          ///< of an output: the statement that prints it
  std::string shown_named = {};    ///< the same once the entity names it
  cpp_block body = {}, otherwise = {};
  bool only_if_used = false;  ///< an assignment that is left out if nothing else has its entity
  bool trivial = false;       ///< a result that is left out where nothing is returned
  std::shared_ptr<cpp_function> function = {};
  std::vector<std::shared_ptr<cpp_instance>> instances = {};  ///< those that are declared here
};

inline cpp_item line_item(std::string text) { return {.text = std::move(text)}; }
inline cpp_item compound_item(std::string head, cpp_block body) {
  return {.is = cpp_item::what::compound, .text = std::move(head), .body = std::move(body)};
}

}  // namespace troupe::shell
