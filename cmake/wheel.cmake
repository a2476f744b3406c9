# What a Python wheel brings: libsorites.so and the program with everything inside but the C library.
#
# All that they use is linked as archives, libstdc++ too: other packages of a Python process bring
# libraries of the same names, and the libstdc++.so of Debian 12 asks for a newer C library than the
# wheel does. Archives of Debian are for programs, not for shared libraries: they reach the standard
# streams as programs do. `python/native/standard_streams.c` has variables of other names for them.
set(wheel_folder ${PROJECT_BINARY_DIR}/wheel)
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  return()  # a library of sanitizers cannot come with everything inside
endif()
set(wheel_archives)
foreach(name CbcSolver Cbc Cgl OsiClp ClpSolver Clp Osi CoinUtils yaml z bz2)
  find_library(wheel_${name} lib${name}.a)
  list(APPEND wheel_archives ${name})
endforeach()
find_library(wheel_openblas libopenblas.a)
find_program(OBJCOPY objcopy)

set(wheel_missing)
foreach(name IN LISTS wheel_archives ITEMS openblas)
  if(NOT wheel_${name})
    list(APPEND wheel_missing lib${name}.a)
  endif()
endforeach()
if(wheel_missing OR NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  message(STATUS "No wheel can be built here: ${wheel_missing} is missing")
  return()
endif()

file(MAKE_DIRECTORY ${wheel_folder})
set(wheel_inputs)
foreach(name IN LISTS wheel_archives)
  set(renamed ${wheel_folder}/lib${name}.a)
  add_custom_command(
    OUTPUT ${renamed}
    COMMAND ${OBJCOPY} --redefine-sym stdin=wheel_stdin --redefine-sym stdout=wheel_stdout
            --redefine-sym stderr=wheel_stderr ${wheel_${name}} ${renamed}
    DEPENDS ${wheel_${name}} COMMENT "Preparing lib${name}.a for the wheel" VERBATIM)
  list(APPEND wheel_inputs ${renamed})
endforeach()

# Not part of any folder: what stands for libraries that have no archive.
add_library(sorites_wheel_parts OBJECT python/native/standard_streams.c python/native/format.cc)
target_link_libraries(sorites_wheel_parts PRIVATE sorites_flags fmt::fmt)

set(wheel_link -O2 -s -static-libstdc++ -Wl,--exclude-libs,ALL -Wl,--gc-sections
    $<TARGET_OBJECTS:sorites_wheel_parts> $<TARGET_FILE:sorites>
    -Wl,--start-group ${wheel_inputs} ${wheel_openblas} -Wl,--end-group -lpthread -ldl -lm)
add_custom_command(
  OUTPUT ${wheel_folder}/libsorites.so
  COMMAND ${CMAKE_CXX_COMPILER} -shared -o ${wheel_folder}/libsorites.so -Wl,-soname,libsorites.so
          -Wl,--version-script=${PROJECT_SOURCE_DIR}/src/capi/symbols.map -Wl,-z,defs
          $<TARGET_OBJECTS:sorites_capi> ${wheel_link}
  DEPENDS sorites sorites_capi sorites_wheel_parts ${wheel_inputs} src/capi/symbols.map
          $<TARGET_OBJECTS:sorites_capi> $<TARGET_OBJECTS:sorites_wheel_parts> $<TARGET_FILE:sorites>
  COMMAND_EXPAND_LISTS VERBATIM COMMENT "Linking libsorites.so for the wheel")
add_custom_command(
  OUTPUT ${wheel_folder}/sorites
  COMMAND ${CMAKE_CXX_COMPILER} -pie -o ${wheel_folder}/sorites $<TARGET_OBJECTS:sorites_cli> ${wheel_link}
  DEPENDS sorites sorites_cli sorites_wheel_parts ${wheel_inputs} $<TARGET_OBJECTS:sorites_cli>
          $<TARGET_OBJECTS:sorites_wheel_parts> $<TARGET_FILE:sorites>
  COMMAND_EXPAND_LISTS VERBATIM COMMENT "Linking the program for the wheel")
add_custom_target(sorites_wheel_binaries DEPENDS ${wheel_folder}/libsorites.so ${wheel_folder}/sorites)

set(wheel_python /usr/bin/python3)  # Debian's, whose packages packages.txt lists
set(wheel_dist ${wheel_folder}/dist)
file(GLOB_RECURSE wheel_sources CONFIGURE_DEPENDS python/src/*.py python/pyproject.toml python/hatch_build.py
                                                  python/README.md)
add_custom_command(
  OUTPUT ${wheel_dist}/built
  COMMAND ${PROJECT_SOURCE_DIR}/python/make_wheel ${wheel_folder} ${PROJECT_VERSION} ${wheel_dist}
  COMMAND ${CMAKE_COMMAND} -E touch ${wheel_dist}/built
  DEPENDS ${wheel_folder}/libsorites.so ${wheel_folder}/sorites ${wheel_sources} python/make_wheel
  VERBATIM COMMENT "Making the wheel")
add_custom_target(sorites_wheel DEPENDS ${wheel_dist}/built)
