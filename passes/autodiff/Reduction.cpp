// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/autodiff/Rules.h"

using namespace mlir;
using namespace mlir::raf;

// Product of the elements before (or after) each one along the axis, by doubling: log2(n) multiplications, and exact where elements are 0.
static Value runningProduct(VJP &g, Value x, int64_t axis, bool before) {
  int64_t size = TensorBuilder::typeOf(x).getDimSize(axis), rank = TensorBuilder::typeOf(x).getRank();
  auto shifted = [&](Value value, int64_t by) {
    SmallVector<int64_t> low(rank, 0), high(rank, 0), interior(rank, 0);
    low[axis] = before ? by : -by;
    high[axis] = -low[axis];
    return g.pad(value, low, high, interior, 1.0);
  };
  Value product = shifted(x, 1);
  for (int64_t by = 1; by < size - 1; by *= 2)
    product = g.mul(product, shifted(product, by));
  return product;
}

// Dimension after dimension, so that each step is a running product along one axis.
static void reduceProduct(ReduceOp op, VJP &g) {
  SmallVector<Value> stages = {op.getX()};
  auto dims = op.getDims();
  for (int64_t k = dims.size() - 1; k > 0; --k)
    stages.push_back(g.reduce(ReduceKind::prod, stages.back(), {dims[k]}));
  Value grad = g.dy();
  for (int64_t k = 0; k < static_cast<int64_t>(dims.size()); ++k) {
    Value x = stages[stages.size() - 1 - k];
    grad = g.unreduce(grad, x.getType(), {dims[k]});
    if (TensorBuilder::typeOf(x).getDimSize(dims[k]) > 1)
      grad = g.mul(grad, g.mul(runningProduct(g, x, dims[k], true), runningProduct(g, x, dims[k], false)));
  }
  g.give(0, grad);
}

static void reduce(ReduceOp op, VJP &g) {
  Value x = op.getX();
  Type type = x.getType();
  if (!g.wants(0))
    return;
  switch (op.getKind()) {
  case ReduceKind::sum:
    return g.give(0, g.unreduce(g.dy(), type, op.getDims()));
  case ReduceKind::prod:
    return reduceProduct(op, g);
  case ReduceKind::max:
  case ReduceKind::min: {
    Value extremal = g.compare(CompareKind::eq, x, g.unreduce(op, type, op.getDims()));
    Value dy = g.wideDy();
    Value ties = g.sum(g.cast(extremal, TensorBuilder::typeOf(dy).getElementType()), op.getDims());
    Value share = g.cast(g.div(dy, ties), op.getType().getElementType());
    return g.give(0, g.select(extremal, g.unreduce(share, type, op.getDims()), g.zeros(type)));
  }
  }
}

static void cumsum(CumsumOp op, VJP &g) { g.give(0, g.fold<CumsumOp>(g.dy(), op.getAxis(), op.getExclusive(), !op.getReverse())); }

void mlir::raf::attachReductionRules(MLIRContext *context) {
  attachRule<ReduceOp, reduce>(context);
  attachRule<CumsumOp, cumsum>(context);
}
