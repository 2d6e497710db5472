# SPDX-License-Identifier: MIT
# Finds Debian's LibTorch as the target LibTorch::LibTorch. The package's own configuration asks for
# far more than the benchmarks need.
find_path(LibTorch_INCLUDE_DIR torch/torch.h PATH_SUFFIXES torch/csrc/api/include)
set(libraries)
foreach(name torch torch_cpu c10 glog)
  find_library(LibTorch_${name}_LIBRARY ${name})
  mark_as_advanced(LibTorch_${name}_LIBRARY)
  list(APPEND libraries LibTorch_${name}_LIBRARY)
endforeach()
mark_as_advanced(LibTorch_INCLUDE_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibTorch REQUIRED_VARS ${libraries} LibTorch_INCLUDE_DIR)

if(LibTorch_FOUND AND NOT TARGET LibTorch::LibTorch)
  add_library(LibTorch::LibTorch INTERFACE IMPORTED)
  target_include_directories(LibTorch::LibTorch INTERFACE "${LibTorch_INCLUDE_DIR}")
  foreach(library IN LISTS libraries)
    target_link_libraries(LibTorch::LibTorch INTERFACE "${${library}}")
  endforeach()
endif()
