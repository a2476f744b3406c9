# sorites_folder(NAME USES target... [TESTS_USE target...]): the library of src/NAME, from its sources.
#   SEPARATE        compiles every source by itself, where optimising takes longer than reading headers
#   SHARED          makes it a shared library, which is installed by itself
#   *_test.cc       become NAME_test, which links this folder, what it uses and what TESTS_USE lists
#   *_benchmark.cc  become one program each
# A folder in a folder (hinge/model) is the target sorites_hinge_model.
# Headers are included as "NAME/file.h". They are reached through a folder of links that only this
# target and its users have on their path, so that an include against the order of the pipeline fails.

add_library(sorites_flags INTERFACE)
target_compile_options(
  sorites_flags INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow
                          -Wno-missing-field-initializers  # designated initialisers name what they set
                          $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>  # gcc 12 misreads fmt 9
                          $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)  # and its own strings
if(SORITES_WERROR)
  target_compile_options(sorites_flags INTERFACE -Werror)
endif()

# The sources of a folder are compiled some at a time as one: headers are read once for all of them.
function(sorites_compile_together TARGET)
  set_target_properties(${TARGET} PROPERTIES UNITY_BUILD ${SORITES_UNITY} UNITY_BUILD_BATCH_SIZE 12)
endfunction()

# Tests stand alone, each with names of its own; the headers that all of them need are compiled once.
function(sorites_compile_test TARGET)
  target_link_libraries(${TARGET} PRIVATE sorites_flags rapidcheck GTest::gmock GTest::gtest_main)
  # What they test is optimised, they need not be; then gcc 12 misreads its own strings.
  target_compile_options(${TARGET} PRIVATE -O1 -Wno-array-bounds)
  if(NOT TARGET sorites_test_headers)
    file(WRITE ${PROJECT_BINARY_DIR}/test_headers.cc "int main() {}\n")
    add_executable(sorites_test_headers ${PROJECT_BINARY_DIR}/test_headers.cc)
    target_link_libraries(sorites_test_headers PRIVATE sorites_flags fmt::fmt rapidcheck GTest::gmock)
    target_compile_options(sorites_test_headers PRIVATE -O1 -Wno-array-bounds)
    target_precompile_headers(sorites_test_headers PRIVATE <gmock/gmock.h> <gtest/gtest.h> <rapidcheck.h>
                              <algorithm> <cmath> <fmt/format.h> <functional> <map> <memory> <random>
                              <sstream> <string> <vector>)
  endif()
  get_target_property(libraries ${TARGET} LINK_LIBRARIES)
  if(NOT sorites_torch IN_LIST libraries)  # which has definitions of its own
    target_precompile_headers(${TARGET} REUSE_FROM sorites_test_headers)
  endif()
endfunction()

function(sorites_folder NAME)
  cmake_parse_arguments(ARG "SHARED;SEPARATE" "" "USES;TESTS_USE" ${ARGN})
  set(folder ${PROJECT_SOURCE_DIR}/src/${NAME})
  string(REPLACE "/" "_" target ${NAME})
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cc)
  set(tests ${sources})
  set(benchmarks ${sources})
  list(FILTER sources EXCLUDE REGEX "_(test|benchmark)\\.cc$")
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER benchmarks INCLUDE REGEX "_benchmark\\.cc$")

  set(links ${PROJECT_BINARY_DIR}/folders/${target})
  get_filename_component(parent ${links}/${NAME} DIRECTORY)
  file(MAKE_DIRECTORY ${parent})
  file(CREATE_LINK ${folder} ${links}/${NAME} SYMBOLIC)

  if(ARG_SHARED)
    add_library(sorites_${target} SHARED ${sources})
    # What it shares with the program, both have for themselves.
    target_link_options(sorites_${target} PRIVATE -Wl,--exclude-libs,ALL)
  else()
    add_library(sorites_${target} STATIC ${sources})
    set_property(GLOBAL APPEND PROPERTY SORITES_FOLDERS sorites_${target})
  endif()
  if(NOT ARG_SEPARATE)
    sorites_compile_together(sorites_${target})
  endif()
  target_include_directories(sorites_${target} PUBLIC ${links} ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(
    sorites_${target} PUBLIC ${ARG_USES} PRIVATE $<BUILD_INTERFACE:sorites_flags>)

  if(SORITES_TESTS AND tests)
    add_executable(${target}_test ${tests})
    add_dependencies(sorites_tests ${target}_test)
    target_link_libraries(${target}_test PRIVATE sorites_${target} ${ARG_TESTS_USE})
    sorites_compile_test(${target}_test)
    if(ARG_SHARED)  # takes a second to load, which is too long for every test
      add_test(NAME ${target}_test COMMAND ${target}_test)
    else()
      gtest_discover_tests(${target}_test DISCOVERY_TIMEOUT 60
                           PROPERTIES ENVIRONMENT SORITES_SHARED=${SORITES_SHARED})
    endif()
  endif()
  if(SORITES_BENCHMARKS)
    foreach(source IN LISTS benchmarks)
      get_filename_component(program ${source} NAME_WE)
      add_executable(${program} ${source})
      target_link_libraries(${program} PRIVATE sorites_flags sorites_${target} ${ARG_TESTS_USE}
                                               benchmark::benchmark)
      set_property(GLOBAL APPEND PROPERTY SORITES_BENCHMARK_PROGRAMS ${program})
    endforeach()
  endif()
endfunction()

# libsorites, the library that is installed: the objects of all folders. It takes the packages they use.
function(sorites_library)
  cmake_parse_arguments(ARG "" "" "USES" ${ARGN})
  get_property(folders GLOBAL PROPERTY SORITES_FOLDERS)
  add_library(sorites STATIC)
  add_library(sorites::sorites ALIAS sorites)
  foreach(folder IN LISTS folders)
    target_sources(sorites PRIVATE $<TARGET_OBJECTS:${folder}>)
  endforeach()
  target_include_directories(
    sorites PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                   $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(sorites PUBLIC cxx_std_20)  # the headers need it, whatever a user's project says
  target_link_libraries(sorites PUBLIC Threads::Threads PRIVATE ${ARG_USES})
endfunction()
