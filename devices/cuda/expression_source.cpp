// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/expression_source.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

namespace troupe::cuda {

namespace {

/// Beginning of each source. Integers wrap, as in NumPy, where signed overflow is undefined.
constexpr std::string_view prelude = R"(
template <class T> struct alignas(sizeof(T) < 4 ? width * sizeof(T) : 16) pack { T at[width]; };
__device__ inline int wrapped(unsigned x) { return static_cast<int>(x); }
__device__ inline long long wrapped(unsigned long long x) { return static_cast<long long>(x); }
__device__ inline float wrapped(float x) { return x; }
__device__ inline double wrapped(double x) { return x; }
__device__ inline unsigned bits(int x) { return static_cast<unsigned>(x); }
__device__ inline unsigned long long bits(long long x) {
  return static_cast<unsigned long long>(x);
}
__device__ inline float bits(float x) { return x; }
__device__ inline double bits(double x) { return x; }
__device__ inline int flipped(int x) { return ~x; }
__device__ inline long long flipped(long long x) { return ~x; }
__device__ inline bool flipped(bool x) { return !x; }
template <class T> __device__ inline T repeated(T row, long long each, long long period) {
  const T own = each == 1 ? row : row / static_cast<T>(each);
  return period == 0 ? own : own % static_cast<T>(period);
}
)";

/// Returns the type's name in CUDA; null for types that are neither computed in nor converted from.
const char* name_in_cuda(dtype t) noexcept {
  switch (t) {
    case dtype::boolean: return "bool";
    case dtype::int8: return "signed char";
    case dtype::uint8: return "unsigned char";
    case dtype::int16: return "short";
    case dtype::uint16: return "unsigned short";
    case dtype::int32: return "int";
    case dtype::int64: return "long long";
    case dtype::float32: return "float";
    case dtype::float64: return "double";
    default: return nullptr;
  }
}

constexpr const char* function_names[] = {
#define TROUPE_MATH_1(name) #name,
#define TROUPE_MATH_2(name) #name,
#include "troupe/devices/math_functions.def"
};

std::string of(std::string_view stem, std::uint64_t number) {
  return std::string(stem) + std::to_string(number);
}

std::string constant(dtype t, std::uint64_t bits) {
  switch (t) {
    case dtype::boolean: return bits ? "true" : "false";
    case dtype::int32: return "static_cast<int>(" + std::to_string(bits & 0xffffffff) + "u)";
    case dtype::float32: return "__int_as_float(" + std::to_string(bits & 0xffffffff) + "u)";
    case dtype::float64: return "__longlong_as_double(" + std::to_string(bits) + "ull)";
    default: return "static_cast<long long>(" + std::to_string(bits) + "ull)";
  }
}

class source_writer {
 public:
  explicit source_writer(const element_expression& e) : e_(&e) {}

  std::string write() {
    if (e_->refused() || e_->outputs.empty() || !list_operands()) return {};
    const auto steps = compute();
    if (!steps) return {};
    const auto sizes = "constexpr int threads = " + std::to_string(threads_of_block) +
                       ", width = " + std::to_string(elements_of_pack) + ";\n";
    return sizes + std::string(prelude) + *steps + packs() + row_packs() +
           rows(entry::rows, "unsigned") + rows(entry::long_rows, "long long");
  }

 private:
  struct operand {
    std::string type;
    bool uniform = false;
  };

  /// Notes the types of all inputs, outputs and numbers.
  bool list_operands() {
    const auto note = [](std::vector<operand>& all, std::uint64_t position, operand x) {
      if (all.size() <= position) all.resize(position + 1);
      all[position] = std::move(x);
    };
    for (const auto& n : e_->nodes()) {
      const auto* const type = name_in_cuda(n.type);
      if (!type) return false;
      if (n.what == primitive::input) note(inputs_, n.bits, {type});
      if (n.what == primitive::uniform) note(inputs_, n.bits, {type, true});
      if (n.what == primitive::number) note(numbers_, n.bits, {type});
    }
    for (const auto at : e_->outputs) outputs_.push_back({name_in_cuda((*e_)[at].type)});
    const auto unknown = [](const operand& x) { return x.type.empty(); };
    return std::ranges::none_of(inputs_, unknown) && std::ranges::none_of(numbers_, unknown);
  }

