# Installation: headers, libraries, the command, a CMake package, a pkg-config file, the manual, licences, examples.
# Three components: `runtime` is what programs need to run, `dev` what is needed to compile them, `tools` the command.
include(CMakePackageConfigHelpers)

install(TARGETS reprise_static reprise_shared EXPORT reprise
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT dev)

# reprise_install_archive(name component with keep): when it is installed, lib<name>.a becomes a single relocatable
# object, which includes the archive `with` (unless empty). Its only global names are those that `keep` selects: a
# pattern, or `visible`. Further arguments are passed to install(CODE).
function(reprise_install_archive name component with keep)
  install(CODE "set(archive \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/lib${name}.a\")
set(with \"${with}\")
set(keep \"${keep}\")
set(linker \"${CMAKE_LINKER}\")
set(objcopy \"${CMAKE_OBJCOPY}\")
set(ar \"${CMAKE_AR}\")
include(\"${PROJECT_SOURCE_DIR}/scripts/cmake/localize.cmake\")" COMPONENT ${component} ${ARGN})
endfunction()
reprise_install_archive(reprise dev "" visible)
foreach(layer engine ops graphs)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${layer}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev
    FILES_MATCHING PATTERN "*.h")
endforeach()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/bindings/cpp/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev
  FILES_MATCHING PATTERN "*.hpp")

# find_package(Reprise): targets Reprise::shared and Reprise::static. Versions with the same SONAME are compatible.
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Reprise)
install(EXPORT reprise NAMESPACE Reprise:: FILE RepriseTargets.cmake DESTINATION ${package_dir} COMPONENT dev)
configure_package_config_file(${PROJECT_SOURCE_DIR}/scripts/cmake/RepriseConfig.cmake.in
  ${PROJECT_BINARY_DIR}/RepriseConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/RepriseConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/RepriseConfig.cmake ${PROJECT_BINARY_DIR}/RepriseConfigVersion.cmake
  DESTINATION ${package_dir} COMPONENT dev)

# The .pc file derives the prefix from its own path, so that an installed tree can be moved.
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR} OR IS_ABSOLUTE ${CMAKE_INSTALL_INCLUDEDIR})
  set(pc_prefix ${CMAKE_INSTALL_PREFIX})
  set(pc_libdir ${CMAKE_INSTALL_FULL_LIBDIR})
  set(pc_includedir ${CMAKE_INSTALL_FULL_INCLUDEDIR})
else()
  file(RELATIVE_PATH up /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
  string(REGEX REPLACE "/$" "" up "${up}")
  set(pc_prefix "\${pcfiledir}/${up}")
  set(pc_libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
  set(pc_includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
configure_file(${PROJECT_SOURCE_DIR}/scripts/cmake/reprise.pc.in ${PROJECT_BINARY_DIR}/reprise.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/reprise.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples COMPONENT dev
  FILES_MATCHING PATTERN "*.[ch]")
install(FILES ${PROJECT_SOURCE_DIR}/scripts/cmake/examples.cmake DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples
  RENAME CMakeLists.txt COMPONENT dev)

if(TARGET reprise_cli)
  install(TARGETS reprise_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tools)
  install(FILES ${PROJECT_SOURCE_DIR}/docs/reprise.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT tools)
  # bash loads a completion by the command's name. zsh has a separate folder for those of Debian packages.
  install(FILES ${PROJECT_SOURCE_DIR}/cli/completion/reprise.bash RENAME reprise
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT tools)
  install(CODE "set(zsh site-functions)
if(CMAKE_INSTALL_PREFIX STREQUAL \"/usr\")
  set(zsh vendor-completions)
endif()
file(INSTALL \"${PROJECT_SOURCE_DIR}/cli/completion/_reprise\"
  DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/zsh/\${zsh}\")" COMPONENT tools)
endif()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE-APACHE ${PROJECT_SOURCE_DIR}/LICENSE-MIT DESTINATION ${CMAKE_INSTALL_DOCDIR}
  COMPONENT tools)

if(PROJECT_IS_TOP_LEVEL)
  add_custom_target(uninstall VERBATIM COMMENT "Removing what was installed last"
    COMMAND ${CMAKE_COMMAND} -Dmanifest=${PROJECT_BINARY_DIR}/install_manifest.txt
      -P ${PROJECT_SOURCE_DIR}/scripts/cmake/uninstall.cmake)
  add_custom_target(reference VERBATIM COMMENT "Making the reference of the public headers"
    COMMAND ${CMAKE_COMMAND} -Dsource=${PROJECT_SOURCE_DIR} -Doutput=${PROJECT_BINARY_DIR}/reference
      -Dversion=${PROJECT_VERSION} -P ${PROJECT_SOURCE_DIR}/scripts/cmake/reference.cmake)
  include(ReprisePackage)
endif()
