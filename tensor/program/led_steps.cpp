// SPDX-License-Identifier: MIT
#include "troupe/tensor/program/block_scratch.hpp"
#include "troupe/tensor/program/joined_steps.hpp"

namespace troupe {

namespace {

/// Returns the array that an operand of the leading step is; its data may be nowhere yet.
array array_of(const joined_operand& x, void* data) noexcept {
  if (data)
    data = static_cast<std::byte*>(data) +
           x.view.offset * static_cast<std::ptrdiff_t>(size_of(x.element));
  return {data, x.element, x.view.dims.rank(), x.view.dims.data(), x.view.strides};
}

/// Arguments of the leading step, and of those behind it.
class led_args {
 public:
  explicit led_args(const kernel_args& args)
      : step_(*steps_of(args).leading),
        result_(array_of(step_.outputs[0], args.outputs[step_.outputs[0].position].data)) {
    all_.emplace_back(result_);
    for (const auto& x : args.inputs) all_.emplace_back(x);
    for (const auto& x : step_.inputs) read_.emplace_back(array_of(x, all_[x.position].data));
    leading = {read_, {&result_, 1}, step_.given.data(), args.scratch};
    behind = {all_, args.outputs, args.attributes};
  }
  led_args(const led_args&) = delete;
  led_args& operator=(const led_args&) = delete;

  kernel_args leading, behind;

 private:
  const joined_step& step_;
  array result_;
  small_vector<array, 8> all_;
  small_vector<array, 3> read_;
};

/// Runs the steps behind the leading one for what a chunk of it has written.
void run_behind(const led_args& own, const joined_steps& all, std::int64_t chunk,
                const block_scratch& scratch) {
  const auto written = all.leading->kernel->written(own.leading, chunk);
  for (std::int64_t row = 0; row < written.rows; ++row) {
    const auto begin = written.first + row * written.step;
    run_elements(all, own.behind, begin, begin + written.row, scratch.data());
  }
}

void run_led(const kernel_args& args, std::int64_t first, std::int64_t last) {
  const auto& all = steps_of(args);
  const auto& step = *all.leading;
  const led_args own(args);
  const block_scratch scratch(all.scratch_bytes);
  for (auto chunk = first; chunk < last; ++chunk) {
    try {
      step.kernel->run(own.leading, chunk, chunk + 1);
    } catch (...) { step.raise_here(); }
    run_behind(own, all, chunk, scratch);
  }
}

std::int64_t led_chunks(const kernel_args& args) {
  const auto& by = *steps_of(args).leading->kernel;
  return by.chunks ? by.chunks(led_args(args).leading) : 1;
}

void finish_led(const kernel_args& args) {
  const auto& all = steps_of(args);
  const auto& by = *all.leading->kernel;
  if (!by.finish) return;
  const led_args own(args);
  const block_scratch scratch(all.scratch_bytes);
  by.finish(own.leading);
  run_behind(own, all, by.chunks ? by.chunks(own.leading) : 1, scratch);
}

std::size_t led_scratch(const kernel_args& args) {
  const auto& by = *steps_of(args).leading->kernel;
  return by.scratch_bytes ? by.scratch_bytes(led_args(args).leading) : 0;
}

}  // namespace

constinit const kernel led_kernel{
    .run = run_led, .chunks = led_chunks, .scratch_bytes = led_scratch, .finish = finish_led};

}  // namespace troupe
