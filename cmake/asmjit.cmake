# SPDX-License-Identifier: MIT
# Finds asmjit, which compiles fused elementwise operations for x86-64 at run time, and sets
# TROUPE_HAS_ASMJIT. Without it, they run block by block. Where sanitizers are on, so do they.
set(TROUPE_HAS_ASMJIT OFF)
if(TROUPE_ASMJIT STREQUAL "OFF" OR TROUPE_SANITIZE OR NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  return()
endif()
find_package(asmjit CONFIG QUIET)
if(TARGET asmjit::asmjit)
  set(TROUPE_HAS_ASMJIT ON)
elseif(TROUPE_ASMJIT STREQUAL "ON")
  message(FATAL_ERROR "TROUPE_ASMJIT is ON, but there is no asmjit")
endif()
