// SPDX-License-Identifier: MIT
#include "troupe/tensor/io/safetensors_header.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

namespace troupe {

namespace {

using json = nlohmann::ordered_json;

/// Handler of the JSON library's events. It refuses what the format does not have as soon as it
/// comes and keeps nothing else, so a hostile text costs no more than its own size.
class header_reader {
 public:
  header_reader(safetensors_header& out, const file_call& call) : out_(out), call_(call) {}

  bool null() const { refuse(); }
  bool boolean(bool) const { refuse(); }
  bool number_integer(std::int64_t) const { refuse(); }  // called for negative ones only
  bool number_unsigned(std::uint64_t number) {
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (!in_array_ || number > most) refuse();
    if (at_ == place::shape) add_size(static_cast<std::int64_t>(number));
    else add_offset(number);
    return true;
  }
  bool number_float(double, const std::string&) const { refuse(); }
  bool binary(const std::vector<std::uint8_t>&) const { refuse(); }

  bool string(std::string& text) {
    if (at_ == place::dtype) type_ = std::move(text);
    else if (at_ == place::text) out_.metadata[word_] = std::move(text);
    else refuse();
    at_ = at_ == place::dtype ? place::entry : place::metadata;
    return true;
  }

  bool start_object(std::size_t) {
    switch (at_) {
      case place::file: at_ = place::header; return true;
      case place::tensor: at_ = place::entry; return true;
      case place::metadata_itself: at_ = place::metadata; return true;
      default: refuse();
    }
  }
  bool end_object() {
    if (at_ == place::entry) add_entry();
    at_ = place::header;
    return true;
  }
  bool start_array(std::size_t) {
    if (in_array_ || (at_ != place::shape && at_ != place::offsets)) refuse();
    in_array_ = true;
    return true;
  }
  bool end_array() {
    if (at_ == place::offsets && offsets_ != 2) refuse();
    in_array_ = false;
    at_ = place::entry;
    return true;
  }

  bool key(std::string& name) {
    if (at_ == place::header) begin_entry(name);
    else if (at_ == place::metadata) begin_word(name);
    else begin_fact(name);
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const json::exception& e) const {
    // The library says more: what it read last, which may be most of the file.
    const std::string_view said = e.what();
    const auto begin = said.find(" - "), end = std::min(said.find("; last read"), said.size());
    fail_at(position, begin < end ? said.substr(begin + 3, end - begin - 3) : "a number too large");
  }
  [[noreturn]] void fail_at(std::size_t position, std::string_view facts) const {
    call_.fail("its header makes no sense at character " + std::to_string(position) + ": " +
               std::string(facts));
  }

 private:
  /// Place of the next value, or of the object whose keys come next.
  enum class place {
    file,
    header,
    tensor,
    entry,
    dtype,
    shape,
    offsets,
    metadata_itself,
    metadata,
    text
  };

  [[noreturn]] void refuse() const {
    const auto part = call_.inside(entry_.name);
    switch (at_) {
      case place::dtype: part.fail("its dtype is no text");
      case place::shape: part.fail("its shape is not made of whole numbers that fit int64");
      case place::offsets: part.fail("its data_offsets are not two whole numbers that fit int64");
      case place::metadata_itself: call_.fail("its metadata are no object");
      case place::text: call_.fail("metadata " + troupe::quoted(word_) + " is no text");
      default: part.fail("its description in the header is no object");
    }
  }

  void begin_entry(std::string& name) {
    if (!names_.insert(name).second) call_.fail(troupe::quoted(name) + " is in the header twice");
    at_ = name == safetensors_metadata_key ? place::metadata_itself : place::tensor;
    entry_ = {};
    entry_.name = std::move(name);
    type_.reset();
    has_shape_ = false;
    offsets_ = 0;
  }
  void begin_word(std::string& word) {
    if (out_.metadata.contains(word))
      call_.fail("metadata " + troupe::quoted(word) + " is there twice");
    word_ = std::move(word);
    at_ = place::text;
  }
  void begin_fact(const std::string& fact) {
    const auto part = call_.inside(entry_.name);
    at_ = fact == "dtype"          ? place::dtype
          : fact == "shape"        ? place::shape
          : fact == "data_offsets" ? place::offsets
                                   : place::entry;
    if (at_ == place::entry) part.fail("the header has the unknown key " + troupe::quoted(fact));
    if ((at_ == place::dtype && type_) || (at_ == place::offsets && offsets_ > 0) ||
        (at_ == place::shape && std::exchange(has_shape_, true)))
      part.fail("the header gives its " + fact + " twice");
  }

  void add_size(std::int64_t size) {
    auto& sizes = entry_.array.sizes;
    if (sizes.rank() == max_rank)
      call_.inside(entry_.name)
          .fail("its shape has more than the " + std::to_string(max_rank) + " possible axes");
    sizes.push_back(size);
  }
  void add_offset(std::uint64_t offset) {
    if (offsets_ == 2) refuse();
    (offsets_++ == 0 ? entry_.begin : entry_.end) = offset;
  }
  void add_entry() {
    const auto part = call_.inside(entry_.name);
    if (!type_ || !has_shape_ || offsets_ == 0)
      part.fail("the header does not give its dtype, shape and data_offsets");
    entry_.array.type = find_safetensors_type(*type_);
    if (!entry_.array.type)
      part.fail("has dtype " + troupe::quoted(*type_) + ", which tensors do not have");
    out_.entries.push_back(std::move(entry_));
  }

  safetensors_header& out_;
  const file_call& call_;
  place at_ = place::file;
  bool in_array_ = false;
  std::set<std::string> names_;
  std::string word_;
  safetensors_entry entry_;
  std::optional<std::string> type_;
  bool has_shape_ = false;
  int offsets_ = 0;
};

/// Throws unless the entries cover each of `data_bytes` bytes once.
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
  header_reader reader(out, call);
  // The library takes a zero byte for the end of the text.
  if (const auto zero = text.find('\0'); zero != text.npos) reader.fail_at(zero + 1, "a zero byte");
  json::sax_parse(text, &reader);
  check_places(out.entries, data_bytes, call);
  return out;
}

std::string safetensors_header_text(const safetensors_header& header) {
  constexpr std::size_t alignment = 8;
  std::string out = "{";
  const auto add = [&](std::string_view name, const json& about) {
    if (out.size() > 1) out += ',';
    out += json(name).dump() + ':' + about.dump();
  };
  if (!header.metadata.empty()) add(safetensors_metadata_key, header.metadata);
  for (const auto& e : header.entries) {
    const auto& sizes = e.array.sizes;
    add(e.name, {{"dtype", e.array.type->safetensors},
                 {"shape", std::vector<std::int64_t>(sizes.begin(), sizes.end())},
                 {"data_offsets", {e.begin, e.end}}});
  }
  out += '}';
  out.append((alignment - out.size() % alignment) % alignment, ' ');
  return out;
}

}  // namespace troupe
