# SPDX-License-Identifier: MIT
# Compiles and runs the C++ that the documents quote: every block that opens with ```cpp is a test.
#
# A block with a main function is a program. Any other is the body of one: its #include lines stay
# outside, and a runtime is started for it unless it speaks of one itself.

# The program for `block`, whose errors are reported at `line` of `document`.
function(troupe_snippet_program block document line result)
  set(position "#line ${line} \"${document}\"\n")
  if(block MATCHES "int main\\(")
    set(${result} "${position}${block}" PARENT_SCOPE)
    return()
  endif()
  string(REGEX MATCHALL "#include [^\n]*\n" includes "${block}")
  string(REGEX REPLACE "#include [^\n]*\n" "\n" body "${block}")
  string(JOIN "" includes ${includes})
  set(start "")
  if(NOT block MATCHES "runtime")
    set(start "runtime started;\n")
  endif()
  string(CONCAT program "#include <iostream>\n#include \"troupe/troupe.hpp\"\n${includes}"
         "using namespace troupe;\nint main() {\n${start}${position}${body}}\n")
  set(${result} "${program}" PARENT_SCOPE)
endfunction()

# One program and one test for each block of `document`, a path from the project's root.
function(troupe_test_snippets document)
  set(path "${PROJECT_SOURCE_DIR}/${document}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${path}")
  file(READ "${path}" rest)
  string(REGEX REPLACE "[^A-Za-z0-9]" "_" stem "${document}")
  set(line 1)
  set(number 0)
  while(TRUE)
    string(FIND "${rest}" "```cpp\n" begin)
    if(begin EQUAL -1)
      break()
    endif()
    math(EXPR after "${begin} + 7")
    string(SUBSTRING "${rest}" 0 ${after} before)
    string(SUBSTRING "${rest}" ${after} -1 rest)
    troupe_count_lines("${before}" lines)
    math(EXPR line "${line} + ${lines}")
    string(FIND "${rest}" "```" end)
    if(end EQUAL -1)
      message(FATAL_ERROR "${document}:${line}: this block of code does not end")
    endif()
    string(SUBSTRING "${rest}" 0 ${end} block)
    string(SUBSTRING "${rest}" ${end} -1 rest)

    troupe_snippet_program("${block}" "${document}" ${line} program)
    math(EXPR number "${number} + 1")
    set(target snippet_${stem}_${number})
    set(source "${PROJECT_BINARY_DIR}/snippets/${target}.cpp")
    file(GENERATE OUTPUT "${source}" CONTENT "${program}")
    add_executable(${target} "${source}")
    target_link_libraries(${target} PRIVATE troupe::troupe)
    target_compile_options(${target} PRIVATE -Wno-unused)
    set_target_properties(${target} PROPERTIES
                          RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/snippets")
    add_test(NAME ${document}:${line} COMMAND ${target}
             WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/snippets")
    set_tests_properties(${document}:${line} PROPERTIES TIMEOUT 60)

    troupe_count_lines("${block}" lines)
    math(EXPR line "${line} + ${lines}")
  endwhile()
endfunction()

function(troupe_count_lines text result)
  string(REGEX REPLACE "[^\n]" "" newlines "${text}")
  string(LENGTH "${newlines}" count)
  set(${result} ${count} PARENT_SCOPE)
endfunction()
