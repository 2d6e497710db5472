# SPDX-License-Identifier: MIT
# Installs the build folder `build`, then builds and runs the consumer against what was installed, compiles by itself each
# header that the installed documents name, and checks that no header is there which users do not need.
cmake_policy(VERSION 3.25)
set(work "${build}/package")
set(prefix "${work}/prefix")
file(REMOVE_RECURSE "${work}")

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run(${CMAKE_COMMAND} --install "${build}" --prefix "${prefix}")
file(GLOB_RECURSE documents "${prefix}/share/doc/*")

message("-- With find_package")
run(${CMAKE_COMMAND} -S "${CMAKE_CURRENT_LIST_DIR}" -B "${work}/consumer" -G "${generator}"
    -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_PREFIX_PATH=${prefix} -D documents=${prefix}/share/doc/troupe)
run(${CMAKE_COMMAND} --build "${work}/consumer" --parallel)
run("${work}/consumer/consumer")
if(EXISTS "${work}/consumer/onnx_consumer")
  run("${work}/consumer/onnx_consumer")
endif()

find_program(PKG_CONFIG pkg-config)
if(NOT PKG_CONFIG)
  message(FATAL_ERROR "pkg-config is not installed")
endif()
message("-- With pkg-config")
file(GLOB_RECURSE pc "${prefix}/*/troupe.pc")
cmake_path(GET pc PARENT_PATH directory)
cmake_path(GET directory PARENT_PATH libraries)
set(ENV{PKG_CONFIG_PATH} "${directory}")
set(ENV{LD_LIBRARY_PATH} "${libraries}")
execute_process(COMMAND ${PKG_CONFIG} --cflags --libs troupe OUTPUT_VARIABLE flags
                COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(flags UNIX_COMMAND "${flags}")
run(${compiler} "${CMAKE_CURRENT_LIST_DIR}/main.cpp" ${flags} -o "${work}/with_pkg_config")
run("${work}/with_pkg_config")

message("-- Headers: those that users include and what those include, no others")
file(GLOB_RECURSE headers "${prefix}/include/troupe/*")
file(WRITE "${work}/public.cpp" "#include \"troupe/troupe.hpp\"\n#include \"troupe/nn/nn.hpp\"\n"
                                "#include \"troupe/onnx/onnx.hpp\"\n#include \"troupe/caf.hpp\"\n")
execute_process(COMMAND ${compiler} -M "${work}/public.cpp" ${flags} OUTPUT_VARIABLE needed
                COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "[ \\\n]+" ";" needed "${needed}")
set(spare ${headers})
foreach(header IN LISTS needed)
  if(header MATCHES "/troupe/")
    cmake_path(NORMAL_PATH header)
    list(REMOVE_ITEM spare "${header}")
  endif()
endforeach()
if(spare)
  message(FATAL_ERROR "Installed, but included by no header for users: ${spare}")
endif()

message("-- Documents")
foreach(document README.md LICENSE docs/how-it-works.md examples/hello.cpp)
  if(NOT "${prefix}/share/doc/troupe/${document}" IN_LIST documents)
    message(FATAL_ERROR "Not installed: ${document}")
  endif()
endforeach()

# As a user ships it: 18 MB with the library in it, kernels for GPUs included; else 1 MB.
find_program(STRIP strip REQUIRED)
run(${STRIP} "${work}/with_pkg_config")
file(SIZE "${work}/with_pkg_config" size)
message("-- Size of a program: ${size} bytes")
file(GLOB shared "${libraries}/libtroupe.so")
set(most 18000000)
if(shared)
  set(most 1000000)
endif()
if(size GREATER most)
  message(FATAL_ERROR "A small program takes ${size} bytes, more than ${most}")
endif()
