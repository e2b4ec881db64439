# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Helpers that keep the CMakeLists.txt of a folder to a few lines. All generated files go to the folder's mirror in the build tree and are
# included by their path from the root: #include "dialects/raf/Ops.h.inc".
#
#   raf_add_dialect_td(raf)                    in dialects/raf: from Ops.td (the root file, which includes every family), Enums.td, Attrs.td and Types.td as far as they
#                                              exist: {Ops,Dialect,Enums,Attrs,Types}.{h,cpp}.inc
#   raf_add_interfaces_td(Fusible.td ...)      op interfaces: Fusible.{h,cpp}.inc
#   raf_add_rewriters_td(Algebra.td ...)       DRR patterns: Algebra.cpp.inc
#   raf_add_library(RAFFoo SOURCES .. LINK_LIBS ..)  a static library of compiler code
#   raf_add_embedded_library(RAFBar SOURCES .. LINK_LIBS ..)  the same for code whose exported C functions go into the package's shared library
#   raf_add_dialect(NAME dnnl CLASS mlir::raf::dnnl::DnnlDialect SOURCES .. LINK_LIBS ..)
#       raf_add_dialect_td and the library RAFDnnlDialect (RAFDialect for raf itself). Registered everywhere by itself, so dialects/dnnl/Dialect.h must declare the class.
#   raf_add_phase(NAME codegen-cpu SOURCES .. LINK_LIBS .. [EXTENSIONS])
#       a folder passes/codegen-cpu: runs mlir-tblgen -gen-pass-decls on Passes.td (giving registerCodegenCpuPasses() and GEN_PASS_DEF_* in
#       "passes/codegen-cpu/Passes.h.inc") and builds the library RAFCodegenCpu. raf-opt and the Python module register the phase by themselves: Passes.h
#       must declare mlir::raf::registerCodegenCpuPasses() and, with EXTENSIONS, mlir::raf::registerCodegenCpuExtensions(mlir::DialectRegistry &).
#
# Every library of ours is compiled after all of tablegen (target raf-generated), so no per-file dependencies need stating.

add_custom_target(raf-generated)

# Reading MLIR's headers is half of the time a file takes to compile.
set(RAF_PRECOMPILED_HEADERS
  <dialects/raf/Ops.h>
  <mlir/Dialect/Func/IR/FuncOps.h>
  <mlir/Dialect/Linalg/IR/Linalg.h>
  <mlir/Dialect/MemRef/IR/MemRef.h>
  <mlir/Dialect/SCF/IR/SCF.h>
  <mlir/Dialect/Tensor/IR/Tensor.h>
  <mlir/Pass/Pass.h>
  <mlir/Transforms/DialectConversion.h>
  <mlir/Transforms/GreedyPatternRewriteDriver.h>)

# The reference documentation, made of the same .td files: raf/docs of the package, and docs/generated of the repository by the target raf-doc.
add_custom_target(raf-doc-files)
set(RAF_DOC_DIR "${PROJECT_BINARY_DIR}/python/raf/docs")

function(_raf_doc output td)
  set(LLVM_TARGET_DEFINITIONS "${td}")
  get_filename_component(_stem "${output}" NAME_WE)
  mlir_tablegen("doc-${_stem}.md" ${ARGN})
  add_custom_command(OUTPUT "${RAF_DOC_DIR}/${output}"
    COMMAND "${CMAKE_COMMAND}" -E copy "${CMAKE_CURRENT_BINARY_DIR}/doc-${_stem}.md" "${RAF_DOC_DIR}/${output}"
    DEPENDS "${CMAKE_CURRENT_BINARY_DIR}/doc-${_stem}.md" VERBATIM)
  add_custom_target(raf-doc-${_stem} DEPENDS "${RAF_DOC_DIR}/${output}")
  add_dependencies(raf-doc-files raf-doc-${_stem})
endfunction()

function(_raf_tablegen target td)
  # ARGN: pairs of an output and its generator arguments, joined by "|".
  set(LLVM_TARGET_DEFINITIONS "${td}")
  set(_pairs ${ARGN})
  while(_pairs)
    list(POP_FRONT _pairs _output _command)
    string(REPLACE "|" ";" _command "${_command}")
    mlir_tablegen("${_output}" ${_command})
  endwhile()
  add_custom_target(${target} DEPENDS ${TABLEGEN_OUTPUT})
  add_dependencies(raf-generated ${target})
endfunction()

function(_raf_camel output name)
  string(REGEX REPLACE "[-_]" ";" _words "${name}")
  set(_result "")
  foreach(_word IN LISTS _words)
    string(SUBSTRING "${_word}" 0 1 _head)
    string(SUBSTRING "${_word}" 1 -1 _tail)
    string(TOUPPER "${_head}" _head)
    string(APPEND _result "${_head}${_tail}")
  endforeach()
  set(${output} "${_result}" PARENT_SCOPE)
endfunction()

