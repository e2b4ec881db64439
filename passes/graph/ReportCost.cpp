// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/dnnl/Ops.h"
#include "dialects/raf/interfaces/Interfaces.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "passes/graph/KernelCost.h"
#include "passes/graph/Passes.h"
#include "passes/memory/Step.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/JSON.h"

namespace mlir::raf {
#define GEN_PASS_DEF_REPORTCOSTPASS
#include "passes/graph/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;

static int64_t bytesOf(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasStaticShape() || !shaped.getElementType().isIntOrFloat())
    return 0;
  return shaped.getNumElements() * llvm::divideCeil(shaped.getElementTypeBitWidth(), 8);
}

namespace {
struct ReportCostPass : mlir::raf::impl::ReportCostPassBase<ReportCostPass> {
  using ReportCostPassBase::ReportCostPassBase;

  void annotateOps() {
    Builder builder(&getContext());
    SymbolTableCollection symbols;
    getOperation()->walk([&](Operation *op) {
      if (auto cost = dyn_cast<CostOpInterface>(op))
        op->setDiscardableAttr("raf.flops", builder.getI64IntegerAttr(cost.getFlops()));
      if (auto launch = dyn_cast<LaunchOp>(op))
        annotateLaunch(launch, symbols.lookupNearestSymbolFrom<func::FuncOp>(launch, launch.getCalleeAttr()), builder);
      else if (isa<PlanOpInterface>(op))
        op->setDiscardableAttr("raf.bytes", builder.getI64IntegerAttr(trafficOf(cast<DestinationStyleOpInterface>(op))));
    });
  }

  static void annotateLaunch(LaunchOp launch, func::FuncOp kernel, Builder &builder) {
    if (!kernel || kernel.isExternal())
      return;
    unsigned numInputs = launch.getInputs().size();
    SmallVector<int64_t> read;
    for (unsigned i = numInputs; i < kernel.getNumArguments(); ++i)
      if (readsDestination(kernel.getArgument(i)))
        read.push_back(i - numInputs);
    launch->setDiscardableAttr("raf.flops", builder.getI64IntegerAttr(countFlops(kernel)));
    launch->setDiscardableAttr("raf.bytes", builder.getI64IntegerAttr(countBytes(kernel, numInputs)));
    launch->setDiscardableAttr("raf.read_inits", builder.getDenseI64ArrayAttr(read));
  }

  /// What is read of an operand: the part that a view shows.
  static int64_t bytesRead(OpOperand *input) {
    int64_t bytes = bytesOf(input->get().getType());
    auto matmul = dyn_cast<dnnl::MatmulOp>(input->getOwner());
    dnnl::ViewAttr view = !matmul ? dnnl::ViewAttr() : input->getOperandNumber() == 0 ? matmul.getLhsViewAttr() : input->getOperandNumber() == 1 ? matmul.getRhsViewAttr() : nullptr;
    if (view)
      bytes = std::min(bytes, llvm::product_of(view.getDims()) * static_cast<int64_t>(getElementTypeOrSelf(input->get()).getIntOrFloatBitWidth() / 8));
    return bytes;
  }

  /// A library call reads and writes each buffer once; its workspace is its own.
  static int64_t trafficOf(DestinationStyleOpInterface op) {
    auto plan = cast<PlanOpInterface>(op.getOperation());
    SmallVector<Value> buffers = plan.getPlanBuffers();
    int64_t bytes = 0;
    for (OpOperand *input : op.getDpsInputOperands())
      bytes += bytesRead(input);
    for (auto [i, init] : llvm::enumerate(op.getDpsInits()))
      if (buffers.empty() || init != buffers.back())
        bytes += bytesOf(init.getType()) * (plan.readsInit(i) ? 2 : 1);
    return bytes;
  }

  struct Row {
    int64_t count = 0, flops = 0, bytes = 0;
  };

  void runOnOperation() override {
    if (annotate)
      return annotateOps();
    llvm::MapVector<StringRef, Row> rows;
    Row total;
    getOperation()->walk([&](Operation *op) {
      if (isa<ModuleOp, FunctionOpInterface>(op) || op->hasTrait<OpTrait::IsTerminator>())
        return;
      Row &row = rows[op->getName().getStringRef()];
      int64_t flops = 0, bytes = 0;
      if (auto cost = dyn_cast<CostOpInterface>(op))
        flops = cost.getFlops();
      for (Value value : op->getOperands())
        bytes += bytesOf(value.getType());
      for (Value value : op->getResults())
        bytes += bytesOf(value.getType());
      for (Row *sum : {&row, &total}) {
        ++sum->count;
        sum->flops += flops;
        sum->bytes += bytes;
      }
    });
    auto sorted = rows.takeVector();
    llvm::stable_sort(sorted, [](auto &a, auto &b) { return a.second.flops > b.second.flops; });

    llvm::json::OStream json(llvm::outs(), 1);
    json.object([&] {
      json.attribute("flops", total.flops);
      json.attribute("bytes", total.bytes);
      json.attributeArray("ops", [&] {
        for (auto &[name, row] : sorted)
          json.object([&, name = name, row = row] {
            json.attribute("op", name);
            json.attribute("count", row.count);
            json.attribute("flops", row.flops);
            json.attribute("bytes", row.bytes);
          });
      });
    });
    llvm::outs() << '\n';
    markAllAnalysesPreserved();
  }
};
} // namespace
