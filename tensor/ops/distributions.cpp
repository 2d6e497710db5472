// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/distributions.hpp"

#include <cmath>
#include <limits>
#include <optional>

#include "troupe/devices/kernel_table.hpp"
#include "troupe/tasks/parameter_codec.hpp"
#include "troupe/tasks/task.hpp"
#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/launch.hpp"
#include "troupe/tensor/linalg/factors.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/random_numbers.hpp"
#include "troupe/tensor/ops/reshape.hpp"

namespace troupe {

namespace {

/// Parameter of a distribution, with its name in messages and the range that a number has to be in.
struct named_parameter {
  std::string_view name;
  const tensor_or_scalar& given;
  double least = -INFINITY;
  double greatest = INFINITY;
  bool open = false;  ///< the ends are no values
};

named_parameter finite_parameter(std::string_view name, const tensor_or_scalar& given) {
  return {name, given, -INFINITY, INFINITY, true};
}

named_parameter scale_of(const tensor_or_scalar& given) {
  return {"scale", given, 0, std::numeric_limits<double>::max()};
}

void check_number(std::string_view what, const named_parameter& p, caller where) {
  const double x = p.given.number().real();
  const bool fits = p.open ? x > p.least && x < p.greatest : x >= p.least && x <= p.greatest;
  if (fits || (p.least == -INFINITY && !p.open)) return;
  throw error(std::string(what) + ": the " + std::string(p.name) + " is " +
                  to_string(p.given.number()) + ", not " +
                  (p.least == -INFINITY ? "finite"
                   : p.greatest == 1    ? "from 0 to 1"
                   : p.greatest < 1e300 ? "from 0 to 2**62"
                   : p.open             ? "positive and finite"
                                        : "0 or more and finite"),
              where);
}

/// Function that draws, with what its result will be.
class drawing {
 public:
  drawing(std::string_view what, const shape& sizes, std::initializer_list<named_parameter> given,
          const random_options& options, caller where, std::optional<dtype> usual = {})
      : from_(options.key), where_(where) {
    std::optional<dtype> floats;
    std::optional<device> there;
    for (const auto& p : given) {
      const auto* x = p.given.array();
      if (!x) {
        check_number(what, p, where);
        continue;
      }
      check_defined(what, *x, where);
      if (broadcast(x->shape(), sizes) != sizes)
        throw error(std::string(what) + ": the " + std::string(p.name) + ' ' +
                        to_string(x->type()) + " does not broadcast to " + to_string(sizes),
                    where);
      if (is_floating(x->dtype())) floats = floats ? promote(*floats, x->dtype()) : x->dtype();
      if (!there) there = x->device();
    }
    const auto element = options.dtype.value_or(usual.value_or(floats.value_or(float32)));
    if (!usual && !is_floating(element))
      throw error(std::string(what) + ": real numbers have no dtype " + std::string(name(element)),
                  where);
    out_ = {sizes, element, options.device.value_or(there.value_or(default_device()))};
  }

  const tensor_type& out() const noexcept { return out_; }
  caller where() const noexcept { return where_; }

  /// Returns uniform numbers in float64.
  tensor uniform_numbers(double low = 0) const {
    return uniform(out_.dims, low, 1, {.dtype = float64, .device = out_.device}, where_);
  }

  /// Returns -log(1 - u), with u from [0, 1) or (0, 1).
  tensor exponential_numbers(bool positive = false) const {
    const auto u = uniform_numbers();
    return negative(log1p(negative(positive ? maximum(u, 0x1p-54, where_) : u, where_), where_),
                    where_);
  }

  /// Returns x * scale + place in the dtype of the result.
  tensor moved(tensor x, const tensor_or_scalar& place, const tensor_or_scalar& scale) const {
    x = astype_if(x, is_narrow(out_.element) ? float32 : out_.element);
    if (const auto* by = scale.array()) x = multiply(x, *by, where_);
    else if (scale.number().real() != 1) x = multiply(x, scale.number().real(), where_);
    if (const auto* by = place.array()) x = add(x, *by, where_);
    else if (place.number().real() != 0) x = add(x, place.number().real(), where_);
    return astype_if(x, out_.element);
  }
  tensor in_dtype(const tensor& x) const { return astype_if(x, out_.element); }

