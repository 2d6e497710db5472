// SPDX-License-Identifier: MIT
#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>

#include "troupe/apps/shell/session/open_call.hpp"
#include "troupe/devices/dtype.hpp"
#include "troupe/language/evaluator/word.hpp"
#include "troupe/tensor/ops/list.hpp"
#include "troupe/tests/apps/shell/observed_session.hpp"

namespace {

using troupe::shell::testing::observed_session;
using words = std::vector<std::string>;

/// Returns the completions of a line with the cursor at its end.
words completed(observed_session& s, std::string_view line) {
  return complete(s.inner(), line, line.size()).words;
}

bool offers(const words& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

}  // namespace

TEST_CASE("commands that slow down or fail an operation are offered operations") {
  observed_session s;
  for (const auto* line : {":slow 50ms ", ":fail "}) {
    INFO(line);
    const auto all = completed(s, line);
    for (const auto* op : troupe::all_operations()) CHECK(offers(all, std::string(op->name)));
    for (const auto& one : all) CHECK(one.find('(') == std::string::npos);
  }
  CHECK(completed(s, ":slow 50ms matm") == words{"matmul"});
  CHECK(completed(s, ":slow ") == words{"off"});
  CHECK(completed(s, ":slow 50ms matmul ").empty());
}

TEST_CASE("commands that take an expression are offered variables first") {
  observed_session s;
  s.say("weights = ones(2); summary = ones(3)");
  for (const std::string command :
       {":graph", ":explain", ":info", ":plot", ":hist", ":wait", ":type", ":bench", ":step"}) {
    INFO(command);
    CHECK(completed(s, command + " ") == words{"summary", "weights"});
    const auto all = completed(s, command + " su");
    CHECK(all.front() == "summary");
    CHECK(offers(all, "sum("));
  }
}

TEST_CASE("the options of commands are offered, and files behind them") {
  observed_session s;
  CHECK(completed(s, ":graph x ") == words{"--dot", "--svg"});
  CHECK(completed(s, ":graph x --s") == words{"--svg"});
  CHECK(completed(s, ":graph x --svg a.svg ") == words{"--dot"});
  CHECK(completed(s, ":timeline ") == words{"--svg", "all"});
  CHECK(completed(s, ":timeline all ") == words{"--svg"});
  CHECK(!offers(completed(s, ":graph x --svg "), "--dot"));
}

TEST_CASE("settings and switches are offered") {
  observed_session s;
  CHECK(completed(s, ":sync ") == words{"off", "on"});
  CHECK(completed(s, ":lesson ") == words{"stop"});
  CHECK(completed(s, ":vars ").empty());
  words names;
  std::istringstream settings(s.say(":set"));
  for (std::string line, name; std::getline(settings, line);) {
    std::istringstream(line) >> name;
    names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  CHECK(completed(s, ":set ") == names);
}

TEST_CASE("a call is offered the arguments that it has not yet") {
  observed_session s;
  CHECK(completed(s, "mean(ones(2), ") == words{"axis=", "keepdims="});
  CHECK(completed(s, "mean(ones(2), axis=1, ") == words{"keepdims="});
  CHECK(completed(s, "mean(ones(2), axis == 1, ") == words{"keepdims="});
  CHECK(completed(s, "ones(2).mean(") == words{"axis=", "keepdims="});
  CHECK(completed(s, ":plot mean(ones(2), ") == words{"axis=", "keepdims="});
  CHECK(completed(s, "load(\"a(b,\", ") == words{"device=", "dtype=", "name="});
  CHECK(completed(s, "uniform(2, 3, dt") == words{"dtype="});
  CHECK(completed(s, "sum(x[1, ").empty());
  CHECK(completed(s, "sum(x + ").empty());
  CHECK(completed(s, "nothing(").empty());
}

TEST_CASE("an argument with few values is offered them only") {
  observed_session s;
  words names;
  for (const auto t : troupe::all_dtypes) names.emplace_back(name(t));
  std::sort(names.begin(), names.end());
  CHECK(completed(s, "uniform(2, dtype=") == names);
  CHECK(completed(s, "uniform(2, dtype = ") == names);
  CHECK(completed(s, "uniform(2, dtype=float3") == words{"float32"});
  CHECK(completed(s, "sum(x, keepdims=") == words{"false", "true"});
  CHECK(completed(s, "ones(2, device=c") == words{"cpu("});
}

TEST_CASE("the words of the language are offered, and help on them") {
  observed_session s;
  CHECK(completed(s, "whi") == words{"while"});
  CHECK(completed(s, "prin") == words{"print"});
  CHECK(completed(s, "newa") == words{"newaxis"});
  CHECK(completed(s, "?repe") == words{"repeat", "repeat_each"});
  CHECK(completed(s, ":help repe") == words{"repeat", "repeat_each"});
  CHECK(completed(s, "?:timel") == words{"timeline"});
  CHECK(completed(s, ":timel") == words{"timeline"});
}

TEST_CASE("a word of more than 64 letters has no suggestion") {
  using troupe::shell::suggestion;
  for (const std::size_t letters : {64, 65, 100'000}) {
    INFO(letters);
    const std::string name(letters, 'a'), near = name.substr(1) + "b";
    CHECK(suggestion(name, {near}).empty() == (letters > 64));
    CHECK(suggestion("aaa", {near}).empty() == (letters > 64));
  }
}

TEST_CASE("a suggestion differs from the word, in case only if it can") {
  using troupe::shell::suggestion;
  CHECK(suggestion("sum", {"sum"}).empty());
  CHECK(suggestion("SUM", {"SIM", "sum"}) == "; did you mean sum?");
  CHECK(suggestion("tim", {"timeline"}) == "; did you mean timeline?");
  CHECK(suggestion("wat", {"watch", "wait"}) == "; did you mean wait?");
  CHECK(suggestion("abc", {"axy"}).empty());
  CHECK(suggestion("abcd", {"abxy"}) == "; did you mean abxy?");
}
