// SPDX-License-Identifier: MIT
#include "troupe/tensor/io/npy_header.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace troupe {

namespace {

/// The part of Python that headers are written in.
class literal_reader {
 public:
  literal_reader(std::string_view text, const file_call& call) : text_(text), call_(call) {}

  bool accept(char c) noexcept {
    skip_space();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void expect(char c) {
    if (!accept(c)) fail(std::string("no '") + c + "'");
  }

  void end() {
    skip_space();
    if (at_ != text_.size()) fail("more text");
  }

  std::string_view string() {
    skip_space();
    const char quote = accept('\'') ? '\'' : accept('"') ? '"' : '\0';
    if (quote == '\0') fail("no text in quotes");
    const auto end = text_.find(quote, at_);
    if (end == std::string_view::npos) fail("text without an end");
    const auto out = text_.substr(at_, end - at_);
    if (out.find('\\') != std::string_view::npos) fail("an escape in a text");
    at_ = end + 1;
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
    call_.fail("its header makes no sense at character " + std::to_string(at_ + 1) + ": " + facts);
  }

 private:
  void skip_space() noexcept {
    at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
  }

  bool word(std::string_view w) noexcept {
    skip_space();
    if (text_.substr(at_, w.size()) != w) return false;
    at_ += w.size();
    return true;
  }

  std::int64_t whole_number() {
    skip_space();
    std::int64_t out = 0;
    const auto* begin = text_.data() + at_;
    const auto [end, problem] = std::from_chars(begin, text_.data() + text_.size(), out);
    if (problem == std::errc::result_out_of_range) fail("a size beyond int64");
    if (problem != std::errc{}) fail("no whole number");
    if (out < 0) fail("a negative size");
    at_ += static_cast<std::size_t>(end - begin);
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // Python 2 wrote long integers so
    return out;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  const file_call& call_;
};

/// What a code that we have no dtype for stands for.
std::string_view meaning(std::string_view code) noexcept {
  constexpr std::pair<std::string_view, std::string_view> meanings[] = {
      {"u8", "uint64"},        {"c8", "complex64"}, {"c16", "complex128"},   {"f16", "float128"},
      {"O", "Python objects"}, {"S", "bytes"},      {"U", "text"},           {"V", "records"},
      {"M", "dates"},          {"m", "time spans"}, {"c", "complex numbers"}};
  for (const auto& [start, what] : meanings)
    if (code.starts_with(start)) return what;
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

}  // namespace

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
  for (std::size_t i = 0; i < known.size(); ++i)
    if (!known[i]) in.fail("no " + quoted(names[i]));
  return out;
}

}  // namespace troupe
