// SPDX-License-Identifier: MIT
#include "troupe/tensor/autograd/chosen_arguments.hpp"

#include <algorithm>
#include <string>

#include "troupe/tasks/error.hpp"

namespace troupe::detail {

void check_parameters(std::size_t taken, std::size_t given, const char* who, caller where) {
  if (taken == 0 || taken == given) return;
  throw error(std::string(who) + ": the function takes " + std::to_string(taken) +
                  " tensors, and there are " + std::to_string(given),
              where);
}

std::vector<std::size_t> checked_numbers(const char* who, std::initializer_list<int> numbers,
                                         std::size_t parameters, caller where) {
  std::vector<std::size_t> all;
  for (const int one : numbers) {
    const auto i = static_cast<std::size_t>(one);
    if (one < 0 || i >= parameters)
      throw error(std::string(who) + ": there is no argument " + std::to_string(one) +
                      ": the function takes " + std::to_string(parameters) + ", counted from 0",
                  where);
    if (std::ranges::find(all, i) != all.end())
      throw error(std::string(who) + ": argument " + std::to_string(one) + " is named twice",
                  where);
    all.push_back(i);
  }
  if (all.empty()) throw error(std::string(who) + ": no argument is named", where);
  return all;
}

}  // namespace troupe::detail
