// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product on tensor cores (mma.sync). A warp has warpRows x 32 results, in fragments of 16 x 8. ldmatrix reads chunks of what it multiplies, four along the depth; those of lines of the
// depth it transposes. Chunks are swapped within a row, so that the eight that ldmatrix reads at a time lie in different banks.
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/codegen-gpu/StagedProduct.h"

using namespace mlir;
using namespace mlir::raf;

// Blocks that keep the largest devices busy.
static constexpr int64_t kWantedBlocks = 128;

namespace {
constexpr int64_t kRowChunks = 4, kFragmentChunks = 2;

class MmaProductEmitter : public StagedProductEmitter {
public:
  using StagedProductEmitter::StagedProductEmitter;

private:
  int64_t warpRows() const { return product.tileRows * product.tileColumns / (product.threads / kWarp) / kGroupColumns; }
  int64_t fragmentsDown() const { return warpRows() / kFragmentRows; }
  static int64_t fragmentsAcross() { return kGroupColumns / kFragmentColumns; }

  int64_t rowChunks() const override { return kRowChunks; }

  Groups groups(Value warp) override {
    int64_t across = product.tileColumns / kGroupColumns;
    return {multiplyAdd(builder, loc, div(warp, across), warpRows(), {}), multiplyAdd(builder, loc, rem(warp, across), kGroupColumns, {}), fragmentsDown(), kFragmentRows, 0};
  }

  Value placeOf(const Side &side, Value row, Value depthChunk) override {
    Value swapped = exclusiveOr(depthChunk, rem(div(row, 2), kRowChunks));
    return multiplyAdd(builder, loc, row, depthStep, multiplyAdd(builder, loc, swapped, chunk, {}));
  }
  Value placeOfLine(const Side &side, Value rowChunk, Value depth) override {
    return multiplyAdd(builder, loc, depth, side.tile, multiplyAdd(builder, loc, exclusiveOr(rowChunk, rem(depth, 8)), chunk, {}));
  }

  SmallVector<Value> start() override {
    auto fragment = VectorType::get({2, 2}, builder.getF32Type());
    Value start = vector::BroadcastOp::create(builder, loc, fragment, scalars.lookupOrDefault(product.start));
    return SmallVector<Value>(fragmentsDown() * fragmentsAcross(), start);
  }

  SmallVector<Value> fragments(ValueRange sums) override { return SmallVector<Value>(sums); }

  // 16 rows of the operand at two chunks of the depth, as four matrices: their order is what mma.sync takes of a (rows first) or, as two fragments of 8 columns, of b (depth first).
  Value fragment(const Side &side, bool isB, Value slot, int64_t number, int64_t depthChunk) {
    Value inMatrix = rem(lane, 8), second = rem(div(lane, 8), 2), third = div(lane, 16);
    Value rowHalf = isB ? third : second, depthHalf = isB ? second : third;
    Value first = add(isB ? group.column : group.row, number * kFragmentRows), at;
    if (side.alongDepth)
      at = placeOf(side, add(first, multiplyAdd(builder, loc, rowHalf, 8, inMatrix)), add(depthHalf, depthChunk));
    else
      at = placeOfLine(side, add(div(first, chunk), rowHalf), add(multiplyAdd(builder, loc, depthHalf, 8, inMatrix), depthChunk * chunk));
    auto type = VectorType::get({4, 32 / bits()}, element);
    Value loaded = nvgpu::LdMatrixOp::create(builder, loc, type, side.shared, multiplyAdd(builder, loc, slot, slotSize(side), at), !side.alongDepth, 4);
    for (int64_t i = 0; element.isF32() && i < type.getNumElements(); ++i)
      loaded = vector::InsertOp::create(builder, loc, roundToTF32(builder, loc, vector::ExtractOp::create(builder, loc, loaded, ArrayRef<int64_t>{i, 0})), loaded, ArrayRef<int64_t>{i, 0});
    return loaded;
  }

  SmallVector<Value> multiplyStep(Value slot, ValueRange sums) override {
    SmallVector<Value> results(sums);
    int64_t depth = kFragmentChunks * chunk;
    for (int64_t depthChunk = 0; depthChunk < kRowChunks; depthChunk += kFragmentChunks) {
      SmallVector<Value> as, bs;
      for (int64_t i = 0; i < fragmentsDown(); ++i)
        as.push_back(fragment(a, false, slot, i, depthChunk));
      for (int64_t i = 0; i < fragmentsAcross(); i += 2) {
        Value both = fragment(b, true, slot, i / 2, depthChunk);
        for (int64_t half = 0; half < 2; ++half) {
          Value &columns = bs.emplace_back(arith::ConstantOp::create(builder, loc, builder.getZeroAttr(VectorType::get({2, 32 / bits()}, element))));
          for (int64_t row = 0; row < 2; ++row)
            columns = vector::InsertOp::create(builder, loc, vector::ExtractOp::create(builder, loc, both, 2 * half + row), columns, row);
        }
      }
      for (int64_t i = 0; i < fragmentsDown(); ++i)
        for (int64_t j = 0; j < fragmentsAcross(); ++j) {
          Value &sum = results[i * fragmentsAcross() + j];
          sum = nvgpu::MmaSyncOp::create(builder, loc, as[i], bs[j], sum, ArrayRef<int64_t>{kFragmentRows, kFragmentColumns, depth}, element.isF32());
        }
    }
    return results;
  }
};
} // namespace

void mlir::raf::chooseTensorTile(Product &product) {
  product.tileRows = product.tileColumns = 128;
  product.threads = 256;
  if (product.blocks() >= kWantedBlocks && std::min(product.numRows, product.numColumns) > 64)
    return;
  product.tileRows = product.tileColumns = 64;
  product.threads = 128;
}

void mlir::raf::emitTensorProduct(gpu::GPUFuncOp func, func::FuncOp kernel, const StagePlan &plan, const Product &product) { MmaProductEmitter(func, kernel, plan, product).run(); }
