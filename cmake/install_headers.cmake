# SPDX-License-Identifier: MIT
# Installs the headers that users include and what those include, and no others. Run when installing, so that the list is
# never older than the headers. Needs: source (the project's folder), destination (the include path's "troupe" folder).
cmake_policy(VERSION 3.25)
set(found troupe.hpp nn/nn.hpp onnx/onnx.hpp caf.hpp) # what users include
set(unread ${found})
while(unread)
  list(POP_FRONT unread header)
  file(STRINGS "${source}/${header}" lines REGEX "^[ \t]*#[ \t]*include[ \t]+\"troupe/")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE ".*\"troupe/([^\"]+)\".*" "\\1" included "${line}")
    if(NOT included IN_LIST found)
      list(APPEND found "${included}")
      list(APPEND unread "${included}")
    endif()
  endforeach()
endwhile()

foreach(header IN LISTS found)
  cmake_path(GET header PARENT_PATH folder)
  file(INSTALL "${source}/${header}" DESTINATION "${destination}/${folder}")
endforeach()
