// SPDX-License-Identifier: MIT
#include "troupe/tasks/binding.hpp"

#include <catch2/catch.hpp>

#include <stdexcept>
#include <string>

#include "troupe/tests/address_limit.hpp"
#include "troupe/tests/memory_sizes.hpp"

namespace troupe::testing {

namespace {

template <class Exception>
std::string text_of(const Exception& e) {
  try {
    throw e;
  } catch (...) { return text_of_current_exception(); }
}

}  // namespace

TEST_CASE("the text of an exception is its own, or says what it is") {
  CHECK(text_of(std::runtime_error("a reason of more than a few letters")) ==
        "a reason of more than a few letters");
  CHECK(text_of(std::bad_alloc()) == "out of memory");
  CHECK(text_of(42) == "an exception that is no std::exception");
}

TEST_CASE("an exception without a text is told as one, not as a lack of memory") {
  CHECK(text_of(std::runtime_error("")) == "an exception without a text");
}

TEST_CASE("the text of an exception is one line, whatever is in it") {
  CHECK(text_of(std::runtime_error("one\ntwo\r\n")) == R"(one\x0atwo\x0d\x0a)");
  CHECK(text_of(std::runtime_error("caf\xC3\xA9 \xFF")) == "caf\xC3\xA9 \\xff");
}

TEST_CASE("a long text is cut behind a whole character, and no more of it takes memory") {
  const std::string many(9'999, 'x');
  CHECK(text_of(std::runtime_error(many + "y")) == many + "y");
  CHECK(text_of(std::runtime_error(many + "\xC3\xA9")) == many + "...");
  const std::runtime_error wordy(std::string(256 * mebibyte, 'x'));
  if (!address_limit::possible) return;
  const address_limit little(64 * mebibyte);
  CHECK(text_of(wordy) == many + "x...");
}

}  // namespace troupe::testing
