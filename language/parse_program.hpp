// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "troupe/tensor/program/program.hpp"

namespace troupe {

/// Makes a program from a text in the shell's language: definitions of functions, of which the last
/// one is the program, behind declarations of the arrays that it is given by name.
///
///     constant scale: float32[3]
///     variable count: int64[]
///     def f(x: float32[2, 3], y) {
///       count = count + 1
///       z = exp(x) * scale
///       [z, sum(z * y)]
///     }
///
/// The last statement of a function gives its result: an array, or a list. What it creates without
/// naming a device is on that of its first array. Functions may have loops and conditions, which
/// are gone through when a call is captured, and call each other. They cannot print, wait, or read
/// files. The program has copies of the arrays.
///
/// Throws for a text that is none, with its line and a caret under the place; and for arrays that
/// are missing, or of another type than is declared.
program parse_program(std::string_view text, const named_tensors& arrays = {},
                      caller where = caller::current());

/// Reads a program from a file of `save_program`. Nothing is executed. Throws for a file that is no
/// safetensors file or has no program, for a dtype among the options, and as `parse_program` does.
program load_program(const std::string& path, const tensor_options& options = {},
                     caller where = caller::current());

}  // namespace troupe
