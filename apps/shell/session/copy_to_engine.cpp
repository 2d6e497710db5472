// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/session/copy_to_engine.hpp"

#include <algorithm>
#include <complex>

#include "troupe/language/parse_program.hpp"
#include "troupe/tasks/engine.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/from_data.hpp"

namespace troupe::shell {

namespace {

/// Copies the elements by way of the program's memory, where they are of type `Element`.
template <class Element>
tensor copy_as(const tensor& x, device place, std::string_view what) {
  const auto elements = x.to_vector<Element>({});
  return detail::from_bytes(what, elements.data(), dtype_of<Element>(), x.size(), x.shape(),
                            {.dtype = x.dtype(), .device = place}, {});
}

/// Returns the device of an array, or the first CPU device if the current engine has no such one.
device place_for(const tensor& x, std::string_view what) {
  const auto& all = engine::current(what, {}).devices();
  const auto wanted = x.device();
  const bool there = std::ranges::any_of(all, [&](const auto& d) { return d->id() == wanted; });
  return there ? wanted : cpu();
}

/// Copies an array. What has failed, or was on a node that is lost, stays as a failure.
tensor copy_of(tensor x, std::string_view what) {
  const auto place = place_for(x, what);
  try {
    x.wait({});
    if (x.device().node != 0) x = to(x, cpu(), {});
    x.wait({});
  } catch (const task_error&) { return x; }
  if (x.dtype() == complex64) return copy_as<std::complex<float>>(x, place, what);
  if (x.dtype() == complex128) return copy_as<std::complex<double>>(x, place, what);
  return visit(x.dtype(), [&](auto zero) {
    using element =
        std::conditional_t<std::is_same_v<decltype(zero), bool>, std::int32_t, decltype(zero)>;
    return copy_as<element>(x, place, what);
  });
}

}  // namespace

dynamic_value copies_to_engine::operator()(const dynamic_value& x, std::string_view what) {
  if (const auto* array = std::get_if<tensor>(&x)) return copy_of(*array, what);
  if (const auto* f = std::get_if<std::shared_ptr<const function>>(&x)) copy_for(**f, what);
  const auto* items = std::get_if<list_ptr>(&x);
  if (!items) return x;
  if (const auto found = lists_.find(*items); found != lists_.end()) return found->second;
  list all;
  for (const auto& one : (*items)->items) all.items.push_back((*this)(one, what));
  return lists_[*items] = std::make_shared<const list>(std::move(all));
}

/// Copies what a function keeps, unless that is done.
void copies_to_engine::copy_for(const function& f, std::string_view what) {
  if (f.only_program && !programs_.contains(f.only_program)) {
    const auto& p = *f.only_program;
    named_tensors arrays;
    for (const auto& of : {p.variables(), p.constants()}) {
      for (const auto& [name, x] : of) arrays.add(name, copy_of(x, what));
    }
    programs_.emplace(f.only_program, parse_program(p.text(), arrays, {}));
  }
  if (!f.kept) return;
  const auto [place, is_new] = kept_.try_emplace(f.kept);
  if (!is_new) return;
  for (const auto& one : place->first->all) place->second.push_back((*this)(one, what));
}

void copies_to_engine::commit() noexcept {
  for (auto& [place, values] : kept_) place->all.swap(values);
  for (auto& [place, copy] : programs_) std::swap(*place, copy);
}

}  // namespace troupe::shell
