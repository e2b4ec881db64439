// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// raf._mlir._mlir_libs._raf: RAF's C API for Python.

#include "dialects/capi/RAF.h"

#include "mlir/Bindings/Python/Nanobind.h"
#include "mlir/Bindings/Python/NanobindAdaptors.h"

namespace nb = nanobind;

NB_MODULE(_raf, m) {
  m.doc() = "RAF's dialects and passes";
  m.def("register_dialects", [](MlirDialectRegistry registry) { rafRegisterAllDialects(registry); }, nb::arg("registry"));
  m.def("register_passes", [] { rafRegisterAllPasses(); });
}
