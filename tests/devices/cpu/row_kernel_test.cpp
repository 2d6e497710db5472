// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/jit/row_kernel.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "troupe/devices/cpu/cpu_kernels.hpp"
#include "troupe/devices/cpu/features.hpp"
#include "troupe/devices/trace_elementwise.hpp"
#include "troupe/tests/devices/cpu/can_compile.hpp"
#include "troupe/tests/devices/cpu/kernel_runner.hpp"

using namespace troupe;
using namespace troupe::cpu_kernels;
using namespace troupe::testing;

namespace {

bool one_of(elementwise_op op, std::initializer_list<elementwise_op> all) {
  return std::find(all.begin(), all.end(), op) != all.end();
}

const std::string none;  // of a difference

/// True for the rows that are left to the loops: of uint64, with branches, with a float's sign,
/// with functions that no vector library has, or with instructions that only AVX-512 has.
bool left_to_loops(elementwise_op op, dtype type) {
  using enum elementwise_op;
  const auto compute = types_of(op, type)->compute;
  if (type == uint64 || op == elementwise_op::complex) return true;
  if (one_of(op, {fmod, remainder, floor_divide, lgamma, nextafter, copysign})) return true;
  if (one_of(op, {bitwise_left_shift, bitwise_right_shift})) return true;
  if (op == signbit && is_floating(compute)) return true;
  if (op == power) return !is_floating(compute);
  const bool narrow = best_instruction_set() != instruction_set::x86_64_v4;
  if (narrow && compute == int64)
    return one_of(op, {square, multiply, multiply_add, subtract_multiply});
  return narrow && type == int64 && compute == float64;
}

template <class T>
std::vector<T> special_numbers() {
  using limits = std::numeric_limits<T>;
  if constexpr (std::is_same_v<T, bool>) return {false, true};
  else if constexpr (std::is_unsigned_v<T>) return {0, 1, 2, 7, limits::max(), limits::max() - 1};
  else if constexpr (std::is_integral_v<T>)
    return {0, 1, -1, 2, -2, 7, limits::max(), limits::min(), limits::max() - 1, limits::min() + 1};
  else
    return {T(0),
            T(-0.0),
            T(1),
            T(-1),
            T(0.5),
            T(-0.5),
            T(1.5),
            T(2.5),
            T(-2.5),
            T(100),
            T(-100),
            T(1e-3),
            limits::infinity(),
            -limits::infinity(),
            limits::quiet_NaN(),
            -limits::quiet_NaN(),
            limits::denorm_min(),
            -limits::denorm_min(),
            limits::min(),
            -limits::min() / 2,
            limits::max(),
            limits::lowest(),
            limits::epsilon(),
            T(8388607.5),
            T(-4503599627370497.5),
            T(3.1415926535897931)};
}

/// Returns pairs of special numbers, followed by random ones: of any bits, and of usual size.
owned test_numbers(dtype type, std::int64_t n, unsigned seed) {
  owned x(type, {n});
  std::mt19937_64 random(seed);
  visit(type, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (!is_narrow(dtype_of<T>())) {
      const auto special = special_numbers<T>();
      const auto count = static_cast<std::int64_t>(special.size());
      auto* const to = reinterpret_cast<T*>(x.data());
      for (std::int64_t i = 0; i < n; ++i) {
        const auto at = seed % 3 == 0 ? i : seed % 3 == 1 ? i / count : i / count / count;
        if (i < count * count * (count < 11 ? count : 1)) {
          to[i] = special[static_cast<std::size_t>(at % count)];
        } else if constexpr (std::is_same_v<T, bool>) {
          to[i] = random() % 2;
        } else if (i % 2) {
          const auto bits = random();
          std::memcpy(&to[i], &bits, sizeof(T));
        } else {
          to[i] = static_cast<T>(
              static_cast<double>(static_cast<std::int64_t>(random() % 20'001) - 10'000) / 100);
        }
      }
    }
  });
  return x;
}

/// Expression of a single row, on inputs of one dtype.
struct traced_row {
  traced_row(elementwise_op op, dtype type, std::uint32_t uniform = 0) {
    const auto types = *types_of(op, type);
    std::int16_t operands[3];
    for (int k = 0; k < info(op).arity; ++k) {
      const bool condition = k == 0 && info(op).domain == elementwise_domain::selection;
      const bool repeated = uniform >> k & 1;
      operands[k] = e.add({repeated ? primitive::uniform : primitive::input,
                           condition ? boolean : type,
                           {},
                           static_cast<std::uint64_t>(k)});
    }
    e.outputs = {trace(e, op, types.compute, operands)};
  }

