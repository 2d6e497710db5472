// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/commands/command.hpp"

#include <algorithm>
#include <iterator>

namespace troupe::shell {

namespace {

constexpr std::string_view numbered_output = "_3";

constexpr language_word words[] = {
    {"time", "time { a = ones(500, 500); b = a @ a }",
     "How long submitting took, how long it took in all, and how much ran at the same time."},
    {"repeat", "repeat 100 { w = w - 0.1 * w }", "Runs what is in the braces so many times."},
    {"for", "for i in 0:10 { s = s + i }",
     "Runs what is in the braces for each of a range, a list or the rows of an array."},
    {"in", "for row in a { print sum(row) }",
     "Stands in a for, between the name and what it goes over."},
    {"while", "while n < 100 { n = 2 * n }",
     "Runs what is in the braces as long as the condition is true, which it waits for."},
    {"break", "while true { n = n + 1; if n > 9 { break } }",
     "Ends the repeat, for or while around it."},
    {"continue", "for i in 0:10 { if i % 2 == 0 { continue }; s = s + i }",
     "Goes on with the next turn of the repeat, for or while around it."},
    {"if", "if all(x > 0) { y = log(x) } else { y = x }",
     "Waits for the condition, which has to be one truth: see any and all."},
    {"else", "if n > 1 { y = x } else if n > 0 { y = -x } else { y = 0 }",
     "What runs where the condition of the if before it is false. Within expressions: x if n > 1 "
     "else -x."},
    {"def", "def f(a, b) { c = a + b; c * 2 }",
     "A function: its value is that of its last statement. Shorter: def f(x) = x * x."},
    {"in_order", "in_order { a = ones(500, 500); b = a @ a }",
     "Waits for each result before going on, as if nothing were asynchronous."},
    {"on", "on cpu(1) { a = ones(2, 3) }",
     "What is made in the braces lives on that device: see :devices."},
    {"wait", "wait a, b",
     "Waits until they are computed. wait_all and the command :wait wait for everything."},
    {"wait_all", "wait_all", "Waits until everything that was submitted has ended."},
    {"del", "del a, b", "Forgets variables."},
    {"print", "print a, b", "Waits for values and shows them, also within braces."},
    {"and", "n > 0 and n < 10",
     "Whether both are true; the second is computed only if the first is. Of elements: &."},
    {"or", "n < 0 or n > 10",
     "Whether one is true; the second is computed only if the first is not. Of elements: |."},
    {"not", "not n > 10", "Whether it is false. Of elements: ~."},
    {"true", "sum(x, axis=0, keepdims=true)", "A truth; in arithmetic it is 1."},
    {"false", "sum(x, axis=0, keepdims=false)", "A truth; in arithmetic it is 0."},
    {"none", "sum(x, axis=none)", "No value: an argument as if it were left out."},
    {"newaxis", "a[newaxis, :]", "In brackets, a new axis of size 1."},
    {"pi", "sin(pi / 2)", "3.141592653589793, half a circle."},
    {"e", "log(e)", "2.718281828459045, the base of log."},
    {"inf", "where(x > 0, x, -inf)", "Infinity, greater than all numbers: see isinf."},
    {"nan", "where(x > 0, x, nan)", "Not a number; it equals nothing, not even itself: see isnan."},
    {"infj", "1 - infj", "The complex number with infinity as its imaginary part."},
    {"nanj", "1 + nanj", "The complex number whose imaginary part is not a number."},
    {"_", "_ + 1", "The last output: the latest value of an expression on its own."},
    {numbered_output, "_3 * 2", "The output of input 3. The latest 100 outputs are kept."},
};

bool is_numbered_output(std::string_view name) noexcept {
  return name.size() > 1 && name[0] == '_' &&
         name.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

}  // namespace

std::span<const language_word> all_language_words() noexcept { return words; }

const language_word* find_language_word(std::string_view name) noexcept {
  if (is_numbered_output(name)) name = numbered_output;
  const auto found = std::find_if(std::begin(words), std::end(words),
                                  [&](const language_word& w) { return w.name == name; });
  return found == std::end(words) ? nullptr : found;
}

}  // namespace troupe::shell
