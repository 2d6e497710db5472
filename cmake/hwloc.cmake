# SPDX-License-Identifier: MIT
# Finds hwloc 2, which describes the machine's sockets, caches and cores, and sets TROUPE_HAS_HWLOC. Without it, the
# system's files do.
set(TROUPE_HAS_HWLOC OFF)
if(TROUPE_HWLOC STREQUAL "OFF")
  return()
endif()
include(CheckCXXSourceCompiles)
set(CMAKE_REQUIRED_LIBRARIES hwloc)
check_cxx_source_compiles("#include <hwloc.h>
static_assert(HWLOC_API_VERSION >= 0x20000);
int main() { return hwloc_topology_init(nullptr); }" TROUPE_HWLOC_FOUND)
unset(CMAKE_REQUIRED_LIBRARIES)
if(TROUPE_HWLOC_FOUND)
  set(TROUPE_HAS_HWLOC ON)
elseif(TROUPE_HWLOC STREQUAL "ON")
  message(FATAL_ERROR "TROUPE_HWLOC is ON, but there is no hwloc of version 2")
endif()
