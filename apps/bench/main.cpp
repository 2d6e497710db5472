// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "troupe/apps/bench/arguments.hpp"
#include "troupe/apps/bench/row.hpp"
#include "troupe/apps/gpu_here.hpp"
#include "troupe/devices/cpu/blas.hpp"

namespace {

using namespace troupe::bench;
using troupe::gpu_here;

using cases = std::vector<const bench_case*>;

cases all_cases() {
  cases all;
  for (const auto group : {small_operations, task_graphs, large_arrays, selecting, linear_algebra,
                           training, small_networks, letters, programs, program_calls, waiting,
                           two_devices, machines, shell_inputs, gpu_work}) {
    for (const auto& c : group) all.push_back(&c);
  }
  return all;
}

cases select(const cases& all, const std::vector<std::string>& names) {
  if (names.empty()) return all;
  cases chosen;
  for (const auto& name : names) {
    const auto before = chosen.size();
    std::copy_if(all.begin(), all.end(), std::back_inserter(chosen),
                 [&](const auto* c) { return c->name == name || (c->on_gpu && name == "gpu"); });
    if (chosen.size() == before)
      throw std::invalid_argument("no benchmark is called \"" + name + "\"; see --list");
  }
  return chosen;
}

// Describes the GPU if a case needs one. Without a GPU, drops these cases.
std::string find_gpu_for(cases& chosen) {
  constexpr auto needs_it = [](const bench_case* c) { return c->on_gpu; };
  if (std::none_of(chosen.begin(), chosen.end(), needs_it)) return {};
  if (const auto gpu = gpu_here(); !gpu.empty()) return "gpu:0: " + gpu + "\n";
  std::erase_if(chosen, needs_it);
  return "No GPU that troupe can use, so what needs one is left out\n";
}

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "processor of unknown model";
}

// Describes the processor and its cores, the system's load, the compiler and the library that
// computes products.
std::string describe_machine() {
  double load[1] = {0};
  getloadavg(load, 1);
  std::ostringstream out;
  out << std::thread::hardware_concurrency() << " cores, " << processor() << "; load " << load[0]
      << " before the start\n"
      << "GCC " << __VERSION__ << "; products: " << troupe::blas_description() << '\n';
  return out.str();
}

void run(cases chosen, const arguments& given) {
  const auto gpu = find_gpu_for(chosen);
  if (chosen.empty()) {
    std::cout << gpu;
    return;
  }
  const auto print = [&](const row& r) {
    std::cout << (given.markdown ? markdown(r) : columns(r)) << std::endl;
  };
  std::cout << describe_machine() << gpu << "Medians of " << given.rounds.value_or(usual_rounds)
            << " rounds in turns\n\n";
  print(headings);
  if (given.markdown) print({"---", "---", "---", "---", "---", "---", "---"});
  std::set<std::string> peers;
  for (const auto* c : chosen) {
    const auto o = measure(*c, {given.rounds.value_or(c->rounds), given.synchronous});
    print(make_row(*c, o));
    if (!c->peer.empty() && !o.peer_missing) peers.insert(o.peer);
  }
  std::cout << '\n';
  for (const auto& peer : peers) std::cout << peer << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const auto given = parse({argv + 1, argv + argc});
    const auto chosen = select(all_cases(), given.names);
    if (given.help) std::cout << help_text();
    else if (given.answers) answer(chosen, *given.answers == "synchronous");
    else if (given.list) std::cout << list_text(chosen);
    else run(chosen, given);
    return 0;
  } catch (const std::invalid_argument& e) {
    std::cerr << "troupe-bench: " << e.what() << '\n';
    return 2;
  } catch (const std::exception& e) {
    std::cerr << "troupe-bench: " << e.what() << '\n';
    return 1;
  }
}
