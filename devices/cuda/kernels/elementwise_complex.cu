// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/kernels/complex_input.hpp"
#include "troupe/devices/cuda/kernels/elementwise_rows.hpp"
#include "troupe/devices/row_result.hpp"

namespace troupe::cuda {

namespace {

/// Row of elementwise.def on complex numbers T, or of their parts T to a complex number. Its first
/// input is of type X, its results of type R.
template <class Expression, class R, class X, class T>
struct complex_row {
  static constexpr int inputs = info(Expression::op).arity;

  offsets<inputs> positions;
  complex_input<X> x;
  complex_input<T> y, w;
  R* out;

  TROUPE_BOTH void operator()(std::int64_t i) const {
    std::int64_t at[inputs];
    positions.at(i, at);
    if constexpr (inputs == 1) out[i] = static_cast<R>(Expression::apply(x.read(at[0])));
    else if constexpr (inputs == 2)
      out[i] = static_cast<R>(Expression::apply(x.read(at[0]), y.read(at[1])));
    else out[i] = static_cast<R>(Expression::apply(x.read(at[0]), y.read(at[1]), w.read(at[2])));
  }
};

template <class Row>
void launch_row(const kernel_args& args, stream& on) {
  const auto& out = args.outputs[0];
  if (out.size() == 0) return;
  Row row{offsets<Row::inputs>(merge_axes(args.inputs)),
          {},
          {},
          {},
          static_cast<decltype(Row::out)>(out.data)};
  row.x.take(args, 0);
  if (Row::inputs > 1) row.y.take(args, 1);
  if (Row::inputs > 2) row.w.take(args, 2);
  for_each(on, out.size(), row);
}

template <class Row>
constexpr kernel kernel_of_row{.launch = launch_row<Row>};

template <class Expression, class T>
constexpr const kernel* complex_kernel_of() {
  constexpr auto types = types_of(Expression::op, number_dtype<T>());
  if constexpr (!types || types->compute != number_dtype<T>()) return nullptr;
  else
    return &kernel_of_row<
        complex_row<Expression, row_result<Expression::op, T>, first_input<Expression::op, T>, T>>;
}

template <class Expression>
constexpr void add_complex_kernels(elementwise_table& table) {
  auto& kernels = table.kernels[static_cast<int>(Expression::op)];
  kernels[number_of(complex64)] = complex_kernel_of<Expression, complex_number<float>>();
  kernels[number_of(complex128)] = complex_kernel_of<Expression, complex_number<double>>();
  if constexpr (info(Expression::op).domain == elementwise_domain::pair) {
    kernels[number_of(float32)] = complex_kernel_of<Expression, float>();
    kernels[number_of(float64)] = complex_kernel_of<Expression, double>();
  }
}

constexpr elementwise_table make_complex_table() {
  elementwise_table table;
#define TROUPE_COMPLEX(name) add_complex_kernels<expressions::name##_expression>(table);
#include "troupe/devices/elementwise.def"
  add_complex_kernels<expressions::complex_expression>(table);
  return table;
}

}  // namespace

constexpr elementwise_table complex_kernels = make_complex_table();

}  // namespace troupe::cuda
