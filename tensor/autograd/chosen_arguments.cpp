// SPDX-License-Identifier: MIT
#include "troupe/tensor/autograd/chosen_arguments.hpp"

#include <algorithm>

#include "troupe/tasks/error.hpp"

namespace troupe::detail {

void check_parameters(std::size_t taken, std::size_t given, const char* who, caller where) {
  if (taken == 0 || taken == given) return;
  throw error(std::string(who) + ": the function takes " + std::to_string(taken) +
                  " tensors, and there are " + std::to_string(given),
              where);
}

std::vector<std::size_t> checked_numbers(const std::string& who,
                                         const std::vector<std::int64_t>& numbers,
                                         std::size_t parameters, caller where) {
  std::vector<std::size_t> all;
  for (const auto one : numbers) {
    const auto i = static_cast<std::size_t>(one);
    if (one < 0 || i >= parameters)
      throw error(who + ": there is no argument " + std::to_string(one) + ": the function takes " +
                      std::to_string(parameters) + ", counted from 0",
                  where);
    if (std::ranges::find(all, i) != all.end())
      throw error(who + ": argument " + std::to_string(one) + " is named twice", where);
    all.push_back(i);
  }
  if (all.empty()) throw error(who + ": no argument is named", where);
  return all;
}

}  // namespace troupe::detail