  element_expression e;
};

std::vector<owned> inputs_of(elementwise_op op, dtype type, std::int64_t n) {
  std::vector<owned> in;
  for (unsigned k = 0; k < static_cast<unsigned>(info(op).arity); ++k) {
    const bool condition = k == 0 && info(op).domain == elementwise_domain::selection;
    in.push_back(test_numbers(condition ? boolean : type, n, 3 + k));
  }
  return in;
}

void run(const jit::row_kernel& kernel, const std::vector<owned>& in, owned& out) {
  const void* inputs[3] = {};
  for (std::size_t k = 0; k < in.size(); ++k) inputs[k] = in[k].data();
  void* outputs[] = {out.data()};
  kernel.run(inputs, outputs, nullptr, out.size());
}

/// True where two NaNs meet, of several inputs or inside of a row: which of them a sum or a product
/// keeps differs in the loops from one element to the next.
bool meets_nans(elementwise_op op, const std::vector<owned>& in, std::int64_t i) {
  const auto count = std::count_if(in.begin(), in.end(), [&](const owned& x) {
    return is_floating(x.type) && std::isnan(x.at(i));
  });
  return count > (one_of(op, {elementwise_op::softplus, elementwise_op::logaddexp}) ? 0 : 1);
}

/// Returns where both differ first, with the inputs; empty if they do not.
std::string first_difference(elementwise_op op, const owned& got, const owned& expected,
                             const std::vector<owned>& in) {
  const auto size = size_of(got.type);
  for (std::int64_t i = 0; i < got.size(); ++i) {
    const auto at = static_cast<std::size_t>(i) * size;
    if (std::memcmp(got.data() + at, expected.data() + at, size) == 0) continue;
    if (std::isnan(got.at(i)) && std::isnan(expected.at(i)) && meets_nans(op, in, i)) continue;
    std::ostringstream out;
    out << std::hexfloat << "element " << i << ":";
    for (const auto& x : in) out << ' ' << x.at(i);
    out << " gives " << got.at(i) << ", not " << expected.at(i);
    return std::move(out).str();
  }
  return {};
}

constexpr std::int64_t test_size = 3001;

}  // namespace

TEST_CASE("compiled rows equal the loops to the bit, for every dtype") {
  int compared = 0;
  for (int row = 0; row < elementwise_op_count; ++row) {
    const auto op = static_cast<elementwise_op>(row);
    for (const dtype type : computed_dtypes) {
      if (!types_of(op, type)) continue;
      CAPTURE(info(op).name, name(type));
      const traced_row traced(op, type);
      const auto kernel = jit::kernel_of(traced.e);
      CHECK((kernel != nullptr) == (can_compile() && !left_to_loops(op, type)));
      if (!kernel) continue;
      const auto in = inputs_of(op, type, test_size);
      owned expected(types_of(op, type)->result, {test_size});
      owned got(expected.type, {test_size});
      run(elementwise_kernel(op, type), in, expected);
      run(*kernel, in, got);
      CHECK(first_difference(op, got, expected, in) == none);
      ++compared;
    }
  }
  CHECK(compared >= (can_compile() ? 250 : 0));
}

