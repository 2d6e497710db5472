// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "troupe/nn/visit.hpp"

// Networks in safetensors files, and training that goes on where it stopped:
//
//     nn::save("digits.safetensors", net);
//     nn::load("digits.safetensors", net);
//
//     nn::save_checkpoint("run.safetensors", {{"net", net}, {"optimiser", optimiser}});
//     nn::load_checkpoint("run.safetensors", {{"net", net}, {"optimiser", optimiser}});
//
// Every array has the name of its place: "2.weight", or "net.2.weight" in a checkpoint. One that
// two layers share is there once, under its first name. Saving is a sync point, and the file is
// there whole or not at all: an older one stays until then, whatever happens.
//
// Loading gives every parameter and variable the array that was saved, to the bit, and forgets
// gradients. Arrays that are there already stay on their device. The program itself freezes
// parameters and calls `train` and `eval` again. The file and the network have to have the same
// names, and, where there is an array already, shapes and dtypes; otherwise loading throws, names
// one that differs, and changes nothing.

namespace troupe::nn {

/// Object with parameters or variables, and its name in a checkpoint.
class checkpoint_part {
 public:
  /// Keeps a reference.
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

/// Writes networks, optimisers, variables, and the place in the random numbers of this thread's
/// engine.
void save_checkpoint(const std::string& path, std::initializer_list<checkpoint_part> parts,
                     caller where = caller::current());
void save_checkpoint(const std::string& path, const std::vector<checkpoint_part>& parts,
                     caller where = caller::current());
/// Restores them: the same program goes on exactly as the one that saved them. New arrays are made
/// on the device where they were saved, if there is one of that name, else on the default device.
void load_checkpoint(const std::string& path, std::initializer_list<checkpoint_part> parts,
                     caller where = caller::current());
void load_checkpoint(const std::string& path, const std::vector<checkpoint_part>& parts,
                     caller where = caller::current());

void save_weights(const std::string& path, const checkpoint_part& net, caller where);
void load_weights(const std::string& path, const checkpoint_part& net, caller where);

/// Writes a network's parameters and variables. Throws if one has no array yet.
template <class Net>
void save(const std::string& path, Net& net, caller where = caller::current()) {
  save_weights(path, {"", net}, where);
}
/// Reads them. A network that was never called gets its arrays on the default device.
template <class Net>
void load(const std::string& path, Net& net, caller where = caller::current()) {
  load_weights(path, {"", net}, where);
}

}  // namespace troupe::nn
