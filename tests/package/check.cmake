# SPDX-License-Identifier: MIT
# Installs the build folder `build`, then builds and runs the consumer against what was installed, compiles each installed
# header by itself, and checks that nothing is missing and that no header is there which users do not need.
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
run(${CMAKE_COMMAND} --build "${work}/consumer" --parallel)
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

message("-- Headers: those that users include and what those include, no others")
file(GLOB_RECURSE headers "${prefix}/include/troupe/*")
file(WRITE "${work}/public.cpp" "#include \"troupe/troupe.hpp\"\n#include \"troupe/nn/nn.hpp\"\n"
                                "#include \"troupe/actors/frontend_actor.hpp\"\n")
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
file(GLOB_RECURSE documents RELATIVE "${prefix}/share/doc" "${prefix}/share/doc/*")
foreach(document README.md LICENSE docs/how-it-works.md examples/hello.cpp)
  if(NOT "troupe/${document}" IN_LIST documents)
    message(FATAL_ERROR "Not installed: ${document}")
  endif()
endforeach()
