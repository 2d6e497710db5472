# SPDX-License-Identifier: MIT
# Tests of the engine with sanitizers, beside a build without: whole builds with them take as long again as all the rest.

# troupe_sanitize(<part> <suffix> <sanitizers>): the objects of a part once more, with sanitizers.
function(troupe_sanitize part suffix sanitizers)
  set(objects troupe_${part}_${suffix})
  if(TARGET ${objects})
    return()
  endif()
  foreach(property SOURCES SOURCE_DIR LINK_LIBRARIES COMPILE_OPTIONS COMPILE_DEFINITIONS PRECOMPILE_HEADERS)
    get_target_property(${property} troupe_${part} ${property})
    if(NOT ${property})
      set(${property})
    endif()
  endforeach()
  list(TRANSFORM SOURCES PREPEND "${SOURCE_DIR}/")
  add_library(${objects} OBJECT EXCLUDE_FROM_ALL ${SOURCES})
  target_link_libraries(${objects} PRIVATE ${LINK_LIBRARIES})
  target_compile_definitions(${objects} PRIVATE ${COMPILE_DEFINITIONS} TROUPE_PARTLY_SANITIZED)
  target_compile_options(${objects} PRIVATE -O1 ${COMPILE_OPTIONS} -g1 -UNDEBUG -D_GLIBCXX_ASSERTIONS -w
                         -fno-omit-frame-pointer -fsanitize=${sanitizers}
                         -fno-sanitize=null,object-size,vptr,alignment)
  target_precompile_headers(${objects} PRIVATE ${PRECOMPILE_HEADERS})
  set_target_properties(${objects} PROPERTIES UNITY_BUILD ON)
endfunction()

# troupe_sanitized_test(<layer> <suffix> <sanitizers> <part>... [APART <name>...]): the test program of a layer once more, with
# it and these parts compiled with sanitizers. What they stand on is linked as it is. Tests of the given names are run by a
# process of their own.
function(troupe_sanitized_test layer suffix sanitizers)
  cmake_parse_arguments(PARSE_ARGV 3 only "" "" APART)
  set(program troupe_tests_${layer}_with_${suffix})
  add_executable(${program} EXCLUDE_FROM_ALL)
  foreach(part IN ITEMS ${only_UNPARSED_ARGUMENTS} tests_${layer})
    troupe_sanitize(${part} ${suffix} ${sanitizers})
    target_sources(${program} PRIVATE $<TARGET_OBJECTS:troupe_${part}_${suffix}>)
  endforeach()
  get_target_property(libraries troupe_tests_${layer} LINK_LIBRARIES)
  target_link_libraries(${program} PRIVATE ${libraries})
  target_link_options(${program} PRIVATE -fsanitize=${sanitizers})
  add_dependencies(troupe_sanitized_tests ${program})

  set(test ${layer}_with_${suffix})
  if(only_APART)
    list(TRANSFORM only_APART REPLACE ".+" "\"\\0\"")
    list(JOIN only_APART "," apart)
    list(JOIN only_APART "~" others)
    string(PREPEND others "~")
    add_test(NAME ${test}_apart COMMAND ${program} ${apart} CONFIGURATIONS Sanitized)
  endif()
  add_test(NAME ${test} COMMAND ${program} ${others} CONFIGURATIONS Sanitized)
  foreach(name ${test} ${test}_apart)
    if(TEST ${name})
      set_tests_properties(${name} PROPERTIES LABELS sanitized TIMEOUT 600
                           ENVIRONMENT_MODIFICATION "${troupe_untouched_by_the_shell}")
    endif()
  endforeach()
endfunction()
