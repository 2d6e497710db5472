// SPDX-License-Identifier: MIT
#include "troupe/apps/bench/machine.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

#include "troupe/devices/cpu/blas.hpp"

namespace troupe::bench {

namespace {

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "processor of unknown model";
}

}  // namespace

std::string describe_machine() {
  double load[1] = {0};
  getloadavg(load, 1);
  std::ostringstream out;
  out << std::thread::hardware_concurrency() << " cores, " << processor() << "; load " << load[0]
      << " before the start\n"
      << "GCC " << __VERSION__ << "; products: " << blas_description() << '\n';
  return out.str();
}

}  // namespace troupe::bench
