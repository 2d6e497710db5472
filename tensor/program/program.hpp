// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "troupe/tensor/io/named_tensors.hpp"
#include "troupe/tensor/program/compiled_function.hpp"
#include "troupe/tensor/program/place.hpp"

namespace troupe {

/// Function of tensors that is there as text, with the arrays that belong to it: it can be read,
/// saved, and run where the source that it was captured from is not. Copies share their arrays.
///
///     const program f = parse_program("def f(a, b) { c = exp(a) + b; sum(c * c) }");
///     tensor y = f(p, q);            // captured at the first call with these types
///     std::cout << f.text();
class program {
 public:
  using variables_by_name = std::vector<std::pair<std::string, std::shared_ptr<place>>>;

  /// Parts of a program. `body` computes the results from the arguments, in tensor algebra.
  struct parts {
    std::string text;
    variables_by_name variables = {};  ///< which a call may change
    named_tensors constants = {};
    std::vector<std::optional<tensor_type>> arguments = {};  ///< none: of any type
    detail::compiled_function::body body;
    bool fixed = false;  ///< the body always does what it did: it is not looked at again
  };

  explicit program(parts from, caller where = caller::current());

  /// Returns the only result. Throws for other arguments than the text says, and if there are
  /// several results or none.
  template <std::same_as<tensor>... In>
  tensor operator()(const In&... in) const {
    const tensor all[] = {in..., tensor()};
    return only_result({all, sizeof...(in)});
  }
  /// Returns all results.
  std::vector<tensor> call(std::span<const tensor> in, caller where = caller::current()) const;

  const std::string& text() const noexcept { return parts_->text; }
  /// Number of arguments.
  std::size_t arguments() const noexcept { return parts_->arguments.size(); }
  /// Their types; nothing for those that may be of any.
  const std::vector<std::optional<tensor_type>>& argument_types() const noexcept {
    return parts_->arguments;
  }
  /// Returns its variables as they are now.
  named_tensors variables() const;
  const named_tensors& constants() const noexcept { return parts_->constants; }
  /// Says for each kind of arguments what was captured and how it runs.
  std::string explain() const { return programs_->explain(); }

 private:
  tensor only_result(std::span<const tensor> in) const;

  caller where_;
  std::shared_ptr<const parts> parts_;
  std::shared_ptr<detail::compiled_function> programs_;
};

/// Writes a program as a safetensors file, which `load_program` reads: its text in the file's
/// metadata, its variables and constants as tensors. A sync point. Throws as `save_safetensors`
/// does.
void save_program(const std::string& path, const program& p, caller where = caller::current());

/// The key of a program's text in a file's metadata.
inline constexpr const char* program_text_key = "troupe.program";

}  // namespace troupe
