// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/remat/Times.h"

#include "dialects/raf/Ops.h"
#include "dialects/raf/interfaces/Interfaces.h"
#include "passes/memory/Step.h"
#include "passes/remat/TrimLaunches.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace mlir::raf;

constexpr int64_t kWhileTrips = 16; // of a loop of which nobody knows

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

static double getKernelArithmetic(func::FuncOp kernel, const Machine &machine) {
  double time = 0;
  kernel.walk([&](linalg::LinalgOp op) { time += getTrips(op) * getArithmeticTime(op, machine); });
  return time;
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
    return machine.launchNs + loop.getTrips() * sum;
  return machine.launchNs + (isa<WhileOp>(*op) ? kWhileTrips * sum : most);
}

static double getLaunchArithmetic(LaunchOp launch, SymbolTable &symbols, const Machine &machine) {
  auto kernel = symbols.lookup<func::FuncOp>(launch.getCallee());
  return kernel && !kernel.isExternal() ? getKernelArithmetic(kernel, machine) : 0;
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
  if (!launch || op->hasAttr("raf.time_ns") || getLaunchArithmetic(launch, symbols, machine) > machine.getTrafficTime(getOperandBytes(op)))
    return {};
  auto kernel = symbols.lookup<func::FuncOp>(launch.getCallee());
  SmallVector<double, 2> times;
  for (OpResult result : launch->getResults())
    times.push_back(canTrim(launch, kernel, result.getResultNumber()) ? machine.getTrafficTime(getBytes(cast<ShapedType>(result.getType()))) : 0);
  return times;
}

double mlir::raf::getTime(Operation *op, SymbolTable &symbols, const Machine &machine) {
  if (auto measured = op->getAttrOfType<IntegerAttr>("raf.time_ns"))
    return measured.getInt();
  if (auto call = dyn_cast<RegionCallOpInterface>(op))
    return getRegionTime(call, symbols, machine);
  double arithmetic = 0;
  // A library computes on what its first operand holds: activations, or their gradients.
  if (auto cost = dyn_cast<CostOpInterface>(op))
    arithmetic = machine.getArithmeticTime(cost.getFlops(), getElementTypeOrSelf(op->getOperand(0)));
  else if (auto launch = dyn_cast<LaunchOp>(op))
    arithmetic = getLaunchArithmetic(launch, symbols, machine);
  return machine.getTime(arithmetic, getOperandBytes(op));
}
