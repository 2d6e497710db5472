// SPDX-License-Identifier: MIT
#include "troupe/tasks/binding.hpp"
#include "troupe/tasks/failed_step.hpp"

#include <exception>
#include <new>
#include <string_view>

#include "troupe/text/quantities.hpp"
#include "troupe/text/quoted.hpp"
#include "troupe/text/utf8.hpp"

namespace troupe {

namespace {

/// Returns true if an output may lie where a value is that the task alone reads, or so many others.
bool fits(const operand& in, const value& out, std::uint32_t others = 0) noexcept {
  const auto* const v = in.source.get();
  return v && v->spent_on_stream(1 + others) && v->element == out.element &&
         v->dims() == out.dims() && in.view().dims == out.dims() && in.view().contiguous();
}

/// An input whose memory nobody will need after this task and that fits `out`; null if there is
/// none.
value* spent_input(task& t, const value& out) noexcept {
  auto allowed = static_cast<unsigned>(t.op->in_place);
  for (const auto& in : t.inputs) {
    if ((allowed & 1) != 0 && fits(in, out)) return in.source.get();
    allowed >>= 1;
  }
  return nullptr;
}

/// Returns the text of a user's exception as part of one line.
std::string reason_of(std::string_view text) {
  constexpr std::size_t most = 10'000;
  if (text.empty()) return "an exception without a text";
  const auto shown = first_bytes(text, most);
  return on_one_line(shown) + (shown.size() < text.size() ? "..." : "");
}

}  // namespace

std::size_t bytes_to_take_over(const task& t, bool named_once_more) noexcept {
  auto allowed = static_cast<unsigned>(t.op->in_place);
  std::size_t bytes = 0;
  for (const auto& out : t.outputs) {
    unsigned bit = 1;
    for (const auto& in : t.inputs) {
      if ((allowed & bit) != 0 && (fits(in, *out) || (named_once_more && fits(in, *out, 1)))) {
        bytes += out->bytes();
        allowed &= ~bit;
        break;
      }
      bit <<= 1;
    }
  }
  return bytes;
}

bool fails_from_the_start(task& t) noexcept {
  for (auto& in : t.inputs) {
    if (in.source && in.source->failed()) {
      t.fail(failure_ptr(in.source->why()));
      return true;
    }
  }
  if (t.injected.fails) t.fail("failed on purpose");
  return t.injected.fails;
}

std::byte* first_element(const operand& in) noexcept {
  return first_element(in, in.source->data());
}

std::byte* first_element(const operand& in, void* data) noexcept {
  auto* const first = static_cast<std::byte*>(data);
  const auto& view = in.view();
  // A view of no elements may begin behind an array that has none either.
  if (view.offset == 0 || view.dims.size() == 0) return first;
  return first + view.offset * static_cast<std::ptrdiff_t>(size_of(in.element));
}

void allocate(task& t, value& out, driver& place) {
  if (t.budget && !out.fits_inline()) t.budget->allocate(out);
  else out.allocate(place.memory());
}

void fail_without_memory(task& t, std::size_t bytes) noexcept {
  try {
    t.fail("out of memory: " + bytes_text(static_cast<double>(bytes)) + " cannot be had");
  } catch (const std::bad_alloc&) { t.fail("out of memory"); }
}

std::string text_of_current_exception() noexcept {
  try {
    try {
      throw;
    } catch (const std::exception& e) {
      if (!dynamic_cast<const std::bad_alloc*>(&e)) return reason_of(e.what() ? e.what() : "");
    } catch (...) { return "an exception that is no std::exception"; }
  } catch (const std::bad_alloc&) {}  // for the text
  return "out of memory";
}

std::source_location place_of_failed_step(std::source_location otherwise) noexcept {
  try {
    throw;
  } catch (const failed_step& e) { return e.call_site; } catch (...) {
    return otherwise;
  }
}

void fail_with_current_exception(task& t) noexcept {
  t.fail(text_of_current_exception(), place_of_failed_step(t.call_site));
}

std::size_t scratch_of(const task& t) noexcept {
  if (!t.kernel || !t.kernel->scratch_bytes) return 0;
  static constexpr std::int64_t no_strides[max_rank] = {};
  try {
    small_vector<array, 2> inputs;
    small_vector<array, 1> outputs;
    std::uint32_t numbers = 0;
    for (const auto& in : t.inputs) {
      if (!in.source) numbers |= std::uint32_t{1} << inputs.size();
      const auto& dims = in.source ? in.view().dims : t.outputs[0]->dims();
      inputs.emplace_back(array{nullptr, in.element, dims.rank(), dims.data(),
                                in.source ? in.view().strides : no_strides});
    }
    for (const auto& out : t.outputs) {
      const auto& l = out->whole;
      outputs.emplace_back(array{nullptr, out->element, l.dims.rank(), l.dims.data(), l.strides});
    }
    return t.kernel->scratch_bytes({inputs, outputs, t.attributes.data(), nullptr, numbers});
  } catch (...) {
    return 0;  // what the kernel refuses, it refuses when it runs
  }
}

bool binding::take(task& t, driver& where) noexcept {
  const auto bytes = t.kernel->scratch_bytes;
  return take_memory(
      t, where, [&] { return bytes ? bytes(args_) : 0; }, nullptr, true);
}

bool binding::take(task& t, driver& where, stream& on, spent_values* spent,
                   bool last_try) noexcept {
  const auto bytes = t.kernel->launch_scratch_bytes;
  return take_memory(
      t, where, [&] { return bytes ? bytes(args_, on) : 0; }, spent, last_try);
}

template <class ScratchBytes>
bool binding::take_memory(task& t, driver& where, const ScratchBytes& scratch_bytes,
                          spent_values* on_stream, bool last_try) noexcept {
  inputs_.clear();
  outputs_.clear();
  std::size_t wanted = 0;
  // For each output, whose memory it has now; null if it is its own.
  small_vector<value*, 1> taken_over;
  // The next try needs the elements of the inputs, and other tasks on the stream their memory.
  const auto give_back = [&] {
    for (std::size_t i = 0; i < taken_over.size(); ++i) {
      if (taken_over[i]) taken_over[i]->reuse(*t.outputs[i]);
      else t.outputs[i]->drop_memory();
    }
  };
  try {
    std::uint32_t numbers = 0, bit = 1;
    auto* input = inputs_.append(t.inputs.size());
    for (auto& in : t.inputs) {
      if (in.source) {
        const auto& l = in.view();
        *input++ = {first_element(in), in.element, l.dims.rank(), l.dims.data(), l.strides};
      } else {
        static constexpr std::int64_t no_strides[max_rank] = {};
        const auto& dims = t.outputs[0]->dims();
        *input++ = {&in.immediate, in.element, dims.rank(), dims.data(), no_strides};
        numbers |= bit;
      }
      bit <<= 1;
    }
    auto* output = outputs_.append(t.outputs.size());
    for (auto& out : t.outputs) {
      value* spent = spent_input(t, *out);
      wanted = out->bytes();
      taken_over.emplace_back(nullptr);
      if (!spent && on_stream && !t.budget) spent = on_stream->spent_like(*out);
      if (spent) out->reuse(*spent);
      else allocate(t, *out, where);
      taken_over[taken_over.size() - 1] = spent;
      const auto& l = out->whole;
      *output++ = {out->data(), out->element, l.dims.rank(), l.dims.data(), l.strides};
    }
    args_ = {inputs_, outputs_, t.attributes.data(), nullptr, numbers};
    if ((wanted = scratch_bytes())) {
      scratch_ = buffer(where.memory(), wanted);
      args_.scratch = scratch_.data();
    }
    return true;
  } catch (const std::bad_alloc&) {
    give_back();
    if (last_try) fail_without_memory(t, wanted);
  } catch (...) {
    give_back();
    fail_with_current_exception(t);
  }
  return false;
}

void binding::take_fault(driver& where) {
  fault_ = buffer(where.shared_memory(), sizeof(data_fault));
  args_.fault = ::new (fault_.data()) data_fault;
}

}  // namespace troupe
