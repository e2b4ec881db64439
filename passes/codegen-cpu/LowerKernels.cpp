// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/Ops.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "passes/codegen-cpu/Passes.h"
#include "passes/codegen/ToLLVM.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/TargetParser/Host.h"

namespace mlir::raf {
#define GEN_PASS_DEF_LOWERKERNELSPASS
#include "passes/codegen-cpu/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;

namespace {
constexpr StringLiteral kParallelFor = "raf_rt_parallel_for";

// All tiles in one call, or handed to the thread pool through a trampoline(env, begin, end) that unpacks the buffers from an array of pointers.
struct LowerParallelFor : ConvertOpToLLVMPattern<ParallelForOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(ParallelForOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto pointer = LLVM::LLVMPointerType::get(op.getContext());
    Type i64 = rewriter.getI64Type();
    SmallVector<Value> buffers;
    for (auto [original, converted] : llvm::zip(op.getArguments(), adaptor.getArguments())) {
      if (!isa<MemRefType>(original.getType()))
        return rewriter.notifyMatchFailure(op, "arguments must be buffers");
      buffers.push_back(MemRefDescriptor(converted).alignedPtr(rewriter, loc));
    }
    Value zero = LLVM::ConstantOp::create(rewriter, loc, i64, 0), tiles = LLVM::ConstantOp::create(rewriter, loc, i64, op.getTiles());
    if (op.getTiles() <= op.getGrain()) {
      SmallVector<Value> operands = {zero, tiles};
      llvm::append_range(operands, buffers);
      LLVM::CallOp::create(rewriter, loc, TypeRange(), op.getBodyAttr(), operands);
      rewriter.eraseOp(op);
      return success();
    }
    LLVM::LLVMFuncOp trampoline = makeTrampoline(op, buffers.size(), rewriter);
    Value count = LLVM::ConstantOp::create(rewriter, loc, i64, std::max<int64_t>(1, buffers.size()));
    Value env = LLVM::AllocaOp::create(rewriter, loc, pointer, pointer, count);
    for (auto [i, buffer] : llvm::enumerate(buffers)) {
      Value slot = LLVM::GEPOp::create(rewriter, loc, pointer, pointer, env, ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(i)});
      LLVM::StoreOp::create(rewriter, loc, buffer, slot);
    }
    Value context = LLVM::ZeroOp::create(rewriter, loc, pointer), body = LLVM::AddressOfOp::create(rewriter, loc, trampoline);
    Value grain = LLVM::ConstantOp::create(rewriter, loc, i64, op.getGrain());
    LLVM::CallOp::create(rewriter, loc, TypeRange(), kParallelFor, ValueRange{context, body, env, tiles, grain});
    rewriter.eraseOp(op);
    return success();
  }

private:
  static LLVM::LLVMFuncOp makeTrampoline(ParallelForOp op, size_t numBuffers, ConversionPatternRewriter &rewriter) {
    auto module = op->getParentOfType<ModuleOp>();
    Location loc = op.getLoc();
    OpBuilder::InsertionGuard guard(rewriter);
    auto pointer = LLVM::LLVMPointerType::get(op.getContext());
    Type i64 = rewriter.getI64Type();
    rewriter.setInsertionPointToEnd(module.getBody());
    auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(op.getContext()), {pointer, i64, i64});
    auto func = LLVM::LLVMFuncOp::create(rewriter, loc, (op.getBody() + "_trampoline").str(), type, LLVM::Linkage::Private);
    Block *entry = func.addEntryBlock(rewriter);
    rewriter.setInsertionPointToEnd(entry);
    SmallVector<Value> operands = {entry->getArgument(1), entry->getArgument(2)};
    for (size_t i = 0; i < numBuffers; ++i) {
      Value slot = LLVM::GEPOp::create(rewriter, loc, pointer, pointer, entry->getArgument(0), ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(i)});
      operands.push_back(LLVM::LoadOp::create(rewriter, loc, pointer, slot));
    }
    LLVM::CallOp::create(rewriter, loc, TypeRange(), op.getBodyAttr(), operands);
    LLVM::ReturnOp::create(rewriter, loc, ValueRange());
    return func;
  }
};

