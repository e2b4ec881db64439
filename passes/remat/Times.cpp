// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/remat/Times.h"

#include "dialects/raf/Ops.h"
#include "dialects/raf/interfaces/Interfaces.h"
#include "passes/memory/Step.h"
#include "passes/remat/TrimLaunches.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace mlir::raf;

constexpr double kCallNs = 1000;
constexpr int64_t kFunctionFlops = 10; // of a polynomial for exp, tanh and the like
constexpr int64_t kWhileTrips = 16;    // of a loop of which nobody knows

/// How often the loops around an op run it.
static double getTrips(Operation *op) {
  double trips = 1;
  for (; !isa<func::FuncOp>(op); op = op->getParentOp()) {
    if (auto loop = dyn_cast<scf::ForallOp>(op))
      for (OpFoldResult bound : loop.getMixedUpperBound())
        trips *= getConstantIntValue(bound).value_or(kWhileTrips);
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      std::optional<APInt> count = loop.getStaticTripCount();
      trips *= count ? count->getZExtValue() : kWhileTrips;
    }
  }
  return trips;
}

/// Iterations of each loop nest times the arithmetic in its body.
static double getKernelFlops(func::FuncOp kernel) {
  double flops = 0;
  kernel.walk([&](linalg::LinalgOp op) {
    double iterations = getTrips(op);
    for (int64_t range : op.getStaticLoopRanges())
      iterations *= range;
    int64_t perIteration = 0;
    for (Operation &inner : op.getBlock()->without_terminator())
      perIteration += isa<math::MathDialect>(inner.getDialect()) ? kFunctionFlops : 1;
    flops += iterations * perIteration;
  });
  return flops;
}

static double getFunctionTime(StringAttr name, SymbolTable &symbols, const Machine &machine) {
  auto func = symbols.lookup<func::FuncOp>(name);
  double time = 0;
  if (func && !func.isExternal())
    for (Operation &op : func.getBody().front().without_terminator())
      if (isa<DestinationStyleOpInterface>(op))
        time += getTime(&op, symbols, machine);
  return time;
}

/// Of a loop or a choice: what its functions take, as often as they are called; of branches the slowest.
static double getRegionTime(RegionCallOpInterface op, SymbolTable &symbols, const Machine &machine) {
  double sum = 0, most = 0;
  for (FlatSymbolRefAttr name : op.getRegionFunctions()) {
    double time = getFunctionTime(name.getAttr(), symbols, machine);
    sum += time;
    most = std::max(most, time);
  }
  if (auto loop = dyn_cast<ForOp>(*op))
    return kCallNs + loop.getTrips() * sum;
  return kCallNs + (isa<WhileOp>(*op) ? kWhileTrips * sum : most);
}

static double getLaunchFlops(LaunchOp launch, SymbolTable &symbols) {
  auto kernel = symbols.lookup<func::FuncOp>(launch.getCallee());
  return kernel && !kernel.isExternal() ? getKernelFlops(kernel) : 0;
}

static double getOperandBytes(Operation *op) {
  double bytes = 0;
  for (Value value : op->getOperands())
    if (auto type = dyn_cast<ShapedType>(value.getType()))
      bytes += getBytes(type);
  return bytes;
}

SmallVector<double, 2> mlir::raf::getTimesOfResults(Operation *op, SymbolTable &symbols, const Machine &machine) {
  auto launch = dyn_cast<LaunchOp>(op);
  // What is bound by arithmetic shares much of it between its results.
  if (!launch || op->hasAttr("raf.time_ns") || getLaunchFlops(launch, symbols) / machine.flopsPerNs > getOperandBytes(op) / machine.bytesPerNs)
    return {};
  auto kernel = symbols.lookup<func::FuncOp>(launch.getCallee());
  SmallVector<double, 2> times;
  for (OpResult result : launch->getResults())
    times.push_back(canTrim(launch, kernel, result.getResultNumber()) ? getBytes(cast<ShapedType>(result.getType())) / machine.bytesPerNs : 0);
  return times;
}

double mlir::raf::getTime(Operation *op, SymbolTable &symbols, const Machine &machine) {
  if (auto measured = op->getAttrOfType<IntegerAttr>("raf.time_ns"))
    return measured.getInt();
  if (auto call = dyn_cast<RegionCallOpInterface>(op))
    return getRegionTime(call, symbols, machine);
  double flops = 0;
  if (auto cost = dyn_cast<CostOpInterface>(op))
    flops = cost.getFlops();
  else if (auto launch = dyn_cast<LaunchOp>(op))
    flops = getLaunchFlops(launch, symbols);
  return kCallNs + std::max(flops / machine.flopsPerNs, getOperandBytes(op) / machine.bytesPerNs);
}
