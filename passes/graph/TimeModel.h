// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ops take on a machine: the one model by which passes compare what they could do.

#ifndef PASSES_GRAPH_TIMEMODEL_H
#define PASSES_GRAPH_TIMEMODEL_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::raf {

/// Speeds, with all of its threads.
struct Machine {
  double launchNs;
  double flopsPerNs; // of f32
  double bytesPerNs;

  bool isValid() const { return launchNs >= 0 && flopsPerNs > 0 && bytesPerNs > 0; }

  /// Of operations on elements of this type: units compute with twice as many numbers of half the bits.
  double getArithmeticTime(double flops, Type element) const;
  double getTrafficTime(double bytes) const { return bytes / bytesPerNs; }
  /// A launch, and its arithmetic or its traffic, whichever takes longer.
  double getTime(double arithmeticNs, double bytes) const { return launchNs + std::max(arithmeticNs, getTrafficTime(bytes)); }
};

/// What an op on numbers takes, in multiplications; conversions between floats go with the loads and stores.
int64_t getScalarWork(Operation &op);

/// The arithmetic of an op in a kernel: the work of its body, as often as its loops run it.
double getArithmeticTime(linalg::LinalgOp op, const Machine &machine);

} // namespace mlir::raf

#endif // PASSES_GRAPH_TIMEMODEL_H
