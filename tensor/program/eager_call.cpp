// SPDX-License-Identifier: MIT
#include "troupe/tensor/program/eager_call.hpp"

#include <algorithm>
#include <cmath>

#include "troupe/tasks/error.hpp"
#include "troupe/tensor/number_text.hpp"
#include "troupe/tensor/ops/copy.hpp"

namespace troupe {

namespace {

std::vector<std::shared_ptr<place>> places_of(const graph& g) {
  auto out = g.places;
  for (auto& one : g.counters()) out.push_back(std::move(one));
  return out;
}

std::vector<tensor> read_all(const std::vector<std::shared_ptr<place>>& from) {
  std::vector<tensor> out;
  for (const auto& one : from) out.push_back(one->read().detach());
  return out;
}

/// Puts variables and random numbers back at its end.
class putting_back {
 public:
  putting_back(engine& on, const graph& g)
      : on_(on), places_(places_of(g)), before_(read_all(places_)), numbers_(on.random_state()) {}
  putting_back(const putting_back&) = delete;
  putting_back& operator=(const putting_back&) = delete;
  ~putting_back() {
    for (std::size_t i = 0; i < places_.size(); ++i) places_[i]->write(before_[i]);
    on_.seed(numbers_.key, numbers_.counter);
  }

 private:
  engine& on_;
  std::vector<std::shared_ptr<place>> places_;
  std::vector<tensor> before_;
  random_source numbers_;
};

/// Returns the reason of a failure; empty if there is none. Waits.
std::string reason_of(const tensor& x) {
  try {
    x.wait();
  } catch (const error& e) { return e.what(); }
  return "";
}

/// Returns true for the same bits, and for two NaNs.
template <class T>
bool same_number(const T& a, const T& b) noexcept {
  if constexpr (is_complex(dtype_of<T>())) {
    return same_number(a.real(), b.real()) && same_number(a.imag(), b.imag());
  } else if constexpr (is_floating(dtype_of<T>())) {
    const auto x = static_cast<double>(a), y = static_cast<double>(b);
    return std::isnan(x) ? std::isnan(y) : x == y && std::signbit(x) == std::signbit(y);
  } else {
    return a == b;
  }
}

template <class T>
std::string text_of_number(T x) {
  if constexpr (is_floating(dtype_of<T>())) return real_text(static_cast<double>(x));
  else return std::to_string(x);
}

/// Says in what a program's array differs from the function's; empty if in nothing. Where both are
/// NaN they are the same.
std::string difference_of(const tensor& got, const tensor& expected) {
  if (got.source() == expected.source() && same_view(got.part(), expected.part())) return "";
  if (got.type() != expected.type())
    return "gives " + to_string(got.type()) + " in the program, not " + to_string(expected.type());
  const auto why = reason_of(got), why_not = reason_of(expected);
  if (why.empty() != why_not.empty())
    return why.empty() ? "fails outside of the program only: " + why_not
                       : "fails in the program only: " + why;
  if (!why.empty()) return "";
  const auto a = copy(to(got, cpu())), b = copy(to(expected, cpu()));
  a.wait();
  b.wait();
  return visit(got.dtype(), [&]<class T>(T) -> std::string {
    const auto* const x = static_cast<const T*>(a.source()->data());
    const auto* const y = static_cast<const T*>(b.source()->data());
    const auto [p, q] = std::mismatch(x, x + a.size(), y, same_number<T>);
    if (p == x + a.size()) return "";
    const auto place = " at element " + std::to_string(p - x) + " of " + to_string(got.type());
    if constexpr (is_complex(dtype_of<T>())) return "gives other bits in the program" + place;
    else
      return "gives " + text_of_number(*p) + " in the program, not " + text_of_number(*q) + ',' +
             place;
  });
}

std::string name_of(const program_step& s) {
  return std::string(s.op->name) + call_site_text(s.call_site);
}

}  // namespace

eager_call::eager_call(engine& on, graph captured, std::span<const tensor> in, const body& f)
    : captured_(std::move(captured)) {
  const putting_back after(on, captured_);
  const task_log log;
  results_ = f(in);
  tasks_ = log.entries();
  places_ = read_all(places_of(captured_));
}

std::string eager_call::named(const program_result& r, const std::string& otherwise) const {
  for (const auto& s : captured_.steps) {
    if (std::ranges::find(s.outputs, r.value) != s.outputs.end()) return name_of(s);
  }
  return otherwise;
}

std::string eager_call::difference(const graph& program, const std::vector<value_ref>& computed,
                                   std::span<const tensor> results) const {
  // Values by their number when they were captured.
  std::vector<value_ref> known(captured_.types.size());
  for (std::size_t i = 0; i < computed.size(); ++i) {
    if (!computed[i]) continue;
    const auto number = program.origins.empty() ? i : static_cast<std::size_t>(program.origins[i]);
    known[number] = computed[i];
  }
  const auto same_task = [](const task_log::entry& a, const program_step& b) {
    return a.op == b.op && a.outputs.size() == b.outputs.size();
  };
  if (std::ranges::equal(tasks_, captured_.steps, same_task)) {
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      const auto& s = captured_.steps[i];
      for (std::size_t k = 0; k < s.outputs.size(); ++k) {
        const auto& one = known[static_cast<std::size_t>(s.outputs[k])];
        if (!one) continue;  // it is computed inside another step
        const auto found = difference_of(tensor(one), tensor(tasks_[i].outputs[k]));
        if (!found.empty()) return name_of(s) + ' ' + found;
      }
    }
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto found = difference_of(results[i], results_[i]);
    if (!found.empty())
      return named(captured_.results[i], "result " + std::to_string(i + 1)) + ' ' + found;
  }
  const auto all = places_of(captured_);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto found = difference_of(all[i]->read().detach(), places_[i]);
    if (found.empty()) continue;
    for (const auto& [to, r] : captured_.writes) {
      if (to == all[i]) return named(r, "a variable's array") + ' ' + found;
    }
    return "a variable's array " + found;
  }
  return "";
}

}  // namespace troupe
