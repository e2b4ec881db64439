// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product on the tensor cores of sm_90a (wgmma.mma_async). A warpgroup, four warps, has 64 rows of the tile and all of its columns. The instruction reads both operands from shared memory,
// where descriptors say they lie, and goes on while the threads start the next copies.
//
// A slot holds 128 bytes of the depth, or of the rows: a row is eight chunks along the depth; or else 64 rows of the operand have lines of eight chunks, one for each place of the depth,
// and the next 64 rows lie behind all of those lines. Either way, eight rows or lines of 128 bytes are what the swizzle of 128 bytes repeats after, which has chunk i of the n-th of them
// where i ^ n would be.
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/codegen-gpu/StagedProduct.h"

using namespace mlir;
using namespace mlir::raf;

namespace {
constexpr int64_t kWarpgroup = 128, kGroupRows = 64;
constexpr int64_t kRowBytes = 128, kRowChunks = 8;
// What the swizzle repeats after: 8 rows or lines.
constexpr int64_t kPatternBytes = 8 * kRowBytes;
// Of the depth, an instruction takes this much.
constexpr int64_t kDepthBytes = 32;

class WarpgroupProductEmitter : public StagedProductEmitter {
public:
  using StagedProductEmitter::StagedProductEmitter;

private:
  int64_t rowChunks() const override { return kRowChunks; }

  // More than static memory can be, and where the swizzle's pattern begins.
  Value allocate(int64_t bytes) override {
    auto space = gpu::AddressSpaceAttr::get(builder.getContext(), gpu::AddressSpace::Workgroup);
    auto type = [&](int64_t size) { return MemRefType::get({size}, builder.getI8Type(), MemRefLayoutAttrInterface(), space); };
    Value all = gpu::DynamicSharedMemoryOp::create(builder, loc, type(ShapedType::kDynamic));
    Value address = memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, all);
    Value before = arith::AndIOp::create(builder, loc, arith::SubIOp::create(builder, loc, constant(0), address), constant(kPatternBytes - 1));
    return memref::ViewOp::create(builder, loc, type(bytes), all, before, ValueRange());
  }

  Groups groups(Value warp) override { return {multiplyAdd(builder, loc, warp, kFragmentRows, {}), constant(0), product.tileColumns / kGroupColumns, 0, kGroupColumns}; }

  Value placeOf(const Side &side, Value row, Value depthChunk) override {
    return multiplyAdd(builder, loc, row, depthStep, multiplyAdd(builder, loc, exclusiveOr(depthChunk, rem(row, kRowChunks)), chunk, {}));
  }
  Value placeOfLine(const Side &side, Value rowChunk, Value depth) override {
    Value swapped = multiplyAdd(builder, loc, exclusiveOr(rem(rowChunk, kRowChunks), rem(depth, kRowChunks)), chunk, {});
    return multiplyAdd(builder, loc, div(rowChunk, kRowChunks), linesSize(), multiplyAdd(builder, loc, depth, kRowChunks * chunk, swapped));
  }
  // Elements of 64 rows that lie in lines of the depth.
  int64_t linesSize() const { return depthStep * kRowChunks * chunk; }

  LLVM::LLVMStructType registers() { return LLVM::LLVMStructType::getLiteral(builder.getContext(), SmallVector<Type>(product.tileColumns / 2, builder.getF32Type())); }

  SmallVector<Value> start() override {
    Value first = scalars.lookupOrDefault(product.start), sums = LLVM::PoisonOp::create(builder, loc, registers());
    for (int64_t i = 0; i < product.tileColumns / 2; ++i)
      sums = LLVM::InsertValueOp::create(builder, loc, sums, first, i);
    // The rows of b are those of the whole tile.
    addresses = {firstUnit(a, div(thread, kWarpgroup)), firstUnit(b, {})};
    return {sums};
  }

