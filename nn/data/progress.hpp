// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <deque>
#include <functional>
#include <iosfwd>
#include <iterator>
#include <optional>
#include <ranges>
#include <string>
#include <utility>

#include "troupe/nn/data/progress_line.hpp"
#include "troupe/tensor/tensor.hpp"

namespace troupe::nn {

struct progress_options {
  std::string label = {};
  std::optional<std::int64_t> total = {};  ///< absent: the range's size(), if it has one
  std::ostream* out = nullptr;             ///< absent: std::cerr
  std::optional<bool> terminal = {};       ///< absent: true if `out` is a terminal
  std::optional<int> width = {};           ///< absent: the terminal's
  std::function<double()> seconds = {};    ///< clock; absent: the system's
};

/// Line on a terminal that shows the progress of a loop. Draws nothing elsewhere, and at most ten
/// times a second.
///
/// A loop runs ahead of its results. So if tensors are shown, progress counts the iterations before
/// the first one whose tensor is not ready; otherwise, the iterations that the loop has ended.
class progress_bar {
 public:
  explicit progress_bar(progress_options options);
  progress_bar(const progress_bar&) = delete;
  progress_bar& operator=(const progress_bar&) = delete;
  ~progress_bar() { finish(); }

  /// Notes that an iteration has ended.
  void step();
  /// Shows a tensor's number beside the bar: the last ready one given under this name, or "failed".
  /// Waits for nothing. Throws unless the tensor has one element.
  void show(const std::string& name, const tensor& number, caller where = caller::current());
  void show(const std::string& name, double number);
  void show(const std::string& name, const std::string& text);
  /// Waits until every tensor shown is ready or has failed, and draws meanwhile if the line has not
  /// ended: a sync point.
  void wait();
  /// Draws a last time and ends the line; later changes are not drawn.
  void finish() noexcept;

 private:
  struct expected {
    std::int64_t turn;
    std::string name;
    tensor number;
  };

  void collect();
  void set(const std::string& name, std::string text);
  void draw();
  void write(double now);

  progress_options options_;
  std::ostream& out_;
  bool drawn_on_;  ///< there is a terminal, and the line has not ended
  detail::progress_state state_;
  std::int64_t turns_ = 0;
  std::deque<expected> expected_;
  double began_ = 0, drawn_at_ = 0;
  /// Iterations done when the rate was last computed.
  std::int64_t counted_ = 0;
  double counted_at_ = 0;
};

/// Range with a progress bar for loops over it:
///
///     progress bar(batches(data, {.size = 64}), {.label = "epoch 3"});
///     for (auto& [x, y] : bar) bar.show("loss", step(x, y));
///
/// `for (auto& b : progress(range))` is enough if nothing is shown. The line ends with the loop, or
/// with the object if a `break` or an exception leaves the loop.
template <std::ranges::input_range R>
class progress {
 public:
  explicit progress(R&& range, progress_options options = {})
      : range_(std::forward<R>(range)), bar_(with_total(std::move(options))) {}

  class iterator {
   public:
    decltype(auto) operator*() const { return *position_; }
    iterator& operator++() {
      bar_->step();
      ++position_;
      if (position_ == end_) bar_->finish();
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const iterator& i, std::default_sentinel_t) {
      return i.position_ == i.end_;
    }

   private:
    friend progress;
    iterator(progress& p) : bar_(&p.bar_), position_(p.range_.begin()), end_(p.range_.end()) {
      if (position_ == end_) bar_->finish();
    }

    progress_bar* bar_;
    std::ranges::iterator_t<R> position_;
    std::ranges::sentinel_t<R> end_;
  };

  iterator begin() { return iterator(*this); }
  std::default_sentinel_t end() const noexcept { return {}; }

  void show(const std::string& name, const tensor& number, caller where = caller::current()) {
    bar_.show(name, number, where);
  }
  void show(const std::string& name, double number) { bar_.show(name, number); }
  void show(const std::string& name, const std::string& text) { bar_.show(name, text); }
  void wait() { bar_.wait(); }

 private:
  progress_options with_total(progress_options o) const {
    if constexpr (requires {
                    { range_.size() } -> std::convertible_to<std::int64_t>;
                  }) {
      if (!o.total) o.total = static_cast<std::int64_t>(range_.size());
    }
    return o;
  }

  R range_;
  progress_bar bar_;
};

template <class R>
progress(R&&) -> progress<R>;
template <class R>
progress(R&&, progress_options) -> progress<R>;

}  // namespace troupe::nn
