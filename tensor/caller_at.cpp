// SPDX-License-Identifier: MIT
#include "troupe/tensor/caller_at.hpp"

#include <bit>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <type_traits>
#include <utility>

#include "troupe/devices/made_once.hpp"

namespace troupe {

namespace {

/// Object that a std::source_location points to in libstdc++ and libc++, with the compiler's
/// layout.
struct place {
  const char* file;
  const char* function;
  unsigned line;
  unsigned column;
};

// NOLINTNEXTLINE(bugprone-sizeof-expression): it is a pointer
static_assert(sizeof(std::source_location) == sizeof(const place*));
static_assert(std::is_trivially_copyable_v<std::source_location>);
static_assert(std::is_same_v<decltype(std::source_location().line()), unsigned>);

/// All locations so far. Never destroyed: errors in static storage may be the last to name one.
struct register_of_places {
  fork_lock mutex;
  std::set<std::string, std::less<>> files;
  std::map<std::pair<const char*, std::pair<unsigned, unsigned>>, place> places;
};

register_of_places& known() {
  static constinit made_once<register_of_places> all;
  return all.get();
}

}  // namespace

std::source_location caller_at(std::string_view file, unsigned line, unsigned column) {
  auto& r = known();
  std::lock_guard lock(r.mutex);
  auto name = r.files.find(file);
  if (name == r.files.end()) name = r.files.emplace(file).first;
  const auto* text = name->c_str();
  const auto& one =
      *r.places.try_emplace({text, {line, column}}, place{text, "", line, column}).first;
  return std::bit_cast<std::source_location>(&one.second);
}

}  // namespace troupe
