// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

#include "troupe/tasks/engine.hpp"
#include "troupe/tensor/program/graph.hpp"

namespace troupe {

class noted_gradients;

/// Engine that notes tasks down instead of running them: the function that makes them is being
/// captured. Its values are placeholders: nobody can read them. When it ends, those that have
/// escaped fail.
class capture final : public engine {
 public:
  /// Prepares to capture what would run on an engine. `where` is the line of the function that is
  /// captured.
  capture(const engine& of, caller where);
  ~capture() override;

  /// Returns the capture of this thread, or null if it captures nothing.
  static capture* active() noexcept { return active_; }
  /// Returns the call that captures: for errors of those that have no line of their own.
  caller where() const noexcept { return where_; }

  /// Returns true if a value is a placeholder of this thread's capture.
  static bool owns(const value& v) noexcept { return active_ && v.engine == active_->id(); }

  /// Notes that the thread reads numbers of an array. While it captures a function, that throws for
  /// an array from outside if nobody would notice when others take its place.
  static void note_read(const value& v, const char* what, caller where) {
    if (active_ && !owns(v)) [[unlikely]]
      active_->note_read_outside(what, where);
  }

  /// Scope in which the thread's operations are captured.
  class scope {
   public:
    explicit scope(capture& into) noexcept : before_(active_), engine_(into) { active_ = &into; }
    scope(const scope&) = delete;
    scope& operator=(const scope&) = delete;
    ~scope() { active_ = before_; }

   private:
    capture* before_;
    use_engine engine_;
  };

  /// Returns a placeholder for the next argument. All come before anything else.
  tensor argument(const tensor& x);
  /// Returns the placeholder for a tensor that stays the same from call to call.
  tensor constant(const tensor& x, caller where);
  /// Returns what a place holds as the function sees it. `gradients` says that some are collected
  /// for it.
  const tensor& read(const std::shared_ptr<place>& from, bool gradients);
  void write(const std::shared_ptr<place>& to, const tensor& x, caller where);
  /// Adds a source of parameters, for tasks that are submitted from now on; returns its number.
  std::size_t add_source(parameter_source source);
  /// Lets the next task of an operation have the parameters that a source makes at each call.
  void renew_next(const operation& op, renewed_parameters by) noexcept {
    renewed_next_ = {&op, by};
  }

  /// Scope in which the thread is outside the captured function for a moment.
  class aside {
   public:
    aside() noexcept
        : before_(std::exchange(active_, nullptr)),
          engine_(before_ ? before_->original_.id() : 0) {}
    aside(const aside&) = delete;
    aside& operator=(const aside&) = delete;
    ~aside() { active_ = before_; }

   private:
    capture* before_;
    use_engine engine_;
  };

  /// Scope of a second run that saves memory: what it computes is not merged with the first.
  class recomputation {
   public:
    recomputation() noexcept : of_(active_), before_(of_ ? of_->recomputed_ : 0) {
      if (of_) of_->recomputed_ = ++of_->recomputations_;
    }
    recomputation(const recomputation&) = delete;
    recomputation& operator=(const recomputation&) = delete;
    ~recomputation() {
      if (of_) of_->recomputed_ = before_;
    }

   private:
    capture* of_;
    std::uint32_t before_;
  };

  /// Returns what was captured.
  graph finish(std::span<const tensor> results);

  void submit(task_ptr t) override;
  bool wait(const value_ref& v, const wait_limit& limit) override;
  void wait_all() override;
  void cancel_all() override;
  trace_log trace(ticks since) override;

 private:
  struct held_place {
    std::shared_ptr<place> outside;
    value_ref placeholder;
    tensor now;  ///< what the function sees
    bool written = false;
    reference<noted_gradients> gradients;
  };
  struct noted_task {
    task_ptr made;
    std::optional<renewed_parameters> renewed;
    std::uint32_t recomputed;
  };

  void note_read_outside(const char* what, caller where) const;
  tensor placeholder(const tensor& like);
  int number_of(const value_ref& v, std::string_view what, caller where);
  program_result result_of(const tensor& x, std::string_view what);

  static inline thread_local constinit capture* active_ = nullptr;

  const engine& original_;
  caller where_;
  std::vector<value_ref> arguments_;
  std::deque<held_place> places_;
  std::vector<std::pair<value_ref, value_ref>>
      constants_;  ///< the placeholder, and what is outside
  std::vector<noted_task> tasks_;
  std::vector<parameter_source> sources_;
  std::pair<const operation*, renewed_parameters> renewed_next_ = {};
  std::uint32_t recomputations_ = 0, recomputed_ = 0;
  std::vector<value_ref> computed_;
  std::unordered_map<const value*, int> numbers_;  ///< of what is not an argument, in one of these
};

/// Thrown when a variable gets its first array while a function is captured: layers learn their
/// sizes at the first call, which is not part of the program.
struct first_call_needed {};

}  // namespace troupe
