// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <initializer_list>
#include <iosfwd>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "troupe/tasks/gradient_node.hpp"
#include "troupe/tasks/layout.hpp"
#include "troupe/tasks/value.hpp"
#include "troupe/tensor/axes.hpp"
#include "troupe/tensor/index.hpp"
#include "troupe/tensor/nested_numbers.hpp"
#include "troupe/tensor/scalar.hpp"
#include "troupe/tensor/tensor_options.hpp"

namespace troupe {

using caller = std::source_location;

class assignable_part;
class selected_part;
class tensor;

namespace detail {

/// Returns the only element, as `item` does, for a function called `what` that waits for it.
std::int64_t integer_for(const char* what, const tensor& x, caller where);

/// Returns true if an array is ready or has failed, for a function called `what`.
bool has_settled(const char* what, const tensor& x, caller where);

}  // namespace detail

/// Handle to an array that is ready or being computed. Copying it copies no elements, and neither
/// do views (reshape, transpose, slices, broadcasts). Elements never change: `x += 1` makes `x`
/// name a new array.
///
/// Reading elements (`item`, `to_vector`, printing, `wait`) is a sync point: it waits until they
/// are ready and throws task_error, naming the operation and the line that failed, if they could
/// not be computed.
class tensor {
 public:
  /// Names no array: the shape is that of a scalar, and anything that needs a dtype or elements
  /// throws.
  tensor() noexcept = default;
  explicit tensor(value_ref source) noexcept : source_(std::move(source)) {}
  tensor(value_ref source, gradient_node_ref made) noexcept
      : source_(std::move(source)), node_(std::move(made)) {}
  /// Creates an array from numbers in nested lists: `tensor x = {{1., 2.}, {3., 4.}};`. double
  /// makes float64, float makes float32, integers make int64, unless the options name a dtype.
  /// Throws for rows of different lengths.
  tensor(std::initializer_list<detail::nested_numbers> rows, caller where = caller::current())
      : tensor(rows, tensor_options{}, where) {}
  tensor(std::initializer_list<detail::nested_numbers> rows, given_dtype element,
         caller where = caller::current())
      : tensor(rows, tensor_options{.dtype = element}, where) {}
  tensor(std::initializer_list<detail::nested_numbers> rows, const tensor_options& options,
         caller where = caller::current());

  /// Creates an array without axes from a number, of the dtype that a list of such has.
  template <arithmetic T>
  explicit tensor(T number, caller where = caller::current())
      : tensor(of_number(detail::nested_numbers(number), where)) {}
  tensor(const tensor&) = default;
  tensor(tensor&&) noexcept = default;
  // Not for temporaries: what they are given would be lost.
  tensor& operator=(const tensor&) & = default;
  tensor& operator=(tensor&&) & noexcept = default;

  bool defined() const noexcept { return static_cast<bool>(source_); }
  const troupe::shape& shape() const noexcept { return view().dims; }
  int rank() const noexcept { return view().dims.rank(); }
  std::int64_t size() const noexcept { return view().dims.size(); }
  troupe::dtype dtype(caller where = caller::current()) const {
    return checked("dtype", where).element;
  }
  troupe::device device(caller where = caller::current()) const {
    return checked("device", where).device;
  }
  /// Returns, for each axis, the distance in elements from one position to the next.
  std::span<const std::int64_t> strides() const noexcept {
    return {view().strides, static_cast<std::size_t>(rank())};
  }

  /// Returns true if the elements are ready; never waits.
  bool ready(caller where = caller::current()) const { return settled("ready", where).ready(); }
  /// Returns true if the elements could not be computed; never waits.
  bool failed(caller where = caller::current()) const { return settled("failed", where).failed(); }

  /// Waits until the elements are ready. Throws task_error if they could not be computed, every
  /// time.
  const tensor& wait(caller where = caller::current()) const;
  /// Waits for at most the given time; returns true if the elements are ready. Throws as `wait`
  /// does.
  bool wait_for(std::chrono::nanoseconds most, caller where = caller::current()) const;

