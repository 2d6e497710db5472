// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "troupe/apps/shell/cpp_writer/cpp_function.hpp"

namespace troupe::shell {

/// What a parameter is called.
std::string cpp_parameter_base(const cpp_context& c, const cpp_function& f, std::size_t i);

/// "grad(f)" for a gradient of the only argument, where no parameters are given; else what a
/// function of these parameters returns.
std::string cpp_gradient_expression(cpp_context& c, const cpp_function& f,
                                    const std::vector<int>& parameters,
                                    const std::vector<cpp_kind>& kinds, std::source_location where);

}  // namespace troupe::shell