 private:
  tensor astype_if(const tensor& x, dtype to) const {
    return x.dtype() == to ? x : astype(x, to, where_);
  }

  numbers_of_key from_;
  caller where_;
  tensor_type out_;
};

// Of parameters beside the random words no gradient is known.
constexpr operation record(std::string_view name, std::string_view doc,
                           const kernel* (*choose)(const task&, const kernel_table&),
                           std::vector<sample> (*samples)()) {
  operation r{.name = name, .doc = doc};
  r.kernel = choose;
  r.flops_per_element = 100;
  r.gradient = differentiability::none;
  r.random = true;
  r.numbers = operation::any_input;
  r.samples = samples;
  r.parameters = &sends<variate_attributes>;
  return r;
}

template <variate_op Op>
const kernel* choose(const task&, const kernel_table& from) {
  return from.variate(Op);
}

tensor positive(const tensor& x) { return abs(x) + 0.5; }

const random_options fixed{.dtype = float64, .key = random_key(3)};

/// Submits a drawing by rejection of parameters that are numbers or float64.
tensor draw_variates(variate_op op, const drawing& d, std::span<const tensor_or_scalar> given) {
  const auto& r = variate_operations()[static_cast<std::size_t>(op)];
  small_vector<tensor, 2> arrays;
  for (const auto& p : given) {
    const auto* x = p.array();
    if (!x) continue;
    if (recording::active() && x->node())
      throw error(std::string(r.name) + ": no gradient flows to its parameter " +
                      to_string(x->type()) + "; draw with x.detach()",
                  d.where());
    auto y = x->dtype() == float64 ? *x : astype(*x, float64, d.where());
    if (y.size() != 1 && y.shape() != d.out().dims) y = broadcast_to(y, d.out().dims, d.where());
    arrays.emplace_back(contiguous(y, d.where()));
  }
  small_vector<const tensor*, 2> inputs;
  for (const auto& x : arrays) inputs.emplace_back(&x);
  auto& e = arrays.empty()
                ? engine::current(r.name, d.where())
                : common_home(r.name, {inputs.begin(), inputs.size()}, d.where()).runtime;
  const auto place = arrays.empty() ? d.out().device : arrays[0].device();
  if (place != d.out().device)
    throw error(std::string(r.name) + ": parameters on " + to_string(place) + " for numbers on " +
                    to_string(d.out().device),
                d.where());
  e.at(place, r.name, d.where());
  auto t = std::make_unique<task>(r, place, d.where());
  t->attributes = variate_attributes{draw(e, static_cast<std::uint64_t>(d.out().dims.size()))};
  std::size_t next = 0;
  for (const auto& p : given) {
    if (p.array()) add_input(*t, arrays[next++]);
    else add_input(*t, float64, p.number().bytes(float64));
  }
  return launch(e, std::move(t), {d.out().dims, float64, place});
}

bool is_number(const tensor_or_scalar& x, double wanted) noexcept {
  return !x.array() && x.number().real() == wanted;
}

/// Bound less the mean, divided by the deviation, in float64.
class standard_bound {
 public:
  standard_bound(const tensor_or_scalar& bound, const tensor_or_scalar& mean,
                 const tensor_or_scalar& deviation, caller where)
      : number_((bound.number().real() - mean.number().real()) / deviation.number().real()) {
    if (!bound.array() && !mean.array() && !deviation.array()) return;
    if (is_number(mean, 0) && is_number(deviation, 1)) {
      array_ = *bound.array();
      return;
    }
    const auto exact = [&](const tensor_or_scalar& x) {
      return x.array() ? astype(*x.array(), float64, where) : tensor();
    };
    const auto b = exact(bound), m = exact(mean), d = exact(deviation);
    array_ = b.defined() && m.defined() ? subtract(b, m, where)
             : b.defined()              ? subtract(b, mean.number().real(), where)
             : m.defined()              ? subtract(bound.number().real(), m, where)
                                        : tensor();
    if (!array_.defined()) array_ = divide(bound.number().real() - mean.number().real(), d, where);
    else
      array_ =
          d.defined() ? divide(array_, d, where) : divide(array_, deviation.number().real(), where);
  }
  operator tensor_or_scalar() const noexcept {
    return array_.defined() ? tensor_or_scalar(array_) : tensor_or_scalar(number_);
  }

