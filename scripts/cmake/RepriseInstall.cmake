# Installation: headers, libraries, the command, a CMake package, a pkg-config file, the man page, licences.
include(CMakePackageConfigHelpers)

install(TARGETS reprise_static reprise_shared EXPORT reprise
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
# Internal names of the archive become local: one relocatable object, hidden symbols made so.
install(CODE "set(archive \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/libreprise.a\")
set(linker \"${CMAKE_LINKER}\")
set(objcopy \"${CMAKE_OBJCOPY}\")
set(ar \"${CMAKE_AR}\")
include(\"${PROJECT_SOURCE_DIR}/scripts/cmake/localize.cmake\")")
foreach(layer engine ops graphs)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${layer}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
endforeach()

# find_package(Reprise): targets Reprise::shared and Reprise::static.
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Reprise)
install(EXPORT reprise NAMESPACE Reprise:: FILE RepriseTargets.cmake DESTINATION ${package_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/scripts/cmake/RepriseConfig.cmake.in
  ${PROJECT_BINARY_DIR}/RepriseConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/RepriseConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/RepriseConfig.cmake ${PROJECT_BINARY_DIR}/RepriseConfigVersion.cmake
  DESTINATION ${package_dir})

configure_file(${PROJECT_SOURCE_DIR}/scripts/cmake/reprise.pc.in ${PROJECT_BINARY_DIR}/reprise.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/reprise.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(TARGET reprise_cli)
  install(TARGETS reprise_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(FILES ${PROJECT_SOURCE_DIR}/docs/reprise.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE-APACHE ${PROJECT_SOURCE_DIR}/LICENSE-MIT DESTINATION ${CMAKE_INSTALL_DOCDIR})
