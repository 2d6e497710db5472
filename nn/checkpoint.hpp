// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "troupe/nn/visit.hpp"
#include "troupe/tensor/io/named_tensors.hpp"

/// Networks in safetensors files, and resumable training:
///
///     nn::save("digits.safetensors", net);
///     nn::load("digits.safetensors", net);
///
///     nn::save_checkpoint("run.safetensors", {{"net", net}, {"optimiser", optimiser}});
///     nn::load_checkpoint("run.safetensors", {{"net", net}, {"optimiser", optimiser}});
///
/// Every array is named after its place: "2.weight", or "net.2.weight" in a checkpoint. An array
/// that two layers share is stored once, under its first name. Saving is a sync point and atomic:
/// an older file stays until the new one is complete.
///
/// Without a file, for early stopping or a network that follows another one:
///
///     named_tensors best = nn::state_of(net);
///     nn::restore(net, best);
///
/// Loading restores every parameter and variable bit for bit and clears gradients. A place that
/// already has an array keeps its device. Frozen parameters and the mode (`train` or `eval`) are
/// left to the program. The file and the network must have the same names and, for places with an
/// array, the same shapes and dtypes; otherwise loading throws, names one difference and changes
/// nothing.

namespace troupe::nn {

/// Object with parameters or variables, and its name in a checkpoint.
class checkpoint_part {
 public:
  /// Stores a reference to the object.
  template <class T>
  checkpoint_part(std::string name, T& object)
      : name_(std::move(name)),
        object_(&object),
        show_([](void* held, visitor& to) { nn::visit(*static_cast<T*>(held), to); }) {}

  const std::string& name() const noexcept { return name_; }
  void visit(visitor& to) const { show_(object_, to); }

 private:
  std::string name_;
  void* object_;
  void (*show_)(void* held, visitor& to);
};

/// Writes networks, optimisers, variables and the random state of this thread's engine.
void save_checkpoint(const std::string& path, std::initializer_list<checkpoint_part> parts,
                     caller where = caller::current());
void save_checkpoint(const std::string& path, const std::vector<checkpoint_part>& parts,
                     caller where = caller::current());
/// Restores them: the same program continues exactly as the one that saved them. A place without an
/// array gets it on the device it was saved from, if one of that name exists, or else on the
/// default device.
void load_checkpoint(const std::string& path, std::initializer_list<checkpoint_part> parts,
                     caller where = caller::current());
void load_checkpoint(const std::string& path, const std::vector<checkpoint_part>& parts,
                     caller where = caller::current());

namespace detail {

void save_weights(const std::string& path, const checkpoint_part& net, caller where);
void load_weights(const std::string& path, const checkpoint_part& net, caller where);
named_tensors state_of(const checkpoint_part& net, caller where);
void restore(const checkpoint_part& net, const named_tensors& state, caller where);

}  // namespace detail

/// Writes a network's parameters and variables. Throws if one has no array yet.
template <class Net>
void save(const std::string& path, Net& net, caller where = caller::current()) {
  detail::save_weights(path, {"", net}, where);
}
template <class Net>
void save(const std::string& path, const Net& net, caller where = caller::current()) {
  save(path, const_cast<Net&>(net), where);  // it only looks
}
/// Reads a network's parameters and variables. A network that was never called gets its arrays on
/// the default device.
template <class Net>
void load(const std::string& path, Net& net, caller where = caller::current()) {
  detail::load_weights(path, {"", net}, where);
}

/// Returns a network's parameters and variables as they are now, by name; no elements are copied.
/// PyTorch's state_dict. Throws if one has no array yet.
template <class Net>
named_tensors state_of(Net& net, caller where = caller::current()) {
  return detail::state_of({"", net}, where);
}
template <class Net>
named_tensors state_of(const Net& net, caller where = caller::current()) {
  return state_of(const_cast<Net&>(net), where);  // it only looks
}
/// Gives a network, or another one of the same kind, such values; nothing waits. Throws, and
/// changes nothing, if names, shapes or dtypes differ.
template <class Net>
void restore(Net& net, const named_tensors& state, caller where = caller::current()) {
  detail::restore({"", net}, state, where);
}

}  // namespace troupe::nn
