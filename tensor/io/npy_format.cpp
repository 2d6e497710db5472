// SPDX-License-Identifier: MIT
#include "troupe/tensor/io/npy_format.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "troupe/tensor/io/stored_array.hpp"
#include "troupe/tensor/ops/reshape.hpp"

namespace troupe {

namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::uint64_t longest_header = std::uint64_t{1} << 20;

/// Facts in the header of a .npy file.
struct npy_header {
  stored_array array;
  bool column_major = false;
};

/// Reader of the part of Python that headers are written in.
class literal_reader {
 public:
  literal_reader(std::string_view text, const file_call& call) : text_(text), call_(call) {}

  bool accept(char c) noexcept {
    skip_space();
    if (position_ == text_.size() || text_[position_] != c) return false;
    ++position_;
    return true;
  }

  void expect(char c) {
    if (!accept(c)) fail(std::string("no '") + c + "'");
  }

  void end() {
    skip_space();
    if (position_ != text_.size()) fail("more text");
  }

  std::string_view string() {
    skip_space();
    const char quote = accept('\'') ? '\'' : accept('"') ? '"' : '\0';
    if (quote == '\0') fail("no text in quotes");
    const auto end = text_.find(quote, position_);
    if (end == std::string_view::npos) fail("text without an end");
    const auto out = text_.substr(position_, end - position_);
    if (out.find('\\') != std::string_view::npos) fail("an escape in a text");
    position_ = end + 1;
    return out;
  }

  bool boolean() {
    if (word("True")) return true;
    if (word("False")) return false;
    fail("neither True nor False");
  }

  shape tuple() {
    shape out;
    expect('(');
    while (!accept(')')) {
      if (out.rank() == max_rank)
        call_.fail("has more than the " + std::to_string(max_rank) + " possible axes");
      out.push_back(whole_number());
      if (accept(',')) continue;
      expect(')');
      if (out.rank() == 1) fail("a number where a tuple should be");
      break;
    }
    return out;
  }

  [[noreturn]] void fail(const std::string& facts) const {
    call_.fail("its header makes no sense at character " + std::to_string(position_ + 1) + ": " +
               facts);
  }

 private:
  void skip_space() noexcept {
    position_ = std::min(text_.find_first_not_of(" \t\r\n", position_), text_.size());
  }

  bool word(std::string_view w) noexcept {
    skip_space();
    if (text_.substr(position_, w.size()) != w) return false;
    position_ += w.size();
    return true;
  }

  std::int64_t whole_number() {
    skip_space();
    std::int64_t out = 0;
    const auto* begin = text_.data() + position_;
    const auto [end, problem] = std::from_chars(begin, text_.data() + text_.size(), out);
    if (problem == std::errc::result_out_of_range) fail("a size beyond int64");
    if (problem != std::errc{}) fail("no whole number");
    if (out < 0) fail("a negative size");
    if (*begin == '0' && end - begin > 1) fail("a size that begins with 0");
    position_ += static_cast<std::size_t>(end - begin);
    if (position_ < text_.size() && text_[position_] == 'L')
      ++position_;  // Python 2 wrote long integers so
    return out;
  }

