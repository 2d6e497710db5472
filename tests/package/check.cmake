# SPDX-License-Identifier: MIT
# Installs the build folder `build`, then builds and runs the consumer against what was installed.
set(work "${build}/package")
set(prefix "${work}/prefix")
file(REMOVE_RECURSE "${work}")

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run(${CMAKE_COMMAND} --install "${build}" --prefix "${prefix}")

message("-- With find_package")
run(${CMAKE_COMMAND} -S "${CMAKE_CURRENT_LIST_DIR}" -B "${work}/consumer" -G "${generator}"
    -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_PREFIX_PATH=${prefix})
run(${CMAKE_COMMAND} --build "${work}/consumer")
run("${work}/consumer/consumer")

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
