# Collects the tests of operations: those of tests/ops/test_*.c that have in their head the line
#
#    * op-test lavapipe:WHEN [WORDS...]
#
#   lavapipe:   whether it runs on the software driver too, and when: quick (in the first tier), slow (a driver takes
#               seconds to compile a kernel, so that this is for tests with many of them) or none (the head says why)
#   curves:ID[,ID], log:N   on lavapipe it has only these curves (REPRISE_TEST_CURVES), and at most 2^N elements
#   least       it also runs on a device with no more than Vulkan 1.2 requires
#   no-vulkan   it cannot run on a Vulkan device
#   label:NAME  one more label of the test
#
# Writes a line "NAME WORDS..." for each to OUT, and leaves that file alone if it would not change. CMake includes it;
# the build runs it when a test has changed or is gone, according to OUT.d: cmake -D TESTS=<folder tests/ops>
# -D OUT=<file> -P op_tests.cmake
cmake_minimum_required(VERSION 3.25)

function(op_tests_collect)
  file(GLOB tests RELATIVE ${TESTS} ${TESTS}/test_*.c)
  set(found "")
  set(read "")
  foreach(test IN LISTS tests)
    string(REPLACE " " "\\ " path ${TESTS}/${test})
    string(APPEND read " ${path}")
    file(STRINGS ${TESTS}/${test} line REGEX "^ \\* op-test " LIMIT_COUNT 1)
    if(line)
      string(REGEX REPLACE "^test_(.*)\\.c$" "\\1" name ${test})
      string(REGEX REPLACE "^ \\* op-test " "${name} " line "${line}")
      if(NOT line MATCHES " lavapipe:(quick|slow|none)( |$)")
        message(FATAL_ERROR "tests/ops/${test}: the line op-test has no lavapipe:quick, lavapipe:slow or lavapipe:none")
      endif()
      string(APPEND found "${line}\n")
    endif()
  endforeach()
  file(WRITE ${OUT}.d "${OUT}:${read}\n")
  set(old "")
  if(EXISTS ${OUT})
    file(READ ${OUT} old)
  endif()
  if(NOT old STREQUAL found)
    file(WRITE ${OUT} "${found}")
  endif()
endfunction()
op_tests_collect()
