# SPDX-License-Identifier: MIT
# Says what the GPU device of a later version would find here; nothing is built for it yet.
if(TROUPE_CUDA STREQUAL "OFF")
  return()
endif()

include(CheckLanguage)
check_language(CUDA)
if(CMAKE_CUDA_COMPILER)
  find_package(CUDAToolkit 12 QUIET)
endif()

if(CUDAToolkit_FOUND)
  message(STATUS "Found CUDA ${CUDAToolkit_VERSION}; the GPU device is not part of this version")
elseif(TROUPE_CUDA STREQUAL "ON")
  message(FATAL_ERROR "TROUPE_CUDA is ON, but there is no CUDA toolkit of version 12 or newer")
else()
  message(STATUS "No CUDA toolkit of version 12 or newer; "
                 "the GPU device is not part of this version")
endif()