 private:
  double number_;
  tensor array_;
};

tensor limited(const tensor& x, const tensor_or_scalar& low, const tensor_or_scalar& high,
               const drawing& d) {
  const auto y = low.array() ? maximum(x, *low.array(), d.where())
                             : maximum(x, low.number().real(), d.where());
  const auto z = high.array() ? minimum(y, *high.array(), d.where())
                              : minimum(y, high.number().real(), d.where());
  return d.in_dtype(z);
}

}  // namespace

std::span<const operation> variate_operations() noexcept {
  static constexpr operation records[] = {
      record("gamma", "Random numbers with a gamma distribution.", choose<variate_op::gamma>,
             [] {
               return std::vector<sample>{{{},
                                           [](std::span<const tensor>) {
                                             return gamma({3, 5}, 2.5, 1, fixed);
                                           }},
                                          {{{{3, 4}, float32, {}}}, [](std::span<const tensor> in) {
                                             return gamma({2, 3, 4}, positive(in[0]), 1, fixed);
                                           }}};
             }),
      record("beta", "Random numbers with a beta distribution.", choose<variate_op::beta>,
             [] {
               return std::vector<sample>{
                   {{}, [](std::span<const tensor>) { return beta({}, 0.5, 3, fixed); }},
                   {{{{3, 4}, float64, {}}, {{4}, float64, {}}}, [](std::span<const tensor> in) {
                      return beta({3, 4}, positive(in[0]), positive(in[1]), fixed);
                    }}};
             }),
      record("poisson", "Random counts with a Poisson distribution.", choose<variate_op::poisson>,
             [] {
               return std::vector<sample>{
                   {{}, [](std::span<const tensor>) { return poisson({0}, 3, fixed); }},
                   {{{{3, 4}, float32, {}}}, [](std::span<const tensor> in) {
                      return poisson({3, 4}, positive(in[0]) * 10, fixed);
                    }}};
             }),
      record("truncated_normal", "Random numbers with a normal distribution between two bounds.",
             choose<variate_op::truncated_normal>, [] {
               return std::vector<sample>{
                   {{},
                    [](std::span<const tensor>) {
                      return truncated_normal({7}, -1, 2.5, 0, 1, fixed);
                    }},
                   {{{{3, 4}, float32, {}}}, [](std::span<const tensor> in) {
                      return truncated_normal({3, 4}, in[0], in[0] + 1, 0, 1, fixed);
                    }}};
             })};
  return records;
}

tensor bernoulli(const shape& sizes, const tensor_or_scalar& p, const random_options& options,
                 caller where) {
  const drawing d("bernoulli", sizes, {{"probability", p, 0, 1}}, options, where, boolean);
  const auto u = d.uniform_numbers();
  return d.in_dtype(p.array() ? less(u, *p.array(), where) : less(u, p.number().real(), where));
}

tensor exponential(const shape& sizes, const tensor_or_scalar& scale, const random_options& options,
                   caller where) {
  const drawing d("exponential", sizes, {scale_of(scale)}, options, where);
  return d.moved(d.exponential_numbers(), 0, scale);
}

tensor laplace(const shape& sizes, const tensor_or_scalar& mean, const tensor_or_scalar& scale,
               const random_options& options, caller where) {
  const drawing d("laplace", sizes, {finite_parameter("mean", mean), scale_of(scale)}, options,
                  where);
  // Above -1, whose logarithm is infinite.
  const auto u = d.uniform_numbers(-1 + 0x1p-53);
  const auto x = multiply(negative(sign(u, where), where),
                          log1p(negative(abs(u, where), where), where), where);
  return d.moved(x, mean, scale);
}

tensor gumbel(const shape& sizes, const tensor_or_scalar& mode, const tensor_or_scalar& scale,
              const random_options& options, caller where) {
  const drawing d("gumbel", sizes, {finite_parameter("mode", mode), scale_of(scale)}, options,
                  where);
  return d.moved(negative(log(d.exponential_numbers(true), where), where), mode, scale);
}

tensor truncated_normal(const shape& sizes, const tensor_or_scalar& low,
                        const tensor_or_scalar& high, const tensor_or_scalar& mean,
                        const tensor_or_scalar& standard_deviation, const random_options& options,
                        caller where) {
  const drawing d("truncated_normal", sizes,
                  {{"lower bound", low},
                   {"upper bound", high},
                   finite_parameter("mean", mean),
                   {"deviation", standard_deviation, 0, INFINITY, true}},
                  options, where);
  if (!low.array() && !high.array() && !(low.number().real() < high.number().real()))
    throw error("truncated_normal: no numbers from " + to_string(low.number()) + " to " +
                    to_string(high.number()),
                where);
  const standard_bound first(low, mean, standard_deviation, where),
      last(high, mean, standard_deviation, where);
  const tensor_or_scalar given[] = {first, last};
  const auto x = draw_variates(variate_op::truncated_normal, d, given);
  if (is_number(mean, 0) && is_number(standard_deviation, 1) && d.out().element == float64)
    return x;
  return limited(d.moved(x, mean, standard_deviation), low, high, d);
}

tensor gamma(const shape& sizes, const tensor_or_scalar& concentration,
             const tensor_or_scalar& scale, const random_options& options, caller where) {
  const drawing d("gamma", sizes,
                  {{"concentration", concentration, 0, INFINITY, true}, scale_of(scale)}, options,
                  where);
  return d.moved(draw_variates(variate_op::gamma, d, {&concentration, 1}), 0, scale);
}

tensor beta(const shape& sizes, const tensor_or_scalar& a, const tensor_or_scalar& b,
            const random_options& options, caller where) {
  const drawing d("beta", sizes,
                  {{"first concentration", a, 0, INFINITY, true},
                   {"second concentration", b, 0, INFINITY, true}},
                  options, where);
  const tensor_or_scalar given[] = {a, b};
  return d.in_dtype(draw_variates(variate_op::beta, d, given));
}

tensor poisson(const shape& sizes, const tensor_or_scalar& rate, const random_options& options,
               caller where) {
  const drawing d("poisson", sizes, {{"rate", rate, 0, 0x1p62}}, options, where, int64);
  if (d.out().element == boolean) throw error("poisson: counts have no dtype bool", where);
  return d.in_dtype(draw_variates(variate_op::poisson, d, {&rate, 1}));
}

tensor multivariate_normal(const shape& sizes, const tensor& mean, const tensor& covariance,
                           const random_options& options, caller where) {
  constexpr std::string_view what = "multivariate_normal";
  const numbers_of_key from(options.key);
  const tensor* const inputs[] = {&mean, &covariance};
  const auto place = common_home(what, inputs, where).device;
  const tensor_type types[] = {mean.type(), covariance.type()};
  const int rank = covariance.rank();
  const auto &m = mean.shape(), &c = covariance.shape();
  if (m.rank() < 1 || rank < 2 || c[rank - 1] != c[rank - 2] || m[m.rank() - 1] != c[rank - 1])
    refuse(what, "no mean [..., n] and covariance [..., n, n]", types, where);
  const auto n = c[rank - 1];
  shape whole = sizes, batch;
  if (sizes.rank() < max_rank) whole.push_back(n);
  for (int i = 0; i + 2 < rank; ++i) batch.push_back(c[i]);
  if (sizes.rank() == max_rank || broadcast(m, whole) != whole || broadcast(batch, sizes) != sizes)
    refuse(what, "does not broadcast to " + to_string(sizes), types, where);
  const auto both = promote(mean.dtype(), covariance.dtype());
  const auto element = options.dtype.value_or(is_floating(both) ? both : float32);
  if (!is_floating(element))
    throw error(std::string(what) + ": real numbers have no dtype " + std::string(name(element)),
                where);
  if (options.device.value_or(place) != place)
    throw error(std::string(what) + ": parameters on " + to_string(place) + " for numbers on " +
                    to_string(*options.device),
                where);
  const auto computed = is_narrow(element) ? float32 : element;
  const auto factor = linalg::cholesky(astype(covariance, computed, where), false, where);
  const auto z = normal(whole, 0, 1, {.dtype = computed, .device = place}, where);
  // One factor for all vectors makes one product of them.
  const auto x =
      rank == 2 && sizes.rank() != 1
          ? reshape(matmul(reshape(z, {sizes.size(), n}, where), transpose(factor, where), where),
                    whole, where)
      : rank == 2 ? matmul(z, transpose(factor, where), where)
                  : squeeze(matmul(factor, expand_dims(z, -1, where), where), -1, where);
  return astype(add(x, mean, where), element, where);
}

}  // namespace troupe
