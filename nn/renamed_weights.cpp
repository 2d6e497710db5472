// SPDX-License-Identifier: MIT
#include "troupe/nn/renamed_weights.hpp"

#include <algorithm>
#include <set>

#include "troupe/nn/checkpoint_places.hpp"
#include "troupe/tasks/engine.hpp"
#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/io/safetensors.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/reshape.hpp"

namespace troupe::nn {

namespace {

using detail::checkpoint_place;

/// Names for one line of a message: the first few, and the number of the others.
class name_list {
 public:
  explicit name_list(std::string_view title) : text_(title) {}

  void add(const std::string& one) {
    if (++count_ <= most) text_ += (count_ == 1 ? " " : ", ") + one;
  }
  /// Appends the list to a text, unless it is empty.
  void append_to(std::string& all) const {
    if (count_ == 0) return;
    all += (all.empty() ? "" : "; ") + text_;
    if (count_ > most) all += " and " + std::to_string(count_ - most) + " more";
  }

 private:
  static constexpr int most = 8;

  std::string text_;
  int count_ = 0;
};

/// Reader of the arrays for places, which collects all that does not fit.
class reader {
 public:
  reader(const safetensors& file, caller where) : file_(file), where_(where) {}

  tensor array_for(const checkpoint_place& p, const stored_name& from) {
    used_.insert(from.name);
    const auto* const x = file_.tensors.find(from.name);
    if (!x) {
      missing_.add(quoted(from.name) + (from.name == p.name ? "" : " for " + quoted(p.name)));
      return {};
    }
    if (from.transposed && x->rank() != 2) {
      misfits_.add(quoted(from.name) + " is " + to_string(x->type()) +
                   ", but must have two axes to exchange");
      return {};
    }
    const auto as_here = from.transposed ? contiguous(transpose(*x)) : *x;
    return fits(p, from, as_here) ? at_home(p, as_here) : tensor();
  }
  void note_unexpected() {
    for (const auto& [name, x] : file_.tensors) {
      if (used_.count(name) == 0) unexpected_.add(quoted(name));
    }
  }
  /// Returns all that was wrong, in one line; empty if nothing was.
  std::string problems() const {
    std::string out;
    for (const auto* list : {&missing_, &unexpected_, &misfits_}) list->append_to(out);
    return out;
  }

 private:
  bool fits(const checkpoint_place& p, const stored_name& from, const tensor& x) {
    const auto refuse = [&](const std::string& here) {
      misfits_.add(quoted(from.name) + " is " + to_string(x.type()) +
                   (from.transposed ? " transposed" : "") + ", but " + quoted(p.name) + here);
      return false;
    };
    if (!p.held.defined())
      return !p.is_parameter || is_floating(x.dtype()) || refuse(" is a parameter, of floats");
    const auto& now = p.held.value();
    const bool converts = is_floating(x.dtype()) && is_floating(now.dtype());
    if (x.shape() == now.shape() && (converts || x.dtype() == now.dtype())) return true;
    const bool other_way = x.rank() == 2 && now.rank() == 2 && transpose(x).shape() == now.shape();
    return refuse(" is " + to_string(now.type()) + (other_way ? ", its transpose" : ""));
  }
  tensor at_home(const checkpoint_place& p, const tensor& x) const {
    if (!p.held.defined()) return x;
    const auto& now = p.held.value();
    return to(astype(x, now.dtype(), where_), now.device(), where_);
  }

  const safetensors& file_;
  caller where_;
  std::set<std::string> used_;
  name_list missing_{"missing:"}, unexpected_{"unexpected:"}, misfits_{"of another kind:"};
};

}  // namespace

stored_name transposed(std::string name) {
  stored_name out(std::move(name));
  out.transposed = true;
  return out;
}

renaming::renaming(std::map<std::string, stored_name> names) {
  for (const auto& [place, name] : names) named_.push_back(place);
  rule_ = [names = std::move(names)](const std::string& place) {
    const auto found = names.find(place);
    return found == names.end() ? stored_name(place) : found->second;
  };
}

void renaming::check_places(const std::vector<std::string>& places, const std::string& path,
                            caller where) const {
  for (const auto& name : named_) {
    if (std::find(places.begin(), places.end(), name) == places.end())
      file_call{"load", path, where}.fail("the network has no " + quoted(name) +
                                          ", for which there is a name");
  }
}

void detail::load_renamed(const std::string& path, const checkpoint_part& net,
                          const renaming& names, const renamed_options& options, caller where) {
  const no_grad constants;
  const troupe::detail::on_behalf_of user(where);
  const file_call call{"load", path, where};
  auto places = places_in({&net, 1}, call);
  std::vector<std::string> known;
  for (const auto& p : places) known.push_back(p.name);
  names.check_places(known, path, where);
  const use_engine same(engine_of(places, call));
  const auto file = load_safetensors(path, {}, where);
  reader from(file, where);
  std::vector<tensor> arrays;
  for (const auto& p : places) arrays.push_back(from.array_for(p, names(p.name)));
  if (!options.others) from.note_unexpected();
  if (const auto problems = from.problems(); !problems.empty()) call.fail(problems);
  // Failures surface before anything changes.
  for (const auto& x : arrays) x.wait(where);
  for (std::size_t i = 0; i < places.size(); ++i) places[i].restore(arrays[i], where);
}

}  // namespace troupe::nn