  /// Returns the same array with a deadline: if it is not computed when the given time has passed,
  /// what is returned fails, for whoever waits for it, reads it or computes with it. This tensor
  /// and its task go on. Returns the tensor itself if it is ready. Throws for a time that is not
  /// positive.
  tensor within(std::chrono::nanoseconds most, caller where = caller::current()) const;

  /// Returns the only element, converted to T; an integer loses the fraction. Throws if there is
  /// more or less than one, and for an element that does not fit an integer T, as NaN does not.
  template <class T = double>
  T item(caller where = caller::current()) const {
    T out;
    read(&out, dtype_of<T>(), 1, "item", where);
    return out;
  }
  /// Returns the elements in row-major order, each converted to T as `item` does.
  template <class T = double>
  std::vector<T> to_vector(caller where = caller::current()) const {
    static_assert(!std::is_same_v<T, bool>, "std::vector<bool> is no array: ask for std::int32_t");
    std::vector<T> out(static_cast<std::size_t>(size()));
    read(out.data(), dtype_of<T>(), size(), "to_vector", where);
    return out;
  }

  /// Returns the part at these indices: `x[0]`, `x[range{1, 3}]`, `x(range{1, 3}, every, -1)`,
  /// `x(ellipsis, 0)`. A position removes its axis; axes without an index are taken whole. No
  /// elements are copied, but for tensors of positions, `x[tensor({0, 2})]`, and masks, `x[x > 0]`;
  /// several of these are broadcast together, as in NumPy. A mask is a sync point: the shape of the
  /// result depends on its elements.
  tensor operator[](const index& i) const;
  tensor operator()(const index& a, const index& b = index::none(), const index& c = index::none(),
                    const index& d = index::none(), const index& e = index::none(),
                    const index& f = index::none(), const index& g = index::none(),
                    const index& h = index::none()) const;
  /// Returns a name for the part at these indices, through which a variable gets other elements
  /// there, `x.at(0) = 1`, or which makes a copy that has them, `x.at(0).set(1)`. See
  /// selection.hpp.
  selected_part at(const index& a, const index& b = index::none(), const index& c = index::none(),
                   const index& d = index::none(), const index& e = index::none(),
                   const index& f = index::none(), const index& g = index::none(),
                   const index& h = index::none()) const&;
  assignable_part at(const index& a, const index& b = index::none(), const index& c = index::none(),
                     const index& d = index::none(), const index& e = index::none(),
                     const index& f = index::none(), const index& g = index::none(),
                     const index& h = index::none()) &;

  // Members for the functions of the same names in tensor/ops.
  tensor T(caller where = caller::current()) const;
  tensor mT(caller where = caller::current()) const;
  tensor transpose(caller where = caller::current()) const;
  tensor transpose(std::initializer_list<int> order, caller where = caller::current()) const;
  tensor transpose(std::span<const int> order, caller where = caller::current()) const;
  tensor swapaxes(int a, int b, caller where = caller::current()) const;
  tensor reshape(std::initializer_list<std::int64_t> sizes, caller where = caller::current()) const;
  tensor reshape(const troupe::shape& sizes, caller where = caller::current()) const;
  tensor reshape(const std::vector<std::int64_t>& sizes, caller where = caller::current()) const;
  tensor flatten(caller where = caller::current()) const;
  tensor squeeze(caller where = caller::current()) const;
  tensor squeeze(int axis, caller where = caller::current()) const;
  tensor expand_dims(int axis, caller where = caller::current()) const;
  tensor broadcast_to(const troupe::shape& sizes, caller where = caller::current()) const;
  tensor slice(int axis, std::optional<std::int64_t> start, std::optional<std::int64_t> stop,
               std::int64_t step = 1, caller where = caller::current()) const;
  tensor sum(const axes& over = {}, flag keep = false, caller where = caller::current()) const;
  tensor mean(const axes& over = {}, flag keep = false, caller where = caller::current()) const;
  tensor prod(const axes& over = {}, flag keep = false, caller where = caller::current()) const;
  tensor max(const axes& over = {}, flag keep = false, caller where = caller::current()) const;
  tensor min(const axes& over = {}, flag keep = false, caller where = caller::current()) const;
  tensor any(const axes& over = {}, flag keep = false, caller where = caller::current()) const;
  tensor all(const axes& over = {}, flag keep = false, caller where = caller::current()) const;
  tensor var(const axes& over = {}, detail::ddof_or_keep ddof = 0, flag keep = false,
             caller where = caller::current()) const;
  tensor stddev(const axes& over = {}, detail::ddof_or_keep ddof = 0, flag keep = false,
                caller where = caller::current()) const;
  tensor argmax(optional_axis axis = {}, flag keep = false, caller where = caller::current()) const;
  tensor argmin(optional_axis axis = {}, flag keep = false, caller where = caller::current()) const;
  tensor astype(troupe::dtype element, caller where = caller::current()) const;
  tensor copy(caller where = caller::current()) const;
  tensor to(troupe::device place, caller where = caller::current()) const;

