# Collects what the definitions of operations, ops/<family>/*.c, declare for all of the project to read: the line of each
# kernel (RepriseKernels.cmake describes it) and the operation objects. Writes kernels.list and op_list.h to OUT, and
# leaves a file alone that would not change. CMake includes it; the build runs it when a definition has changed:
# cmake -D OPS=<folder ops> -D OUT=<folder> -P operations.cmake
cmake_minimum_required(VERSION 3.25)

# Writes the file if its content is another.
function(operations_write path content)
  set(old "")
  if(EXISTS ${path})
    file(READ ${path} old)
  endif()
  if(NOT old STREQUAL content)
    file(WRITE ${path} "${content}")
  endif()
endfunction()

function(operations_collect)
  file(GLOB sources RELATIVE ${OPS} ${OPS}/*/*.c)
  list(FILTER sources EXCLUDE REGEX "_tmpl\\.c$")
  set(kernels "")
  set(operations "")
  foreach(source IN LISTS sources)
    string(REGEX REPLACE "(_gpu|_cpu)?\\.c$" "" base ${source})
    set(family_line "\n<${base}>")
    file(STRINGS ${OPS}/${source} lines REGEX "^ \\* kernel |^ \\*        [a-z0-9_]+:|^const rp_op rp_op_")
    set(in_kernel OFF)
    foreach(line IN LISTS lines)
      if(line MATCHES "^ \\* kernel (.*)$")
        string(APPEND kernels "${family_line}\n${CMAKE_MATCH_1}")
        set(family_line "")
        set(in_kernel ON)
      elseif(line MATCHES "^const rp_op rp_op_([a-z0-9_]+)")
        list(APPEND operations ${CMAKE_MATCH_1})
        set(in_kernel OFF)
      elseif(in_kernel AND line MATCHES "^ \\*        (.*)$")
        string(APPEND kernels " ${CMAKE_MATCH_1}")
      endif()
    endforeach()
  endforeach()
  operations_write(${OUT}/kernels.list "# Generated from the heads of ops/<family>/*.c.\n${kernels}\n")

  list(SORT operations)
  list(TRANSFORM operations REPLACE "(.+)" " \\\\\n  X(\\1)" OUTPUT_VARIABLE names)
  list(JOIN names "" names)
  operations_write(${OUT}/op_list.h "/* Generated: the operation objects of all definitions, which saved graphs may name. */
#ifndef REPRISE_OPS_OP_LIST_H
#define REPRISE_OPS_OP_LIST_H

#include <reprise/schema.h>

/* X(name): the operation is the object rp_op_<name>, and its name is \"<name>\". */
#define RP_OP_LIST(X)${names}

#define RP_OP_DECLARE(name) extern const rp_op rp_op_##name;
RP_OP_LIST(RP_OP_DECLARE)
#undef RP_OP_DECLARE

#endif
")
endfunction()
operations_collect()
