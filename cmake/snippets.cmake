# SPDX-License-Identifier: MIT
# Compiles and runs the C++ that the documents quote: every block that opens with ```cpp is a test.
#
# A block with a main function is a program. Any other is the body of a function; its #include lines stay outside, and a
# runtime is started for it unless it speaks of one itself. The functions of a document are one program, which is told which
# of them to run: most of the time to compile and link a program goes into the headers and the library. If the next block
# opens with ```text, it is what the code must print.

# The function for `block`, called `name`, and what it includes.
function(troupe_snippet_function block name document line function includes)
  string(REGEX MATCHALL "#include [^\n]*\n" lines "${block}")
  string(REGEX REPLACE "#include [^\n]*\n" "\n" body "${block}")
  set(start "")
  if(NOT block MATCHES "runtime")
    set(start "runtime started;\n")
  endif()
  set(${function} "static void ${name}() {\n${start}#line ${line} \"${document}\"\n${body}}\n" PARENT_SCOPE)
  string(JOIN "" lines ${lines})
  set(${includes} "${lines}" PARENT_SCOPE)
endfunction()

# A program of a document's code, compiled as tests are.
function(troupe_snippet_program target program)
  set(source "${PROJECT_BINARY_DIR}/snippets/${target}.cpp")
  file(GENERATE OUTPUT "${source}" CONTENT "${program}")
  add_executable(${target} "${source}")
  target_link_libraries(${target} PRIVATE troupe::troupe)
  if(target MATCHES "docs_onnx_md")
    target_link_libraries(${target} PRIVATE troupe::onnx)
  endif()
  target_compile_options(${target} PRIVATE -Wno-unused ${troupe_test_optimisation})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/snippets")
endfunction()

# A test that runs a command; `expected` is what it must print, if that is not empty.
function(troupe_snippet_test name expected program)
  set(command ${program} ${ARGN})
  if(expected)
    string(REGEX REPLACE "[^A-Za-z0-9]" "_" stem "${name}")
    set(file "${PROJECT_BINARY_DIR}/snippets/${stem}.txt")
    file(WRITE "${file}" "${expected}")
    set(command ${CMAKE_COMMAND} -D program=$<TARGET_FILE:${program}> -D argument=${ARGN} -D expected=${file}
                -P ${PROJECT_SOURCE_DIR}/tests/same_output.cmake)
  endif()
  add_test(NAME ${name} COMMAND ${command} WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/snippets")
  set_tests_properties(${name} PROPERTIES TIMEOUT 60)
endfunction()

# What the ```text block prints that `rest` opens with, behind the end of another block; or nothing.
function(troupe_expected_output rest result)
  set(${result} "" PARENT_SCOPE)
  set(fence "```\n\n```text\n")
  string(LENGTH "${fence}" length)
  string(SUBSTRING "${rest}" 0 ${length} start)
  if(start STREQUAL fence)
    string(SUBSTRING "${rest}" ${length} -1 rest)
    string(FIND "${rest}" "```" end)
    string(SUBSTRING "${rest}" 0 ${end} expected)
    set(${result} "${expected}" PARENT_SCOPE)
  endif()
endfunction()

# One test for each block of the documents, paths from the project's root; `target` is the program of the functions.
function(troupe_test_snippets target)
  set(all_includes "")
  set(functions "")
  set(calls "")
  foreach(document IN LISTS ARGN)
    set(path "${PROJECT_SOURCE_DIR}/${document}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${path}")
    file(READ "${path}" rest)
    string(REGEX REPLACE "[^A-Za-z0-9]" "_" stem "${document}")
    set(line 1)
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
      troupe_expected_output("${rest}" expected)

      if(block MATCHES "int main\\(")
        troupe_snippet_program(snippet_${stem}_${line} "#line ${line} \"${document}\"\n${block}")
        troupe_snippet_test(${document}:${line} "${expected}" snippet_${stem}_${line})
      else()
        troupe_snippet_function("${block}" ${stem}_${line} "${document}" ${line} function includes)
        string(APPEND all_includes "${includes}")
        string(APPEND functions "${function}")
        string(APPEND calls "if (block == \"${document}:${line}\") return ${stem}_${line}(), 0;\n")
        troupe_snippet_test(${document}:${line} "${expected}" ${target} ${document}:${line})
      endif()

      troupe_count_lines("${block}" lines)
      math(EXPR line "${line} + ${lines}")
    endwhile()
  endforeach()
  if(functions)
    string(CONCAT program "#include <iostream>\n#include <string_view>\n#include \"troupe/troupe.hpp\"\n${all_includes}"
           "using namespace troupe;\n${functions}"
           "#line 1 \"${target}: its blocks\"\n"
           "int main(int, char** arguments) {\nconst std::string_view block = arguments[1];\n${calls}return 1;\n}\n")
    troupe_snippet_program(${target} "${program}")
  endif()
endfunction()

function(troupe_count_lines text result)
  string(REGEX REPLACE "[^\n]" "" newlines "${text}")
  string(LENGTH "${newlines}" count)
  set(${result} ${count} PARENT_SCOPE)
endfunction()
