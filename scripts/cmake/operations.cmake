# Collects what the definitions of operations, ops/<family>/*.c, declare for all of the project to read: the line of
# each kernel (RepriseKernels.cmake describes it), argument structs and the operation objects; and, for CUDA C and GLSL,
# which cannot read reprise/kernel.h, the fault codes there. Writes kernels.list, op_list.h, fault_codes.h and the headers
# <family>/<name>_args.h to OUT, and leaves a file alone that would not change. CMake includes it; the build runs it when
# a file that it reads has changed or is gone, according to kernels.list.d:
# cmake -D OPS=<folder ops> -D OUT=<folder> -P operations.cmake
cmake_minimum_required(VERSION 3.25)
get_filename_component(KERNEL_H ${OPS}/../engine/include/reprise/kernel.h ABSOLUTE)

# Writes the file unless it has this content already.
function(operations_write path content)
  set(old "")
  if(EXISTS ${path})
    file(READ ${path} old)
  endif()
  if(NOT old STREQUAL content)
    file(WRITE ${path} "${content}")
  endif()
endfunction()

# Copies the argument structs of a definition, from "struct rp_<name>_args {" at the beginning of a line to the
# RP_ARGS_SIZE that follows, and the macros whose definitions of one line begin with "#define RP_", to a header for
# its kernels, whose name is appended to the list `result`.
function(operations_args source result)
  string(REGEX REPLACE "(_cpu)?\\.c$" "" base ${source})
  file(READ ${OPS}/${source} text)
  set(structs "")
  while(TRUE)
    string(FIND "${text}" "\nstruct rp_" at)
    string(FIND "${text}" "\n#define RP_" define)
    if(NOT define EQUAL -1 AND (at EQUAL -1 OR define LESS at))
      string(SUBSTRING "${text}" ${define} -1 text)
      string(REGEX MATCH "^\n[^\n]*" line "${text}")
      if(line MATCHES "\\\\$")
        message(FATAL_ERROR "ops/${source}: a macro of several lines stands in a header, ops/${base}_args.h:${line}")
      endif()
      string(LENGTH "${line}" length)
      string(SUBSTRING "${text}" ${length} -1 text)
      string(APPEND structs "${line}")
      continue()
    endif()
    if(at EQUAL -1)
      break()
    endif()
    math(EXPR at "${at} + 1")
    string(SUBSTRING "${text}" ${at} -1 text)
    if(NOT text MATCHES "^struct rp_[a-z0-9_]+_args {")
      continue()
    endif()
    string(FIND "${text}" "\nRP_ARGS_SIZE(" size)
    if(size EQUAL -1)
      message(FATAL_ERROR "ops/${source}: no RP_ARGS_SIZE follows the argument struct")
    endif()
    string(SUBSTRING "${text}" 0 ${size} struct)
    string(SUBSTRING "${text}" ${size} -1 text)
    string(REGEX MATCH "^\n[^\n]*" line "${text}")
    if(NOT structs STREQUAL "")
      string(APPEND structs "\n")
    endif()
    string(APPEND structs "\n${struct}${line}")
  endwhile()
  if(NOT structs MATCHES "struct rp_")
    return()
  endif()
  if(EXISTS ${OPS}/${base}_args.h)
    message(FATAL_ERROR "ops/${source} has argument structs, and there is ops/${base}_args.h too: keep one of them")
  endif()
  string(MAKE_C_IDENTIFIER ${base} guard)
  string(TOUPPER ${guard} guard)
  operations_write(${OUT}/${base}_args.h "/* Generated from ops/${source}: the arguments of its kernels. */
#ifndef REPRISE_ARGS_${guard}_H
#define REPRISE_ARGS_${guard}_H
${structs}

#endif
")
  set(${result} ${${result}} ${base}_args.h PARENT_SCOPE)
endfunction()

# Writes each code of RP_FAULT_LIST as a macro.
function(operations_fault_codes)
  file(READ ${KERNEL_H} text)
  string(REGEX MATCHALL "\n  X\\(RP_FAULT_[A-Z0-9_]+, [0-9]+," lines "${text}")
  set(codes "")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "\n  X\\((.+), ([0-9]+)," "#define \\1 \\2u\n" code "${line}")
    string(APPEND codes "${code}")
  endforeach()
  if(codes STREQUAL "")
    message(FATAL_ERROR "${KERNEL_H}: no fault codes found")
  endif()
  operations_write(${OUT}/fault_codes.h "/* Generated from reprise/kernel.h: the values of rp_fault, for CUDA C and GLSL. */
#ifndef REPRISE_OPS_FAULT_CODES_H
#define REPRISE_OPS_FAULT_CODES_H

${codes}
#endif
")
endfunction()

function(operations_collect)
  file(GLOB sources RELATIVE ${OPS} ${OPS}/*/*.c)
  list(FILTER sources EXCLUDE REGEX "_tmpl\\.c$")
  set(kernels "")
  set(operations "")
  set(headers "")
  foreach(source IN LISTS sources)
    string(REGEX REPLACE "(_gpu|_cpu)?\\.c$" "" base ${source})
    set(family_line "\n<${base}>")
    operations_args(${source} headers)
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
  list(TRANSFORM sources PREPEND " ${OPS}/" OUTPUT_VARIABLE read)
  list(APPEND read " ${KERNEL_H}")
  list(TRANSFORM read REPLACE "(.) " "\\1\\\\ ")
  list(JOIN read "" read)
  operations_write(${OUT}/kernels.list.d "${OUT}/kernels.list:${read}\n")
  list(TRANSFORM headers REPLACE "(.+)" "\nargs \\1" OUTPUT_VARIABLE lines)
  list(JOIN lines "" lines)
  operations_write(${OUT}/kernels.list "# Generated from the definitions, ops/<family>/*.c.\n${lines}${kernels}\n")

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
operations_fault_codes()
operations_collect()
