// SPDX-License-Identifier: MIT
#include "troupe/tensor/io/safetensors_header.hpp"

#include <algorithm>
#include <set>

#include "troupe/tensor/io/json_reader.hpp"

namespace troupe {

namespace {

shape read_sizes(json_reader& in) {
  shape out;
  in.array([&] {
    if (out.rank() == max_rank)
      in.fail("more than the " + std::to_string(max_rank) + " possible axes");
    out.push_back(in.whole_number());
  });
  return out;
}

void read_offsets(json_reader& in, safetensors_entry& e) {
  int count = 0;
  in.array([&] {
    const auto offset = static_cast<std::uint64_t>(in.whole_number());
    if (count == 0) e.begin = offset;
    if (count == 1) e.end = offset;
    if (++count > 2) in.fail("more than two data_offsets");
  });
  if (count != 2) in.fail("fewer than two data_offsets");
}

safetensors_entry read_entry(json_reader& in, std::string name, const file_call& call) {
  safetensors_entry e;
  bool has_type = false, has_sizes = false, has_offsets = false;
  const auto once = [&](bool& seen, const std::string& key) {
    if (std::exchange(seen, true)) in.fail(quoted(key) + " for the second time");
  };
  std::string type;
  in.object([&](const std::string& key) {
    if (key == "dtype") {
      once(has_type, key);
      type = in.string();
    } else if (key == "shape") {
      once(has_sizes, key);
      e.array.sizes = read_sizes(in);
    } else if (key == "data_offsets") {
      once(has_offsets, key);
      read_offsets(in, e);
    } else {
      in.fail("the unknown key " + quoted(key));
    }
  });
  e.name = std::move(name);
  const auto part = call.inside(e.name);
  if (!has_type || !has_sizes || !has_offsets)
    part.fail("the header does not give its dtype, shape and data_offsets");
  e.array.type = find_safetensors_type(type);
  if (!e.array.type) part.fail("has dtype " + quoted(type) + ", which tensors do not have");
  return e;
}

void check_places(const std::vector<safetensors_entry>& entries, std::uint64_t data_bytes,
                  const file_call& call) {
  std::vector<const safetensors_entry*> in_place;
  for (const auto& e : entries) in_place.push_back(&e);
  std::ranges::sort(in_place, [](const auto* a, const auto* b) {
    return std::pair(a->begin, a->end) < std::pair(b->begin, b->end);
  });
  std::uint64_t next = 0;
  for (const auto* e : in_place) {
    const auto part = call.inside(e->name);
    const auto place =
        "data_offsets [" + std::to_string(e->begin) + "," + std::to_string(e->end) + "]";
    if (e->end < e->begin) part.fail(place + " end before they begin");
    if (e->begin < next) part.fail(place + " overlap those of another tensor");
    if (e->begin > next)
      part.fail(place + " leave a gap before them, from " + std::to_string(next));
    if (e->end > data_bytes)
      part.fail("truncated: " + place + " go beyond the " + count_text(data_bytes, "byte") +
                " of data");
    const auto bytes = bytes_of(e->array, part);
    if (e->end - e->begin != bytes)
      part.fail(place + " are " + count_text(e->end - e->begin, "byte") + ", but " +
                std::string(e->array.type->safetensors) + to_string(e->array.sizes) + " has " +
                std::to_string(bytes));
    next = e->end;
  }
  if (next != data_bytes)
    call.fail(count_text(data_bytes - next, "byte") + " at its end belong to no tensor");
}

}  // namespace

safetensors_header parse_safetensors_header(std::string_view text, std::uint64_t data_bytes,
                                            const file_call& call) {
  if (!text.starts_with('{')) call.fail("is no safetensors file: its header does not begin with {");
  safetensors_header out;
  std::set<std::string> names;
  json_reader in(text, call);
  in.object([&](std::string key) {
    if (!names.insert(key).second) in.fail(quoted(key) + " for the second time");
    if (key != safetensors_metadata_key) {
      out.entries.push_back(read_entry(in, std::move(key), call));
      return;
    }
    in.object([&](std::string word) {
      if (out.metadata.contains(word)) in.fail(quoted(word) + " for the second time");
      out.metadata[std::move(word)] = in.string();
    });
  });
  in.end();
  check_places(out.entries, data_bytes, call);
  return out;
}

std::string safetensors_header_text(const safetensors_header& header) {
  constexpr std::size_t alignment = 8;
  std::string out = "{";
  const auto key = [&](std::string_view name) {
    if (out.back() != '{') out += ',';
    out += json_string(name) + ':';
  };
  if (!header.metadata.empty()) {
    key(safetensors_metadata_key);
    out += '{';
    for (const auto& [word, text] : header.metadata) {
      key(word);
      out += json_string(text);
    }
    out += '}';
  }
  for (const auto& e : header.entries) {
    key(e.name);
    out += "{\"dtype\":\"" + std::string(e.array.type->safetensors) +
           "\",\"shape\":" + to_string(e.array.sizes) + ",\"data_offsets\":[" +
           std::to_string(e.begin) + ',' + std::to_string(e.end) + "]}";
  }
  out += '}';
  out.append((alignment - out.size() % alignment) % alignment, ' ');
  return out;
}

}  // namespace troupe
