# Vulkan kernels: GLSL is compiled, once for each entry and id, to SPIR-V, which is optimised, validated and embedded
# under the name reprise_vulkan_<entry>[_<id>]. No Vulkan library is linked: the loader is opened at run time.
set(REPRISE_HAVE_VULKAN OFF)
set(vulkan_packages "Debian's glslc, spirv-tools and libvulkan-dev")
reprise_device_option(VULKAN "Vulkan kernels" "no GPU with a Vulkan driver here" "${vulkan_packages}")
if(wanted_VULKAN)
  find_program(REPRISE_GLSLANG NAMES glslangValidator glslang)
  find_program(REPRISE_GLSLC glslc)
  find_program(REPRISE_SPIRV_OPT spirv-opt)
  find_program(REPRISE_SPIRV_VAL spirv-val)
  find_path(REPRISE_VULKAN_INCLUDE vulkan/vulkan_core.h)
  set(missing)
  if(NOT REPRISE_GLSLANG AND NOT REPRISE_GLSLC)
    list(APPEND missing "glslc or glslangValidator")
  endif()
  if(NOT REPRISE_SPIRV_OPT)
    list(APPEND missing spirv-opt)
  endif()
  if(NOT REPRISE_SPIRV_VAL)
    list(APPEND missing spirv-val)
  endif()
  if(NOT REPRISE_VULKAN_INCLUDE)
    list(APPEND missing vulkan/vulkan_core.h)
  endif()
  if(missing)
    list(JOIN missing ", " missing)
    reprise_device_without(VULKAN "Vulkan kernels" "these were not found: ${missing}" "Install ${vulkan_packages}")
  else()
    set(REPRISE_HAVE_VULKAN ON)
  endif()
endif()
if(NOT REPRISE_HAVE_VULKAN)
  return()
endif()

if(REPRISE_GLSLC)
  message(STATUS "Vulkan: ${REPRISE_GLSLC}")
else()
  message(STATUS "Vulkan: ${REPRISE_GLSLANG}")
endif()
# The passes of spirv-opt -O except inlining: calls keep the code small, and drivers inline what they want. Loops over
# limbs, which are marked in the source, are unrolled here instead of by each driver.
set(REPRISE_SPIRV_PASSES --wrap-opkill --eliminate-dead-branches --merge-return --eliminate-dead-functions
  --private-to-local --scalar-replacement=0 --ssa-rewrite --ccp --loop-unroll --eliminate-dead-branches --simplify-instructions
  --scalar-replacement=0 --convert-local-access-chains --eliminate-local-single-block --eliminate-local-single-store
  --ssa-rewrite --ccp --vector-dce --eliminate-dead-inserts --eliminate-dead-branches --simplify-instructions
  --copy-propagate-arrays --reduce-load-size --redundancy-elimination --eliminate-dead-code-aggressive --merge-blocks
  --compact-ids --strip-debug CACHE INTERNAL "")

# reprise_vulkan_modules(group IMAGES a.spv b.spv FROM a.comp b.comp INCLUDE -Idirs DEPENDS files): one command that
# compiles, optimises and validates several modules. glslc takes all of them in one process, which starts in 0.2 s and
# then compiles most modules in a hundredth of that; glslangValidator is started for each.
function(reprise_vulkan_modules group)
  cmake_parse_arguments(M "" "" "IMAGES;FROM;INCLUDE;DEPENDS" ${ARGN})
  set(dir ${PROJECT_BINARY_DIR}/vulkan/${group})
  list(TRANSFORM M_FROM PREPEND ${dir}/ OUTPUT_VARIABLE sources)
  if(REPRISE_GLSLC)
    set(commands COMMAND ${REPRISE_GLSLC} -c -MD -fshader-stage=compute --target-env=vulkan1.2 ${M_INCLUDE} ${sources})
  else()
    set(commands)
    foreach(source IN LISTS sources)
      list(APPEND commands COMMAND ${REPRISE_GLSLANG} -V -S comp --target-env vulkan1.2 --quiet --depfile ${source}.spv.d
        ${M_INCLUDE} -o ${source}.spv ${source})
    endforeach()
  endif()
  foreach(source image IN ZIP_LISTS sources M_IMAGES)
    list(APPEND commands
      COMMAND ${REPRISE_SPIRV_OPT} --target-env=vulkan1.2 ${REPRISE_SPIRV_PASSES} ${source}.spv -o ${image}
      COMMAND ${REPRISE_SPIRV_VAL} --target-env vulkan1.2 ${image})
  endforeach()
  list(GET M_IMAGES 0 first)
  list(JOIN M_FROM "," names)
  add_custom_command(OUTPUT ${M_IMAGES} ${commands}
    COMMAND ${CMAKE_COMMAND} -Ddir=${dir} -Dnames=${names} -Doutput=${first}
      -P ${PROJECT_SOURCE_DIR}/scripts/cmake/depfile.cmake
    DEPENDS ${M_DEPENDS} ${sources} reprise_gen DEPFILE ${dir}/modules.d WORKING_DIRECTORY ${dir}
    COMMENT "GLSL ${group}" VERBATIM)
