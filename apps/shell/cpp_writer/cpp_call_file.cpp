// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/cpp_writer/cpp_call.hpp"

namespace troupe::shell {

namespace {

using type = cpp_kind::type;

/// The array in a file, which its name tells the format of.
cpp_value load(const cpp_arguments& a) {
  const auto& path = a.known_text(0);
  const auto read = [&](std::string_view function) {
    const auto options = cpp_options(a, 2, 3, true);
    std::vector all = {a.text(0)};
    if (!options.empty()) all.push_back({.text = options});
    return cpp_call_of(function, all, array_kind());
  };
  const auto picked = [&](cpp_value out, const std::string& member) {
    const auto all = out.text + member;
    out.text = a.has(1) ? all + ".at(" + a.text(1).text + ")" : all + ".begin()->second";
    return out;
  };
  if (path.ends_with(".npz")) return picked(read("load_npz"), "");
  if (path.ends_with(".safetensors")) return picked(read("load_safetensors"), ".tensors");
  if (path.ends_with(".csv") || path.ends_with(".txt")) return read("load_csv");
  const bool idx =
      path.find("-ubyte") != std::string::npos || path.find(".idx") != std::string::npos;
  return read(idx ? "load_idx" : "load_npy");
}

cpp_value save(const cpp_arguments& a) {
  const auto& path = a.known_text(0);
  const cpp_kind nothing{.is = type::none};
  if (path.ends_with(".npy")) return cpp_call_of("save_npy", a.texts(0, 2), nothing);
  const auto name = a.has(2) ? a.text(2).text : "\"x\"";
  const bool zipped = path.ends_with(".npz");
  if (!zipped && !path.ends_with(".safetensors")) a.refuse("the format of " + path);
  auto x = a.text(1);
  x.text = "{{" + name + ", " + x.text + "}}";
  return cpp_call_of(zipped ? "save_npz" : "save_safetensors", {a.text(0), x}, nothing);
}

}  // namespace

std::optional<cpp_value> cpp_call_file(const cpp_arguments& a) {
  if (a.of().name == "load") return load(a);
  if (a.of().name == "save") return save(a);
  return {};
}

}  // namespace troupe::shell
