// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <sstream>

#include "troupe/apps/shell/session/report.hpp"
#include "troupe/apps/shell/session/session.hpp"
#include "troupe/tests/apps/shell/observed_session.hpp"

using namespace troupe;
using namespace troupe::shell;

namespace {

struct json_shell {
  std::ostringstream out;
  json_report report{out};
  session s{{.engine = {.lanes = 1, .cpu_devices = 1}}, report};

  /// Returns the lines for an input, without the time that was waited.
  std::string say(const std::string& input) {
    out.str("");
    s.enter(input);
    auto text = out.str();
    const auto waited = text.find(",\"waited\":");
    if (waited != std::string::npos) text.erase(waited, text.find('}', waited) - waited);
    return text;
  }
};

}  // namespace

TEST_CASE_METHOD(json_shell, "programs get arrays as JSON, to the last digit and no further") {
  CHECK(say("float32([[0.1, 1], [2, 1e30]])") ==
        R"({"input":1,"value":{"dtype":"float32","shape":[2,2],"device":"cpu:0",)"
        R"("data":[[0.1,1.0],[2.0,1e+30]]}})"
        "\n");
  CHECK(say("[1, 2] > 1") ==
        R"({"input":2,"value":{"dtype":"bool","shape":[2],"device":"cpu:0","data":[false,true]}})"
        "\n");
  CHECK(say("zeros([0, 2], float64)") ==
        R"({"input":3,"value":{"dtype":"float64","shape":[0,2],"device":"cpu:0","data":[]}})"
        "\n");
}

TEST_CASE_METHOD(json_shell,
                 "numbers that JSON lacks, and bytes that are not UTF-8, stay valid JSON") {
  const auto x = tensor{NAN, std::numeric_limits<double>::infinity(), -0.5};
  report.value(x, 0);
  CHECK(out.str().find(R"("data":["nan","inf",-0.5]},"waited":0.0})") != std::string::npos);
  out.str("");
  report.text("a\"\n\x01 \xff");
  CHECK(out.str() == "{\"input\":0,\"text\":\"a\\\"\\n\\u0001 \xef\xbf\xbd\"}\n");
}

TEST_CASE_METHOD(json_shell, "programs are told where a mistake is") {
  CHECK(say("1 + y").starts_with(R"({"input":1,"error":")"));
  CHECK(out.str().ends_with(R"("line":"1 + y","column":5})"
                            "\n"));
  say("f = x -> x @ ones(7)");
  say("f(ones(2))");
  CHECK(out.str().ends_with(R"("calls":[{"function":"the function","place":"input 3","times":1}]})"
                            "\n"));
}

TEST_CASE("a terminal is not sent what a faulty line would make it do") {
  troupe::shell::testing::observed_session s;
  const auto text = s.say("x = 1 \x1b[31mred\x7f");
  CHECK(text.find_first_of("\x1b\x7f") == std::string::npos);
  CHECK(text.find("    x = 1 ?[31mred?\n          ^") != std::string::npos);
}