TEST_CASE("compiled rows of any length are the beginnings of longer ones") {
  for (const auto op : {elementwise_op::add, elementwise_op::tanh, elementwise_op::less,
                        elementwise_op::where, elementwise_op::logaddexp}) {
    for (const dtype type : {float32, float64, int32}) {
      const traced_row traced(op, type);
      const auto kernel = jit::kernel_of(traced.e);
      if (!kernel) continue;
      const auto in = inputs_of(op, type, 100);
      owned whole(types_of(op, type)->result, {100});
      run(*kernel, in, whole);
      for (std::int64_t n = 0; n <= 70; ++n) {
        owned some(whole.type, {100});
        some.set([](auto) { return 1; });
        const auto untouched = some.at(n);
        const void* inputs[3] = {};
        for (std::size_t k = 0; k < in.size(); ++k) inputs[k] = in[k].data();
        void* outputs[] = {some.data()};
        kernel->run(inputs, outputs, nullptr, n);
        CAPTURE(info(op).name, name(type), n);
        CHECK(std::memcmp(some.data(), whole.data(),
                          static_cast<std::size_t>(n) * size_of(some.type)) == 0);
        CHECK(some.at(n) == untouched);
      }
    }
  }
}

TEST_CASE("inputs of compiled rows may be one element for all") {
  for (const auto op : {elementwise_op::subtract, elementwise_op::less, elementwise_op::arctan2,
                        elementwise_op::where, elementwise_op::clip}) {
    for (const dtype type : {float32, float64, int32, boolean}) {
      const auto types = types_of(op, type);
      if (!types) continue;
      const auto all = inputs_of(op, type, 200);
      for (std::uint32_t uniform = 1; uniform < 1u << info(op).arity; ++uniform) {
        const traced_row traced(op, type, uniform);
        const auto kernel = jit::kernel_of(traced.e);
        REQUIRE((kernel != nullptr) == can_compile());
        if (!kernel) continue;
        auto in = all;
        for (std::size_t k = 0; k < in.size(); ++k) {
          if (uniform >> k & 1) in[k] = in[k].stepped(0, 200).broadcast({200});
        }
        owned expected(types->result, {200}), got(types->result, {200});
        run(elementwise_kernel(op, type), in, expected);
        run(*kernel, in, got);
        CAPTURE(info(op).name, name(type), uniform);
        CHECK(first_difference(op, got, expected, in) == none);
      }
    }
  }
}

TEST_CASE("expressions of several dtypes convert their elements as the loops do") {
  const dtype from[] = {boolean, int32, int64, float32, float64};
  for (const auto first : from) {
    for (const auto second : from) {
      const auto type = promote(first, second);
      const auto op = elementwise_op::maximum;
      element_expression e;
      const std::int16_t operands[] = {e.add({primitive::input, first, {}, 0}),
                                       e.add({primitive::input, second, {}, 1})};
      e.outputs = {trace(e, op, type, operands)};
      const auto kernel = jit::kernel_of(e);
      if (!kernel) {
        const bool only_wide = type == float64 && (first == int64 || second == int64);
        const bool wide = best_instruction_set() == instruction_set::x86_64_v4;
        CHECK((!can_compile() || (only_wide && !wide)));
        continue;
      }
      const std::vector<owned> in = {test_numbers(first, 500, 3), test_numbers(second, 500, 4)};
      owned expected(type, {500}), got(type, {500});
      run(elementwise_kernel(op, type), in, expected);
      run(*kernel, in, got);
      CAPTURE(name(first), name(second));
      CHECK(first_difference(op, got, expected, in) == none);
    }
  }
}

