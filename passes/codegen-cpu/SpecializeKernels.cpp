// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/Ops.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "passes/codegen-cpu/Passes.h"

namespace mlir::raf {
#define GEN_PASS_DEF_SPECIALIZEKERNELSPASS
#include "passes/codegen-cpu/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;

// The buffer behind full-size views.
static Value root(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>()) {
    auto from = dyn_cast<MemRefType>(view.getViewSource().getType()), to = dyn_cast<MemRefType>(buffer.getType());
    if (!from || !to || from.getNumElements() != to.getNumElements() || from.getElementType() != to.getElementType())
      break;
    buffer = view.getViewSource();
  }
  return buffer;
}

namespace {
struct SpecializeKernelsPass : raf::impl::SpecializeKernelsPassBase<SpecializeKernelsPass> {
  using SpecializeKernelsPassBase::SpecializeKernelsPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    SmallVector<LaunchOp> launches;
    module.walk([&](LaunchOp launch) { launches.push_back(launch); });
    for (LaunchOp launch : launches)
      if (failed(specialize(launch, symbols)))
        return signalPassFailure();
    // Kernels that are now only used through their copies. All uses are found in one walk: to ask for each function costs a walk each.
    SymbolTableCollection tables;
    SymbolUserMap users(tables, module);
    for (auto func : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      if (func->hasAttr("raf.kernel") && users.useEmpty(func))
        symbols.erase(func);
  }

  LogicalResult specialize(LaunchOp launch, SymbolTable &symbols) {
    SmallVector<std::pair<unsigned, unsigned>> shared; // input, destination
    std::string name = launch.getCallee().str() + "_inplace";
    for (auto [i, input] : llvm::enumerate(launch.getInputs()))
      for (auto [o, init] : llvm::enumerate(launch.getInits())) {
        if (!isa<MemRefType>(input.getType()) || root(input) != root(init))
          continue;
        if (input.getType() != init.getType())
          return launch.emitOpError() << "input " << i << " and destination " << o << " share a buffer under different types";
        shared.push_back({i, o});
        name += "_" + std::to_string(i) + "_" + std::to_string(o);
        break;
      }
    if (shared.empty())
      return success();
    auto callee = symbols.lookup<func::FuncOp>(launch.getCallee());
    if (!callee)
      return launch.emitOpError() << "names no kernel: " << launch.getCalleeAttr();
    if (callee.isExternal())
      return launch.emitOpError() << "names a kernel without a body: " << launch.getCalleeAttr();
    auto copy = symbols.lookup<func::FuncOp>(name);
    if (!copy) {
      copy = callee.clone();
      copy.setName(name);
      Block &block = copy.getBody().front();
      llvm::BitVector dropped(copy.getNumArguments());
      for (auto [i, o] : shared) {
        block.getArgument(i).replaceAllUsesWith(block.getArgument(launch.getInputs().size() + o));
        dropped.set(i);
      }
      if (failed(copy.eraseArguments(dropped)))
        return failure();
      symbols.insert(copy);
      ++specialized;
    }
    SmallVector<Value> inputs;
    for (auto [i, input] : llvm::enumerate(launch.getInputs()))
      if (llvm::none_of(shared, [i = i](auto pair) { return pair.first == i; }))
        inputs.push_back(input);
    OpBuilder builder(launch);
    auto special =
        LaunchOp::create(builder, launch.getLoc(), TypeRange(), FlatSymbolRefAttr::get(copy.getNameAttr()), inputs, launch.getInits(), builder.getDenseI64ArrayAttr({}));
    special->setDiscardableAttrs(launch->getDiscardableAttrDictionary());
    if (auto known = launch->getAttrOfType<DenseI64ArrayAttr>("raf.read_inits")) {
      SmallVector<int64_t> read(known.asArrayRef());
      for (auto [i, o] : shared)
        read.push_back(o);
      llvm::sort(read);
      read.erase(llvm::unique(read), read.end());
      special->setDiscardableAttr("raf.read_inits", builder.getDenseI64ArrayAttr(read));
    }
    launch.erase();
    return success();
  }
};
} // namespace
