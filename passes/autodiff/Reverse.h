// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reverse walk over a block: @main, or the body of a loop or branch.
#ifndef RAF_PASSES_AUTODIFF_REVERSE_H
#define RAF_PASSES_AUTODIFF_REVERSE_H

#include "mlir/IR/Builders.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::raf {

class Activity;

/// A function with this attribute, the name of another function, is not differentiated: where it is called, the other gives the cotangents of its floating-point arguments from all
/// of its arguments and the cotangents of its floating-point results.
inline constexpr StringLiteral kGradientAttribute = "raf.vjp";

/// A loop (scf.while) with this attribute, a number, takes no more iterations.
inline constexpr StringLiteral kBoundAttribute = "raf.bound";

/// Cotangents by value; a value without one has no influence.
using Cotangents = llvm::DenseMap<Value, Value>;

class Reverse {
public:
  /// `of` names what is differentiated, for messages.
  explicit Reverse(StringRef of) : of(of) {}

  /// Builds, at the builder, the cotangents of the sources for given ones of the targets (null where there is none). The targets are values of the block and are
  /// replaced where an op had to be decomposed; sources may be defined outside of it.
  LogicalResult run(Block &block, ArrayRef<Value> sources, MutableArrayRef<Value> targets, ArrayRef<Value> seeds, OpBuilder &builder, Cotangents &cotangents);

  int64_t numDecomposed = 0, numDifferentiated = 0, numAccumulations = 0;

private:
  /// What the rule of an op gets: its operands, and what its regions use from outside, the cotangents of its results, and which of the inputs want one.
  struct Site {
    Operation *op;
    SmallVector<Value> inputs, dys;
    SmallVector<bool> wanted;
    SmallVector<Value> grads;
  };

  LogicalResult decompose(Block &block, ArrayRef<Value> sources, MutableArrayRef<Value> targets);
  LogicalResult propagate(const Activity &activity, OpBuilder &builder, Cotangents &cotangents);

  // Calls of functions that name their gradient.
  LogicalResult differentiateCall(Site &site, OpBuilder &builder);

  // Ops with regions (ControlFlow.cpp).
  static bool hasRegionRule(Operation *op);
  LogicalResult differentiateRegions(Site &site, OpBuilder &builder);
  LogicalResult differentiateFor(Site &site, OpBuilder &builder);
  LogicalResult differentiateBranches(Site &site, OpBuilder &builder);
  static FailureOr<SmallVector<Value>> boundLoop(scf::WhileOp loop);

  std::string of;
  /// Ops that a rule has put another in place of. They are erased when the walk is over, so that no new value gets the address of one that is looked up.
  SmallVector<Operation *> replaced;
};

} // namespace mlir::raf

#endif // RAF_PASSES_AUTODIFF_REVERSE_H