endfunction()

# reprise_vulkan_images(source.comp ENTRIES a b c [IDS a b c] [INCLUDE dirs] [INT64 a b]): without IDS each entry is
# compiled once. Entries in INT64 are compiled a second time, with 64-bit integers; that module follows the first one.
# What is compiled is a generated file, which begins with #version, says which entry and form it is and includes the
# source.
function(reprise_vulkan_images source)
  cmake_parse_arguments(I "" "" "ENTRIES;IDS;INCLUDE;INT64" ${ARGN})
  get_filename_component(base ${source} NAME_WE)
  get_filename_component(path ${source} ABSOLUTE)
  get_filename_component(name ${path} NAME)
  get_filename_component(folder ${path} DIRECTORY)
  if(NOT I_IDS)
    set(I_IDS "-")
  endif()
  set(dir ${PROJECT_BINARY_DIR}/vulkan)
  set(at_once 8) # modules per command, so that many processors find work
  set(text "/* Generated: embeds SPIR-V modules, each with a zero word behind it, and one behind all of a kernel. */\n__asm__(\".pushsection .rodata\\n\"\n")
  set(all)
  foreach(id IN LISTS I_IDS)
    set(includes ${I_INCLUDE} ${PROJECT_SOURCE_DIR}/shaders/vulkan ${PROJECT_SOURCE_DIR}/ops ${REPRISE_GEN_DIR} ${folder})
    set(suffix)
    if(NOT id STREQUAL "-")
      set(suffix _${id})
      list(PREPEND includes ${REPRISE_GEN_DIR}/${id})
    endif()
    list(TRANSFORM includes PREPEND -I)
    set(images)
    set(from)
    set(group 0)
    foreach(entry IN LISTS I_ENTRIES)
      set(symbol rp_vulkan_${entry}${suffix})
      string(REGEX REPLACE "^rp_" "reprise_" image_name ${symbol}) # libreprise.so exports names that begin with rp_
      set_property(GLOBAL APPEND PROPERTY REPRISE_VULKAN_IMAGES ${image_name})
      string(APPEND text "\".balign 4\\n.globl ${image_name}\\n.type ${image_name}, @object\\n${image_name}:\\n\"\n")
      set(forms 0)
      if(entry IN_LIST I_INT64)
        list(APPEND forms 1)
      endif()
      foreach(form IN LISTS forms)
        list(LENGTH images n)
        if(n EQUAL at_once)
          reprise_vulkan_modules(${base}${suffix}_${group} IMAGES ${images} FROM ${from} INCLUDE ${includes} DEPENDS ${path})
          set(images)
          set(from)
          math(EXPR group "${group} + 1")
        endif()
        set(module module_${entry}) # differs from the name of the source
        set(image ${dir}/rp_vulkan_${entry}${suffix}.spv)
        if(form)
          string(APPEND module _int64)
          set(image ${dir}/rp_vulkan_${entry}${suffix}_int64.spv)
        endif()
        file(CONFIGURE OUTPUT ${dir}/${base}${suffix}_${group}/${module}.comp CONTENT "/* Generated: a module of ${name}. */
#version 460
#extension GL_GOOGLE_include_directive : require
#define ENTRY_${entry}
#define RP_INT64 ${form}
#include \"${name}\"
" @ONLY)
        list(APPEND images ${image})
        list(APPEND from ${module}.comp)
        list(APPEND all ${image})
        string(APPEND text "\".incbin \\\"${image}\\\"\\n.long 0\\n\"\n")
      endforeach()
      string(APPEND text "\".long 0\\n.size ${image_name}, . - ${image_name}\\n\"\n")
    endforeach()
    reprise_vulkan_modules(${base}${suffix}_${group} IMAGES ${images} FROM ${from} INCLUDE ${includes} DEPENDS ${path})
  endforeach()
  string(APPEND text "\".popsection\\n\");\nextern const unsigned int rp_vulkan_${base}_embedded;\n")
  file(CONFIGURE OUTPUT ${dir}/rp_vulkan_${base}.c CONTENT "${text}" @ONLY)
  set_source_files_properties(${dir}/rp_vulkan_${base}.c PROPERTIES OBJECT_DEPENDS "${all}")
  add_library(rp_vulkan_${base} OBJECT ${dir}/rp_vulkan_${base}.c)
  set_property(GLOBAL APPEND PROPERTY REPRISE_IMAGE_OBJECTS rp_vulkan_${base})
endfunction()

# Declares all images for ops/kernel/kernels.h. Call it after all calls of reprise_vulkan_images.
function(reprise_vulkan_header)
  get_property(images GLOBAL PROPERTY REPRISE_VULKAN_IMAGES)
  set(text "/* Generated: the embedded SPIR-V modules. */\n#include <stdint.h>\n")
  foreach(symbol IN LISTS images)
    string(APPEND text "extern const uint32_t ${symbol}[];\n")
  endforeach()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/vulkan/vulkan_kernels.h CONTENT "${text}" @ONLY)
endfunction()
