# Vulkan kernels: GLSL, compiled once an entry and id to SPIR-V, which is optimised, checked and embedded under the name
# rp_vulkan_<entry>[_<id>]. No Vulkan library is linked: the loader is opened at run time.
set(REPRISE_HAVE_VULKAN OFF)
if(REPRISE_VULKAN)
  find_program(REPRISE_GLSLANG NAMES glslangValidator glslang)
  find_program(REPRISE_GLSLC glslc)
  find_program(REPRISE_SPIRV_OPT spirv-opt)
  find_program(REPRISE_SPIRV_VAL spirv-val)
  find_path(REPRISE_VULKAN_INCLUDE vulkan/vulkan_core.h)
  foreach(need REPRISE_SPIRV_OPT REPRISE_SPIRV_VAL REPRISE_VULKAN_INCLUDE)
    if(NOT ${need})
      list(APPEND missing ${need})
    endif()
  endforeach()
  if(NOT REPRISE_GLSLANG AND NOT REPRISE_GLSLC)
    list(APPEND missing REPRISE_GLSLANG)
  endif()
  if(missing)
    message(STATUS "Vulkan: not found: ${missing}; its kernels are left out")
  else()
    set(REPRISE_HAVE_VULKAN ON)
  endif()
endif()
if(NOT REPRISE_HAVE_VULKAN)
  return()
endif()

if(REPRISE_GLSLC)
  set(glsl_compile ${REPRISE_GLSLC} -fshader-stage=compute --target-env=vulkan1.2 -MD -MF @depfile@)
  message(STATUS "Vulkan: ${REPRISE_GLSLC}")
else()
  set(glsl_compile ${REPRISE_GLSLANG} -V -S comp --target-env vulkan1.2 --quiet --depfile @depfile@)
  message(STATUS "Vulkan: ${REPRISE_GLSLANG}")
endif()
set(REPRISE_GLSL_COMPILE ${glsl_compile} CACHE INTERNAL "")
# What spirv-opt -O does except inlining: calls keep the code small, and drivers inline what they want. Loops over limbs,
# which are marked, are unrolled here once and not by every driver.
set(REPRISE_SPIRV_PASSES --wrap-opkill --eliminate-dead-branches --merge-return --eliminate-dead-functions
  --private-to-local --scalar-replacement=0 --ssa-rewrite --ccp --loop-unroll --eliminate-dead-branches --simplify-instructions
  --scalar-replacement=0 --convert-local-access-chains --eliminate-local-single-block --eliminate-local-single-store
  --ssa-rewrite --ccp --vector-dce --eliminate-dead-inserts --eliminate-dead-branches --simplify-instructions
  --copy-propagate-arrays --reduce-load-size --redundancy-elimination --eliminate-dead-code-aggressive --merge-blocks
  --compact-ids --strip-debug CACHE INTERNAL "")

# reprise_vulkan_images(source.comp ENTRIES a b c [IDS a b c] [INCLUDE dirs]): without ids each entry is compiled once.
function(reprise_vulkan_images source)
  cmake_parse_arguments(I "" "" "ENTRIES;IDS;INCLUDE" ${ARGN})
  get_filename_component(base ${source} NAME_WE)
  get_filename_component(path ${source} ABSOLUTE)
  if(NOT I_IDS)
    set(I_IDS "-")
  endif()
  set(dir ${PROJECT_BINARY_DIR}/vulkan)
  file(MAKE_DIRECTORY ${dir})
  set(text "/* Generated: embeds SPIR-V modules, each with a zero word behind it. */\n__asm__(\".pushsection .rodata\\n\"\n")
  set(images)
  foreach(id IN LISTS I_IDS)
    foreach(entry IN LISTS I_ENTRIES)
      set(symbol rp_vulkan_${entry})
      set(includes ${I_INCLUDE} ${PROJECT_SOURCE_DIR}/shaders/vulkan ${PROJECT_SOURCE_DIR}/ops)
      if(NOT id STREQUAL "-")
        string(APPEND symbol _${id})
        list(PREPEND includes ${REPRISE_GEN_DIR}/${id})
      endif()
      list(TRANSFORM includes PREPEND -I)
      set_property(GLOBAL APPEND PROPERTY REPRISE_VULKAN_IMAGES ${symbol})
      set(image ${dir}/${symbol}.spv)
      string(REPLACE "@depfile@" "${image}.d" compile "${REPRISE_GLSL_COMPILE}")
      add_custom_command(OUTPUT ${image}
        COMMAND ${compile} ${includes} -DENTRY_${entry} -o ${image} ${path}
        COMMAND ${REPRISE_SPIRV_OPT} --target-env=vulkan1.2 ${REPRISE_SPIRV_PASSES} ${image} -o ${image}
        COMMAND ${REPRISE_SPIRV_VAL} --target-env vulkan1.2 ${image}
        DEPENDS ${path} reprise_gen DEPFILE ${image}.d
        COMMENT "GLSL ${symbol}" VERBATIM)
      list(APPEND images ${image})
      string(APPEND text "\".balign 4\\n.globl ${symbol}\\n.hidden ${symbol}\\n${symbol}:\\n.incbin \\\"${image}\\\"\\n.long 0\\n\"\n")
    endforeach()
  endforeach()
  string(APPEND text "\".popsection\\n\");\nextern const unsigned int rp_vulkan_${base}_embedded;\n")
  file(CONFIGURE OUTPUT ${dir}/rp_vulkan_${base}.c CONTENT "${text}" @ONLY)
  set_source_files_properties(${dir}/rp_vulkan_${base}.c PROPERTIES OBJECT_DEPENDS "${images}")
  add_library(rp_vulkan_${base} OBJECT ${dir}/rp_vulkan_${base}.c)
  set_property(GLOBAL APPEND PROPERTY REPRISE_TEMPLATE_OBJECTS rp_vulkan_${base})
endfunction()

# Declares all images for ops/kernels.h; called when all are known.
function(reprise_vulkan_header)
  get_property(images GLOBAL PROPERTY REPRISE_VULKAN_IMAGES)
  set(text "/* Generated: the embedded SPIR-V modules. */\n#include <stdint.h>\n")
  foreach(symbol IN LISTS images)
    string(APPEND text "extern const uint32_t ${symbol}[];\n")
  endforeach()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/vulkan/vulkan_kernels.h CONTENT "${text}" @ONLY)
endfunction()
