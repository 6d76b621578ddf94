# Compiler settings shared by every target, and helpers to declare layers and per-field sources.

add_library(reprise_settings INTERFACE)
target_compile_options(reprise_settings INTERFACE
  $<$<COMPILE_LANGUAGE:C>:-Wall -Wextra -Wpedantic -Wshadow -Wvla -Wno-overlength-strings>)
if(REPRISE_WERROR)
  target_compile_options(reprise_settings INTERFACE $<$<COMPILE_LANGUAGE:C>:-Werror>)
endif()
target_compile_definitions(reprise_settings INTERFACE _GNU_SOURCE)
# gcc supports this attribute for functions only, and every public function has it; clang supports it for types too.
if(CMAKE_C_COMPILER_ID MATCHES "Clang")
  target_compile_definitions(reprise_settings INTERFACE "RP_CHECKED_TYPE=__attribute__((warn_unused_result))")
endif()
if(REPRISE_SANITIZE)
  add_compile_options(-fsanitize=${REPRISE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${REPRISE_SANITIZE})
endif()
if(REPRISE_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "REPRISE_FUZZ needs clang: -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++")
  endif()
  add_compile_options(-fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=address,undefined)
endif()
if(REPRISE_SANITIZE OR REPRISE_FUZZ)
  # At a fixed address, a sanitized program starts in half the time, because its tables of globals need no relocations.
  add_link_options($<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
endif()

# reprise_layer(name SOURCES a.c b.c PUBLIC dirs PRIVATE dirs NEEDS lower layers)
# An object library with its own include paths: of the layers below, a layer sees only the public headers. Fuzzers are
# guided by the coverage of layers; that of kernels, which are templates, and of tests would only slow them down.
function(reprise_layer name)
  cmake_parse_arguments(L "" "" "SOURCES;PUBLIC;PRIVATE;NEEDS" ${ARGN})
  add_library(${name} OBJECT ${L_SOURCES})
  target_include_directories(${name} PUBLIC ${L_PUBLIC} PRIVATE ${L_PRIVATE})
  target_link_libraries(${name} PUBLIC ${L_NEEDS} PRIVATE reprise_settings)
  if(REPRISE_FUZZ)
    target_compile_options(${name} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
endfunction()

# gcc 12 packs the limbs of field elements into vector registers and does not unroll short loops. With both options,
# which change that, a BN254 product takes half the time (measured; -O3 without vectors gains no more).
set(REPRISE_FIELD_OPTIONS $<$<C_COMPILER_ID:GNU>:-fno-tree-vectorize> $<$<C_COMPILER_ID:GNU>:-fpeel-loops>)
# Elements of one 32-bit word are what vectors are made for. With -O2 alone, gcc 12 leaves loops of unknown length as
# they are.
set(REPRISE_SMALL_FIELD_OPTIONS $<$<C_COMPILER_ID:GNU>:-ftree-vectorize> $<$<C_COMPILER_ID:GNU>:-fvect-cost-model=dynamic>)

# Sanitizers judge addresses, lifetimes and undefined arithmetic, which depend on the form of a field and its number of
# words, and not on the prime. These ids have the code of another one that is sanitized: bn254_fr, babybear, f97 and
# bn254_g1; bls12_381_fp2 that of bn254_fp2 over the words of bls12_381_fp, and bls12_381_g2 that of bn254_g2 over those
# of bls12_381_g1.
set(REPRISE_UNSANITIZED_IDS bls12_381_fr bn254_fp secp256k1_fp secp256k1_fn bandersnatch_fr koalabear f79 secp256k1
  bls12_381_fp2 bls12_381_g2)
# Eight-lane kernels take longest to compile. In sanitized builds, these ids have none, and use those with MULX and ADX.
# koalabear, which has none of the latter, keeps its own.
set(REPRISE_WITHOUT_IFMA_IDS)
if(REPRISE_SANITIZE)
  set(REPRISE_WITHOUT_IFMA_IDS ${REPRISE_UNSANITIZED_IDS})
  list(REMOVE_ITEM REPRISE_WITHOUT_IFMA_IDS koalabear)
endif()

# reprise_template(target tmpl.c IDS a b c [OPTIONS -m...] [SUFFIX _ifma])
# Compiles a template source once for each id: the id's generated parameters are first in the include path, RP_ID is the
# id, and RP_FN(x) in the source names the instance (see ops/kernel/tmpl.h).
function(reprise_template target source)
  cmake_parse_arguments(T "" "SUFFIX" "IDS;OPTIONS" ${ARGN})
  get_filename_component(base ${source} NAME_WE)
  foreach(id IN LISTS T_IDS)
    set(obj ${target}_${base}_${id}${T_SUFFIX})
    add_library(${obj} OBJECT ${source})
    target_include_directories(${obj} BEFORE PRIVATE ${REPRISE_GEN_DIR}/${id})
    target_include_directories(${obj} PRIVATE $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
    target_compile_definitions(${obj} PRIVATE RP_ID=${id} RP_ID_SUFFIX=${T_SUFFIX})
    if(id IN_LIST REPRISE_SMALL_FIELDS)
      target_compile_options(${obj} PRIVATE ${REPRISE_SMALL_FIELD_OPTIONS} ${T_OPTIONS})
    else()
      target_compile_options(${obj} PRIVATE ${REPRISE_FIELD_OPTIONS} ${T_OPTIONS})
    endif()
    if(REPRISE_SANITIZE AND id IN_LIST REPRISE_UNSANITIZED_IDS)
      target_compile_options(${obj} PRIVATE -fno-sanitize=all)
    endif()
    target_link_libraries(${obj} PRIVATE reprise_settings)
    add_dependencies(${obj} reprise_gen)
    set_property(GLOBAL APPEND PROPERTY REPRISE_TEMPLATE_OBJECTS ${obj})
  endforeach()
endfunction()
