# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Finds LLVM and MLIR 22 in the site-packages of the running Python (the xtc-* wheels of pyproject.toml) unless LLVM_DIR and MLIR_DIR are given,
# and makes MLIR's exported targets link LLVM statically.

find_package(Python3 3.10 REQUIRED COMPONENTS Interpreter)

if(NOT MLIR_DIR OR NOT LLVM_DIR)
  execute_process(
    COMMAND "${Python3_EXECUTABLE}" -c
      "import llvm, mlir; print(list(llvm.__path__)[0] + ';' + list(mlir.__path__)[0])"
    OUTPUT_VARIABLE _raf_roots OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET
    RESULT_VARIABLE _raf_result)
  if(NOT _raf_result EQUAL 0)
    message(FATAL_ERROR
      "LLVM and MLIR wheels not found in ${Python3_EXECUTABLE}; install the build requirements listed in pyproject.toml, "
      "or set LLVM_DIR and MLIR_DIR")
  endif()
  list(GET _raf_roots 0 _raf_llvm)
  list(GET _raf_roots 1 _raf_mlir)
  set(LLVM_DIR "${_raf_llvm}/lib/cmake/llvm" CACHE PATH "Folder of LLVMConfig.cmake" FORCE)
  set(MLIR_DIR "${_raf_mlir}/lib/cmake/mlir" CACHE PATH "Folder of MLIRConfig.cmake" FORCE)
endif()

find_package(MLIR 22.1.8 EXACT REQUIRED CONFIG)
message(STATUS "LLVM ${LLVM_PACKAGE_VERSION}: ${LLVM_DIR}")
message(STATUS "MLIR: ${MLIR_DIR}")

list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")

# The wheels' MLIR targets name the shared library `LLVM`. Linking it beside the static libraries would put two copies of LLVM into one
# process, so that name is replaced by an interface library of the static ones; the linker takes from them only what is used.
set(LLVM_LINK_LLVM_DYLIB OFF)
add_library(RAFStaticLLVM INTERFACE)
foreach(_lib IN LISTS LLVM_AVAILABLE_LIBS)
  if(TARGET ${_lib})
    get_target_property(_type ${_lib} TYPE)
    if(_type STREQUAL "STATIC_LIBRARY")
      target_link_libraries(RAFStaticLLVM INTERFACE ${_lib})
    endif()
  endif()
endforeach()
foreach(_lib IN LISTS MLIR_EXPORTED_TARGETS LLVM_AVAILABLE_LIBS)
  if(NOT TARGET ${_lib})
    continue()
  endif()
  foreach(_property IN ITEMS INTERFACE_LINK_LIBRARIES MLIR_AGGREGATE_DEP_LIBS_IMPORTED)
    get_target_property(_value ${_lib} ${_property})
    if(_value)
      list(TRANSFORM _value REPLACE "^LLVM$" "RAFStaticLLVM")
      list(TRANSFORM _value REPLACE "LINK_ONLY:LLVM>" "LINK_ONLY:RAFStaticLLVM>")
      set_target_properties(${_lib} PROPERTIES ${_property} "${_value}")
    endif()
  endforeach()
endforeach()

set(LLVM_INSTALL_TOOLCHAIN_ONLY ON)
set(LLVM_ENABLE_WARNINGS OFF)
include(TableGen)
include(AddLLVM)
include(AddMLIR)
include(HandleLLVMOptions)
# LLVM's "no warnings" is -w, which would silence raf_warnings too.
string(REGEX REPLACE "(^| )-w( |$)" " " CMAKE_C_FLAGS "${CMAKE_C_FLAGS}")
string(REGEX REPLACE "(^| )-w( |$)" " " CMAKE_CXX_FLAGS "${CMAKE_CXX_FLAGS}")

include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
separate_arguments(_raf_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
add_definitions(${_raf_definitions})
