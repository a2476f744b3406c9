# libsorites_torch, the only part that is linked to torch: a shared library of its own, which the
# rest opens when a model has networks (src/perception/torch_library.h says why).
find_package(Torch QUIET)
option(SORITES_NETWORKS "Build the networks (needs libtorch)" ${Torch_FOUND})
if(SORITES_NETWORKS AND NOT Torch_FOUND)
  message(FATAL_ERROR "SORITES_NETWORKS is on, but libtorch is not found: apt install libtorch-dev")
endif()
if(NOT SORITES_NETWORKS)
  message(STATUS "Networks are left out (libtorch-dev is not installed, or SORITES_NETWORKS is off)")
endif()

# To be called for the folder that opens the library.
function(sorites_opens_networks TARGET)
  target_link_libraries(${TARGET} PUBLIC ${CMAKE_DL_LIBS})
  if(SORITES_NETWORKS)
    if(TARGET perception_test)
      target_compile_definitions(perception_test PRIVATE SORITES_HAS_NETWORKS)
    endif()
    target_compile_definitions(
      ${TARGET} PRIVATE SORITES_TORCH_LIBRARY="${PROJECT_BINARY_DIR}/libsorites_torch.so"
                        SORITES_INSTALL_LIBDIR="${CMAKE_INSTALL_LIBDIR}"
                        SORITES_INSTALL_FULL_LIBDIR="${CMAKE_INSTALL_FULL_LIBDIR}")
  endif()
endfunction()
