// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The devices that run a program together.
#ifndef RAF_DIALECTS_RAF_COLLECTIVE_H
#define RAF_DIALECTS_RAF_COLLECTIVE_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace mlir::raf {

/// The module attribute that holds the number of devices, an i64.
inline constexpr StringRef kNumDevicesAttribute = "raf.num_devices";

/// The number of devices of the program around the op, 0 if it is not stated.
int64_t countDevices(Operation *op);
/// The number of devices of each group.
int64_t groupSize(ArrayAttr groups);

} // namespace mlir::raf

#endif // RAF_DIALECTS_RAF_COLLECTIVE_H
