# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Finds oneDNN in the wheels onednn-cpu-gomp and onednn-devel-cpu-gomp of the running Python, or in RAF_ONEDNN_ROOT, and defines the target raf_onednn.
# The wheels install into the prefix of the environment, which under pip's build isolation is not sys.prefix: their list of files knows the place.

if(TARGET raf_onednn)
  return()
endif()
find_package(Python3 3.10 COMPONENTS Interpreter)
set(RAF_ONEDNN_ROOT "" CACHE PATH "Prefix of oneDNN (include/dnnl.h, lib/libdnnl.so.3); empty looks for the wheels")
if(RAF_ONEDNN_ROOT)
  find_file(RAF_ONEDNN_LIBRARY libdnnl.so.3 PATHS "${RAF_ONEDNN_ROOT}/lib" "${RAF_ONEDNN_ROOT}/lib64" NO_DEFAULT_PATH)
  find_file(RAF_ONEDNN_HEADER dnnl.h PATHS "${RAF_ONEDNN_ROOT}/include" NO_DEFAULT_PATH)
elseif(Python3_EXECUTABLE)
  execute_process(
    COMMAND "${Python3_EXECUTABLE}" -c [[
from importlib.metadata import files
def find(wheel, name):
    return next(str(f.locate().resolve()) for f in files(wheel) if f.name == name)
print(find("onednn-cpu-gomp", "libdnnl.so.3"), find("onednn-devel-cpu-gomp", "dnnl.h"), find("onednn-cpu-gomp", "LICENSE"), sep=";")
]]
    OUTPUT_VARIABLE _raf_onednn OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE _raf_result)
  if(_raf_result EQUAL 0)
    list(GET _raf_onednn 0 RAF_ONEDNN_LIBRARY)
    list(GET _raf_onednn 1 RAF_ONEDNN_HEADER)
    list(GET _raf_onednn 2 RAF_ONEDNN_LICENSE)
  endif()
endif()

if(RAF_ONEDNN_LIBRARY AND RAF_ONEDNN_HEADER)
  get_filename_component(_raf_include "${RAF_ONEDNN_HEADER}" DIRECTORY)
  add_library(raf_onednn SHARED IMPORTED GLOBAL)
  set_target_properties(raf_onednn PROPERTIES
    IMPORTED_LOCATION "${RAF_ONEDNN_LIBRARY}" IMPORTED_SONAME libdnnl.so.3
    INTERFACE_INCLUDE_DIRECTORIES "${_raf_include}")
  message(STATUS "oneDNN: ${RAF_ONEDNN_LIBRARY}")
else()
  message(FATAL_ERROR "oneDNN not found: pip install onednn-cpu-gomp==2023.2.0 onednn-devel-cpu-gomp==2023.2.0, or set RAF_ONEDNN_ROOT")
endif()
