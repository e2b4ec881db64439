// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/remat/Times.h"

#include "dialects/raf/Ops.h"
#include "dialects/raf/interfaces/Interfaces.h"
#include "passes/memory/Step.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::raf;

constexpr double kCallNs = 1000;
constexpr int64_t kFunctionFlops = 10; // of a polynomial for exp, tanh and the like

/// Iterations of each loop nest times the arithmetic in its body.
static double getKernelFlops(func::FuncOp kernel) {
  double flops = 0;
  kernel.walk([&](linalg::LinalgOp op) {
    double iterations = 1;
    for (int64_t range : op.getStaticLoopRanges())
      iterations *= range;
    int64_t perIteration = 0;
    for (Operation &inner : op.getBlock()->without_terminator())
      perIteration += isa<math::MathDialect>(inner.getDialect()) ? kFunctionFlops : 1;
    flops += iterations * perIteration;
  });
  return flops;
}

double mlir::raf::getTime(Operation *op, SymbolTable &symbols, const Machine &machine) {
  if (auto measured = op->getAttrOfType<IntegerAttr>("raf.time_ns"))
    return measured.getInt();
  double flops = 0, bytes = 0;
  if (auto cost = dyn_cast<CostOpInterface>(op))
    flops = cost.getFlops();
  else if (auto launch = dyn_cast<LaunchOp>(op))
    if (auto kernel = symbols.lookup<func::FuncOp>(launch.getCallee()); kernel && !kernel.isExternal())
      flops = getKernelFlops(kernel);
  for (Value value : op->getOperands())
    if (auto type = dyn_cast<ShapedType>(value.getType()))
      bytes += getBytes(type);
  return kCallNs + std::max(flops / machine.flopsPerNs, bytes / machine.bytesPerNs);
}
