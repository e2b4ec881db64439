# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# raf._core over the runtime, in the package that RAF_PACKAGE_LIB_DIR is a folder of; for builds with and without the compiler.
set(_core_bindings "${CMAKE_CURRENT_LIST_DIR}/bindings")
nanobind_add_module(RAFCore NB_STATIC NB_DOMAIN raf_core "${_core_bindings}/Core.cpp" "${_core_bindings}/Executable.cpp")
target_include_directories(RAFCore PRIVATE "${CMAKE_CURRENT_LIST_DIR}" "${PROJECT_SOURCE_DIR}")
target_link_libraries(RAFCore PRIVATE raf_runtime raf_warnings)
set_target_properties(RAFCore PROPERTIES
  OUTPUT_NAME _core
  LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/python/raf"
  INSTALL_RPATH "$ORIGIN/_mlir/_mlir_libs")
install(TARGETS RAFCore LIBRARY DESTINATION raf COMPONENT RAFPython)
add_dependencies(RAFPython RAFCore)

# The licences of oneDNN, whose library the package holds.
get_filename_component(_onednn_prefix "${dnnl_DIR}/../../.." ABSOLUTE)
set(_onednn_doc "${_onednn_prefix}/share/doc/onednn")
if(RAF_WITH_DNNL AND EXISTS "${_onednn_doc}")
  install(FILES "${_onednn_doc}/LICENSE" "${_onednn_doc}/THIRD-PARTY-PROGRAMS" DESTINATION raf/licenses/onednn COMPONENT RAFPython)
endif()
