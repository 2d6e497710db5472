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

TEST_CASE("a text that is too long for the memory at hand is replaced") {
  const std::runtime_error wordy(std::string(256 * mebibyte, 'x'));
  if (!address_limit::possible) return;
  const address_limit little(64 * mebibyte);
  CHECK(text_of(wordy) == "out of memory");
}

}  // namespace troupe::testing
