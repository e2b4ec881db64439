// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/decompose/Passes.h"
#include "passes/decompose/linalg/Lowering.h"
#include "passes/decompose/linalg/Scatter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::raf {
#define GEN_PASS_DEF_CONVERTTOLINALG
#include "passes/decompose/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;

namespace {

struct ConstantStorage : OpConversionPattern<ConstantOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ConstantOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    auto value = dyn_cast<DenseIntElementsAttr>(op.getValue());
    if (!value)
      return failure();
    Type stored = rewriter.getI8Type();
    rewriter.replaceOpWithNewOp<ConstantOp>(op, value.mapValues(stored, [](const APInt &bit) { return bit.zext(8); }));
    return success();
  }
};

struct ReshapeStorage : OpConversionPattern<ReshapeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ReshapeOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, lower::storageType(op.getY()), adaptor.getX());
    return success();
  }
};

struct BarrierStorage : OpConversionPattern<BarrierOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(BarrierOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<BarrierOp>(op, adaptor.getInputs().getTypes(), adaptor.getInputs());
    return success();
  }
};

struct RegionCallStorage : OpInterfaceConversionPattern<RegionCallOpInterface> {
  using OpInterfaceConversionPattern::OpInterfaceConversionPattern;
  LogicalResult matchAndRewrite(RegionCallOpInterface op, ArrayRef<Value> operands, ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertTypes(op->getResultTypes(), types)))
      return failure();
    rewriter.replaceOp(op, mlir::clone(rewriter, op.getOperation(), types, operands));
    return success();
  }
};

struct ConvertToLinalg : raf::impl::ConvertToLinalgBase<ConvertToLinalg> {
  using ConvertToLinalgBase::ConvertToLinalgBase;

  // Constants larger than this are cheaper to make than to load.
  static constexpr int64_t largeConstantBytes = 4096;

  static bool mayStay(Operation *op) { return isa<ConstantOp, ReshapeOp, BarrierOp, KernelOp, YieldOp, LaunchOp, RegionCallOpInterface>(op); }

  void runOnOperation() override {
    MLIRContext &context = getContext();
    TypeConverter types;
    types.addConversion([](Type type) -> std::optional<Type> {
      auto tensor = dyn_cast<RankedTensorType>(type);
      return tensor ? lower::storageType(tensor) : type;
    });
    RewritePatternSet patterns(&context);
    populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(patterns, types);
    populateReturnOpTypeConversionPattern(patterns, types);
    populateCallOpTypeConversionPattern(patterns, types);
    patterns.add<BarrierStorage, ConstantStorage, RegionCallStorage, ReshapeStorage>(types, &context);
    lower::populateContraction(types, patterns, views);
    lower::populateConv(types, patterns);
    lower::populateElementwise(types, patterns);
    lower::populateIndexing(types, patterns);
    if (byResult)
      lower::populateByResult(types, patterns);
    lower::populatePool(types, patterns);
    lower::populateRandom(types, patterns);
    lower::populateReduction(types, patterns);
    lower::populateShape(types, patterns);

    // The ops of raf are neither legal nor illegal, so that the conversion goes on at an op without a lowering.
    ConversionTarget target(context);
    target.addDynamicallyLegalOp<func::FuncOp>([&](func::FuncOp op) { return types.isSignatureLegal(op.getFunctionType()); });
    target.addDynamicallyLegalOp<func::CallOp, func::ReturnOp, ConstantOp, ReshapeOp, BarrierOp>([&](Operation *op) { return types.isLegal(op); });
    target.addDynamicallyLegalOp<ForOp, WhileOp, CaseOp>([&](Operation *op) { return types.isLegal(op); });
    target.markUnknownOpDynamicallyLegal([](Operation *op) -> std::optional<bool> {
      if (op->getDialect() && isa<RAFDialect>(op->getDialect()) && !mayStay(op))
        return std::nullopt;
      return true;
    });
    getOperation()->walk(noteBooleans);
    if (failed(applyPartialConversion(getOperation(), target, std::move(patterns))))
      return signalPassFailure();
    settleConstants();
    if (failed(checkComplete()))
      signalPassFailure();
  }

  // What the caller sees as i1 stays known when it is stored as i8.
  static void noteBooleans(func::FuncOp func) {
    auto isBool = [](Type type) { return getElementTypeOrSelf(type).isInteger(1); };
    auto i1 = TypeAttr::get(IntegerType::get(func.getContext(), 1));
    for (auto [i, type] : llvm::enumerate(func.getArgumentTypes()))
      if (isBool(type))
        func.setArgAttr(i, "raf.element", i1);
    for (auto [i, type] : llvm::enumerate(func.getResultTypes()))
      if (isBool(type))
        func.setResultAttr(i, "raf.element", i1);
  }

  // Constants without uses go: they are scalars in bodies now. Large ones that are used as tensors are written by a loop, not kept in the program.
  void settleConstants() {
    SmallVector<ConstantOp> constants;
    getOperation()->walk([&](ConstantOp op) { constants.push_back(op); });
    for (ConstantOp op : constants) {
      auto type = cast<RankedTensorType>(op.getY().getType());
      TypedAttr splat = lower::splatOf(op.getY());
      if (!op->use_empty() && splat && type.getNumElements() * llvm::divideCeil(type.getElementTypeBitWidth(), 8) > largeConstantBytes) {
        OpBuilder builder(op);
        op.getY().replaceAllUsesWith(lower::filled(builder, op.getLoc(), type, splat));
      }
      if (op->use_empty())
        op.erase();
    }
  }

  LogicalResult checkComplete() {
    llvm::MapVector<OperationName, SmallVector<Operation *>> left;
    getOperation()->walk([&](Operation *op) {
      if (op->getDialect() && isa<RAFDialect>(op->getDialect()) && !mayStay(op))
        left[op->getName()].push_back(op);
    });
    if (left.empty())
      return success();
    InFlightDiagnostic error = getOperation()->emitError() << "raf-convert-to-linalg has no lowering for ";
    llvm::interleaveComma(left, error, [&](auto &entry) { error << entry.first.getStringRef() << " (" << entry.second.size() << ")"; });
    for (auto &[name, ops] : left)
      error.attachNote(ops.front()->getLoc()) << "first " << name.getStringRef() << " is here";
    return failure();
  }
};

} // namespace
