# SPDX-License-Identifier: MIT
# Usage: cmake -D program=PROGRAM [-D argument=ARGUMENT] -D expected=FILE -P same_output.cmake
execute_process(COMMAND "${program}" ${argument} OUTPUT_VARIABLE printed RESULT_VARIABLE status)
file(READ "${expected}" expected_text)
if(NOT status EQUAL 0 OR NOT printed STREQUAL expected_text)
  message(FATAL_ERROR "It ended with ${status} and printed\n${printed}\nand not\n${expected_text}")
endif()
