// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/codegen-cpu/Streaming.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace mlir::raf;

static Value index(ImplicitLocOpBuilder &b, int64_t value) { return arith::ConstantIndexOp::create(b, value); }

static void loop(ImplicitLocOpBuilder &b, Value from, Value to, int64_t step, function_ref<void(Value)> body) {
  auto loop = scf::ForOp::create(b, from, to, index(b, step));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

Value mlir::raf::elementsToVector(OpBuilder &builder, Location loc, Value memref, ValueRange indices, int64_t vectorBits) {
  ImplicitLocOpBuilder b(loc, builder);
  auto type = cast<MemRefType>(memref.getType());
  int64_t bytes = type.getElementTypeBitWidth() / 8;
  Value place = index(b, 0);
  for (auto [size, at] : llvm::zip(type.getShape(), indices))
    place = arith::AddIOp::create(b, arith::MulIOp::create(b, place, index(b, size)), at);
  Value start = memref::ExtractAlignedPointerAsIndexOp::create(b, memref);
  Value address = arith::AddIOp::create(b, start, arith::MulIOp::create(b, place, index(b, bytes)));
  Value missing = arith::AndIOp::create(b, arith::SubIOp::create(b, index(b, 0), address), index(b, vectorBits / 8 - 1));
  return arith::DivUIOp::create(b, missing, index(b, bytes));
}

namespace {
// From a one-dimensional buffer to a place along the last dimension of another.
struct Streaming {
  Streaming(OpBuilder &builder, Location loc, Value from, Value memref, ValueRange indices, int64_t vectorBits)
      : b(loc, builder), from(from), memref(memref), indices(indices), bytes(vectorBits / 8) {
    Type element = cast<MemRefType>(memref.getType()).getElementType();
    vectorType = VectorType::get(vectorBits / element.getIntOrFloatBitWidth(), element);
  }

  // `count` elements, fewer than a vector has. Where there are none their line is left alone: a store under an empty mask would fetch it.
  void some(Value i, Value count) {
    Value any = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, count, index(b, 0));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(scf::IfOp::create(b, any).thenBlock());
    auto integers = VectorType::get(vectorType.getShape(), b.getI32Type());
    Value numbers = arith::ConstantOp::create(b, DenseIntElementsAttr::get(integers, llvm::to_vector(llvm::seq<int32_t>(0, vectorType.getNumElements()))));
    Value most = vector::BroadcastOp::create(b, integers, arith::IndexCastOp::create(b, b.getI32Type(), count));
    Value mask = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, numbers, most);
    Value nothing = arith::ConstantOp::create(b, b.getZeroAttr(vectorType));
    Value elements = vector::MaskedLoadOp::create(b, vectorType, from, i, mask, nothing);
    vector::MaskedStoreOp::create(b, memref, place(i), mask, elements);
  }
  void vector(Value i) {
    Value elements = vector::LoadOp::create(b, vectorType, from, i);
    vector::StoreOp::create(b, elements, memref, place(i), /*nontemporal=*/true, llvm::Align(bytes));
  }
  SmallVector<Value> place(Value offset) {
    SmallVector<Value> result(indices);
    result.back() = arith::AddIOp::create(b, result.back(), offset);
    return result;
  }

  ImplicitLocOpBuilder b;
  Value from, memref;
  ValueRange indices;
  int64_t bytes;
  VectorType vectorType;
};
} // namespace

void mlir::raf::emitStream(OpBuilder &builder, Location loc, Value from, Value memref, ValueRange indices, Value count, int64_t vectorBits) {
  Streaming stream(builder, loc, from, memref, indices, vectorBits);
  ImplicitLocOpBuilder &b = stream.b;
  int64_t lanes = stream.vectorType.getNumElements();
  Value first = arith::MinUIOp::create(b, elementsToVector(b, loc, memref, indices, vectorBits), count);
  Value left = arith::RemUIOp::create(b, arith::SubIOp::create(b, count, first), index(b, lanes)), last = arith::SubIOp::create(b, count, left);
  stream.some(index(b, 0), first);
  loop(b, first, last, lanes, [&](Value i) { stream.vector(i); });
  stream.some(last, left);
}

void mlir::raf::emitWholeStream(OpBuilder &builder, Location loc, Value from, Value memref, ValueRange indices, int64_t count, int64_t vectorBits) {
  Streaming stream(builder, loc, from, memref, indices, vectorBits);
  for (int64_t i = 0, lanes = stream.vectorType.getNumElements(); i < count; i += lanes)
    stream.vector(index(stream.b, i));
}

void mlir::raf::emitStreamFence(OpBuilder &builder, Location loc) {
  LLVM::CallIntrinsicOp::create(builder, loc, builder.getStringAttr("llvm.x86.sse.sfence"), ValueRange());
}
