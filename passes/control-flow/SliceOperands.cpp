// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that read or write one block of rows of a tensor an iteration get the block itself, in place, instead of the tensor to copy it from or to.
#include "dialects/raf/Ops.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "passes/control-flow/Passes.h"

using namespace mlir;
using namespace mlir::raf;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

namespace {
/// The uses of one argument of a body that are all of the block of the iteration.
struct BlockUses {
  SmallVector<DynamicSliceOp> reads;
  DynamicUpdateSliceOp write;
  int64_t rows = 0;
};
} // namespace

// r if the start is counter * r, in integers that hold every counter.
static int64_t rowsPerTrip(Value start, Value counter) {
  auto strip = [](Value value) {
    for (auto cast = value.getDefiningOp<CastOp>(); cast && cast.getType().getElementType().isInteger() && cast.getType().getElementTypeBitWidth() >= 32;
         cast = value.getDefiningOp<CastOp>())
      value = cast.getX();
    return value;
  };
  start = strip(start);
  if (start == counter)
    return 1;
  auto product = start.getDefiningOp<MulOp>();
  if (!product)
    return 0;
  for (auto [factor, other] : {std::pair(product.getLhs(), product.getRhs()), std::pair(product.getRhs(), product.getLhs())}) {
    DenseIntElementsAttr constant;
    if (strip(factor) == counter && matchPattern(other, m_Constant(&constant)) && constant.isSplat())
      return constant.getSplatValue<APInt>().getSExtValue();
  }
  return 0;
}

static std::optional<BlockUses> findBlockUses(ForOp loop, func::FuncOp body, int64_t operand, int64_t align) {
  BlockArgument argument = body.getArgument(operand + 1);
  RankedTensorType type = typeOf(argument);
  int64_t carried = operand - static_cast<int64_t>(loop.getInputs().size()), trips = loop.getTrips();
  if (type.getRank() == 0 || trips == 0 || argument.use_empty())
    return std::nullopt;
  int64_t bytesOfRow = ShapedType::getNumElements(type.getShape().drop_front()) * static_cast<int64_t>(llvm::divideCeil(type.getElementTypeBitWidth(), 8));
  BlockUses uses;
  auto isOwnBlock = [&](Value start, RankedTensorType block) {
    int64_t rows = rowsPerTrip(start, body.getArgument(0));
    if (rows < 1 || (uses.rows && uses.rows != rows) || block.getDimSize(0) != rows || block.getShape().drop_front() != type.getShape().drop_front() ||
        rows > type.getDimSize(0) / trips || rows * bytesOfRow % align != 0)
      return false;
    uses.rows = rows;
    return true;
  };
  for (OpOperand &use : argument.getUses()) {
    if (auto read = dyn_cast<DynamicSliceOp>(use.getOwner()); read && use.getOperandNumber() == 0 && isOwnBlock(read.getStarts()[0], read.getType())) {
      uses.reads.push_back(read);
      continue;
    }
    auto write = dyn_cast<DynamicUpdateSliceOp>(use.getOwner());
    bool own = carried >= 0 && write && !uses.write && use.getOperandNumber() == 0 && write.getUpdate() != argument && write->hasOneUse() &&
               isa<func::ReturnOp>(*write->user_begin()) && write->use_begin()->getOperandNumber() == carried && isOwnBlock(write.getStarts()[0], typeOf(write.getUpdate()));
    if (!own)
      return std::nullopt;
    uses.write = write;
  }
  if (carried >= 0 && !uses.write)
    return std::nullopt;
  return uses;
}

static void sliceOperands(ForOp loop, func::FuncOp body, int64_t align) {
  SmallVector<int64_t> sliced;
  SmallVector<Type> arguments(body.getArgumentTypes()), results(body.getResultTypes());
  int64_t inputs = loop.getInputs().size();
  for (int64_t operand = 0, count = inputs + loop.getInits().size(); operand < count; ++operand) {
    std::optional<BlockUses> uses = findBlockUses(loop, body, operand, align);
    if (!uses)
      continue;
    BlockArgument argument = body.getArgument(operand + 1);
    SmallVector<int64_t> shape(typeOf(argument).getShape());
    shape[0] = uses->rows;
    arguments[operand + 1] = typeOf(argument).clone(shape);
    if (DynamicUpdateSliceOp write = uses->write) {
      results[operand - inputs] = arguments[operand + 1];
      write.replaceAllUsesWith(write.getUpdate());
      write.erase();
    }
    argument.setType(arguments[operand + 1]);
    for (DynamicSliceOp read : uses->reads) {
      read.replaceAllUsesWith(static_cast<Value>(argument));
      read.erase();
    }
    sliced.push_back(operand);
  }
  if (sliced.empty())
    return;
  body.setFunctionType(FunctionType::get(body.getContext(), arguments, results));
  loop.setSliced(sliced);
}

void mlir::raf::sliceLoopOperands(ModuleOp module, int64_t align) {
  SymbolTable symbols(module);
  module.walk([&](ForOp loop) {
    auto body = symbols.lookup<func::FuncOp>(loop.getBody());
    if (!body || !body.getBody().hasOneBlock() || !loop.getSliced().empty())
      return;
    // A body that another loop calls too keeps its form.
    std::optional<SymbolTable::UseRange> uses = SymbolTable::getSymbolUses(body, module);
    if (uses && llvm::hasSingleElement(*uses))
      sliceOperands(loop, body, align);
  });
}
