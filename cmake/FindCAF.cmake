# SPDX-License-Identifier: MIT
# Finds the C++ Actor Framework, whose Debian package comes without a CMake configuration.
#
# Components: core (the default). Each becomes a target CAF::<component>.
# Sets CAF_FOUND and CAF_VERSION. Look elsewhere with -DCAF_ROOT=<prefix>.
if(NOT CAF_FIND_COMPONENTS)
  set(CAF_FIND_COMPONENTS core)
endif()

find_path(CAF_INCLUDE_DIR NAMES caf/config.hpp)
mark_as_advanced(CAF_INCLUDE_DIR)

# CAF_VERSION is 1706 for 0.17.6; newer releases keep it in a generated header.
unset(CAF_VERSION)
foreach(header config detail/build_config)
  if(NOT CAF_VERSION AND EXISTS "${CAF_INCLUDE_DIR}/caf/${header}.hpp")
    file(STRINGS "${CAF_INCLUDE_DIR}/caf/${header}.hpp" line REGEX "#define CAF_VERSION [0-9]+")
    if(line MATCHES "CAF_VERSION ([0-9]+)")
      math(EXPR major "${CMAKE_MATCH_1} / 10000")
      math(EXPR minor "${CMAKE_MATCH_1} / 100 % 100")
      math(EXPR patch "${CMAKE_MATCH_1} % 100")
      set(CAF_VERSION ${major}.${minor}.${patch})
    endif()
  endif()
endforeach()

foreach(component IN LISTS CAF_FIND_COMPONENTS)
  string(TOUPPER ${component} name)
  find_library(CAF_${name}_LIBRARY NAMES caf_${component})
  mark_as_advanced(CAF_${name}_LIBRARY)
  if(CAF_INCLUDE_DIR AND CAF_${name}_LIBRARY)
    set(CAF_${component}_FOUND TRUE)
  endif()
endforeach()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  CAF REQUIRED_VARS CAF_INCLUDE_DIR VERSION_VAR CAF_VERSION HANDLE_VERSION_RANGE HANDLE_COMPONENTS
  REASON_FAILURE_MESSAGE "troupe needs CAF 0.17 (Debian: libcaf-dev)")

if(CAF_FOUND)
  find_package(Threads REQUIRED)
  foreach(component IN LISTS CAF_FIND_COMPONENTS)
    if(NOT TARGET CAF::${component})
      string(TOUPPER ${component} name)
      add_library(CAF::${component} UNKNOWN IMPORTED)
      set_target_properties(CAF::${component} PROPERTIES
        IMPORTED_LOCATION "${CAF_${name}_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${CAF_INCLUDE_DIR}"
        INTERFACE_LINK_LIBRARIES Threads::Threads)
    endif()
  endforeach()
endif()
