// SPDX-License-Identifier: MIT
#include "troupe/tensor/tensor.hpp"

#include "troupe/tasks/engine.hpp"
#include "troupe/tasks/reads.hpp"
#include "troupe/tensor/io/host_elements.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/program/capture.hpp"

namespace troupe {

namespace {

thread_local constinit device chosen{};

}  // namespace

on_device::on_device(device d) noexcept : before_(chosen) { chosen = d; }

on_device::~on_device() { chosen = before_; }

device default_device() noexcept { return chosen; }

namespace {

void refuse_inside_task(const char* what, caller where) {
  if (working_scope::active())
    throw error(std::string(what) +
                    ": not possible inside an operation, which would wait for itself; take the "
                    "value as an input",
                where);
}

/// Returns true if the value is settled in time; throws its failure.
bool await(const value_ref& v, const wait_limit& limit, const char* what, caller where) {
  reads::note(*v);
  if (v->pending()) {
    refuse_inside_task(what, where);
    if (!engine::of(*v, what, where).wait(v, limit)) return false;
  }
  if (v->failed()) raise(*v->why());
  return true;
}

}  // namespace

const layout tensor::nothing_{troupe::shape{}};

const value& tensor::checked(const char* what, caller where) const {
  if (!source_) throw error(std::string(what) + ": the tensor names no array yet", where);
  return *source_;
}

void tensor::refuse_if_captured(const value& v, const char* what, caller where) {
  if (!capture::owns(v)) return;
  if (where.line() == 0 && capture::active())
    where = capture::active()->where();  // as it is printed
  throw error(std::string(what) +
                  ": not known while the function is captured; what depends on a result cannot "
                  "decide what is computed",
              where);
}

const tensor& tensor::wait(caller where) const {
  settled("wait", where);
  await(source_, {}, "wait", where);
  return *this;
}

bool tensor::wait_for(std::chrono::nanoseconds most, caller where) const {
  settled("wait_for", where);
  const auto time = std::chrono::steady_clock::now();
  wait_limit limit;  // none if the deadline would overflow
  if (most < std::chrono::steady_clock::time_point::max() - time) limit.deadline = time + most;
  return await(source_, limit, "wait_for", where);
}

namespace {

/// Returns true if an integer of this kind, without its fraction, is `x`.
template <class T, class Wide>
bool holds(Wide x) noexcept {
  if constexpr (std::is_integral_v<Wide>) return std::in_range<T>(x);
  // The first number above the greatest is a power of two, which is a double.
  constexpr auto above = 2 * static_cast<double>(T{1} << (std::numeric_limits<T>::digits - 1));
  const auto whole = std::trunc(static_cast<double>(x));
  return whole >= static_cast<double>(std::numeric_limits<T>::min()) && whole < above;
}

/// Reads elements as integers that may not hold them, through those of `Wide`, which do.
template <class Wide>
void read_within(const array& from, void* out, dtype as, std::int64_t count, const char* what,
                 caller where) {
  std::vector<Wide> wide(static_cast<std::size_t>(count));
  convert(from, wide.data(), dtype_of<Wide>());
  visit(as, [&]<class T>(T) {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      auto* to = static_cast<T*>(out);
      for (const auto x : wide) {
        if (!holds<T>(x))
          throw error(std::string(what) + ": " + to_string(scalar(x)) + " does not fit " +
                          std::string(name(as)),
                      where);
        *to++ = static_cast<T>(x);
      }
    }
  });
}

/// Returns true if integers of the second kind hold all numbers of the first.
bool always_fits(dtype from, dtype as) noexcept {
  if (from == as || from == boolean) return true;
  return is_integer(from) && promote(from, as) == as;
}

}  // namespace

void tensor::read(void* out, troupe::dtype as, std::int64_t count, const char* what,
                  caller where) const {
  const auto& from_value = settled(what, where);
  capture::note_read(from_value, what, where);
  const auto& view = this->view();
  if (view.dims.size() != count)
    throw error(std::string(what) + ": " + to_string(this->type()) + " has " +
                    std::to_string(view.dims.size()) + " elements, not one",
                where);
  if (!from_value.device.traits().host_memory)
    return troupe::to(*this, cpu(), where).read(out, as, count, what, where);
  await(source_, {}, what, where);
  auto* first = static_cast<std::byte*>(source_->data()) +
                view.offset * static_cast<std::ptrdiff_t>(size_of(from_value.element));
  const array from{first, from_value.element, rank(), view.dims.data(), view.strides};
  if (is_complex(from.type) && !is_complex(as) && as != boolean)
    throw error(std::string(what) + ": " + to_string(this->type()) +
                    " is not real: ask for std::complex<double>, or for real(x)",
                where);
  if (!is_integer(as) || always_fits(from.type, as)) return convert(from, out, as);
  if (is_floating(from.type)) read_within<double>(from, out, as, count, what, where);
  else if (from.type == uint64) read_within<std::uint64_t>(from, out, as, count, what, where);
  else read_within<std::int64_t>(from, out, as, count, what, where);
}

std::int64_t detail::integer_for(const char* what, const tensor& x, caller where) {
  std::int64_t out = 0;
  x.read(&out, int64, 1, what, where);
  return out;
}

bool detail::has_settled(const char* what, const tensor& x, caller where) {
  const auto& v = x.settled(what, where);
  return v.ready() || v.failed();
}

}  // namespace troupe
