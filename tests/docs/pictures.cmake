# SPDX-License-Identifier: MIT
# Draws the README's pictures again and checks that they still show the same: the same tasks and
# edges in the graph, tasks of the same names in the timeline. Times differ from run to run.
# Usage: cmake -D shell=... -D images=... -P pictures.cmake
cmake_minimum_required(VERSION 3.25)

# The picture without what changes from run to run.
function(read_graph path result)
  file(READ "${path}" text)
  string(REGEX REPLACE "ran [^<]*" "ran" text "${text}")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# Names of the tasks that the timeline shows, each once.
function(read_timeline path result)
  file(STRINGS "${path}" boxes REGEX "<rect .*<title>")
  list(TRANSFORM boxes REPLACE ".*<title>([a-z_]*),.*" "\\1")
  list(SORT boxes)
  list(REMOVE_DUPLICATES boxes)
  set(${result} "${boxes}" PARENT_SCOPE)
endfunction()

execute_process(COMMAND "${shell}" INPUT_FILE "${images}/pictures.tr" RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "pictures.tr ended with status ${status}")
endif()
foreach(kind graph timeline)
  cmake_language(CALL read_${kind} "${images}/${kind}.svg" committed)
  cmake_language(CALL read_${kind} "${kind}.svg" drawn)
  if(NOT committed STREQUAL drawn)
    message(SEND_ERROR "${images}/${kind}.svg is out of date: draw it again with pictures.tr\n"
                       "committed: ${committed}\ndrawn: ${drawn}")
  endif()
endforeach()