  /// Collects gradients for this tensor and for copies of it made from now on: operations on them
  /// are recorded in the scope of a `recording`. Throws unless the dtype is floating-point.
  tensor& attach_grad(caller where = caller::current());
  /// Returns the sum of the gradients since `attach_grad` or `zero_grad`; names no array if there
  /// were none.
  tensor grad(caller where = caller::current()) const;
  /// Clears the gradient.
  void zero_grad(caller where = caller::current()) const;
  /// Adds to the gradients of all tensors that this one was computed from while recording. It must
  /// have one element, whose gradient is 1. Releases what the recording kept; see troupe::backward
  /// for more.
  void backward(caller where = caller::current()) const;
  /// Makes a tensor with attach_grad name another array of its shape, dtype and device, as an
  /// optimiser's step does; gradients are still collected for it. Throws if the array does not fit.
  void assign(const tensor& x, caller where = caller::current());
  /// Returns the same array as a constant.
  tensor detach() const;

  const value_ref& source() const noexcept { return source_; }
  const layout& view() const noexcept {
    return part_ ? part_->layout : source_ ? source_->whole : nothing_;
  }
  /// Returns the view, or null if the tensor covers all of its value.
  const view_ref& part() const noexcept { return part_; }
  /// Returns another view of the same array.
  tensor viewed(const layout& view) const {
    tensor out(source_, node_);
    out.part_ = view_ref(new shared_view(view));
    return out;
  }
  /// Returns the gradient node of the array; null for a constant.
  const gradient_node_ref& node() const noexcept { return node_; }
  /// Returns the same array with another gradient node.
  tensor with_node(gradient_node_ref h) const {
    tensor out(*this);
    out.node_ = std::move(h);
    return out;
  }
  tensor_type type(caller where = caller::current()) const {
    const auto& v = checked("type", where);
    return {view().dims, v.element, v.device};
  }

 private:
  friend std::int64_t detail::integer_for(const char* what, const tensor& x, caller where);
  friend bool detail::has_settled(const char* what, const tensor& x, caller where);

  const value& checked(const char* what, caller where) const;
  /// Returns the value; throws in a function that is being captured, where it never settles.
  const value& settled(const char* what, caller where) const {
    const auto& v = checked(what, where);
    if (v.pending()) refuse_if_captured(v, what, where);
    return v;
  }
  static tensor of_number(const detail::nested_numbers& number, caller where);
  static void refuse_if_captured(const value& v, const char* what, caller where);
  void read(void* out, troupe::dtype as, std::int64_t count, const char* what, caller where) const;

  value_ref source_;
  view_ref part_;
  gradient_node_ref node_;
  static const layout nothing_;
};

/// Prints as NumPy does, with dtype and device: a sync point. What names no array is `no array`.
std::ostream& operator<<(std::ostream& out, const tensor& t);
/// Print text such as "[2,3]", "float32" and "cpu:0".
std::ostream& operator<<(std::ostream& out, const shape& s);
std::ostream& operator<<(std::ostream& out, dtype element);
std::ostream& operator<<(std::ostream& out, device place);

}  // namespace troupe
