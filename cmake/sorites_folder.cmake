# sorites_folder(NAME USES target...): the library of src/NAME, from all its sources.
#   SHARED          makes it a shared library, which is installed by itself
#   *_test.cc       become NAME_test, which links this folder and what it uses, nothing more
#   *_benchmark.cc  become one program each
# Headers are included as "NAME/file.h". They are reached through a folder of links that only this
# target and its users have on their path, so that an include against the order of the pipeline fails.

add_library(sorites_flags INTERFACE)
target_compile_options(
  sorites_flags INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror
                          -Wno-missing-field-initializers  # designated initialisers name what they set
                          $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>  # gcc 12 misreads fmt 9
                          $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)  # and its own strings

function(sorites_folder NAME)
  cmake_parse_arguments(ARG "SHARED" "" "USES" ${ARGN})
  set(folder ${PROJECT_SOURCE_DIR}/src/${NAME})
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cc)
  set(tests ${sources})
  set(benchmarks ${sources})
  list(FILTER sources EXCLUDE REGEX "_(test|benchmark)\\.cc$")
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER benchmarks INCLUDE REGEX "_benchmark\\.cc$")

  set(links ${PROJECT_BINARY_DIR}/folders/${NAME})
  file(MAKE_DIRECTORY ${links})
  file(CREATE_LINK ${folder} ${links}/${NAME} SYMBOLIC)

  if(ARG_SHARED)
    add_library(sorites_${NAME} SHARED ${sources})
    # What it shares with the program, both have for themselves.
    target_link_options(sorites_${NAME} PRIVATE -Wl,--exclude-libs,ALL)
    set_target_properties(sorites_${NAME} PROPERTIES UNITY_BUILD ${SORITES_UNITY}
                                                     UNITY_BUILD_BATCH_SIZE 0)
  else()
    add_library(sorites_${NAME} STATIC ${sources})
    set_property(GLOBAL APPEND PROPERTY SORITES_FOLDERS sorites_${NAME})
  endif()
  target_include_directories(sorites_${NAME} PUBLIC ${links} ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(
    sorites_${NAME} PUBLIC ${ARG_USES} PRIVATE $<BUILD_INTERFACE:sorites_flags>)

  if(SORITES_TESTS AND tests)
    add_executable(${NAME}_test ${tests})
    target_link_libraries(${NAME}_test PRIVATE sorites_flags sorites_${NAME} rapidcheck
                                               GTest::gmock GTest::gtest_main)
    if(ARG_SHARED)  # takes a second to load, which is too long for every test
      add_test(NAME ${NAME}_test COMMAND ${NAME}_test)
    else()
      gtest_discover_tests(${NAME}_test DISCOVERY_TIMEOUT 60
                           PROPERTIES ENVIRONMENT SORITES_SHARED=${SORITES_SHARED})
    endif()
  endif()
  if(SORITES_BENCHMARKS)
    foreach(source IN LISTS benchmarks)
      get_filename_component(program ${source} NAME_WE)
      add_executable(${program} ${source})
      target_link_libraries(${program} PRIVATE sorites_flags sorites_${NAME} benchmark::benchmark)
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
  target_link_libraries(sorites PUBLIC Threads::Threads PRIVATE ${ARG_USES})
endfunction()
