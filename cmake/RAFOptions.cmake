# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Settings of the whole project: language level, visibility, and the tools that make a developer's build fast when they are present.

set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

# -O3 makes MLIR code slower to compile and no faster.
string(REPLACE "-O3" "-O2" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")

# `python3` of PATH is the one that was activated; pip names its own by Python3_EXECUTABLE.
foreach(_python IN ITEMS Python Python3)
  set(${_python}_FIND_STRATEGY LOCATION)
  set(${_python}_FIND_UNVERSIONED_NAMES FIRST)
endforeach()

if(NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(RAF_CCACHE ccache)
  mark_as_advanced(RAF_CCACHE)
  if(RAF_CCACHE)
    set(CMAKE_C_COMPILER_LAUNCHER "${RAF_CCACHE}")
    set(CMAKE_CXX_COMPILER_LAUNCHER "${RAF_CCACHE}")
  endif()
endif()

# A link of the compiler takes 1 s with mold or lld and 7 s with bfd.
set(RAF_LINKER "" CACHE STRING "Linker name for -fuse-ld; empty chooses mold or lld when found")
if(NOT RAF_LINKER)
  find_program(RAF_MOLD mold)
  find_program(RAF_LLD ld.lld)
  mark_as_advanced(RAF_MOLD RAF_LLD)
  if(RAF_MOLD)
    set(_raf_linker mold)
  elseif(RAF_LLD)
    set(_raf_linker lld)
  endif()
else()
  set(_raf_linker "${RAF_LINKER}")
endif()
if(_raf_linker)
  include(CheckLinkerFlag)
  check_linker_flag(CXX "-fuse-ld=${_raf_linker}" RAF_LINKER_WORKS_${_raf_linker})
  if(RAF_LINKER_WORKS_${_raf_linker})
    add_link_options("-fuse-ld=${_raf_linker}")
  endif()
endif()

# A program over a shared library of ours need not be linked again when the library was.
set(CMAKE_LINK_DEPENDS_NO_SHARED ON)

add_compile_options(-ffunction-sections -fdata-sections)
if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
  add_link_options("LINKER:--gc-sections")
endif()

# Our own code is built with these; third-party sources (nanobind, MLIR's Python bindings) are not.
add_library(raf_warnings INTERFACE)
target_compile_options(raf_warnings INTERFACE -Wall -Wextra -Wno-unused-parameter)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # gcc 12 reports a limit of its own in MLIR's large headers under this name, and optional<T> members as maybe uninitialized.
  target_compile_options(raf_warnings INTERFACE -Wno-misleading-indentation -Wno-maybe-uninitialized)
endif()
