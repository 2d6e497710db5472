# SPDX-License-Identifier: MIT
# Trains troupe-letters for a few steps: its loss must fall, and the network that it saves must write the same text.
# Usage: cmake -D program=PROGRAM -D text=PATH -D saved=FILE -P check.cmake
function(run_letters out)
  execute_process(COMMAND "${program}" --length 60 --seed 3 ${ARGN} OUTPUT_VARIABLE printed ERROR_VARIABLE problem
                  RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "It ended with ${status}: ${problem}")
  endif()
  set(${out} "${printed}" PARENT_SCOPE)
endfunction()

# Everything behind the first empty line is what it wrote.
function(text_in printed out)
  string(FIND "${printed}" "\n\n" place)
  string(SUBSTRING "${printed}" ${place} -1 written)
  set(${out} "${written}" PARENT_SCOPE)
endfunction()

run_letters(learnt --text "${text}" --steps 40 --batch 8 --context 32 --width 32 --blocks 2 --rate 0.01 --save "${saved}")
if(NOT learnt MATCHES "loss ([0-9.]+) at first, ([0-9.]+) at last; ([0-9.]+) on the last twentieth")
  message(FATAL_ERROR "No losses in\n${learnt}")
endif()
set(first ${CMAKE_MATCH_1})
set(last ${CMAKE_MATCH_2})
set(unseen ${CMAKE_MATCH_3})
if(last GREATER_EQUAL first OR unseen GREATER_EQUAL 5)
  message(FATAL_ERROR "The loss does not fall: from ${first} to ${last}, and ${unseen} on what was not seen")
endif()

run_letters(loaded --load "${saved}")
file(REMOVE "${saved}")
text_in("${learnt}" written)
text_in("${loaded}" written_again)
string(LENGTH "${written}" length)
if(NOT written STREQUAL written_again OR length LESS 62)
  message(FATAL_ERROR "What it writes after saving and after loading differs:\n${learnt}\n${loaded}")
endif()