  /// Returns the function that computes one element; nothing if a node is refused.
  std::optional<std::string> compute() const {
    std::string out = "__device__ __forceinline__ void compute(";
    std::string_view between;
    const auto add = [&](const std::vector<operand>& all, std::string_view how,
                         std::string_view stem) {
      for (std::size_t i = 0; i < all.size(); ++i) {
        out.append(between).append(all[i].type).append(how).append(of(stem, i));
        between = ", ";
      }
    };
    add(inputs_, " ", "x"), add(numbers_, " ", "n"), add(outputs_, "& ", "y");
    out += ") {\n";
    for (std::size_t i = 0; i < e_->nodes().size(); ++i) {
      const auto& n = e_->nodes()[i];
      const auto value = value_of(n);
      if (value.empty()) return {};
      out.append("  const ").append(name_in_cuda(n.type)).append(of(" v", i)).append(" = ");
      out.append(value).append(";\n");
    }
    for (std::size_t i = 0; i < e_->outputs.size(); ++i)
      out += "  " + of("y", i) + of(" = v", static_cast<std::uint64_t>(e_->outputs[i])) + ";\n";
    return out + "}\n";
  }

  /// Returns a node's value as an expression of CUDA; empty if it is refused.
  std::string value_of(const expression_node& n) const {
    const auto v = [&](int k) { return of("v", static_cast<std::uint64_t>(n.operands[k])); };
    const auto binary = [&](const char* sign) { return v(0) + sign + v(1); };
    const auto wrapping = [&](const char* sign) {
      return "wrapped(bits(" + v(0) + ")" + sign + "bits(" + v(1) + "))";
    };
    const auto type = [&](int k) { return (*e_)[n.operands[k]].type; };
    const auto f = n.type == dtype::float32 ? "f(" : "(";
    const auto called = [&](std::string_view name) { return std::string(name) + f + v(0) + ")"; };
    switch (n.what) {
      case primitive::input:
      case primitive::uniform: return of("x", n.bits);
      case primitive::number: return of("n", n.bits);
      case primitive::constant: return constant(n.type, n.bits);
      case primitive::add: return wrapping(" + ");
      case primitive::subtract: return wrapping(" - ");
      case primitive::multiply: return wrapping(" * ");
      case primitive::divide: return is_floating(n.type) ? binary(" / ") : "";
      case primitive::negate:
        return is_floating(n.type) ? "-" + v(0) : "wrapped(0 - bits(" + v(0) + "))";
      case primitive::absolute: return called("fabs");
      case primitive::square_root: return called("sqrt");
      case primitive::floor: return called("floor");
      case primitive::ceil: return called("ceil");
      case primitive::rint: return called("rint");
      case primitive::trunc: return called("trunc");
      case primitive::bit_and: return binary(" & ");
      case primitive::bit_or: return binary(" | ");
      case primitive::bit_xor: return binary(" ^ ");
      case primitive::bit_not: return "flipped(" + v(0) + ")";
      case primitive::equal: return binary(" == ");
      case primitive::not_equal: return binary(" != ");
      case primitive::less: return binary(" < ");
      case primitive::less_equal: return binary(" <= ");
      case primitive::choose: return v(0) + " ? " + v(1) + " : " + v(2);
      case primitive::convert:  // of floats that do not fit an integer, GPUs have another opinion
        if (is_floating(type(0)) && !is_floating(n.type)) return "";
        return std::string("static_cast<") + name_in_cuda(n.type) + ">(" + v(0) + ")";
      case primitive::call: {
        const std::string_view name = function_names[n.bits];
        if (n.operands[1] == expression_node::none) return called(name);
        return std::string(name) + f + v(0) + ", " + v(1) + ")";
      }
    }
    return {};
  }

  /// Returns the parameters of a kernel, up to its body.
  std::string head(const char* name) const {
    auto out = "extern \"C\" __global__ void __launch_bounds__(threads) " + std::string(name) +
               "(long long size, long long row";
    for (std::size_t i = 0; i < inputs_.size(); ++i)
      out += ", const " + inputs_[i].type + of("* x", i) + of(", long long r", i) +
             of(", long long s", i) + of(", long long e", i) + of(", long long p", i);
    for (std::size_t i = 0; i < outputs_.size(); ++i) out += ", " + outputs_[i].type + of("* y", i);
    for (std::size_t i = 0; i < numbers_.size(); ++i) out += ", " + numbers_[i].type + of(" n", i);
    return out + ") {\n";
  }

  /// Returns a call of `compute`; `in` and `out` give its operands.
  template <class In, class Out>
  std::string call(const In& in, const Out& out) const {
    std::string text = "compute(";
    std::string_view between;
    const auto add = [&](const std::string& x) {
      text.append(between).append(x);
      between = ", ";
    };
    for (std::size_t i = 0; i < inputs_.size(); ++i) add(in(i));
    for (std::size_t i = 0; i < numbers_.size(); ++i) add(of("n", i));
    for (std::size_t i = 0; i < outputs_.size(); ++i) add(out(i));
    return text + ");\n";
  }

  static std::string pack_of(const operand& x) { return "pack<" + x.type + ">"; }
  static std::string as_packs(const operand& x, const std::string& address, const char* how = "") {
    return std::string("reinterpret_cast<") + how + pack_of(x) + "*>(" + address + ")";
  }
  /// Returns where an input's row beside row `r` begins, in elements.
  static std::string own_row(const std::string& count, std::size_t i) {
    return "repeated<" + count + of(">(r, e", i) + of(", p", i) + of(") * r", i);
  }