function(raf_add_dialect_td name)
  set(_dir "${CMAKE_CURRENT_SOURCE_DIR}")
  _raf_tablegen(raf-${name}-ops-td Ops.td
    Ops.h.inc "-gen-op-decls|-dialect=${name}"
    Ops.cpp.inc "-gen-op-defs|-dialect=${name}"
    Dialect.h.inc "-gen-dialect-decls|-dialect=${name}"
    Dialect.cpp.inc "-gen-dialect-defs|-dialect=${name}")
  if(EXISTS "${_dir}/Enums.td")
    _raf_tablegen(raf-${name}-enums-td Enums.td
      Enums.h.inc "-gen-enum-decls" Enums.cpp.inc "-gen-enum-defs")
  endif()
  # Enum attributes are declared in Enums.td but are attributes of the dialect, so the root file is read here too.
  if(EXISTS "${_dir}/Attrs.td" OR EXISTS "${_dir}/Enums.td")
    _raf_tablegen(raf-${name}-attrs-td Ops.td
      Attrs.h.inc "-gen-attrdef-decls|-attrdefs-dialect=${name}"
      Attrs.cpp.inc "-gen-attrdef-defs|-attrdefs-dialect=${name}")
  endif()
  if(EXISTS "${_dir}/Types.td")
    _raf_tablegen(raf-${name}-types-td Ops.td
      Types.h.inc "-gen-typedef-decls|-typedefs-dialect=${name}"
      Types.cpp.inc "-gen-typedef-defs|-typedefs-dialect=${name}")
  endif()
endfunction()

function(raf_add_interfaces_td)
  foreach(_td IN LISTS ARGN)
    get_filename_component(_stem "${_td}" NAME_WE)
    _raf_tablegen(raf-interface-${_stem}-td "${_td}"
      ${_stem}.h.inc "-gen-op-interface-decls" ${_stem}.cpp.inc "-gen-op-interface-defs")
  endforeach()
endfunction()

function(raf_add_rewriters_td)
  get_filename_component(_folder "${CMAKE_CURRENT_SOURCE_DIR}" NAME)
  foreach(_td IN LISTS ARGN)
    get_filename_component(_stem "${_td}" NAME_WE)
    _raf_tablegen(raf-rewriters-${_folder}-${_stem}-td "${_td}" ${_stem}.cpp.inc "-gen-rewriters")
  endforeach()
endfunction()

function(raf_add_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  add_dependencies(${name} raf-generated)
  target_compile_options(${name} PRIVATE -fno-rtti -fno-exceptions)
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS} PRIVATE raf_warnings)
  if(RAF_PRECOMPILE_HEADERS)
    if(name STREQUAL "RAFDialect")
      target_precompile_headers(${name} PRIVATE ${RAF_PRECOMPILED_HEADERS})
    else()
      target_precompile_headers(${name} REUSE_FROM RAFDialect)
    endif()
  endif()
endfunction()

function(raf_add_embedded_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK_LIBS" ${ARGN})
  add_mlir_library(${name} ${ARG_SOURCES}
    PARTIAL_SOURCES_INTENDED EXCLUDE_FROM_LIBMLIR ENABLE_AGGREGATION DISABLE_INSTALL
    DEPENDS raf-generated
    LINK_LIBS PUBLIC ${ARG_LINK_LIBS})
  target_compile_options(obj.${name} PRIVATE $<TARGET_PROPERTY:raf_warnings,INTERFACE_COMPILE_OPTIONS>)
endfunction()

function(raf_add_dialect)
  cmake_parse_arguments(ARG "" "NAME;CLASS" "SOURCES;LINK_LIBS" ${ARGN})
  raf_add_dialect_td(${ARG_NAME})
  _raf_camel(_camel "${ARG_NAME}")
  if(ARG_NAME STREQUAL "raf")
    set(_target RAFDialect)
  else()
    set(_target RAF${_camel}Dialect)
  endif()
  _raf_doc(dialects/${ARG_NAME}.md Ops.td -gen-dialect-doc -dialect=${ARG_NAME})
  raf_add_library(${_target} SOURCES ${ARG_SOURCES} LINK_LIBS MLIRIR ${ARG_LINK_LIBS})
  set_property(GLOBAL APPEND PROPERTY RAF_ALL_LIBS ${_target})
  set_property(GLOBAL APPEND PROPERTY RAF_ALL_HEADERS "#include \"dialects/${ARG_NAME}/Dialect.h\"")
  set_property(GLOBAL APPEND PROPERTY RAF_ALL_DIALECTS "registry.insert<${ARG_CLASS}$<ANGLE-R>()$<SEMICOLON>")
endfunction()

function(raf_add_phase)
  cmake_parse_arguments(ARG "EXTENSIONS" "NAME" "SOURCES;LINK_LIBS" ${ARGN})
  _raf_camel(_camel "${ARG_NAME}")
  _raf_tablegen(raf-${ARG_NAME}-passes-td Passes.td
    Passes.h.inc "-gen-pass-decls|-name=${_camel}")
  _raf_doc(passes/${ARG_NAME}.md Passes.td -gen-pass-doc)
  raf_add_library(RAF${_camel} SOURCES ${ARG_SOURCES} LINK_LIBS MLIRPass MLIRTransforms ${ARG_LINK_LIBS})
  set_property(GLOBAL APPEND PROPERTY RAF_ALL_LIBS RAF${_camel})
  set_property(GLOBAL APPEND PROPERTY RAF_ALL_HEADERS "#include \"passes/${ARG_NAME}/Passes.h\"")
  set_property(GLOBAL APPEND PROPERTY RAF_ALL_PASSES "mlir::raf::register${_camel}Passes()$<SEMICOLON>")
  if(ARG_EXTENSIONS)
    set_property(GLOBAL APPEND PROPERTY RAF_ALL_EXTENSIONS "mlir::raf::register${_camel}Extensions(registry)$<SEMICOLON>")
  endif()
endfunction()