// To nearest even in integers. Selections come before the sum: LLVM turns one at the end into a selection between two bf16, which it makes for each element of a vector by
// itself where the CPU has no bf16.
struct RoundToBF16 : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op, PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isBF16() || !getElementTypeOrSelf(op.getIn().getType()).isF32())
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto like = [&](Type element) -> Type {
      auto shaped = dyn_cast<ShapedType>(op.getType());
      return shaped ? Type(shaped.clone(element)) : element;
    };
    Type i32 = like(b.getI32Type());
    auto constant = [&](int32_t value) -> Value {
      TypedAttr scalar = b.getI32IntegerAttr(value);
      if (auto shaped = dyn_cast<ShapedType>(i32))
        return arith::ConstantOp::create(b, DenseElementsAttr::get(shaped, Attribute(scalar)));
      return arith::ConstantOp::create(b, scalar);
    };
    Value bits = arith::BitcastOp::create(b, i32, op.getIn()), half = constant(16);
    Value odd = arith::AndIOp::create(b, arith::ShRUIOp::create(b, bits, half), constant(1)), up = arith::AddIOp::create(b, odd, constant(0x7fff));
    // A NaN is not rounded, or it could become another number, and stays one without its last bits.
    Value isNan = arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, op.getIn(), op.getIn()), zero = constant(0);
    Value quiet = arith::OrIOp::create(b, bits, arith::SelectOp::create(b, isNan, constant(0x400000), zero));
    Value rounded = arith::AddIOp::create(b, quiet, arith::SelectOp::create(b, isNan, zero, up));
    Value high = arith::TruncIOp::create(b, like(b.getI16Type()), arith::ShRUIOp::create(b, rounded, half));
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, op.getType(), high);
    return success();
  }
};

// w / 2^s * 2^e >= c, of a number that a float holds exactly, is a comparison of w: what decides about the elements of a mask is no float at all.
struct CompareAsInteger : OpRewritePattern<arith::CmpFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::CmpFOp op, PatternRewriter &rewriter) const override {
    bool atLeast = llvm::is_contained({arith::CmpFPredicate::OGE, arith::CmpFPredicate::UGE}, op.getPredicate());
    bool below = llvm::is_contained({arith::CmpFPredicate::OLT, arith::CmpFPredicate::ULT}, op.getPredicate());
    auto scaled = op.getLhs().getDefiningOp<arith::MulFOp>();
    auto number = scaled ? scaled.getLhs().getDefiningOp<arith::SIToFPOp>() : nullptr;
    auto kept = number ? number.getIn().getDefiningOp<arith::ShRUIOp>() : nullptr;
    APFloat factor(0.0f), bound(0.0f);
    APInt shift;
    if ((!atLeast && !below) || !kept || !kept.getType().isInteger(32) || !matchPattern(scaled.getRhs(), m_ConstantFloat(&factor)) ||
        !matchPattern(op.getRhs(), m_ConstantFloat(&bound)) || !matchPattern(kept.getRhs(), m_ConstantInt(&shift)))
      return failure();
    unsigned precision = APFloat::semanticsPrecision(factor.getSemantics());
    if (shift.uge(32) || 32 - shift.getZExtValue() > precision || factor.getExactLog2() == INT_MIN || !bound.isFinite())
      return failure();
    // A quotient of powers of two is exact. The least integer that is not below it, over what the shift drops.
    double least = std::ceil(bound.convertToDouble() / factor.convertToDouble()) * std::ldexp(1.0, shift.getZExtValue());
    if (!(least > 0.0) || least > 4294967295.0)
      return failure();
    Value constant = arith::ConstantOp::create(rewriter, op.getLoc(), rewriter.getI32IntegerAttr(static_cast<int32_t>(static_cast<uint32_t>(least))));
    rewriter.replaceOpWithNewOp<arith::CmpIOp>(op, atLeast ? arith::CmpIPredicate::uge : arith::CmpIPredicate::ult, kept.getLhs(), constant);
    return success();
  }
};

