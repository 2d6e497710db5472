// SPDX-License-Identifier: MIT
#include <functional>
#include <string>
#include <vector>

#include "troupe/apps/demo/experiments.hpp"
#include "troupe/apps/demo/measurements.hpp"
#include "troupe/text/quantities.hpp"
#include "troupe/troupe.hpp"

namespace troupe::demo {

void show_sync_points(page& p) {
  const std::int64_t n = p.size(2000, 300);
  p.text(R"(
Before each line of the table a fresh y = matmul(x, x) is queued, and the line's statement timed.
The first time it includes the computing of y. The second time y is there, and only what the
statement itself does is left: a look for wait, a question to the actors for wait_all, a copy of all
elements for to_vector, another norm for norm.)");
  p.code(R"(
tensor y = matmul(x, x);   // returns at once, so its time says nothing about the product's
y.wait();                  // or one of the others
)");

  runtime rt;
  const tensor x = uniform({n, n});
  matmul(x, x).wait();

  struct sync_point {
    std::string code;
    std::function<void(const tensor& y)> run;
  };
  const std::vector<sync_point> all = {
      {"y.wait()", [](const tensor& y) { y.wait(); }},
      {"rt.wait_all()", [&](const tensor&) { rt.wait_all(); }},
      {"y.to_vector<float>()", [](const tensor& y) { y.to_vector<float>(); }},
      {"norm(y).item<float>()", [](const tensor& y) { norm(y).item<float>(); }},
  };

  const ticks start = now();
  table t({"sync point", "queueing y", "sync point, y queued", "sync point, y there"});
  for (const auto& one : all) {
    tensor y;
    const double queued = seconds_of([&] { y = matmul(x, x); });
    const double first = seconds_of([&] { one.run(y); });
    const double second = seconds_of([&] { one.run(y); });
    t.add({one.code, duration_text(queued), duration_text(first), duration_text(second)});
  }
  p.figures(t);
  p.timeline("Four products, each waited for, and two norms", rt.trace(start));
  p.keep_trace(rt);
}

}  // namespace troupe::demo
