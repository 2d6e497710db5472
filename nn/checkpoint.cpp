// SPDX-License-Identifier: MIT
#include "troupe/nn/checkpoint.hpp"

#include <charconv>
#include <optional>
#include <span>

#include "troupe/nn/checkpoint_places.hpp"
#include "troupe/tasks/engine.hpp"
#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/io/safetensors.hpp"
#include "troupe/tensor/ops/copy.hpp"

namespace troupe::nn {

namespace {

using detail::checkpoint_place;
using texts = std::map<std::string, std::string>;

// Keys of a checkpoint's metadata.
constexpr auto key_note = "random key", counter_note = "random counter";
/// Returns the metadata key of an array's device; its text is "cpu:0", or says that there is no
/// array.
std::string device_of(const std::string& name) { return "device of " + name; }
constexpr auto no_array = "none yet";

void save_parts(std::span<const checkpoint_part> parts, bool whole, const file_call& call) {
  named_tensors arrays;
  texts notes;
  const auto places = detail::places_in(parts, call);
  const use_engine same(detail::engine_of(places, call));
  for (const auto& [name, place, is_parameter] : places) {
    if (place.defined()) arrays.add(name, place.value(), call.call_site);
    else if (!whole)
      call.fail(quoted(name) +
                " has no array yet: its layer learns its shape when it is first called");
    if (whole)
      notes[device_of(name)] = place.defined() ? to_string(place.value().device()) : no_array;
  }
  if (whole) {
    const auto next = engine::current(call.function, call.call_site).random_state();
    notes[key_note] = std::to_string(next.key);
    notes[counter_note] = std::to_string(next.counter);
  }
  save_safetensors(call.path, arrays, notes, call.call_site);
}

const std::string* find(const texts& notes, const std::string& word) {
  const auto at = notes.find(word);
  return at == notes.end() ? nullptr : &at->second;
}

std::uint64_t number(const texts& notes, const char* word, const file_call& call) {
  std::uint64_t out = 0;
  if (const auto* text = find(notes, word)) {
    const auto* const end = text->data() + text->size();
    const auto [rest, bad] = std::from_chars(text->data(), end, out);
    if (bad == std::errc() && rest == end && !text->empty()) return out;
  }
  call.fail("is no checkpoint: it does not say the " + std::string(word));
}

/// Returns the device for an array whose place has none yet.
std::optional<device> saved_device(const safetensors& file, const std::string& name,
                                   const file_call& call) {
  if (const auto* text = find(file.metadata, device_of(name))) {
    for (const auto& one : engine::current(call.function, call.call_site).devices()) {
      if (to_string(one->id()) == *text) return one->id();
    }
  }
  return {};
}

/// Returns an array that fits its place, on the place's device.
tensor fitting(const checkpoint_place& p, const tensor& x, const safetensors& file,
               const file_call& call) {
  const auto refuse = [&](const std::string& here) {
    call.fail(quoted(p.name) + " is " + to_string(x.type()) + ", but here " + here);
  };
  if (!p.held.defined()) {
    if (p.is_parameter && !is_floating(x.dtype())) refuse("it is a parameter, of floats");
    return to(x, saved_device(file, p.name, call).value_or(x.device()), call.call_site);
  }
  const auto& now = p.held.value();
  if (now.shape() != x.shape() || now.dtype() != x.dtype()) refuse(to_string(now.type()));
  return to(x, now.device(), call.call_site);
}

/// Returns an array for every place that has one in the file, in the places' order.
std::vector<tensor> arrays_for(const std::vector<checkpoint_place>& places, const safetensors& file,
                               const file_call& call) {
  std::vector<tensor> out;
  std::size_t used = 0;
  for (const auto& p : places) {
    const auto* x = file.tensors.find(p.name);
    const auto* note = find(file.metadata, device_of(p.name));
    const bool none = !x && note && *note == no_array;
    if (!x && !none) call.fail(quoted(p.name) + " is missing");
    if (none && p.held.defined())
      call.fail(quoted(p.name) + " had no array yet, but here it is " +
                to_string(p.held.value().type()));
    out.push_back(x ? fitting(p, *x, file, call) : tensor());
    used += x ? 1 : 0;
  }
  if (used == file.tensors.size()) return out;
  for (const auto& [name, x] : file.tensors) {
    bool known = false;
    for (const auto& p : places) known = known || p.name == name;
    if (!known)
      call.fail(quoted(name) + ", " + to_string(x.type()) +
                ", is there, but nothing of that name here");
  }
  return out;
}

void load_parts(std::span<const checkpoint_part> parts, bool whole, const file_call& call) {
  const no_grad constants;
  auto places = detail::places_in(parts, call);
  const use_engine same(detail::engine_of(places, call));
  const auto file = load_safetensors(call.path, {}, call.call_site);
  random_source next{};
  if (whole)
    next = {number(file.metadata, key_note, call), number(file.metadata, counter_note, call)};
  const auto arrays = arrays_for(places, file, call);
  // Failures surface before anything changes.
  for (const auto& x : arrays) {
    if (x.defined()) x.wait(call.call_site);
  }
  for (std::size_t i = 0; i < places.size(); ++i) places[i].restore(arrays[i], call.call_site);
  if (whole) engine::current(call.function, call.call_site).seed(next.key, next.counter);
}

constexpr auto in_memory = "the state";  // in place of a path

}  // namespace

named_tensors detail::state_of(const checkpoint_part& net, caller where) {
  const file_call call{"state_of", in_memory, where};
  named_tensors out;
  for (const auto& [name, place, is_parameter] : places_in({&net, 1}, call)) {
    if (!place.defined())
      call.fail(quoted(name) +
                " has no array yet: its layer learns its shape when it is first called");
    out.add(name, place.value(where).detach(), where);
  }
  return out;
}

void detail::restore(const checkpoint_part& net, const named_tensors& state, caller where) {
  const no_grad constants;
  const file_call call{"restore", in_memory, where};
  auto places = places_in({&net, 1}, call);
  const use_engine same(engine_of(places, call));
  const auto arrays = arrays_for(places, {state, {}}, call);
  for (std::size_t i = 0; i < places.size(); ++i) places[i].restore(arrays[i], where);
}

void save_checkpoint(const std::string& path, std::initializer_list<checkpoint_part> parts,
                     caller where) {
  save_parts({parts.begin(), parts.size()}, true, {"save_checkpoint", path, where});
}

void save_checkpoint(const std::string& path, const std::vector<checkpoint_part>& parts,
                     caller where) {
  save_parts(parts, true, {"save_checkpoint", path, where});
}

void load_checkpoint(const std::string& path, std::initializer_list<checkpoint_part> parts,
                     caller where) {
  load_parts({parts.begin(), parts.size()}, true, {"load_checkpoint", path, where});
}

void load_checkpoint(const std::string& path, const std::vector<checkpoint_part>& parts,
                     caller where) {
  load_parts(parts, true, {"load_checkpoint", path, where});
}

void detail::save_weights(const std::string& path, const checkpoint_part& net, caller where) {
  save_parts({&net, 1}, false, {"save", path, where});
}

void detail::load_weights(const std::string& path, const checkpoint_part& net, caller where) {
  load_parts({&net, 1}, false, {"load", path, where});
}

}  // namespace troupe::nn
