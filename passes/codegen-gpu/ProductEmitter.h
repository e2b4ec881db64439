// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What all ways of computing a product have in common: where operands lie, which tile a block has, and what becomes of the sums.
#ifndef RAF_PASSES_CODEGEN_GPU_PRODUCTEMITTER_H
#define RAF_PASSES_CODEGEN_GPU_PRODUCTEMITTER_H

#include "mlir/IR/IRMapping.h"
#include "passes/codegen-gpu/Loops.h"
#include "passes/codegen-gpu/Product.h"

namespace mlir::raf {

class ProductEmitter {
public:
  ProductEmitter(gpu::GPUFuncOp func, func::FuncOp kernel, const StagePlan &plan, const Product &product);

protected:
  /// The block's tile: batch, firstRow and firstColumn.
  void placeTile();

  Value constant(int64_t value);
  Value add(Value a, Value b);
  Value add(Value a, int64_t b);
  void place(Indices &indices, ArrayRef<Axis> axes, Value position);
  Value addressOf(const Access &access, const Indices &indices);
  Value bufferOf(Value tensor);
  Value flattened(Value buffer);

  SmallVector<Value> emitFor(Value from, int64_t to, int64_t step, ValueRange initial, function_ref<SmallVector<Value>(Value, ValueRange)> body);

  /// How many neighbouring columns `finish` best gets at once; at most `most`.
  int64_t finishWidth(int64_t most) const;
  /// Hands sums of neighbouring columns to the epilogue and to memory, if there are such results.
  void finish(Value row, Value column, ArrayRef<Value> sums);

  gpu::GPUFuncOp func;
  func::FuncOp kernel;
  const StagePlan &plan;
  const Product &product;
  linalg::GenericOp op;
  OpBuilder builder;
  Location loc;
  IRMapping scalars;
  Indices batch;
  Value thread, firstRow, firstColumn;

private:
  int64_t loopOf(const OpPlan &entry, int64_t productLoop) const;
  bool isContiguous(const OpPlan &entry, const Access &access, int64_t width) const;
  SmallVector<Value> load(const OpPlan &entry, const Access &access, const Indices &indices, int64_t width);
  void store(const OpPlan &entry, const Access &access, const Indices &indices, ArrayRef<Value> elements);
  SmallVector<Value> position(const OpPlan &entry, const Access &access, Value buffer, const Indices &indices, int64_t step);
  void finishOp(const OpPlan &entry, const Indices &indices, int64_t width, DenseMap<Value, SmallVector<Value>> &known);
};

/// The product on tensor cores.
void emitTensorProduct(gpu::GPUFuncOp func, func::FuncOp kernel, const StagePlan &plan, const Product &product);

/// The shape of the tiles of a product on tensor cores.
void chooseTensorTile(Product &product);

} // namespace mlir::raf

#endif // RAF_PASSES_CODEGEN_GPU_PRODUCTEMITTER_H
