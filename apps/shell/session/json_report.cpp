// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/session/report.hpp"

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>

#include "troupe/language/evaluator/word.hpp"
#include "troupe/tensor/number_text.hpp"

namespace troupe::shell {

namespace {

using json = nlohmann::ordered_json;

json real(double x) {
  if (std::isnan(x)) return "nan";
  if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
  return x;
}

/// Returns the double whose digits are those of the float: 0.1, not 0.10000000149011612.
double shortest(float x) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, x).ptr;
  double out = 0;
  std::from_chars(text, end, out);
  return out;
}

/// Returns elements as arrays in arrays, one for each axis from `axis` on.
template <class T, class Convert>
json nested(const std::vector<T>& all, const shape& dims, int axis, std::size_t& next,
            const Convert& convert) {
  if (axis == dims.rank()) return convert(all[next++]);
  auto out = json::array();
  for (std::int64_t i = 0; i < dims[axis]; ++i)
    out.push_back(nested(all, dims, axis + 1, next, convert));
  return out;
}

/// A complex number: its parts.
json pair(double re, double im) { return {real(re), real(im)}; }

json data_of(const tensor& x) {
  const auto all = [&](const auto& elements, const auto& convert) {
    std::size_t next = 0;
    return nested(elements, x.shape(), 0, next, convert);
  };
  const auto type = x.dtype();
  if (type == boolean) return all(x.to_vector<std::int32_t>(), [](auto n) { return json(n != 0); });
  if (type == uint64) return all(x.to_vector<std::uint64_t>(), [](auto n) { return json(n); });
  if (is_integer(type)) return all(x.to_vector<std::int64_t>(), [](auto n) { return json(n); });
  if (type == float32) return all(x.to_vector<float>(), [](auto n) { return real(shortest(n)); });
  if (is_complex(type))
    return all(x.to_vector<std::complex<double>>(),
               [](auto n) { return pair(n.real(), n.imag()); });
  if (type == float16)
    return all(x.to_vector<float16_t>(), [](auto n) { return real(shortest_number(n)); });
  if (type == bfloat16)
    return all(x.to_vector<bfloat16_t>(), [](auto n) { return real(shortest_number(n)); });
  return all(x.to_vector<double>(), [](auto n) { return real(n); });
}

void add_type(json& to, const tensor& x) {
  to["dtype"] = name(x.dtype());
  to["shape"] = std::vector<std::int64_t>(x.shape().begin(), x.shape().end());
  to["device"] = to_string(x.device());
}

json json_of(const dynamic_value& x) {
  if (const auto* array = std::get_if<tensor>(&x)) {
    json out;
    add_type(out, *array);
    out["data"] = data_of(*array);
    return out;
  }
  if (const auto* number = std::get_if<scalar>(&x)) {
    if (number->type() == scalar::kind::truth) return number->real() != 0;
    if (number->is_complex()) return pair(number->real(), number->imaginary());
    if (number->is_real()) return real(number->real());
    if (number->type() == scalar::kind::natural) return number->bytes(uint64);
    return static_cast<std::int64_t>(number->bytes(int64));
  }
  if (const auto* items = std::get_if<std::shared_ptr<const list>>(&x)) {
    auto out = json::array();
    for (const auto& one : (*items)->items) out.push_back(json_of(one));
    return out;
  }
  if (std::holds_alternative<std::monostate>(x)) return nullptr;
  return to_text(x);
}

/// Writes an object on a line. Bytes that are no UTF-8 become U+FFFD.
void write(std::ostream& out, const json& object) {
  out << object.dump(-1, ' ', false, json::error_handler_t::replace) << '\n' << std::flush;
}

}  // namespace

void json_report::value(const dynamic_value& x, double waited) {
  if (std::holds_alternative<std::monostate>(x)) return;
  write(out_, {{"input", input_}, {"value", json_of(x)}, {"waited", real(waited)}});
}

void json_report::state(const std::string& name, const dynamic_value& x, const std::string&) {
  json object = {{"input", input_}, {"name", name}};
  if (const auto* array = std::get_if<tensor>(&x)) add_type(object, *array);
  write(out_, object);
}

void json_report::timing(const block_timing& t) {
  json time = {{"submitted", real(t.submitted)},
               {"finished", real(t.finished)},
               {"tasks", t.overlap.tasks},
               {"work", real(t.overlap.work)},
               {"overlap", real(t.overlap.factor())},
               {"critical_path", real(t.overlap.critical_path)}};
  if (t.overlap.partial) time["partial"] = true;
  write(out_, {{"input", input_}, {"time", std::move(time)}});
}

void json_report::error(const mistake& m) {
  json object = {{"input", input_}, {"error", m.facts}};
  if (!m.position.empty()) object["place"] = m.position;
  if (m.line) {
    object["line"] = m.line->text;
    object["column"] = m.line->begin + 1;
  }
  for (const auto& one : m.calls)
    object["calls"].push_back(
        {{"function", one.function}, {"place", one.place}, {"times", one.times}});
  write(out_, object);
}

void json_report::text(const std::string& lines) {
  write(out_, {{"input", input_}, {"text", lines}});
}

}  // namespace troupe::shell
