// SPDX-License-Identifier: MIT
#include "troupe/nn/data/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>

#include "troupe/tensor/ops/copy.hpp"
#include "troupe/text/display_width.hpp"

namespace troupe::nn {

namespace {

constexpr double between_draws = 0.1;  // seconds
constexpr double smoothing = 0.3;      // weight of the latest rate
constexpr auto one_draw = std::chrono::milliseconds(100);

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string number_text(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", number);
  return text;
}

}  // namespace

progress_bar::progress_bar(progress_options options)
    : options_(std::move(options)),
      out_(options_.out ? *options_.out : std::cerr),
      drawn_on_(options_.terminal.value_or(isatty(file_descriptor_of(out_)) == 1)) {
  if (!options_.seconds) options_.seconds = steady_seconds;
  state_.label = options_.label;
  state_.total = options_.total;
  began_ = counted_at_ = options_.seconds();
  if (drawn_on_) write(began_);
}

void progress_bar::step() {
  ++turns_;
  draw();
}

void progress_bar::show(const std::string& name, const tensor& number, caller where) {
  if (number.size() != 1)
    throw error("show: " + name + " is " + to_string(number.type(where)) + ", not one number",
                where);
  number.type(where);
  // Its gradient node would keep alive everything it was computed from.
  expected_.push_back({turns_, name, to(number.detach(), cpu(), where)});
  if (drawn_on_) draw();
  else collect();
}

void progress_bar::show(const std::string& name, double number) { show(name, number_text(number)); }

void progress_bar::show(const std::string& name, const std::string& text) {
  set(name, text);
  draw();
}

void progress_bar::wait() {
  while (!expected_.empty()) {
    try {
      expected_.front().number.wait_for(one_draw);
    } catch (const task_error&) {}  // shown as "failed"
    collect();
    draw();
  }
}

void progress_bar::finish() noexcept {
  if (!std::exchange(drawn_on_, false)) return;
  try {
    collect();
    state_.over = true;
    state_.rest_under_way = !expected_.empty();
    write(options_.seconds());
    out_ << '\n' << std::flush;
  } catch (...) {}  // a line that cannot be written must not end the program
}

/// Takes the numbers of the shown tensors that are ready.
void progress_bar::collect() {
  for (; !expected_.empty(); expected_.pop_front()) {
    const auto& [turn, name, number] = expected_.front();
    if (number.failed()) set(name, "failed");
    else if (number.ready()) set(name, number_text(number.item<double>()));
    else break;
  }
  state_.done = expected_.empty() ? turns_ : expected_.front().turn;
}

void progress_bar::set(const std::string& name, std::string text) {
  for (auto& [known, now] : state_.shown) {
    if (known == name) {
      now = std::move(text);
      return;
    }
  }
  state_.shown.emplace_back(name, std::move(text));
}

void progress_bar::draw() {
  if (!drawn_on_) return;
  const auto now = options_.seconds();
  if (now - drawn_at_ < between_draws) return;
  collect();
  write(now);
}

void progress_bar::write(double now) {
  state_.seconds = now - began_;
  if (const auto passed = now - counted_at_; passed > 0 && state_.done > counted_) {
    const auto rate = static_cast<double>(state_.done - counted_) / passed;
    auto& known = state_.per_second;
    known = known == 0 ? rate : smoothing * rate + (1 - smoothing) * known;
    counted_ = state_.done;
    counted_at_ = now;
  }
  drawn_at_ = now;
  // One column stays free: some terminals begin a new line as soon as the last one is written.
  const int width = options_.width.value_or(terminal_width(file_descriptor_of(out_))) - 1;
  out_ << '\r' << detail::progress_line(state_, std::max(width, 1)) << "\x1b[K" << std::flush;
}

}  // namespace troupe::nn
