# Makes the reference of the public headers as HTML. The target `reference` runs it:
#   cmake -Dsource=... -Doutput=... -Dversion=... -P reference.cmake
# It looks for Doxygen itself, so that Doxygen can be installed after the build folder was configured.
find_program(doxygen NAMES doxygen)
if(NOT doxygen)
  message(FATAL_ERROR "The reference is made by Doxygen, which is not installed: apt-get install doxygen")
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/reference.doxyfile.in ${output}/Doxyfile @ONLY)
execute_process(COMMAND ${doxygen} ${output}/Doxyfile WORKING_DIRECTORY ${source} RESULT_VARIABLE code)
if(code)
  message(FATAL_ERROR "The reference has warnings, which stand above")
endif()
message(STATUS "The reference is ${output}/html/index.html")