// LLVM takes the conversion of a vector to bf16 for one of each element by itself, and chooses vectors of four: innermost loops that have it are told how wide to be.
void widenRoundingLoops(Operation *kernel, int32_t lanes) {
  MLIRContext *context = kernel->getContext();
  auto width = LLVM::LoopVectorizeAttr::get(context, /*disable=*/{}, /*predicateEnable=*/{}, /*scalableEnable=*/{}, IntegerAttr::get(IntegerType::get(context, 32), lanes),
                                            /*followupVectorized=*/{}, /*followupEpilogue=*/{}, /*followupAll=*/{});
  kernel->walk([&](scf::ForOp loop) {
    bool rounds = false;
    for (Operation &op : *loop.getBody()) {
      if (op.getNumRegions() > 0 || llvm::any_of(op.getResultTypes(), llvm::IsaPred<VectorType>))
        return;
      rounds |= isa<arith::TruncFOp>(op) && op.getResult(0).getType().isBF16();
    }
    if (rounds)
      loop->setAttr(kLoopAnnotation, LLVM::LoopAnnotationAttr::get(context, {}, width, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}));
  });
}

struct LowerKernelsPass : raf::impl::LowerKernelsPassBase<LowerKernelsPass> {
  using LowerKernelsPassBase::LowerKernelsPassBase;

  // Lanes of the CPU's instruction that rounds f32 to bf16; 0: there is none.
  static int32_t hostRoundingLanes() {
    llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
    return features.lookup("avx512bf16") && features.lookup("avx512vl") ? 16 : features.lookup("avxneconvert") ? 8 : 0;
  }

  static bool isKernel(Operation *op) { return isa<func::FuncOp>(op) && (op->hasAttr("raf.kernel") || op->hasAttr("raf.tiles")); }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    MLIRContext *context = &getContext();
    SmallVector<Operation *> kernels;
    for (Operation &op : *module.getBody())
      if (isKernel(&op))
        kernels.push_back(&op);
    if (kernels.empty())
      return;
    if (!llvm::is_contained({"auto", "native", "arithmetic"}, bf16.getValue())) {
      module.emitError() << "raf-lower-kernels: bf16 must be auto, native or arithmetic, got " << bf16.getValue();
      return signalPassFailure();
    }
    // Views become arithmetic on base, offset and strides first, and conversions of bf16 integer arithmetic: LLVM would call a function for each element where the processor
    // has no instruction, and such loops are not vectorized.
    RewritePatternSet expand(context);
    memref::populateExpandStridedMetadataPatterns(expand);
    expand.add<CompareAsInteger>(context);
    constexpr int32_t kUsualLanes = 16;
    int32_t lanes = bf16 == "native" ? kUsualLanes : bf16 == "auto" ? hostRoundingLanes() : 0;
    if (lanes == 0) {
      arith::populateExpandBFloat16Patterns(expand);
      expand.add<RoundToBF16>(context, /*benefit=*/2);
    }
    FrozenRewritePatternSet frozenExpand(std::move(expand));
    for (Operation *kernel : kernels)
      if (failed(applyPatternsGreedily(kernel, frozenExpand)))
        return signalPassFailure();
    if (lanes != 0)
      for (Operation *kernel : kernels)
        widenRoundingLoops(kernel, lanes);
    declareParallelFor(module);

    LowerToLLVMOptions options(context);
    options.useBarePtrCallConv = true;
    LLVMTypeConverter converter(context, options);
    RewritePatternSet patterns(context);
    populateKernelToLLVMPatterns(converter, patterns);
    patterns.add<LowerParallelFor>(converter);
    LLVMConversionTarget target(*context);
    target.addLegalOp<ModuleOp>();
    if (failed(applyPartialConversion(kernels, target, std::move(patterns))))
      return signalPassFailure();
    annotateBranches(module);
    // The marks survive, so that launches can be checked.
    for (auto func : module.getOps<LLVM::LLVMFuncOp>()) {
      if (func->hasAttr("raf.tiles"))
        func.setLinkage(LLVM::Linkage::Internal);
      if (func->hasAttr("raf.tiles") || func->hasAttr("raf.kernel"))
        func.walk([&](Operation *op) {
          if (isa_and_nonnull<LLVM::LLVMDialect>(op->getDialect()))
            return;
          op->emitOpError("of a kernel cannot be lowered to the LLVM dialect");
          signalPassFailure();
        });
    }
  }

  static void declareParallelFor(ModuleOp module) {
    if (module.lookupSymbol(kParallelFor))
      return;
    OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
    auto pointer = LLVM::LLVMPointerType::get(module.getContext());
    Type i64 = builder.getI64Type();
    auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(module.getContext()), {pointer, pointer, pointer, i64, i64});
    LLVM::LLVMFuncOp::create(builder, module.getLoc(), kParallelFor, type);
  }
};
} // namespace
