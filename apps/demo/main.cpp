// SPDX-License-Identifier: MIT
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <string>
#include <thread>

#include "troupe/apps/demo/arguments.hpp"
#include "troupe/apps/demo/experiments.hpp"
#include "troupe/apps/demo/measurements.hpp"
#include "troupe/apps/demo/table.hpp"
#include "troupe/tasks/clock.hpp"

namespace {

using namespace troupe;
using namespace troupe::demo;

/// Names the trace file: "run.json" for the only experiment, "run-3.json" for one of several.
std::string trace_file_of(const arguments& given, int number) {
  if (given.trace_file.empty() || given.numbers.size() == 1) return given.trace_file;
  const std::filesystem::path path(given.trace_file);
  const auto name = path.stem().string() + "-" + std::to_string(number) + path.extension().string();
  return (path.parent_path() / name).string();
}

void run(const arguments& given) {
  const auto style = style_of_stdout();
  seconds_between(0, 0);  // has the clock measured before anything is timed
  const double free_cores = measure_free_cores();
  std::cout << "troupe on this machine: " << std::thread::hardware_concurrency() << " cores, "
            << number_text(free_cores, 1) << " of them free"
            << (given.quick ? "; a quick run: the figures say little" : "") << "\n\n"
            << "Above a timeline: wall, from the first task's start to the last one's end; work, "
               "what all\n"
               "lanes were busy; critical path, the longest chain of tasks that need each other's "
               "results;\n"
               "overlap factor, work / wall: how many lanes were busy on average.\n\n";
  for (const int number : given.numbers) {
    const auto trace_file = trace_file_of(given, number);
    page p(std::cout, {style, given.quick, free_cores, trace_file});
    const auto& e = experiments()[static_cast<std::size_t>(number - 1)];
    p.title(std::to_string(number) + ". " + e.title);
    e.run(p);
    if (!trace_file.empty()) p.text("Trace saved in " + trace_file + ": ui.perfetto.dev opens it.");
  }
}

}  // namespace

int main(int count, char** words) {
  arguments given;
  try {
    given = parse({words + 1, words + count}, experiments());
  } catch (const std::invalid_argument& e) {
    std::cerr << "troupe-demo: " << e.what() << '\n';
    return 2;
  }
  try {
    if (given.help) std::cout << help_text(experiments());
    else run(given);
  } catch (const std::exception& e) {
    std::cout << std::flush;
    std::cerr << "troupe-demo: " << e.what() << '\n';
    return 1;
  }
}
