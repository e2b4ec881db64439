// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/decompose/RowLoop.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::raf;

// Where a block of `rows` rows from position * rows starts, in all dimensions.
static SmallVector<Value> blockStart(TensorBuilder &b, Value position, int64_t rows, int64_t rank) {
  SmallVector<Value> starts(rank, rank > 1 ? b.zeros(position.getType()) : Value());
  starts[0] = b.mul(position, static_cast<double>(rows));
  return starts;
}

Value mlir::raf::rowsOf(TensorBuilder &b, Value x, Value position, int64_t rows) {
  RankedTensorType type = TensorBuilder::typeOf(x);
  int64_t size = type.getDimSize(0);
  if (rows == size)
    return x;
  SmallVector<int64_t> shape(type.getShape());
  shape[0] = rows;
  if (auto transpose = x.getDefiningOp<TransposeOp>(); transpose && transpose.getPermutation()[0] == 0)
    return b.transpose(rowsOf(b, transpose.getX(), position, rows), transpose.getPermutation());
  if (auto slice = x.getDefiningOp<SliceOp>(); slice && TensorBuilder::typeOf(slice.getX()).getDimSize(0) == size) {
    SmallVector<int64_t> limits(slice.getLimits());
    limits[0] = rows;
    return b.slice(rowsOf(b, slice.getX(), position, rows), slice.getStarts(), limits, slice.getStrides());
  }
  if (auto reshape = x.getDefiningOp<ReshapeOp>(); reshape && TensorBuilder::typeOf(reshape.getX()).getRank() > 0) {
    // A row of the result is `share` whole rows of the operand.
    int64_t from = TensorBuilder::typeOf(reshape.getX()).getDimSize(0);
    if (from % size == 0)
      return b.reshape(rowsOf(b, reshape.getX(), position, from / size * rows), shape);
  }
  return b.create<DynamicSliceOp>(type.clone(shape), x, blockStart(b, position, rows, type.getRank()));
}

SmallVector<Value> mlir::raf::buildRowLoop(TensorBuilder &b, int64_t trips, ArrayRef<RankedTensorType> types, ArrayRef<int64_t> rows, ValueRange carried, RowBody body,
                                           ArrayRef<Value> tails) {
  OpBuilder &builder = b.getBuilder();
  Location loc = b.getLoc();
  SmallVector<Value> inits;
  for (auto [k, type] : llvm::enumerate(types))
    inits.push_back(!tails.empty() && tails[k] ? tails[k] : tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType()).getResult());
  llvm::append_range(inits, carried);
  auto index = [&](int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); };
  auto loop = scf::ForOp::create(builder, loc, index(0), index(trips), index(1), inits);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  auto counter = RankedTensorType::get({}, builder.getI64Type());
  Value number = arith::IndexCastOp::create(builder, loc, builder.getI64Type(), loop.getInductionVar());
  Value position = tensor::FromElementsOp::create(builder, loc, counter, number);
  SmallVector<Value> results = body(b, position, loop.getRegionIterArgs().drop_front(types.size()));
  for (auto [k, type] : llvm::enumerate(types))
    results[k] = b.create<DynamicUpdateSliceOp>(type, loop.getRegionIterArg(k), results[k], blockStart(b, position, rows[k], type.getRank()));
  scf::YieldOp::create(builder, loc, results);
  return SmallVector<Value>(loop.getResults());
}
