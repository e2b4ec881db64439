// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RAF_PASSES_IMPORT_STABLEHLO_COLLECTIVE_H
#define RAF_PASSES_IMPORT_STABLEHLO_COLLECTIVE_H

#include "passes/import-stablehlo/Importer.h"
#include "passes/import-stablehlo/Mesh.h"

namespace mlir::raf::stablehlo {

ArrayAttr toAttribute(Builder &builder, const DeviceGroups &groups);
/// x of all devices of a group, along a dimension.
Value gatherAlong(TensorBuilder &b, Value x, int64_t dim, ArrayAttr groups);
/// The number of the device that runs the program, in i32.
Value deviceId(Importer &importer, TensorBuilder &b);

} // namespace mlir::raf::stablehlo

#endif // RAF_PASSES_IMPORT_STABLEHLO_COLLECTIVE_H
