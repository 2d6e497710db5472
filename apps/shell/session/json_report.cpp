// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/session/json_report.hpp"

#include <charconv>
#include <cmath>
#include <ostream>

#include "troupe/apps/shell/evaluator/word.hpp"
#include "troupe/tensor/number_text.hpp"
#include "troupe/text/quoted.hpp"

namespace troupe::shell {

namespace {

std::string json_number(double x) {
  if (std::isnan(x)) return "\"nan\"";
  if (std::isinf(x)) return x > 0 ? "\"inf\"" : "\"-inf\"";
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, x).ptr;
  std::string out(text, end);
  if (out.find_first_of(".e") == std::string::npos) out += ".0";
  return out;
}

std::string json_number(float x) {
  if (!std::isfinite(x)) return json_number(static_cast<double>(x));
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, x).ptr;
  std::string out(text, end);
  if (out.find_first_of(".e") == std::string::npos) out += ".0";
  return out;
}

std::string json_number(std::int64_t x) { return std::to_string(x); }
std::string json_number(std::int32_t x) { return std::to_string(x); }

template <class T, class Write>
void nest(std::string& out, const std::vector<T>& all, const shape& dims, int axis,
          std::size_t& next, const Write& write) {
  if (axis == dims.rank()) {
    out += write(all[next++]);
    return;
  }
  out += '[';
  for (std::int64_t i = 0; i < dims[axis]; ++i) {
    if (i > 0) out += ", ";
    nest(out, all, dims, axis + 1, next, write);
  }
  out += ']';
}

std::string data_of(const tensor& x) {
  std::string out;
  std::size_t next = 0;
  const auto write = [&](const auto& all, const auto& one) {
    nest(out, all, x.shape(), 0, next, one);
  };
  if (x.dtype() == boolean)
    write(x.to_vector<std::int32_t>(), [](auto n) { return n ? "true" : "false"; });
  else if (x.dtype() == int32)
    write(x.to_vector<std::int32_t>(), [](auto n) { return json_number(n); });
  else if (x.dtype() == int64)
    write(x.to_vector<std::int64_t>(), [](auto n) { return json_number(n); });
  else if (x.dtype() == float32) write(x.to_vector<float>(), [](auto n) { return json_number(n); });
  else if (x.dtype() == float16)
    write(x.to_vector<float16_t>(), [](auto n) { return json_number(shortest_number(n)); });
  else if (x.dtype() == bfloat16)
    write(x.to_vector<bfloat16_t>(), [](auto n) { return json_number(shortest_number(n)); });
  else write(x.to_vector<double>(), [](auto n) { return json_number(n); });
  return out;
}

std::string type_of(const tensor& x) {
  std::string sizes;
  for (const auto s : x.shape()) sizes += (sizes.empty() ? "" : ", ") + std::to_string(s);
  return "\"dtype\": \"" + std::string(name(x.dtype())) + "\", \"shape\": [" + sizes +
         "], \"device\": \"" + to_string(x.device()) + "\"";
}

std::string json_of(const shell_value& x) {
  if (const auto* array = std::get_if<tensor>(&x))
    return "{" + type_of(*array) + ", \"data\": " + data_of(*array) + "}";
  if (const auto* number = std::get_if<scalar>(&x)) {
    if (number->type() == scalar::kind::truth) return number->real() != 0 ? "true" : "false";
    return number->is_real() ? json_number(number->real())
                             : json_number(static_cast<std::int64_t>(number->bytes(int64)));
  }
  if (const auto* items = std::get_if<std::shared_ptr<const list>>(&x)) {
    std::string out = "[";
    for (const auto& one : (*items)->items) out += (out.size() > 1 ? ", " : "") + json_of(one);
    return out + "]";
  }
  if (std::holds_alternative<std::monostate>(x)) return "null";
  return json_text(to_text(x));
}

}  // namespace

void json_report::line(std::string_view what, const std::string& json) {
  out_ << "{\"input\": " << input_ << ", \"" << what << "\": " << json << "}\n" << std::flush;
}

void json_report::value(const shell_value& x, double waited) {
  if (std::holds_alternative<std::monostate>(x)) return;
  line("value", json_of(x) + ", \"waited\": " + json_number(waited));
}

void json_report::state(const std::string& name, const shell_value& x, const std::string&) {
  const auto* array = std::get_if<tensor>(&x);
  line("name", json_text(name) + (array ? ", " + type_of(*array) : ""));
}

void json_report::timing(const block_timing& t) {
  line("time", "{\"submitted\": " + json_number(t.submitted) + ", \"finished\": " +
                   json_number(t.finished) + ", \"tasks\": " + std::to_string(t.overlap.tasks) +
                   ", \"work\": " + json_number(t.overlap.work) +
                   ", \"overlap\": " + json_number(t.overlap.factor()) +
                   ", \"critical_path\": " + json_number(t.overlap.critical_path) +
                   (t.overlap.partial ? ", \"partial\": true}" : "}"));
}

void json_report::error(const mistake& m) {
  std::string json = json_text(m.facts);
  if (!m.position.empty()) json += ", \"place\": " + json_text(m.position);
  if (m.line)
    json += ", \"line\": " + json_text(m.line->text) +
            ", \"column\": " + std::to_string(m.line->begin + 1);
  line("error", json);
}

void json_report::text(const std::string& lines) { line("text", json_text(lines)); }

}  // namespace troupe::shell
