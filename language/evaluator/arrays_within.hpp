// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "troupe/language/evaluator/dynamic_value.hpp"

/// The arrays in arguments and results of functions that others differentiate or map: in lists with
/// arrays in them, at any depth, each array; a number, a list of numbers or a range is one array.

namespace troupe::language {

/// Returns the arrays, in order. Throws for what is no array; `what` names the caller in errors.
std::vector<tensor> arrays_within(const dynamic_value& x, const std::string& what, caller where);

/// True for a list with arrays in it, at any depth.
bool has_arrays_in_list(const dynamic_value& x);

/// Returns a value like another, with the next arrays in place of its own.
dynamic_value with_arrays(const dynamic_value& like, const tensor*& next);

}  // namespace troupe::language
