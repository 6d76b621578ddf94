# The library itself, static and shared, from the objects of all layers.
get_property(template_objects GLOBAL PROPERTY REPRISE_TEMPLATE_OBJECTS)
set(objects)
foreach(layer reprise_engine reprise_ops reprise_shaders reprise_graphs ${template_objects})
  if(TARGET ${layer})
    list(APPEND objects $<TARGET_OBJECTS:${layer}>)
  endif()
endforeach()
add_library(reprise_static STATIC ${objects})
add_library(reprise_shared SHARED ${objects})
foreach(lib reprise_static reprise_shared)
  set_target_properties(${lib} PROPERTIES OUTPUT_NAME reprise LINKER_LANGUAGE C
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
  target_include_directories(${lib} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/engine/include;${PROJECT_SOURCE_DIR}/ops/include;${PROJECT_SOURCE_DIR}/graphs/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${lib} PRIVATE Threads::Threads PkgConfig::JANSSON ${CMAKE_DL_LIBS} m)
endforeach()
