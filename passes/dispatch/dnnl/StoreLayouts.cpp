// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parameters of convolutions lie in the library's blocks between steps, with all that is computed from them element by element.
#include "dialects/dnnl/Ops.h"
#include "dialects/raf/Ops.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "passes/dispatch/Passes.h"
#include "passes/dispatch/dnnl/Packed.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::raf {
#define GEN_PASS_DEF_STORELAYOUTSPASS
#include "passes/dispatch/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::dispatch;

namespace {

// The values that must lie as a parameter does: what is computed with it element by element, its gradient and states, and what becomes of them.
class Group {
public:
  Group(func::FuncOp func, BlockArgument param) : func(func), shape(cast<RankedTensorType>(param.getType()).getShape()) {
    values.insert(param);
    for (size_t i = 0; i < values.size() && reason.empty(); ++i)
      follow(values[i]);
    checkResults();
  }

  llvm::SetVector<Value> values;
  SmallVector<PlanOpInterface> readers;         // convolutions, and gradients of their inputs
  SmallVector<dnnl::ConvWeightGradOp> gradients; // make values
  SmallVector<ReduceOp> sums;                    // of all elements
  SmallVector<OpOperand *> repeated;             // one number everywhere
  std::string reason;                            // why it cannot be

private:
  static bool isUpdate(Operation *op) { return isa<SgdUpdateOp, AdamUpdateOp>(op); }

  bool hasShape(Value value) { return cast<RankedTensorType>(value.getType()).getShape() == shape; }

  static bool repeatsOneNumber(Value value) {
    if (auto broadcast = value.getDefiningOp<BroadcastOp>())
      return broadcast.getX().getType().getRank() == 0;
    auto constant = value.getDefiningOp<ConstantOp>();
    return constant && constant.getValue().isSplat();
  }

  void decline(const Twine &why) {
    if (reason.empty())
      reason = why.str();
  }

  // All operands and results of an op that computes element by element.
  void join(Operation *op) {
    if (!pointwise.insert(op))
      return;
    for (OpOperand &operand : op->getOpOperands())
      if (hasShape(operand.get())) {
        if (repeatsOneNumber(operand.get()))
          repeated.push_back(&operand);
        else
          values.insert(operand.get());
      }
    for (Value result : op->getResults())
      values.insert(result);
  }

  bool isPointwise(Operation *op) { return isa_and_nonnull<RAFDialect>(op->getDialect()) && (op->hasTrait<OpTrait::Elementwise>() || isUpdate(op)); }

  void follow(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto role = func.getArgAttrOfType<StringAttr>(argument.getArgNumber(), "raf.role");
      if (!role || (role.getValue() != "param" && role.getValue() != "state"))
        return decline("it is computed with an argument that is neither a parameter nor a state");
    } else if (Operation *op = value.getDefiningOp(); isPointwise(op)) {
      join(op);
    } else if (auto gradient = dyn_cast<dnnl::ConvWeightGradOp>(op); gradient && gradient.getGroups() == 1 && !gradient.getWLayout() && value == gradient->getResult(0)) {
      gradients.push_back(gradient);
    } else {
      return decline("it is computed with what " + op->getName().getStringRef() + " makes");
    }
    for (OpOperand &use : value.getUses())
      followUse(use);
  }

  void followUse(OpOperand &use) {
    Operation *user = use.getOwner();
    if (user->getBlock() != &func.getBody().front())
      return decline("it is read inside a region");
    if (isPointwise(user))
      return join(user);
    if (auto conv = dyn_cast<dnnl::ConvOp>(user); conv && &use == &conv.getWMutable() && conv.getGroups() == 1 && !conv.getWLayout())
      return readers.push_back(cast<PlanOpInterface>(user));
    if (auto conv = dyn_cast<dnnl::ConvInputGradOp>(user); conv && &use == &conv.getWMutable() && conv.getGroups() == 1 && !conv.getWLayout())
      return readers.push_back(cast<PlanOpInterface>(user));
    if (auto sum = dyn_cast<ReduceOp>(user); sum && sum.getDims().size() == shape.size())
      return sums.push_back(sum);
    if (isa<func::ReturnOp>(user)) {
      auto alias = func.getResultAttrOfType<IntegerAttr>(use.getOperandNumber(), "raf.alias");
      if (!alias)
        return decline("it is a result that overwrites no argument");
      values.insert(func.getArgument(alias.getInt()));
      return;
    }
    decline("it is read by " + user->getName().getStringRef());
  }

