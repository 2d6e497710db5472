// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "troupe/tasks/small_vector.hpp"
#include "troupe/tensor/program/compiled_function.hpp"
#include "troupe/tensor/program/program.hpp"
#include "troupe/tensor/program/structure.hpp"

/// Functions that are captured once and run as programs from then on:
///
///     auto gelu = compile([](const tensor& x) { return x * 0.5 * (1 + erf(x * 0.70710678)); });
///     tensor y = gelu(x);            // captured at the first call with these types
///     std::cout << gelu.explain();

namespace troupe {

/// A function that is captured at its first call with arguments of these types, and submitted as a
/// program at later ones. Copies share their programs.
template <class F>
class compiled {
 public:
  explicit compiled(F f, caller where, compile_options options = {})
      : f_(std::make_shared<F>(std::move(f))),
        programs_(std::make_shared<detail::compiled_function>(where, options)) {}

  /// Returns what the function returns. While recording, and inside another function that is being
  /// captured, the function itself is called.
  ///
  /// Throws what the function throws when it is captured, on the lines in it: for reading a tensor
  /// (`item`, printing, `wait`), tensors from outside that are no arguments, operations of the
  /// user's own, and variables and arguments that it adds gradients to. Throws where a later call
  /// is found to do something else.
  template <class... In>
  auto operator()(const In&... in) const -> std::decay_t<std::invoke_result_t<F&, const In&...>> {
    using result = std::decay_t<std::invoke_result_t<F&, const In&...>>;
    if (detail::runs_as_it_is()) return (*f_)(in...);
    small_vector<tensor, 4> all;
    std::string others;
    (detail::take_apart(in, all, others), ...);
    const auto call = [&](std::span<const tensor> given) {
      return detail::tensors_of(with_arguments(*f_, given, in...), programs_->where());
    };
    return detail::result_of<result>(programs_->call({all.begin(), all.size()}, others, call));
  }

  /// Returns what the function does with such arguments as a program, which has a text and can be
  /// saved. It takes all tensors among the arguments, in order, and changes the same variables. The
  /// results are those of the function to the bit, for arguments that are no views; a call throws
  /// if the function does something else by then.
  /// Throws what the function throws when it is captured; for parts that other processes cannot
  /// repeat, such as a learning rate that is a function of your own; and if layers in it have not
  /// been called yet.
  template <class... In>
  troupe::program program(const In&... in) const {
    std::vector<tensor> all;
    std::string others;
    (detail::take_apart(in, all, others), ...);
    return programs_->as_program(
        all, [f = f_, where = programs_->where(),
              ... like = detail::outline<In>(in)](std::span<const tensor> given) {
          return detail::tensors_of(with_arguments(*f, given, like...), where);
        });
  }

  /// Says for each kind of arguments what was captured and how it runs: operations, what was fused
  /// and from which lines, tasks, calls.
  std::string explain() const { return programs_->explain(); }

 private:
  /// Calls the function with tensors in place of those in `like`.
  template <class... In>
  static auto with_arguments(F& f, std::span<const tensor> given, const In&... like) {
    const auto* next = given.data();
    // Braces keep the order.
    std::tuple<std::decay_t<decltype(detail::put_together(like, next))>...> arguments{
        detail::put_together(like, next)...};
    return std::apply(f, arguments);
  }

  std::shared_ptr<F> f_;
  std::shared_ptr<detail::compiled_function> programs_;
};

/// Marks a tensor from outside as the same in all calls of the function that is being captured.
/// Returns it unchanged elsewhere.
tensor constant(const tensor& x, caller where = caller::current());

/// Returns `f` as a function that runs as a program. It takes tensors, numbers, enumerators,
/// devices, axes and texts, and containers, optionals, pairs, tuples and structs (with public
/// members only) of them; it returns a tensor, a pair, tuple or struct of tensors, or a vector of
/// tensors. Numbers, texts and sizes are part of the program: another number is another program.
/// The results equal those of `f` to the bit.
///
/// Layers' variables are read, and may be assigned, at each call. Other tensors from outside are
/// refused; wrap those that never change in `constant`. Everything else that `f` reads is fixed
/// when it is captured; the function is captured again now and then (calls 2, 3, 5, 9, ...) to find
/// out if that changes what it does.
template <class F>
compiled<F> compile(F f, caller where = caller::current()) {
  return compiled<F>(std::move(f), where);
}
/// The same with options, to look for mistakes: `compile(f, {.check = true})`.
template <class F>
compiled<F> compile(F f, const compile_options& options, caller where = caller::current()) {
  return compiled<F>(std::move(f), where, options);
}

}  // namespace troupe
