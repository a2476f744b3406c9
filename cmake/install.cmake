# make install: program, library, headers, CMake package (find_package(sorites)), man page, completions.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/sorites)

install(TARGETS sorites EXPORT sorites_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(SORITES_NETWORKS)
  install(TARGETS sorites_torch LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
install(TARGETS sorites_capi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS sorites_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/sorites DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT sorites_targets NAMESPACE sorites:: DESTINATION ${package_dir})
configure_package_config_file(cmake/soritesConfig.cmake.in soritesConfig.cmake
                              INSTALL_DESTINATION ${package_dir} PATH_VARS CMAKE_INSTALL_LIBDIR
                              CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(soritesConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/soritesConfig.cmake
              ${PROJECT_BINARY_DIR}/soritesConfigVersion.cmake DESTINATION ${package_dir})
install(FILES docs/sorites.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