  std::string_view text_;
  std::size_t position_ = 0;
  const file_call& call_;
};

/// Returns what a code without a dtype stands for.
std::string_view meaning(std::string_view code) noexcept {
  constexpr std::pair<std::string_view, std::string_view> meanings[] = {
      {"f16", "float128"}, {"c32", "complex256"}, {"O", "Python objects"},
      {"S", "bytes"},      {"U", "text"},         {"V", "records"},
      {"M", "dates"},      {"m", "time spans"},   {"c", "complex numbers"}};
  for (const auto& [start, what] : meanings) {
    if (code.starts_with(start)) return what;
  }
  return "an unknown dtype";
}

void read_dtype(std::string_view descr, stored_array& out, const file_call& call) {
  const bool ordered = !descr.empty() && std::string_view("<>|=").find(descr[0]) < 4;
  const auto code = descr.substr(ordered ? 1 : 0);
  out.type = find_npy_type(code);
  if (!out.type)
    call.fail("holds " + std::string(meaning(code)) + " (" + quoted(descr) +
              "), which no dtype of a tensor stands for");
  if (descr[0] == '|' && out.type->bytes > 1)
    call.fail("dtype " + quoted(descr) + " does not say the order of its bytes");
  out.swapped = descr[0] == '>' && out.type->bytes > 1;
}

/// Reads the text of a header, a Python dictionary such as
/// `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }`. Throws if it says anything else,
/// or if no dtype holds its elements exactly.
npy_header parse_npy_header(std::string_view text, const file_call& call) {
  literal_reader in(text, call);
  npy_header out;
  std::array<bool, 3> known{};  // descr, fortran_order, shape
  constexpr std::string_view names[] = {"descr", "fortran_order", "shape"};
  in.expect('{');
  while (!in.accept('}')) {
    const auto key = in.string();
    const auto which = static_cast<std::size_t>(std::ranges::find(names, key) - names);
    if (which == known.size()) in.fail("the unknown key " + quoted(key));
    if (std::exchange(known[which], true)) in.fail(std::string(key) + " for the second time");
    in.expect(':');
    if (which == 0 && (in.accept('[') || in.accept('(')))
      call.fail("holds records (a structured dtype), which no dtype of a tensor stands for");
    if (which == 0) read_dtype(in.string(), out.array, call);
    else if (which == 1) out.column_major = in.boolean();
    else out.array.sizes = in.tuple();
    if (in.accept(',')) continue;
    in.expect('}');
    break;
  }
  in.end();
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (!known[i]) in.fail("no " + quoted(names[i]));
  }
  return out;
}

}  // namespace

std::string npy_header_text(dtype element, const shape& sizes, const file_call& call) {
  const auto code = stored_type_of(element).npy;
  if (code.empty())
    call.fail("NumPy's files have no " + std::string(name(element)) +
              ": convert it to float32, or save safetensors");
  constexpr std::size_t alignment = 64;
  std::string text = "{'descr': '";
  text += size_of(element) == 1 ? '|' : '<';
  text += code;
  text += "', 'fortran_order': False, 'shape': (";
  for (int i = 0; i < sizes.rank(); ++i) {
    text += std::to_string(sizes[i]);
    if (i + 1 < sizes.rank()) text += ", ";
  }
  text += sizes.rank() == 1 ? ",), }" : "), }";
  const auto before = magic.size() + 4, used = before + text.size() + 1;
  text.append((alignment - used % alignment) % alignment, ' ');
  text += '\n';
  std::string out(magic);
  out +=
      {'\x01', '\x00', static_cast<char>(text.size() & 255), static_cast<char>(text.size() >> 8)};
  return out + text;
}

tensor read_npy(byte_source& from, const tensor_options& options, const file_call& call) {
  char start[8];  // magic, major and minor version
  from.read(start, sizeof start);
  if (std::string_view(start, magic.size()) != magic) call.fail("is no .npy file");
  const int version = static_cast<unsigned char>(start[6]);
  if (version < 1 || version > 3 || start[7] != 0)
    call.fail("has version " + std::to_string(version) + "." +
              std::to_string(static_cast<unsigned char>(start[7])) +
              " of the format, not 1.0, 2.0 or 3.0");
  std::uint32_t length = 0;  // little-endian, as this machine
  from.read(&length, version == 1 ? 2 : 4);
  if (length > longest_header)
    call.fail("has a header of " + count_text(length, "byte") + ", more than the " +
              std::to_string(longest_header) + " that are read");
  from.expect(length);
  std::string text(length, '\0');
  from.read(text.data(), length);

  auto header = parse_npy_header(text, call);
  auto& sizes = header.array.sizes;
  shape reversed;
  for (int i = sizes.rank() - 1; i >= 0; --i) reversed.push_back(sizes[i]);
  if (header.column_major) sizes = reversed;
  auto out = read_tensor(from, header.array, options, call);
  from.finish();
  return header.column_major ? transpose(out, call.call_site) : out;
}

}  // namespace troupe