  // What overwrites an argument lies as the argument does.
  void checkResults() {
    for (OpOperand &operand : func.getBody().front().getTerminator()->getOpOperands())
      if (auto alias = func.getResultAttrOfType<IntegerAttr>(operand.getOperandNumber(), "raf.alias"))
        if (values.contains(func.getArgument(alias.getInt())) != values.contains(operand.get()))
          decline("it is overwritten by what does not lie so");
  }

  func::FuncOp func;
  ArrayRef<int64_t> shape;
  llvm::SetVector<Operation *> pointwise;
};

// A dense layout as digits: each dimension in its outer part and its blocks, and the order in which these lie.
struct Digits {
  SmallVector<int64_t> split, order;

  static std::optional<Digits> of(dnnl::BlockedAttr layout) {
    ArrayRef<int64_t> dims = layout.getDims(), blocks = layout.getBlocks(), blockDims = layout.getBlockDims(), strides = layout.getStrides();
    Digits digits;
    SmallVector<int64_t> outer(dims.size()), block(blocks.size());
    int64_t elements = 1;
    for (auto [dim, size] : llvm::enumerate(dims)) {
      int64_t inside = 1;
      outer[dim] = digits.split.size();
      digits.split.push_back(0);
      for (auto [i, of] : llvm::enumerate(blockDims))
        if (of == static_cast<int64_t>(dim)) {
          block[i] = digits.split.size();
          digits.split.push_back(blocks[i]);
          inside *= blocks[i];
        }
      if (size % inside != 0)
        return std::nullopt;
      digits.split[outer[dim]] = size / inside;
      elements *= size;
    }
    if (layout.getExtent() != elements)
      return std::nullopt;
    SmallVector<int64_t> sorted = llvm::to_vector(llvm::seq<int64_t>(0, dims.size()));
    // Of dimensions of one block any place will do, but it must not depend on their strides.
    llvm::stable_sort(sorted, [&](int64_t a, int64_t b) {
      bool aOne = digits.split[outer[a]] == 1, bOne = digits.split[outer[b]] == 1;
      return aOne != bOne ? aOne : !aOne && strides[a] > strides[b];
    });
    for (int64_t dim : sorted)
      digits.order.push_back(outer[dim]);
    llvm::append_range(digits.order, block);
    return digits;
  }

  DictionaryAttr attribute(Builder builder, dnnl::BlockedAttr layout) const {
    NamedAttrList entries;
    std::pair<StringRef, ArrayRef<int64_t>> numbers[] = {{"blocks", layout.getBlocks()}, {"of", layout.getBlockDims()}, {"order", order}, {"shape", layout.getDims()}, {"split", split}, {"strides", layout.getStrides()}};
    for (auto [name, values] : numbers)
      entries.set(name, builder.getDenseI64ArrayAttr(values));
    return entries.getDictionary(builder.getContext());
  }
};

RankedTensorType flat(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return RankedTensorType::get({tensor.getNumElements()}, tensor.getElementType());
}

struct StoreLayouts : mlir::raf::impl::StoreLayoutsPassBase<StoreLayouts> {
  using StoreLayoutsPassBase::StoreLayoutsPassBase;

