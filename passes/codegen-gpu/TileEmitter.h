// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread of a block owns some rows and columns of each tile (ThreadGrid), and the same rows of each tile of one dimension, or the same columns if ops read it along
// those: these elements are its registers. Pointwise ops stay among them, sums over columns are shuffles. What a product reads is in shared memory, but for what matrix instructions take from registers
// as it lies there.
#ifndef RAF_PASSES_CODEGEN_GPU_TILEEMITTER_H
#define RAF_PASSES_CODEGEN_GPU_TILEEMITTER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "passes/codegen-gpu/Lanes.h"
#include "passes/codegen-gpu/TileMemory.h"
#include "passes/codegen-gpu/TileProduct.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::raf {

/// The code of a program on tiles. What is about memory, loops and the order of ops is in TileProgram.cpp, what is about linalg.generic in TileGeneric.cpp.
class TileEmitter {
public:
  TileEmitter(gpu::GPUFuncOp func, func::FuncOp kernel, bool tf32)
      : func(func), kernel(kernel), builder(func.getBody().front().getTerminator()), loc(kernel.getLoc()), threads(builder, loc, TileProduct::chooseWarps(kernel, tf32)), barriers(builder) {}

  FailureOr<int64_t> run();

private:
  using Registers = SmallVector<Value>;
  static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }
  Value index(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }
  Value add(Value a, Value b) { return builder.createOrFold<arith::AddIOp>(loc, a, b); }

  // What products read is in shared memory, and nowhere else if nothing else reads it. What it is filled up with for matrix instructions is 0.
  void findShared();
  // Of what loops bring from memory, what can come while the iteration before computes, as long as the second places leave room for several blocks on a multiprocessor.
  void findAhead();
  // Both places are in dynamic memory, of which there may be more.
  SharedTile &allocateTwice(Value value);
  bool needsRegisters(Value value);

  // The number of a thread's elements along dimension `dim` of two (or of one) of a tile.
  int64_t share(RankedTensorType type, int64_t dim) const { return threads.share(dim, type.getDimSize(dim)); }

  // Makes the value known: in registers, and in shared memory if a product reads it.
  void define(Value value, Registers elements);

  // Elements of a thread that follow one another in a row, and are all in the tile or none.
  int64_t neighbours(RankedTensorType type, bool isRow = false) const { return threads.hasMatrices() && (isRow || type.getRank() == 2) && type.getShape().back() % 2 == 0 ? 2 : 1; }

  SharedTile &allocate(Value value);
  LogicalResult emitBlock(Block &block);
  LogicalResult emit(Operation *op);
  static LogicalResult unsupported(Operation *op, StringRef why) { return op->emitOpError() << "is in a program on tiles and " << why; }

  LogicalResult splat(Value result, Value scalar);

  // The thread's elements of a tile that the program has made, or of a whole argument.
  FailureOr<Registers> elementsOf(Operation *user, Value tile);

  // Numbers as they are, tiles as the thread's elements.
  LogicalResult appendElements(Operation *user, ValueRange values, Registers &all);
  LogicalResult emitForall(scf::ForallOp loop);
  LogicalResult emitFor(scf::ForOp loop);

  // A box of an argument, or of a tile that a store will take apart. The argument may be a destination, which is written when all have read.
  LogicalResult emitLoad(tensor::ExtractSliceOp slice);

  // Whether a tile of one dimension is read along the columns of a result or of what is combined.
  static bool readsAsRow(OpOperand &use);
  template <typename InsertOp>
  LogicalResult emitStore(InsertOp insert, Value into);
  OpFoldResult mapped(OpFoldResult value) { return isa<Value>(value) ? OpFoldResult(scalars.lookupOrDefault(cast<Value>(value))) : value; }
  Value conjunction(Value a, Value b) { return !a ? b : !b ? a : arith::AndIOp::create(builder, loc, a, b).getResult(); }

  LogicalResult emitGeneric(linalg::GenericOp op);

  // The operand of a product is in shared memory; an argument that is read whole comes there now.
  LogicalResult bringOperand(linalg::GenericOp op, Value operand);

  // The elements of the operands at indices of the loops, given which loop runs along the rows and which along the columns of the thread's registers.
  LogicalResult mapOperands(linalg::GenericOp op, ArrayRef<int64_t> loops, ArrayRef<int64_t> numbers, ArrayRef<int64_t> shares, ArrayRef<Value> at, IRMapping &mapping);
  LogicalResult emitPointwise(linalg::GenericOp op);

  // A long computation of nothing but an element's place, as numbers are drawn: assemblers interleave those of all elements, for which registers do not suffice next to sums.
  static bool isLongOfPlaces(linalg::GenericOp op, ArrayRef<int64_t> shares);

  // Each thread combines its columns, then the threads of a row do.
  LogicalResult emitRowReduction(linalg::GenericOp op);

  // Where several warps have parts of a row, those meet in shared memory.
  bool needsParts(linalg::GenericOp op) const { return op.getNumReductionLoops() > 0 && threads.numWarpsAcross() > 1; }
  Value partsOf(linalg::GenericOp op);

  gpu::GPUFuncOp func;
  func::FuncOp kernel;
  OpBuilder builder;
  Location loc;
  ThreadGrid threads;
  Barriers barriers;
  IRMapping scalars;
  DenseMap<Value, Value> buffers;
  DenseMap<Value, Registers> registers;
  llvm::MapVector<Value, SharedTile> tiles;
  llvm::SetVector<Value> shared; // what products read
  llvm::DenseSet<Value> brought; // what of it came from memory to where they do
  llvm::DenseSet<Value> rowTiles; // those of one dimension of which a thread has its columns, not its rows
  DenseMap<Operation *, Value> parts;
  llvm::MapVector<Operation *, CopiesAhead> ahead; // by loop
  Value dynamic;
  int64_t sharedBytes = 0, dynamicBytes = 0;
};

} // namespace mlir::raf

#endif // RAF_PASSES_CODEGEN_GPU_TILEEMITTER_H
