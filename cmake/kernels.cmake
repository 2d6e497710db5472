# SPDX-License-Identifier: MIT
# Sources of the GPU's kernels: all of devices/cuda/kernels/*.cu.

# Kernels that can be compiled together, since names inside them differ: half of the time goes into
# what they include.
set(troupe_kernel_groups
    elementwise+elementwise_binary+elementwise_binary_floating+elementwise_complex
    elementwise_unary+elementwise_unary_floating+elementwise_predicate+elementwise_ternary
    reduction+reduction_extremes+reduction_positions+reduction_sums
    cumulative+reduction_statistics
    creation+indexing+put+scatter+searching+variates
    cast+sort
    convolution+copy
    linear+update
    matmul+pooling)

# troupe_kernel_sources(<result> <folder> <extension>): sources in the folder that include the kernels, one for each group
# where sources are compiled together, else one for each kernel; for CUDA those that are alone are the kernels' own.
function(troupe_kernel_sources result folder extension)
  set(kernels "${PROJECT_SOURCE_DIR}/devices/cuda/kernels")
  file(GLOB names RELATIVE "${kernels}" CONFIGURE_DEPENDS "${kernels}/*.cu")
  list(TRANSFORM names REPLACE "\\.cu$" "")
  set(groups ${names})
  if(TROUPE_SANITIZE OR TROUPE_TOGETHER)
    foreach(group IN LISTS troupe_kernel_groups)
      string(REPLACE "+" ";" parts "${group}")
      list(REMOVE_ITEM groups ${parts})
      list(APPEND groups "${group}")
    endforeach()
  endif()
  set(sources)
  foreach(group IN LISTS groups)
    if(group IN_LIST names AND extension STREQUAL "cu")
      list(APPEND sources "${kernels}/${group}.cu")
      continue()
    endif()
    set(includes "")
    string(REPLACE "+" ";" parts "${group}")
    foreach(name IN LISTS parts)
      string(APPEND includes "#include \"troupe/devices/cuda/kernels/${name}.cu\"\n")
    endforeach()
    file(CONFIGURE OUTPUT "${folder}/${group}.${extension}" CONTENT "${includes}")
    list(APPEND sources "${folder}/${group}.${extension}")
  endforeach()
  set(${result} ${sources} PARENT_SCOPE)
endfunction()
