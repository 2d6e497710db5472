# SPDX-License-Identifier: MIT
# Installs the library, its headers, and what find_package and pkg-config need.
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/troupe")

install(TARGETS troupe EXPORT troupe INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
if(TROUPE_HAS_ONNX)
  install(TARGETS troupe_onnx EXPORT troupe INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
endif()
install(EXPORT troupe NAMESPACE troupe:: FILE troupeTargets.cmake DESTINATION "${package_dir}")

install(CODE "set(source \"${PROJECT_SOURCE_DIR}\")
set(destination \"${CMAKE_INSTALL_INCLUDEDIR}/troupe\")
cmake_path(ABSOLUTE_PATH destination BASE_DIRECTORY \"\${CMAKE_INSTALL_PREFIX}\")")
install(SCRIPT cmake/install_headers.cmake)

configure_package_config_file(cmake/troupeConfig.cmake.in troupeConfig.cmake
                              INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file(troupeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/troupeConfig.cmake"
              "${PROJECT_BINARY_DIR}/troupeConfigVersion.cmake" cmake/FindCAF.cmake
        DESTINATION "${package_dir}")

file(RELATIVE_PATH prefix_from_pc "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" prefix_from_pc "${prefix_from_pc}")
if(TROUPE_HAS_CUDA)
  set(TROUPE_PC_CUDA " -L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -lrt")
endif()
if(TROUPE_HAS_HWLOC)
  set(TROUPE_PC_HWLOC " -lhwloc")
endif()
if(TROUPE_HAS_ASMJIT)
  set(TROUPE_PC_ASMJIT " -lasmjit")
endif()
configure_file(cmake/troupe.pc.in troupe.pc @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/troupe.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
if(TROUPE_APPS)
  install(TARGETS troupe-shell troupe-demo troupe-bench troupe-node)
  install(FILES apps/shell/share/troupe.1 DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
  install(FILES apps/shell/share/troupe.bash RENAME troupe
          DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
endif()
install(FILES LICENSE README.md DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY docs DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(FILES apps/hello/hello.cpp apps/actor_client/actor_client.cpp DESTINATION "${CMAKE_INSTALL_DOCDIR}/examples")