  void runOnOperation() override {
    auto func = getOperation().lookupSymbol<func::FuncOp>("main");
    if (!func || !func.getBody().hasOneBlock())
      return;
    IRRewriter rewriter(&getContext());
    llvm::SmallDenseSet<Value> done;
    SmallVector<BlockArgument> params = llvm::filter_to_vector(func.getArguments(), [&](BlockArgument argument) {
      auto role = func.getArgAttrOfType<StringAttr>(argument.getArgNumber(), "raf.role");
      return role && role.getValue() == "param";
    });
    FailureOr<llvm::SmallDenseMap<Value, dnnl::BlockedAttr>> given = parseLayouts(params);
    if (failed(given))
      return signalPassFailure();
    for (BlockArgument argument : params) {
      auto type = dyn_cast<RankedTensorType>(argument.getType());
      if (!type || type.getRank() < 3 || done.contains(argument) || (!layouts.empty() && !given->contains(argument)))
        continue;
      Group group(func, argument);
      done.insert_range(group.values);
      auto isConvolved = [](Value value) { return llvm::any_of(value.getUsers(), llvm::IsaPred<dnnl::ConvOp>); };
      if (llvm::none_of(group.values, isConvolved) || store(func, group, given->lookup(argument), rewriter))
        continue;
      remark::missed(argument.getLoc(), remark::RemarkOpts::name("NotStored").category("raf-store-layouts").function(func.getName()))
          << "lies plainly between steps" << remark::reason("{0}", group.reason);
    }
    func.setFunctionType(rewriter.getFunctionType(func.getBody().getArgumentTypes(), func.getBody().front().getTerminator()->getOperandTypes()));
  }

private:
  FailureOr<llvm::SmallDenseMap<Value, dnnl::BlockedAttr>> parseLayouts(ArrayRef<BlockArgument> params) {
    llvm::SmallDenseMap<Value, dnnl::BlockedAttr> given;
    for (StringRef text : layouts) {
      auto [number, rest] = text.split(':');
      SmallVector<StringRef> parts;
      rest.split(parts, ':');
      unsigned index;
      SmallVector<int64_t> numbers[3];
      bool isRead = !number.getAsInteger(10, index) && parts.size() == 3;
      for (auto [part, values] : llvm::zip_first(parts, numbers))
        for (StringRef digits : llvm::split(part, 'x'))
          isRead &= !digits.getAsInteger(10, values.emplace_back());
      if (!isRead)
        return getOperation().emitError() << "raf-store-layouts: layouts: expected NUMBER:STRIDES:BLOCKS:OF, got '" << text << "'";
      auto type = index < params.size() ? dyn_cast<RankedTensorType>(params[index].getType()) : nullptr;
      if (!type)
        return getOperation().emitError() << "raf-store-layouts: layouts: '" << text << "' is for none of the " << params.size() << " parameters";
      auto error = [&] { return getOperation().emitError() << "raf-store-layouts: layouts: '" << text << "': "; };
      auto layout = dnnl::BlockedAttr::getChecked(error, &getContext(), type.getShape(), ArrayRef(numbers[0]), ArrayRef(numbers[1]), ArrayRef(numbers[2]));
      if (!layout)
        return failure();
      given[params[index]] = layout;
    }
    return given;
  }

  // Where the parameter may lie, and the bytes that an element of it costs then.
  struct Place {
    dnnl::BlockedAttr layout;
    Digits digits;
    bool isReadByNone; // every reader reorders it then, and rounds the parameter itself on the way where that has more bits
    int64_t bytes;
  };

  static int64_t width(Value value) { return getElementTypeOrSelf(value).getIntOrFloatBitWidth() / 8; }

  // What the reader's weights are rounded from.
  static Value unrounded(PlanOpInterface reader, const Group &group) {
    auto cast = reader->getOperand(1).getDefiningOp<CastOp>();
    bool rounds = cast && group.values.contains(cast.getX()) && getElementTypeOrSelf(cast.getX()).isF32() && width(cast) == 2;
    return rounds ? cast.getX() : Value();
  }

  void add(SmallVectorImpl<Place> &places, dnnl::BlockedAttr layout, Group &group) {
    std::optional<Digits> digits = Digits::of(layout);
    if (!digits)
      return void(group.reason = "the library's blocks do not divide its sizes");
    auto isRead = [&](PlanOpInterface reader) { return wanted.of(reader) == layout; };
    Place place{layout, *digits, llvm::none_of(group.readers, isRead), 0};
    llvm::SmallDenseSet<Value> casts;
    for (PlanOpInterface reader : group.readers) {
      Value weights = reader->getOperand(1), from = unrounded(reader, group);
      if (from && (place.isReadByNone || casts.insert(weights).second))
        place.bytes += width(from) + width(weights);
      if (!isRead(reader) && !(from && place.isReadByNone))
        place.bytes += 2 * width(weights);
    }
    for (dnnl::ConvWeightGradOp gradient : group.gradients)
      if (wanted.of(gradient) != layout)
        place.bytes += 2 * width(gradient.getDw());
    places.push_back(std::move(place));
  }

  // As it is given, if it is; in the layout of its first convolution or, where that fills blocks with zeros, of the first gradient of an input; in that of its gradient where that moves less. False with a reason if
  // that cannot be.
  bool store(func::FuncOp func, Group &group, dnnl::BlockedAttr given, IRRewriter &rewriter) {
    if (!group.reason.empty())
      return false;
    SmallVector<Place> places;
    if (given) {
      add(places, given, group);
      if (!places.empty() && storeAt(places.front(), func, group, rewriter))
        return true;
      auto weights = cast<BlockArgument>(group.values.front());
      remark::missed(weights.getLoc(), remark::RemarkOpts::name("StoredOtherwise").category("raf-store-layouts").function(func.getName()))
          << "does not lie as it is given" << remark::reason("{0}", places.empty() ? StringRef(group.reason) : "the library cannot compute on it there");
      places.clear();
    }
    llvm::stable_sort(group.readers, [](PlanOpInterface a, PlanOpInterface b) { return isa<dnnl::ConvOp>(a) && !isa<dnnl::ConvOp>(b); });
    group.reason = "the library reads it as it lies, or in a layout without a name";
    for (PlanOpInterface reader : group.readers) {
      if (dnnl::BlockedAttr layout = wanted.of(reader))
        add(places, layout, group);
      else if (isa<dnnl::ConvOp>(reader))
        return false; // blocks would be one more copy of it
      if (!places.empty())
        break;
    }
    for (dnnl::ConvWeightGradOp gradient : group.gradients)
      if (dnnl::BlockedAttr layout = wanted.of(gradient))
        add(places, layout, group);
    llvm::stable_sort(places, [](const Place &a, const Place &b) { return a.bytes < b.bytes; });
    return llvm::any_of(places, [&](const Place &place) { return storeAt(place, func, group, rewriter); });
  }

