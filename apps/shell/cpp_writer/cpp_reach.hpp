// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <set>

#include "troupe/apps/shell/cpp_writer/cpp_context.hpp"

namespace troupe::shell {

/// The functions that a program calls, for the kinds of arguments that it calls them with.
class cpp_reach {
 public:
  /// Notes what is called, and has each of these functions defined where it and what it calls are
  /// known.
  cpp_reach(cpp_context& c, cpp_block& program);

  bool has(const cpp_instance& i) const noexcept { return reached_.count(&i) > 0; }
  /// The only instance of a function that is called where it has no name of its own. Throws if
  /// there are several.
  const cpp_instance& only(const cpp_entity& e) const;

 private:
  using instance_set = std::set<const cpp_instance*>;

  void called_through(const cpp_instance& i, const cpp_function& f, instance_set& seen,
                      instance_set& into) const;
  void reach(const cpp_block& code);
  void reach(std::string_view text);
  void reach(const cpp_instance& i);
  void find_places(cpp_block& code);
  cpp_item& place(const std::shared_ptr<cpp_instance>& i);
  void calls(const cpp_block& code, std::set<std::shared_ptr<cpp_instance>>& into) const;
  void calls(std::string_view text, std::set<std::shared_ptr<cpp_instance>>& into) const;
  void calls(const cpp_instance& i, std::set<std::shared_ptr<cpp_instance>>& into) const;

  cpp_context& c_;
  std::set<const cpp_instance*> reached_;
  std::vector<cpp_item*> slots_;  // where functions are defined, from the top to the bottom
  std::map<const cpp_instance*, std::size_t> placed_;  // by number of the slot
};

}  // namespace troupe::shell
