// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the GPU's conversion to NVVM does with matrix instructions and asynchronous copies: the patterns of NVGPU, and products of bf16, which those leave out.
#include "mlir/Conversion/ConvertToLLVM/ToLLVMInterface.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/NVGPUToNVVM/NVGPUToNVVM.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Transforms/DialectConversion.h"
#include "passes/codegen-gpu/Passes.h"

using namespace mlir;

namespace {
// Registers hold two bf16 as an i32.
struct MultiplyBF16 : ConvertOpToLLVMPattern<nvgpu::MmaSyncOp> {
  using ConvertOpToLLVMPattern<nvgpu::MmaSyncOp>::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(nvgpu::MmaSyncOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    auto result = dyn_cast<VectorType>(op.getRes().getType());
    if (!getElementTypeOrSelf(op.getMatrixA().getType()).isBF16() || !result.getElementType().isF32() || result.getRank() != 2)
      return failure();
    Location loc = op.getLoc();
    SmallVector<Value> a = rows(rewriter, loc, adaptor.getMatrixA()), b = rows(rewriter, loc, adaptor.getMatrixB()), c;
    for (Value &row : llvm::concat<Value>(a, b))
      row = LLVM::BitcastOp::create(rewriter, loc, rewriter.getI32Type(), row);
    int64_t width = result.getDimSize(1);
    for (Value row : rows(rewriter, loc, adaptor.getMatrixC()))
      for (int64_t i = 0; i < width; ++i)
        c.push_back(LLVM::ExtractElementOp::create(rewriter, loc, row, LLVM::ConstantOp::create(rewriter, loc, rewriter.getI32Type(), i)));
    auto type = LLVM::LLVMStructType::getLiteral(rewriter.getContext(), SmallVector<Type>(c.size(), rewriter.getF32Type()));
    auto types = std::array{NVVM::MMATypes::bf16, NVVM::MMATypes::bf16};
    auto layouts = std::array{NVVM::MMALayout::row, NVVM::MMALayout::col};
    Value sums = NVVM::MmaOp::create(rewriter, loc, type, a, b, c, op.getMmaShapeAsArray(), std::nullopt, std::nullopt, types, layouts);
    Value packed = LLVM::PoisonOp::create(rewriter, loc, getTypeConverter()->convertType(result));
    for (int64_t row = 0; row < result.getDimSize(0); ++row) {
      Value values = LLVM::PoisonOp::create(rewriter, loc, VectorType::get({width}, rewriter.getF32Type()));
      for (int64_t i = 0; i < width; ++i)
        values = LLVM::InsertElementOp::create(rewriter, loc, values, LLVM::ExtractValueOp::create(rewriter, loc, sums, row * width + i),
                                               LLVM::ConstantOp::create(rewriter, loc, rewriter.getI32Type(), i));
      packed = LLVM::InsertValueOp::create(rewriter, loc, packed, values, row);
    }
    rewriter.replaceOp(op, packed);
    return success();
  }

  static SmallVector<Value> rows(OpBuilder &builder, Location loc, Value array) {
    SmallVector<Value> values;
    for (int64_t i = 0, count = cast<LLVM::LLVMArrayType>(array.getType()).getNumElements(); i < count; ++i)
      values.push_back(LLVM::ExtractValueOp::create(builder, loc, array, i));
    return values;
  }
};

struct TensorToNVVM : ConvertToLLVMPatternInterface {
  using ConvertToLLVMPatternInterface::ConvertToLLVMPatternInterface;

  void loadDependentDialects(MLIRContext *context) const override { context->loadDialect<NVVM::NVVMDialect>(); }

  void populateConvertToLLVMConversionPatterns(ConversionTarget &target, LLVMTypeConverter &converter, RewritePatternSet &patterns) const override {
    converter.addConversion([](nvgpu::DeviceAsyncTokenType type) -> Type { return IntegerType::get(type.getContext(), 32); });
    target.addIllegalDialect<nvgpu::NVGPUDialect>();
    populateNVGPUToNVVMConversionPatterns(converter, patterns);
    patterns.add<MultiplyBF16>(converter, /*benefit=*/2);
  }
};
} // namespace

void mlir::raf::registerTensorToNVVM(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, nvgpu::NVGPUDialect *dialect) { dialect->addInterfaces<TensorToNVVM>(); });
}