  bool storeAt(const Place &place, func::FuncOp func, Group &group, IRRewriter &rewriter) {
    // The library's ops first: nothing has changed if it cannot compute one of them.
    SmallVector<std::pair<Operation *, PlanOpInterface>> made;
    auto weightsOf = [&](PlanOpInterface reader) {
      Value from = place.isReadByNone ? unrounded(reader, group) : Value();
      return from ? from : reader->getOperand(1);
    };
    for (PlanOpInterface reader : group.readers)
      if (!make(reader, weightsOf(reader).getType(), place.layout, made, rewriter))
        return undo(group, made, rewriter);
    for (dnnl::ConvWeightGradOp gradient : group.gradients)
      if (!make(gradient, gradient->getResult(0).getType(), place.layout, made, rewriter))
        return undo(group, made, rewriter);

    for (OpOperand *operand : group.repeated)
      repeat(*operand, rewriter);
    for (auto [old, op] : made) {
      if (isa<dnnl::ConvWeightGradOp>(old))
        continue;
      Operation *unset = op->getOperand(1).getDefiningOp();
      rewriter.modifyOpInPlace(op, [&, by = op, from = weightsOf(cast<PlanOpInterface>(old))] { by->setOperand(1, from); });
      rewriter.eraseOp(unset);
    }
    DictionaryAttr attribute = place.digits.attribute(rewriter, place.layout);
    for (Value value : group.values) {
      value.setType(flat(value.getType()));
      if (auto argument = dyn_cast<BlockArgument>(value)) {
        func.setArgAttr(argument.getArgNumber(), "raf.stored", attribute);
        remark::passed(argument.getLoc(), remark::RemarkOpts::name("Stored").category("raf-store-layouts").function(func.getName())) << "lies in the library's blocks between steps";
        ++stored;
      }
    }
    for (ReduceOp sum : group.sums)
      sum.setDims({0});
    for (auto [old, op] : made) {
      rewriter.replaceAllUsesWith(old->getResult(0), op->getResult(0));
      rewriter.eraseOp(old);
    }
    return true;
  }

  // The op on an empty tensor of the weights' elements, until these lie so.
  bool make(PlanOpInterface op, Type weights, dnnl::BlockedAttr layout, SmallVectorImpl<std::pair<Operation *, PlanOpInterface>> &made, IRRewriter &rewriter) {
    rewriter.setInsertionPoint(op);
    Value unset = emptyTensor(rewriter, op.getLoc(), flat(weights));
    FailureOr<PlanOpInterface> by = withWeights(op, unset, layout, rewriter);
    if (failed(by)) {
      rewriter.eraseOp(unset.getDefiningOp());
      return false;
    }
    made.emplace_back(op, *by);
    return true;
  }

  bool undo(Group &group, ArrayRef<std::pair<Operation *, PlanOpInterface>> made, IRRewriter &rewriter) {
    group.reason = "the library has no kernel for it in its own blocks";
    for (auto [old, op] : made)
      rewriter.eraseOp(op); // what it was computed from has no other use, and is cleaned up
    return false;
  }

  static void repeat(OpOperand &operand, IRRewriter &rewriter) {
    Operation *op = operand.get().getDefiningOp();
    rewriter.setInsertionPoint(op);
    RankedTensorType type = flat(operand.get().getType());
    Value by;
    if (auto broadcast = dyn_cast<BroadcastOp>(op))
      by = BroadcastOp::create(rewriter, op->getLoc(), type, broadcast.getX(), rewriter.getDenseI64ArrayAttr({}));
    else
      by = ConstantOp::create(rewriter, op->getLoc(), cast<DenseElementsAttr>(cast<ConstantOp>(op).getValue()).resizeSplat(type));
    operand.set(by);
  }

  WantedLayouts wanted;
};
} // namespace