TEST_CASE("compiled rows round float64 to float32 as the processor does") {
  const auto x = test_numbers(float64, test_size, 4);
  auto wide = test_numbers(float64, test_size, 3);
  const auto single = test_numbers(float32, test_size, 5);
  // Halfway between two floats, and beyond the greatest.
  wide.set([](std::int64_t i) {
    return i % 3 == 0   ? 1 + 0x1p-24 + static_cast<double>(i) * 0x1p-23
           : i % 3 == 1 ? 3.4028235677973366e38
                        : std::ldexp(1.5, -130 - int(i % 30));
  });
  for (const auto& first : {std::cref(x), std::cref(wide)}) {
    element_expression e;
    const auto a = e.add({primitive::input, float64, {}, 0});
    const auto b = e.add({primitive::input, float32, {}, 1});
    const auto rounded = e.add({primitive::convert, float32, {a}});
    const auto less = e.add({primitive::less, boolean, {rounded, b}});
    e.outputs = {rounded, e.add({primitive::subtract, float32, {rounded, b}}),
                 e.add({primitive::choose, float32, {less, rounded, b}}), less,
                 e.add({primitive::convert, float64, {rounded}})};
    const auto kernel = jit::kernel_of(e);
    REQUIRE((kernel != nullptr) == can_compile());
    if (!kernel) return;
    const auto n = test_size;
    owned out[] = {{float32, {n}}, {float32, {n}}, {float32, {n}}, {boolean, {n}}, {float64, {n}}};
    const void* inputs[] = {first.get().data(), single.data()};
    void* outputs[] = {out[0].data(), out[1].data(), out[2].data(), out[3].data(), out[4].data()};
    kernel->run(inputs, outputs, nullptr, n);
    int wrong = 0;
    const auto same = []<class T>(T p, T q) {
      using bits = std::conditional_t<sizeof p == 4, std::uint32_t, std::uint64_t>;
      return std::bit_cast<bits>(p) == std::bit_cast<bits>(q);
    };
    for (std::int64_t i = 0; i < n; ++i) {
      const auto p = reinterpret_cast<const double*>(first.get().data())[i];
      const auto q = reinterpret_cast<const float*>(single.data())[i];
      const auto r = static_cast<float>(p);
      const auto got = [&](int k) { return reinterpret_cast<const float*>(out[k].data())[i]; };
      const bool is_less = reinterpret_cast<const bool*>(out[3].data())[i];
      wrong += !same(got(0), r) || !(same(got(1), r - q) || std::isnan(r - q)) ||
               !same(got(2), r < q ? r : q) || is_less != (r < q) ||
               !same(reinterpret_cast<const double*>(out[4].data())[i], static_cast<double>(r));
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("a compiled row may write over its input, and has several results") {
  element_expression e;
  const auto x = e.add({primitive::input, float32, {}, 0});
  const auto half = e.add({primitive::number, float32, {}, 0});
  const auto product = e.add({primitive::multiply, float32, {x, half}});
  const auto sum = e.add({primitive::add, float32, {product, x}});
  e.outputs = {product, sum, product};
  const auto kernel = jit::kernel_of(e);
  REQUIRE((kernel != nullptr) == can_compile());
  if (!kernel) return;
  std::vector<float> a(37, 4), b(37), c(37);
  const std::uint64_t numbers[] = {std::bit_cast<std::uint32_t>(0.5f)};
  const void* inputs[] = {a.data()};
  void* outputs[] = {a.data(), b.data(), c.data()};
  kernel->run(inputs, outputs, numbers, 37);
  CHECK(a == std::vector<float>(37, 2));
  CHECK(b == std::vector<float>(37, 6));
  CHECK(c == std::vector<float>(37, 2));
}

TEST_CASE("exponentials of floats beside float64 are those of floats alone") {
  const auto x = test_numbers(float32, test_size, 4);
  for (const auto op : {elementwise_op::exp, elementwise_op::exp2}) {
    element_expression e;
    const std::int16_t of[] = {e.add({primitive::input, float32, {}, 0})};
    const auto power = trace(e, op, float32, of);
    e.outputs = {power, e.add({primitive::convert, float64, {power}})};
    const auto kernel = jit::kernel_of(e);
    REQUIRE((kernel != nullptr) == can_compile());
    if (!kernel) return;
    owned expected(float32, {test_size}), got(float32, {test_size}), wide(float64, {test_size});
    run(elementwise_kernel(op, float32), {x}, expected);
    const void* inputs[] = {x.data()};
    void* outputs[] = {got.data(), wide.data()};
    kernel->run(inputs, outputs, nullptr, test_size);
    CHECK(first_difference(op, got, expected, {x}) == none);
    for (std::int64_t i = 0; i < test_size; ++i)
      CHECK((wide.at(i) == expected.at(i) || std::isnan(expected.at(i))));
  }
}

TEST_CASE("more values than registers are kept in memory") {
  // One is called, the other computed in registers of its own.
  for (const auto function : {elementwise_op::abs, elementwise_op::cos, elementwise_op::exp}) {
    const bool makes_one = function != elementwise_op::abs;
    element_expression e;
    std::vector<std::int16_t> nodes;
    for (std::uint64_t k = 0; k < 50; ++k)
      nodes.push_back(e.add({k % 2 ? primitive::input : primitive::uniform, float32, {}, k}));
    const std::int16_t of[] = {nodes[0]};
    auto sum = trace(e, function, float32, of);
    for (int turn = 0; turn < 2; ++turn) {
      for (const auto n : nodes) sum = e.add({primitive::add, float32, {sum, n}});
    }
    e.outputs = {sum};
    const auto kernel = jit::kernel_of(e);
    REQUIRE((kernel != nullptr) == can_compile());
    if (!kernel) return;
    const std::vector<float> one(100, 1);
    std::vector<const void*> inputs(50, one.data());
    const float zero = 0;
    if (makes_one) inputs[0] = &zero;
    std::vector<float> out(100);
    void* outputs[] = {out.data()};
    kernel->run(inputs.data(), outputs, nullptr, 100);
    CHECK(out == std::vector<float>(100, makes_one ? 99 : 101));
  }
}

TEST_CASE("kernels are kept by their expression, the latest of them") {
  if (!can_compile()) return;
  const auto scaled = [](float by) {
    element_expression e;
    const auto x = e.add({primitive::input, float32, {}, 0});
    const auto factor = e.add({primitive::constant, float32, {}, std::bit_cast<std::uint32_t>(by)});
    e.outputs = {e.add({primitive::multiply, float32, {x, factor}})};
    return jit::kernel_of(e);
  };
  const auto first = scaled(1000);
  const auto before = jit::count_kernels();
  CHECK(scaled(1000) == first);
  CHECK(jit::count_kernels().compiled == before.compiled);
  for (int i = 1; i <= 300; ++i) scaled(static_cast<float>(i));
  CHECK(jit::count_kernels().compiled == before.compiled + 300);
  CHECK(jit::count_kernels().kept == jit::most_kernels);
  CHECK(scaled(1000) != first);
}

TEST_CASE("expressions hold each operation once, on the operands that it has") {
  element_expression e;
  const std::int16_t in[] = {e.add({primitive::input, float32, {}, 0}),
                             e.add({primitive::input, float32, {}, 1})};
  const auto sum = trace(e, elementwise_op::add, float32, in);
  CHECK(e[sum].what == primitive::add);
  CHECK(std::equal(in, in + 2, e[sum].operands));
  CHECK(e[sum].operands[2] == expression_node::none);
  CHECK(trace(e, elementwise_op::add, float32, in) == sum);
  CHECK(trace(e, elementwise_op::maximum, float32, in) > sum);
  const auto count = e.nodes().size();
  trace(e, elementwise_op::maximum, float32, in);
  CHECK(e.nodes().size() == count);
}

TEST_CASE("an expression that is too large or that has no result has no kernel") {
  element_expression e;
  CHECK(jit::kernel_of(e) == nullptr);
  auto sum = e.add({primitive::input, float32, {}, 0});
  for (std::size_t i = 0; i < element_expression::most_nodes; ++i)
    sum = e.add({primitive::add, float32, {sum, sum}});
  e.outputs = {sum};
  CHECK(e.refused());
  CHECK(jit::kernel_of(e) == nullptr);
}