  // Where the warpgroup's part of the first slot is, in the units of descriptors. Shared memory has less than 32 bits of addresses.
  Value firstUnit(const Side &side, Value warpgroup) {
    Value start = memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, side.shared);
    if (warpgroup)
      start = multiplyAdd(builder, loc, warpgroup, kGroupRows * kRowBytes, start);
    return div(start, kChunkBytes);
  }

  // The matrix of an instruction: where it begins, from 64 rows to the next, from one pattern to the next, and the swizzle. Along the depth the second of them is unused.
  Value descriptor(const Side &side, Value address, Value slot, int64_t number) {
    int64_t step = side.alongDepth ? kDepthBytes : kDepthBytes * 8 / bits() * kRowBytes;
    int64_t leading = side.alongDepth ? 1 : linesSize() * (bits() / 8) / kChunkBytes;
    Value at = add(multiplyAdd(builder, loc, slot, slotSize(side) * (bits() / 8) / kChunkBytes, address), number * step / kChunkBytes);
    Value low = arith::IndexCastOp::create(builder, loc, builder.getI32Type(), at);
    low = arith::OrIOp::create(builder, loc, low, arith::ConstantIntOp::create(builder, loc, builder.getI32Type(), leading << 16));
    Value high = arith::ConstantIntOp::create(builder, loc, builder.getI64Type(), int64_t(1) << 62 | kPatternBytes / kChunkBytes << 32);
    return arith::OrIOp::create(builder, loc, arith::ExtUIOp::create(builder, loc, builder.getI64Type(), low), high);
  }

  // Tensor cores read past the caches and queues of the threads: what those have written is theirs only after a fence. And the instructions before have to be done with their slot.
  void arrive(Value slot) override {
    if (element.isF32())
      roundStep(slot);
    NVVM::FenceProxyOp::create(builder, loc, NVVM::ProxyKindAttr::get(builder.getContext(), NVVM::ProxyKind::async_shared),
                               NVVM::SharedSpaceAttr::get(builder.getContext(), NVVM::SharedSpace::shared_cta));
    NVVM::WgmmaWaitGroupSyncOp::create(builder, loc, 0);
  }

  // What the thread has copied itself, in place.
  void roundStep(Value slot) {
    auto type = VectorType::get({chunk}, element);
    for (const Side *side : {&a, &b})
      for (Value place : side->places) {
        Value at = multiplyAdd(builder, loc, slot, slotSize(*side), place);
        Value loaded = vector::LoadOp::create(builder, loc, type, side->shared, at, /*nontemporal=*/false, llvm::MaybeAlign(kChunkBytes));
        SmallVector<Value> elements;
        for (int64_t i = 0; i < chunk; ++i)
          elements.push_back(roundToTF32(builder, loc, vector::ExtractOp::create(builder, loc, loaded, i)));
        Value packed = vector::FromElementsOp::create(builder, loc, type, elements);
        vector::StoreOp::create(builder, loc, packed, side->shared, at, /*nontemporal=*/false, llvm::MaybeAlign(kChunkBytes));
      }
  }

  bool isMultiplicationAsync() const override { return true; }

  SmallVector<Value> multiplyStep(Value slot, ValueRange sums) override {
    MLIRContext *context = builder.getContext();
    auto kind = NVVM::WGMMATypesAttr::get(context, element.isF16() ? NVVM::WGMMATypes::f16 : element.isBF16() ? NVVM::WGMMATypes::bf16 : NVVM::WGMMATypes::tf32);
    auto result = NVVM::WGMMATypesAttr::get(context, NVVM::WGMMATypes::f32);
    auto added = NVVM::WGMMAScaleOutAttr::get(context, NVVM::WGMMAScaleOut::one);
    auto plain = NVVM::WGMMAScaleInAttr::get(context, NVVM::WGMMAScaleIn::one);
    auto layout = [&](bool byRows) { return NVVM::MMALayoutAttr::get(context, byRows ? NVVM::MMALayout::row : NVVM::MMALayout::col); };
    auto shape = NVVM::MMAShapeAttr::get(context, kGroupRows, product.tileColumns, kDepthBytes * 8 / bits());
    Value all = sums.front();
    NVVM::WgmmaFenceAlignedOp::create(builder, loc);
    for (int64_t i = 0; i < kRowBytes / kDepthBytes; ++i)
      all = NVVM::WgmmaMmaAsyncOp::create(builder, loc, registers(), all, descriptor(a, addresses[0], slot, i), descriptor(b, addresses[1], slot, i), shape, kind, kind, result, added, plain,
                                          plain, layout(a.alongDepth), layout(!b.alongDepth), NVVM::MMAIntOverflowAttr());
    NVVM::WgmmaGroupSyncAlignedOp::create(builder, loc);
    return {all};
  }

  SmallVector<Value> fragments(ValueRange sums) override {
    NVVM::WgmmaWaitGroupSyncOp::create(builder, loc, 0);
    SmallVector<Value> result;
    for (int64_t i = 0; i < product.tileColumns / 2; i += 4) {
      SmallVector<Value> elements;
      for (int64_t j = 0; j < 4; ++j)
        elements.push_back(LLVM::ExtractValueOp::create(builder, loc, sums.front(), i + j));
      result.push_back(vector::FromElementsOp::create(builder, loc, VectorType::get({2, 2}, builder.getF32Type()), elements));
    }
    return result;
  }

  SmallVector<Value> addresses; // of a and b
};
} // namespace

int64_t mlir::raf::warpgroupBytes(const Product &product) {
  // The three slots, and what may lie before the pattern.
  return StagedProductEmitter::kSteps * (product.tileRows + product.tileColumns) * kRowBytes + kPatternBytes;
}

void mlir::raf::emitWarpgroupProduct(gpu::GPUFuncOp func, func::FuncOp kernel, const StagePlan &plan, const Product &product) {
  WarpgroupProductEmitter(func, kernel, plan, product).run();
}
