// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// Tensors that have names, in the order in which they were added. Files with several arrays are
/// read and written as such.
///
///     named_tensors weights = {{"weight", w}, {"bias", b}};
///     for (const auto& [name, x] : weights) std::cout << name << ' ' << x.shape()[0] << '\n';
class named_tensors {
 public:
  using entry = std::pair<std::string, tensor>;

  named_tensors() = default;
  /// Throws if a name comes twice.
  named_tensors(std::initializer_list<entry> all, caller where = caller::current());

  /// Adds a tensor at the end. Throws if its name is there already.
  void add(std::string name, tensor x, caller where = caller::current());

  /// Returns the tensor of that name. Throws if there is none, and names similar ones.
  const tensor& at(std::string_view name, caller where = caller::current()) const;
  /// Returns the tensor of that name, or nullptr.
  const tensor* find(std::string_view name) const noexcept;
  bool contains(std::string_view name) const noexcept { return find(name) != nullptr; }

  std::size_t size() const noexcept { return all_.size(); }
  bool empty() const noexcept { return all_.empty(); }
  auto begin() const noexcept { return all_.begin(); }
  auto end() const noexcept { return all_.end(); }

 private:
  std::vector<entry> all_;
  std::map<std::string, std::size_t, std::less<>> places_;
};

}  // namespace troupe
