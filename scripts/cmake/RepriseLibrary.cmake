# The library itself, static and shared, from the objects of all layers.
get_property(template_objects GLOBAL PROPERTY REPRISE_TEMPLATE_OBJECTS)
get_property(image_objects GLOBAL PROPERTY REPRISE_IMAGE_OBJECTS)
set(objects)
foreach(layer reprise_engine reprise_ops reprise_shaders reprise_support reprise_graphs ${template_objects})
  if(TARGET ${layer})
    list(APPEND objects $<TARGET_OBJECTS:${layer}>)
  endif()
endforeach()
set(images ${image_objects}) # the kernels for GPUs
list(TRANSFORM images REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>")
add_library(reprise_static STATIC ${objects} ${images})
add_library(reprise_shared SHARED ${objects} ${images})
add_library(Reprise::static ALIAS reprise_static) # as find_package(Reprise) names them
add_library(Reprise::shared ALIAS reprise_shared)
set(include_dirs)
foreach(layer engine ops graphs bindings/cpp)
  list(APPEND include_dirs $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/${layer}/include>)
endforeach()
foreach(kind static shared)
  set_target_properties(reprise_${kind} PROPERTIES OUTPUT_NAME reprise EXPORT_NAME ${kind} LINKER_LANGUAGE C
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
  target_include_directories(reprise_${kind} INTERFACE ${include_dirs} $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(reprise_${kind} PRIVATE Threads::Threads ${CMAKE_DL_LIBS} m)
endforeach()
# Only names in public headers are exported; those of static archives that are linked in are hidden too.
set(version_script ${PROJECT_SOURCE_DIR}/scripts/cmake/reprise.map)
target_link_options(reprise_shared PRIVATE -Wl,--version-script=${version_script})
set_target_properties(reprise_shared PROPERTIES LINK_DEPENDS ${version_script})
# A name that nobody defines is found here, and not by the programs of others. Sanitizers leave theirs to programs.
if(NOT REPRISE_SANITIZE AND NOT REPRISE_FUZZ)
  target_link_options(reprise_shared PRIVATE -Wl,-z,defs)
endif()