  /// Each thread takes two packs at a time: both are read before either is written. Where there is
  /// no second one, it takes the first twice.
  std::string packs() const {
    static_assert(packs_of_thread == 2);
    auto out = head(entry::packs);
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      if (inputs_[i].uniform)
        out += "  const " + inputs_[i].type + of(" a", i) + of(" = *x", i) + ";\n";
    }
    out += R"(
  const long long packs = size / width, share = 2 * threads;
  for (long long p = blockIdx.x * share + threadIdx.x; p < packs; p += gridDim.x * share) {
    const long long at[] = {p, p + threads < packs ? p + threads : p};
)";
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      if (inputs_[i].uniform) continue;
      const auto type = "const " + pack_of(inputs_[i]);
      out += "    " + type + of("* const from", i) + " = " +
             as_packs(inputs_[i], of("x", i), "const ") + ";\n";
      out += "    " + type + of(" a", i) + "[] = {" + of("from", i) + "[at[0]], " + of("from", i) +
             "[at[1]]};\n";
    }
    for (std::size_t i = 0; i < outputs_.size(); ++i)
      out += "    " + pack_of(outputs_[i]) + of(" b", i) + "[2];\n";
    out += "    #pragma unroll\n    for (int j = 0; j < 2; ++j)\n";
    out += "      #pragma unroll\n      for (int k = 0; k < width; ++k) ";
    out += call([&](std::size_t i) { return of("a", i) + (inputs_[i].uniform ? "" : "[j].at[k]"); },
                [](std::size_t i) { return of("b", i) + "[j].at[k]"; });
    out += "    for (int j = 0; j < 2; ++j) {\n";
    for (std::size_t i = 0; i < outputs_.size(); ++i)
      out += "      " + as_packs(outputs_[i], of("y", i)) + of("[at[j]] = b", i) + "[j];\n";
    out += R"(    }
  }
  if (const long long i = packs * width + threadIdx.x; blockIdx.x == 0 && i < size) )";
    out += call([&](std::size_t i) { return inputs_[i].uniform ? of("a", i) : of("x", i) + "[i]"; },
                [](std::size_t i) { return of("y", i) + "[i]"; });
    return out + "}\n";
  }

  /// Each thread takes a pack of a row; a block is several rows high where they are short.
  std::string row_packs() const {
    auto out = head(entry::row_packs) + R"(
  const unsigned rows = size / row, length = row / width;
  const unsigned first_row = blockIdx.y * blockDim.y + threadIdx.y;
  const unsigned first = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned r = first_row; r < rows; r += gridDim.y * blockDim.y)
  for (unsigned c = first; c < length; c += gridDim.x * blockDim.x) {
)";
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const auto& x = inputs_[i];
      const auto begin = of("x", i) + " + " + own_row("unsigned", i);
      if (x.uniform) out += "    const " + x.type + of(" a", i) + " = *(" + begin + ");\n";
      else
        out += "    const " + pack_of(x) + of(" a", i) + " = " + as_packs(x, begin, "const ") +
               "[c];\n";
    }
    for (std::size_t i = 0; i < outputs_.size(); ++i)
      out += "    " + pack_of(outputs_[i]) + of(" b", i) + ";\n";
    out += "    #pragma unroll\n    for (int k = 0; k < width; ++k) ";
    out += call([&](std::size_t i) { return of("a", i) + (inputs_[i].uniform ? "" : ".at[k]"); },
                [](std::size_t i) { return of("b", i) + ".at[k]"; });
    for (std::size_t i = 0; i < outputs_.size(); ++i)
      out += "    " + as_packs(outputs_[i], of("y", i) + " + r * row") + of("[c] = b", i) + ";\n";
    return out + "  }\n}\n";
  }

  /// Counts in integers of a type that holds the number of elements.
  std::string rows(const char* name, const char* type) const {
    auto out = head(name) + "  using count = " + type + ";\n" + R"(
  const count n = size, length = row, step = gridDim.x * threads;
  for (count i = blockIdx.x * static_cast<count>(threads) + threadIdx.x; i < n; i += step) {
    const count r = i / length, c = i - r * length;
    )";
    out += call(
        [](std::size_t i) {
          return of("x", i) + of("[repeated<count>(r, e", i) + of(", p", i) + of(") * r", i) +
                 of(" + c * s", i) + "]";
        },
        [](std::size_t i) { return of("y", i) + "[i]"; });
    return out + "  }\n}\n";
  }

  const element_expression* e_;
  std::vector<operand> inputs_, outputs_, numbers_;
};

}  // namespace

std::string source_of(const element_expression& e) { return source_writer(e).write(); }

}  // namespace troupe::cuda
