// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/dnnl/Encode.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "passes/dispatch/Passes.h"
#include "passes/dispatch/dnnl/Packed.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::raf {
#define GEN_PASS_DEF_PACKWEIGHTSPASS
#include "passes/dispatch/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::dispatch;

namespace {

// Where an op reads weights, and how.
struct Weights {
  Value value;
  dnnl::ViewAttr view;
  dnnl::BlockedAttr layout; // of a parameter that lies in blocks already

  static std::optional<Weights> of(Operation *op) {
    if (auto matmul = dyn_cast<dnnl::MatmulOp>(op); matmul && !matmul.getRhsLayoutAttr())
      return Weights{matmul.getRhs(), matmul.getRhsViewAttr(), {}};
    // Not where they are packed already, nor where the op rounds what it reads.
    auto mayPack = [](Value w, Value x) { return getElementTypeOrSelf(w) == getElementTypeOrSelf(x); };
    if (auto conv = dyn_cast<dnnl::ConvOp>(op); conv && mayPack(conv.getW(), conv.getX()))
      return Weights{conv.getW(), {}, conv.getWLayoutAttr()};
    if (auto conv = dyn_cast<dnnl::ConvInputGradOp>(op); conv && mayPack(conv.getW(), conv.getDy()))
      return Weights{conv.getW(), {}, conv.getWLayoutAttr()};
    return std::nullopt;
  }

  // As a tensor of the packed layout's rank: a matrix may have batch dimensions of 1 in front.
  dnnl::ViewAttr matrix(size_t rank) const {
    dnnl::ViewAttr whole = view ? view : dnnl::denseView(cast<RankedTensorType>(value.getType()));
    return dnnl::ViewAttr::get(value.getContext(), whole.getDims().take_back(rank), whole.getStrides().take_back(rank), whole.getOffset());
  }
};

// The ops that want the same weights in the same layout.
using Key = std::tuple<Value, Attribute, Attribute, Attribute>;

struct PackWeights : mlir::raf::impl::PackWeightsPassBase<PackWeights> {
  using PackWeightsPassBase::PackWeightsPassBase;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation()->walk([&](func::FuncOp func) {
      if (func.isExternal() || func->hasAttr("raf.kernel"))
        return;
      llvm::MapVector<Key, SmallVector<PlanOpInterface>> groups;
      for (Operation &op : func.getBody().front())
        if (std::optional<Weights> weights = Weights::of(&op))
          if (dnnl::BlockedAttr layout = layouts.of(cast<PlanOpInterface>(&op)))
            groups[{weights->value, weights->view, weights->layout, layout}].push_back(cast<PlanOpInterface>(&op));
      for (auto &[key, ops] : groups)
        if (auto layout = cast<dnnl::BlockedAttr>(std::get<3>(key)); pays(ops, layout))
          pack(ops, layout, rewriter);
    });
  }

private:
  // A convolution's own reorder costs as much as one before it. A kernel that copies the weights of a product itself does so in half the time of a reorder, and a small
  // copy costs less than a call.
  static bool pays(ArrayRef<PlanOpInterface> ops, dnnl::BlockedAttr layout) {
    if (!isa<dnnl::MatmulOp>(ops.front()))
      return ops.size() >= 2;
    return ops.size() >= 4 && layout.getExtent() >= 8192;
  }

  void pack(ArrayRef<PlanOpInterface> ops, dnnl::BlockedAttr layout, IRRewriter &rewriter) {
    Operation *first = ops.front();
    Location loc = first->getLoc();
    Weights weights = *Weights::of(first);
    rewriter.setInsertionPoint(first);
    dnnl::ViewAttr view = weights.layout ? dnnl::ViewAttr() : weights.matrix(layout.getDims().size());
    if (view == dnnl::denseView(cast<RankedTensorType>(weights.value.getType())))
      view = {};
    Type byte = rewriter.getI8Type();
    int64_t bytes = layout.getExtent() * getElementTypeOrSelf(weights.value).getIntOrFloatBitWidth() / 8;
    Value packed = emptyTensor(rewriter, loc, RankedTensorType::get({bytes}, byte));
    auto reorder = dnnl::ReorderOp::create(rewriter, loc, TypeRange(packed.getType()), weights.value, packed, Value(), layout, view, weights.layout);
    std::string reason;
    FailureOr<PlanOpInterface> completed = complete(cast<PlanOpInterface>(reorder.getOperation()), rewriter, reason);
    if (failed(completed))
      return rewriter.eraseOp(reorder);
    packed = (*completed)->getResult(0);
    unsigned done = 0;
    for (PlanOpInterface op : ops)
      done += succeeded(usePacked(op, packed, layout, rewriter));
    reorders += done > 0;
    shared += done;
    if (done == 0)
      return rewriter.eraseOp(*completed);
    remark::passed(loc, remark::RemarkOpts::name("dnnl.reorder").category("raf-dispatch").function("dnnl")) << "weights packed once for " + std::to_string(done) + " ops";
  }

  LogicalResult usePacked(PlanOpInterface op, Value packed, dnnl::BlockedAttr layout, IRRewriter &rewriter) {
    FailureOr<PlanOpInterface> by = withWeights(op, packed, layout, rewriter);
    if (failed(by))
      return failure();
    rewriter.replaceAllUsesWith(op->getResult(0), (*by)->getResult(0));
    rewriter.eraseOp(op);
    return success();
  }

  WantedLayouts layouts;
};
} // namespace
