// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <functional>
#include <map>
#include <string>

#include "troupe/nn/checkpoint.hpp"

/// Weights in safetensors files that other libraries write, whose names for arrays differ:
///
///     nn::load("encoder.safetensors", net, {{
///         {"0.weight", nn::transposed("encoder.fc1.weight")},  // PyTorch's [outputs, inputs]
///         {"0.bias", "encoder.fc1.bias"},
///     }});

namespace troupe::nn {

/// Name of an array in a file, and the way to read it.
struct stored_name {
  stored_name(std::string text) : name(std::move(text)) {}
  stored_name(const char* text) : name(text) {}

  std::string name;
  bool transposed = false;  ///< with its two axes exchanged, as PyTorch's Linear has its weight
};

/// Returns the name of an array with two axes that are to be exchanged.
stored_name transposed(std::string name);

/// Rule for the names of arrays in a file: a map from the names of places in a network ("2.weight",
/// as `summary` shows them), in which those that keep theirs may be missing, or a function of the
/// name.
class renaming {
 public:
  renaming(std::map<std::string, stored_name> names);
  template <class F>
  requires(!std::same_as<std::decay_t<F>, renaming> &&
           std::is_invocable_r_v<stored_name, const std::decay_t<F>&, const std::string&>)
      renaming(F&& rule)
      : rule_(std::forward<F>(rule)) {}

  stored_name operator()(const std::string& place) const { return rule_(place); }
  /// Throws unless every place that a map names is one of these.
  void check_places(const std::vector<std::string>& places, const std::string& path,
                    caller where) const;

 private:
  std::function<stored_name(const std::string&)> rule_;
  std::vector<std::string> named_;  ///< places in the map
};

struct renamed_options {
  bool others = false;  ///< if true, arrays in the file that no place asks for are passed over
};

namespace detail {

void load_renamed(const std::string& path, const checkpoint_part& net, const renaming& names,
                  const renamed_options& options, caller where);

}  // namespace detail

/// Reads a network's parameters and variables from the arrays that a rule names. Floats of another
/// dtype than a place's array are converted to it. A network that was never called gets its arrays
/// on the default device, in the file's dtypes. Throws, and changes nothing, if the file cannot be
/// read, and with one line about all arrays that are missing, that are unexpected, or whose shapes
/// or dtypes do not fit.
template <class Net>
void load(const std::string& path, Net& net, const renaming& names,
          const renamed_options& options = {}, caller where = caller::current()) {
  detail::load_renamed(path, {"", net}, names, options, where);
}

}  // namespace troupe::nn
