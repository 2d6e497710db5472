# SPDX-License-Identifier: MIT
# How everything in this project is compiled.
if(PROJECT_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Release or Debug" FORCE)
  endif()
  find_program(TROUPE_CCACHE ccache)
  if(TROUPE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${TROUPE_CCACHE}")
  endif()
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

# With these checks, sources take twice as long to compile. What they find AddressSanitizer finds,
# too, but for elements at odd addresses: they are for folders that compute addresses.
set(TROUPE_POINTER_CHECKS)
if(TROUPE_SANITIZE MATCHES "undefined")
  set(TROUPE_POINTER_CHECKS null,object-size,vptr,alignment)
endif()

if(TROUPE_SANITIZE)
  # No warnings here: GCC sees ghosts in instrumented code, and the other builds have them all.
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${TROUPE_SANITIZE}>
                      $<$<COMPILE_LANGUAGE:CXX>:-fno-omit-frame-pointer> -w)
  if(TROUPE_POINTER_CHECKS)
    add_compile_options(-fno-sanitize=${TROUPE_POINTER_CHECKS})
  endif()
  add_link_options(-fsanitize=${TROUPE_SANITIZE})
else()
  foreach(option -Wall -Wextra -Wpedantic -Wshadow $<$<BOOL:${TROUPE_WERROR}>:-Werror>)
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:${option}>)
  endforeach()
  # Each function begins a line of the cache: a small operation is a hundred calls of functions of
  # a few instructions, and takes up to a tenth longer where the linker happens to split them.
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-falign-functions=64>)
endif()

# GCC tidies its memory less often, which takes a tenth of the time of large pieces; and gold links
# the many programs in less than half of the time.
if(TROUPE_SANITIZE OR TROUPE_TOGETHER)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=524288>)
  endif()
  include(CheckLinkerFlag)
  check_linker_flag(CXX -fuse-ld=gold TROUPE_HAS_GOLD)
  if(TROUPE_HAS_GOLD)
    add_link_options(-fuse-ld=gold)
  endif()
endif()

# Has messages tell the library's own lines from those of programs: see tasks/error.cpp.
function(troupe_name_own_lines target)
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=libtroupe/>)
endfunction()

# Compiles headers that most sources of a target begin with once, where sources are compiled
# together. The other builds show that each source includes what it needs.
function(troupe_precompile target)
  if(TROUPE_SANITIZE OR TROUPE_TOGETHER)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()

# Compiles sources of a target in few pieces where that is asked for, and for sanitizers. Names
# inside them must differ.
function(troupe_compile_together target)
  if(TROUPE_SANITIZE OR TROUPE_TOGETHER)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  endif()
endfunction()

# Precompiles Catch, with which every test begins.
function(troupe_precompile_catch target)
  if(TROUPE_SANITIZE OR TROUPE_TOGETHER)
    target_precompile_headers(${target} PRIVATE <catch2/catch.hpp>)
    # An exception inside an assertion ends the test then, and its checks compile in two thirds of the time.
    target_compile_definitions(${target} PRIVATE CATCH_CONFIG_FAST_COMPILE)
    # Precompiled, the standard library no longer counts as a system header, and GCC 12 sees ghosts in it.
    target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow)
  endif()
endfunction()
