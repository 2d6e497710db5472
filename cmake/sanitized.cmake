# SPDX-License-Identifier: MIT
# Tests with sanitizers beside a build without: whole builds with them take as long again as all the rest.

# troupe_sanitize(<part> <suffix> <sanitizers>): the objects of a part once more, with sanitizers.
function(troupe_sanitize part suffix sanitizers)
  foreach(property SOURCES SOURCE_DIR LINK_LIBRARIES COMPILE_OPTIONS PRECOMPILE_HEADERS)
    get_target_property(${property} troupe_${part} ${property})
    if(NOT ${property})
      set(${property})
    endif()
  endforeach()
  list(TRANSFORM SOURCES PREPEND "${SOURCE_DIR}/")
  set(objects troupe_${part}_${suffix})
  add_library(${objects} OBJECT EXCLUDE_FROM_ALL ${SOURCES})
  target_link_libraries(${objects} PRIVATE ${LINK_LIBRARIES})
  target_compile_options(${objects} PRIVATE -O1 ${COMPILE_OPTIONS} -g1 -UNDEBUG -D_GLIBCXX_ASSERTIONS -w
                         -fno-omit-frame-pointer -fsanitize=${sanitizers}
                         -fno-sanitize=null,object-size,vptr,alignment)
  target_precompile_headers(${objects} PRIVATE ${PRECOMPILE_HEADERS})
  set_target_properties(${objects} PROPERTIES UNITY_BUILD ON)
endfunction()

# troupe_sanitized_test(<layer> <suffix> <sanitizers> <part>...): the test program of a layer once more, with it and these
# parts compiled with sanitizers. What they stand on is linked as it is.
function(troupe_sanitized_test layer suffix sanitizers)
  set(program troupe_tests_${layer}_with_${suffix})
  add_executable(${program} EXCLUDE_FROM_ALL)
  foreach(part IN ITEMS ${ARGN} tests_${layer})
    troupe_sanitize(${part} ${suffix} ${sanitizers})
    target_sources(${program} PRIVATE $<TARGET_OBJECTS:troupe_${part}_${suffix}>)
  endforeach()
  get_target_property(libraries troupe_tests_${layer} LINK_LIBRARIES)
  target_link_libraries(${program} PRIVATE ${libraries})
  target_link_options(${program} PRIVATE -fsanitize=${sanitizers})
  add_dependencies(troupe_sanitized_tests ${program})

  add_test(NAME ${layer}_with_${suffix} COMMAND ${program} CONFIGURATIONS Sanitized)
  set_tests_properties(${layer}_with_${suffix} PROPERTIES LABELS sanitized TIMEOUT 600
                       ENVIRONMENT_MODIFICATION "${troupe_untouched_by_the_shell}")
endfunction()
