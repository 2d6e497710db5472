// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/einsum_equation.hpp"

#include <algorithm>
#include <optional>

#include "troupe/text/quoted.hpp"

namespace troupe {

namespace {

constexpr std::string_view spaces = " \t\r\n";

bool is_letter(char c) noexcept { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

int label_of(char letter) noexcept {
  return letter <= 'Z' ? letter - 'A' : letter - 'a' + letter_count / 2;
}

std::string letter_of(int label) {
  if (label >= letter_count) return "...";
  constexpr int half = letter_count / 2;
  return std::string(1, static_cast<char>(label < half ? 'A' + label : 'a' + label - half));
}

std::string counted(std::size_t n, const char* thing) {
  return std::to_string(n) + " " + thing + (n == 1 ? "" : "s");
}

/// Letters between commas, and where an ellipsis stands among them.
struct term {
  std::vector<int> labels;
  std::optional<std::size_t> ellipsis;

  /// Returns the labels with so many axes for the ellipsis.
  std::vector<int> with_axes(int count) const {
    auto all = labels;
    if (!ellipsis) return all;
    std::vector<int> axes;
    for (int i = count; i > 0; --i) axes.push_back(letter_count + i - 1);
    all.insert(all.begin() + static_cast<std::ptrdiff_t>(*ellipsis), axes.begin(), axes.end());
    return all;
  }
};

class equation_reader {
 public:
  equation_reader(std::string_view text, std::span<const tensor_type> types, caller where)
      : text_(text), types_(types), where_(where) {}

  einsum_equation read() {
    split();
    if (terms_.size() != types_.size())
      refuse(counted(terms_.size(), "term") + " for " + counted(types_.size(), "operand"));
    for (std::size_t i = 0; i < terms_.size(); ++i) label_axes(i);
    for (std::size_t i = 0; i < terms_.size(); ++i) size_axes(i);
    find_output();
    return std::move(out_);
  }

 private:
  [[noreturn]] void refuse(const std::string& facts) const {
    refuse_equation(text_, facts, where_);
  }

  void split() {
    const auto arrow = text_.find("->");
    auto left = text_.substr(0, arrow);
    for (;;) {
      const auto comma = left.find(',');
      terms_.push_back(read_term(left.substr(0, comma)));
      if (comma == std::string_view::npos) break;
      left.remove_prefix(comma + 1);
    }
    if (arrow != std::string_view::npos) output_ = read_term(text_.substr(arrow + 2));
  }

  term read_term(std::string_view part) const {
    term t;
    for (std::size_t i = 0; i < part.size(); ++i) {
      const char c = part[i];
      if (is_letter(c)) {
        t.labels.push_back(label_of(c));
      } else if (part.substr(i).starts_with("...")) {
        if (t.ellipsis) refuse("a term has two ellipses");
        t.ellipsis = t.labels.size();
        i += 2;
      } else if (spaces.find(c) == std::string_view::npos) {
        refuse_character(part.substr(i, 1));
      }
    }
    return t;
  }

  [[noreturn]] void refuse_character(std::string_view c) const {
    if (c == ".") refuse("a . that is no part of ...");
    if (c == ",") refuse("more than one output");
    if (c == "-" || c == ">") refuse("an arrow is ->, and there is one at most");
    refuse(quoted(c) + " is no letter");
  }

  void label_axes(std::size_t i) {
    const auto& t = terms_[i];
    const int rank = types_[i].dims.rank(), letters = static_cast<int>(t.labels.size());
    const int rest = rank - letters;
    if (rest < 0 || (rest > 0 && !t.ellipsis))
      refuse("term " + std::to_string(i) + " has " + counted(t.labels.size(), "letter") + " for " +
             to_string(types_[i]));
    ellipsis_axes_ = std::max(ellipsis_axes_, rest);
    out_.operands.push_back(t.with_axes(rest));
  }

  /// Notes the sizes of an operand's axes. Size 1 goes with all others, but not on a diagonal.
  void size_axes(std::size_t i) {
    const auto& axes = out_.operands[i];
    const auto& dims = types_[i].dims;
    for (int axis = 0; axis < dims.rank(); ++axis) {
      const int label = axes[static_cast<std::size_t>(axis)];
      const auto first = std::find(axes.begin(), axes.end(), label) - axes.begin();
      if (dims[static_cast<int>(first)] != dims[axis])
        refuse("the sizes of " + letter_of(label) + " differ in " + to_string(types_[i]));
      auto& size = out_.sizes[label];
      const auto known = seen_ & set_of(label);
      if (!known || size == 1) {
        size = dims[axis];
      } else if (dims[axis] != size && dims[axis] != 1) {
        refuse("the sizes of " + letter_of(label) + " differ, " + std::to_string(size) + " and " +
               std::to_string(dims[axis]) + ": " + all_types());
      }
      seen_ |= set_of(label);
    }
  }

  std::string all_types() const {
    std::string text;
    for (std::size_t i = 0; i < types_.size(); ++i) {
      if (i > 0) text += i + 1 == types_.size() ? " and " : ", ";
      text += to_string(types_[i]);
    }
    return text;
  }

  void find_output() {
    if (!output_) {
      output_ = term{{}, 0};
      for (int label = 0; label < letter_count; ++label) {
        int uses = 0;
        for (const auto& t : terms_)
          uses += static_cast<int>(std::count(t.labels.begin(), t.labels.end(), label));
        if (uses == 1) output_->labels.push_back(label);
      }
    }
    label_set used = 0;
    for (const int label : output_->labels) {
      if (!(seen_ & set_of(label))) refuse("no term has " + letter_of(label) + " of the output");
      if (used & set_of(label)) refuse(letter_of(label) + " is twice in the output");
      used |= set_of(label);
    }
    if (!output_->ellipsis && ellipsis_axes_ > 0)
      refuse("the output lacks ... for the axes of " + all_types());
    out_.output = output_->with_axes(ellipsis_axes_);
    if (out_.output.size() > static_cast<std::size_t>(max_rank))
      refuse("too many axes come out of " + all_types());
  }

  std::string_view text_;
  std::span<const tensor_type> types_;
  caller where_;
  std::vector<term> terms_;
  std::optional<term> output_;
  einsum_equation out_;
  label_set seen_ = 0;
  int ellipsis_axes_ = 0;
};

}  // namespace

void refuse_equation(std::string_view equation, const std::string& facts, caller where) {
  throw error("einsum: " + quoted(equation) + ": " + facts, where);
}

einsum_equation read_equation(std::string_view equation, std::span<const tensor_type> types,
                              caller where) {
  return equation_reader(equation, types, where).read();
}

}  // namespace troupe
