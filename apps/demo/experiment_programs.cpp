// SPDX-License-Identifier: MIT
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>

#include "troupe/apps/demo/experiments.hpp"
#include "troupe/apps/demo/measurements.hpp"
#include "troupe/nn/nn.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/text/quantities.hpp"
#include "troupe/troupe.hpp"

namespace troupe::demo {

namespace {

constexpr auto three_statements = R"(def fancy(a, b, c, d) {
  e = a + b
  f = c + d
  e + f
}
)";

/// Folder that is removed at the end.
class scratch_folder {
 public:
  scratch_folder() {
    auto name = (std::filesystem::temp_directory_path() / "troupe-demo-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error(name + " cannot be made");
    path_ = name;
  }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;
  ~scratch_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

/// Runs something in a process of its own. Throws if that failed.
void in_another_process(const std::function<void()>& work) {
  const auto child = fork();
  if (child < 0) throw std::runtime_error("no other process can be started");
  if (child == 0) {
    try {
      work();
    } catch (const std::exception&) { _exit(1); }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (status != 0) throw std::runtime_error("the other process failed");
}

nn::sequential network() {
  return nn::sequential{nn::dense(256, relu), nn::dense(128, relu), nn::dense(2)};
}

struct passes {
  double queued = 0;  ///< seconds for all, waiting once at the end
  double waited = 0;  ///< the same, waiting for each
};

passes measure(runtime& rt, nn::sequential& net, const tensor& x, int times) {
  for (int i = 0; i < 20; ++i) net(x).wait();
  passes out;
  out.queued = seconds_of([&] {
    for (int i = 0; i < times; ++i) net(x);
    rt.wait_all();
  });
  out.waited = seconds_of([&] {
    for (int i = 0; i < times; ++i) net(x).wait();
  });
  return out;
}

std::string error_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const error& e) { return e.what(); }
  throw std::runtime_error("a wrong program was captured");
}

}  // namespace

void show_program_text(page& p) {
  p.text(R"(
Imperative code runs line by line. A symbolic program is a text first: it is parsed, optimised as a
whole, and runs where and as often as one likes. Here is one of three statements:)");
  p.code(three_statements);
  p.code("const program fancy = parse_program(text);\ntensor sum = fancy(a, b, c, d);\n");
  runtime rt;
  const auto fancy = parse_program(three_statements);
  const tensor a = {1.}, b = {2.}, c = {3.}, d = {4.};
  const auto imperative = (a + b) + (c + d);
  const auto symbolic = fancy(a, b, c, d);
  table t({"a = 1, b = 2, c = 3, d = 4", "e + f"});
  t.add({"line by line, in C++", number_text(imperative.item<double>(), 1)});
  t.add({"the program", number_text(symbolic.item<double>(), 1)});
  p.figures(t);
  p.text("What became of it when it was called:");
  p.code(fancy.explain());
  p.text(
      "A function in C++ has such a text, too, for each kind of arguments that it is called with:");
  const auto gelu = compile([](const tensor& x) { return x * 0.5 * (1 + erf(x * 0.70710678)); });
  p.code(
      "auto gelu = compile([](const tensor& x) {\n"
      "  return x * 0.5 * (1 + erf(x * 0.70710678));\n});\n"
      "std::cout << gelu.program(x).text();\n");
  p.code(gelu.program(a).text());
}

void show_hybridize(page& p) {
  const int times = p.size(1000, 20);
  const auto n = std::to_string(times);
  p.text(
      R"(
A network of three dense layers, 512-256-128-2, on one row of numbers: so small that most of the
time goes into submitting its tasks. hybridize() has it captured at the next call, and submitted
whole from then on.)");
  p.code(
      "nn::sequential net{nn::dense(256, relu), nn::dense(128, relu), nn::dense(2)};\n"
      "net.hybridize();\n");
  runtime rt;
  seed(1);
  auto net = network();
  const auto x = normal({1, 512});
  const auto before_outputs = net(x);
  const auto before = measure(rt, net, x, times);
  net.hybridize();
  const auto after = measure(rt, net, x, times);
  table t({n + " passes", "line by line", "hybridized", "ratio"});
  t.add({"waited for once, at the end", duration_text(before.queued), duration_text(after.queued),
         number_text(before.queued / after.queued, 2)});
  t.add({"waited for each", duration_text(before.waited), duration_text(after.waited),
         number_text(before.waited / after.waited, 2)});
  p.figures(t);
  p.text(std::string("The outputs are ") +
         (all(equal(before_outputs, net(x))).item<bool>() ? "the same" : "NOT the same") +
         " to the bit. How it runs now:");
  p.code(net.explain());

  p.text(R"(
The program can be saved with its weights: one file, which another process runs without this
source.)");
  const scratch_folder folder;
  const auto file = folder / "net.safetensors", answer = folder / "y.npy";
  const auto forward = compile([&](const tensor& in) { return net(in); });
  save_program(file, forward.program(x));
  save_npy(folder / "x.npy", x);
  in_another_process([&] {
    runtime own;
    const auto same = load_program(file);
    save_npy(answer, same(load_npy(folder / "x.npy")));
  });
  p.code(load_program(file).text());
  const bool same = all(equal(load_npy(answer), net(x))).item<bool>();
  p.text(std::string("Another process loaded it and computed ") +
         (same ? "the same numbers, to the bit." : "OTHER numbers."));

  p.text(R"(
What a program cannot do: go another way because of a value that is only known when it runs. It says
so, instead of keeping the way of the first call for ever:)");
  p.code(
      "auto sign = compile([](const tensor& x) {\n"
      "  return sum(x).item<float>() > 0 ? x : -x;\n});\nsign(x);\n");
  const auto sign = compile([](const tensor& in) { return sum(in).item<float>() > 0 ? in : -in; });
  p.text("error: " + error_of([&] { sign(x); }));
  p.keep_trace(rt);
}

}  // namespace troupe::demo
