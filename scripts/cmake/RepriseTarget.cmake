# Compiler settings shared by every target, and helpers to declare layers and per-field sources.

add_library(reprise_settings INTERFACE)
target_compile_options(reprise_settings INTERFACE
  $<$<COMPILE_LANGUAGE:C>:-Wall -Wextra -Wpedantic -Wshadow -Wvla -Wno-overlength-strings>)
if(REPRISE_WERROR)
  target_compile_options(reprise_settings INTERFACE $<$<COMPILE_LANGUAGE:C>:-Werror>)
endif()
target_compile_definitions(reprise_settings INTERFACE _GNU_SOURCE)
if(REPRISE_SANITIZE)
  add_compile_options(-fsanitize=${REPRISE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${REPRISE_SANITIZE})
endif()

# reprise_layer(name SOURCES a.c b.c PUBLIC dirs PRIVATE dirs NEEDS lower layers)
# An object library with include paths of its own: a layer sees the public headers of the layers below it, nothing else.
function(reprise_layer name)
  cmake_parse_arguments(L "" "" "SOURCES;PUBLIC;PRIVATE;NEEDS" ${ARGN})
  add_library(${name} OBJECT ${L_SOURCES})
  target_include_directories(${name} PUBLIC ${L_PUBLIC} PRIVATE ${L_PRIVATE})
  target_link_libraries(${name} PUBLIC ${L_NEEDS} PRIVATE reprise_settings)
endfunction()

# reprise_template(target tmpl.c KIND field|curve IDS a b c [OPTIONS -m...] [SUFFIX _ifma])
# Compiles one template source once an id: the include path holds the id's generated parameters first, RP_ID is the id,
# and RP_FN(x) in the source names the instance (see ops/tmpl.h).
function(reprise_template target source)
  cmake_parse_arguments(T "" "KIND;SUFFIX" "IDS;OPTIONS" ${ARGN})
  get_filename_component(base ${source} NAME_WE)
  foreach(id IN LISTS T_IDS)
    set(obj ${target}_${base}_${id}${T_SUFFIX})
    add_library(${obj} OBJECT ${source})
    target_include_directories(${obj} BEFORE PRIVATE ${REPRISE_GEN_DIR}/${id})
    target_include_directories(${obj} PRIVATE $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
    target_compile_definitions(${obj} PRIVATE RP_ID=${id} RP_ID_SUFFIX=${T_SUFFIX})
    target_compile_options(${obj} PRIVATE ${T_OPTIONS})
    target_link_libraries(${obj} PRIVATE reprise_settings)
    add_dependencies(${obj} reprise_gen)
    set_property(GLOBAL APPEND PROPERTY REPRISE_TEMPLATE_OBJECTS ${obj})
  endforeach()
endfunction()
