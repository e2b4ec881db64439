// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/codegen-cpu/FlatKernels.h"
#include "passes/codegen-cpu/BodyPatterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "passes/decompose/Random.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace mlir::raf;
using linalg::GenericOp;

namespace {
// Loops first .. last of the ops, which become one.
struct Group {
  int64_t first, last;
  SmallVector<int64_t> strides; // of each loop, in elements of the group
};

class Flattening {
public:
  explicit Flattening(func::FuncOp kernel) : kernel(kernel) {}

  JoinedDimensions run() {
    JoinedDimensions joined(kernel.getNumArguments());
    if (!collect() || !chooseGroups() || !llvm::all_of(ops, [&](GenericOp op) { return numbersOnly(op); }))
      return joined;
    for (auto &[value, map] : maps)
      if (auto argument = dyn_cast<BlockArgument>(value))
        joined[argument.getArgNumber()] = joinedOf(map);
    for (auto &[value, map] : maps)
      value.setType(flat(cast<RankedTensorType>(value.getType()), map));
    for (GenericOp op : ops)
      rewrite(op);
    Block &block = kernel.getBody().front();
    kernel.setFunctionType(FunctionType::get(kernel.getContext(), block.getArgumentTypes(), block.getTerminator()->getOperandTypes()));
    return joined;
  }

private:
  // All ops walk the same parallel loops, and each tensor in the same dimensions, in the order of the loops.
  bool collect() {
    for (Operation &op : kernel.getBody().front()) {
      if (isa<tensor::EmptyOp>(op) || op.hasTrait<OpTrait::IsTerminator>() || (isa<arith::ConstantOp>(op) && !isa<TensorType>(op.getResult(0).getType())))
        continue;
      auto generic = dyn_cast<GenericOp>(op);
      if (!generic || generic.getNumReductionLoops() > 0 || (!ops.empty() && generic.getStaticLoopRanges() != sizes))
        return false;
      sizes = generic.getStaticLoopRanges();
      ops.push_back(generic);
      for (OpOperand &operand : generic->getOpOperands()) {
        AffineMap map = generic.getMatchingIndexingMap(&operand);
        int64_t before = -1;
        for (AffineExpr expr : map.getResults()) {
          auto dim = dyn_cast<AffineDimExpr>(expr);
          if (!dim || static_cast<int64_t>(dim.getPosition()) <= before)
            return false;
          before = dim.getPosition();
        }
        if (isa<RankedTensorType>(operand.get().getType()) && maps.try_emplace(operand.get(), map).first->second != map)
          return false;
      }
      for (OpResult result : generic->getResults())
        if (AffineMap map = generic.getIndexingMapMatchingResult(result); maps.try_emplace(result, map).first->second != map)
          return false;
    }
    func::ReturnOp end = cast<func::ReturnOp>(kernel.getBody().front().getTerminator());
    unsigned firstInit = kernel.getNumArguments() - end.getNumOperands();
    for (OpOperand &returned : end->getOpOperands()) {
      auto found = maps.find(returned.get());
      if (found == maps.end())
        return false;
      AffineMap map = found->second;
      if (maps.try_emplace(kernel.getArgument(firstInit + returned.getOperandNumber()), map).first->second != map)
        return false;
    }
    // What a body reads at places of its own keeps its form.
    for (auto &[value, map] : maps)
      if (!llvm::all_of(value.getUsers(), llvm::IsaPred<GenericOp, func::ReturnOp>))
        return false;
    return !ops.empty();
  }

  bool chooseGroups() {
    int64_t rank = sizes.size();
    if (rank == 0 || llvm::is_contained(sizes, 0))
      return false;
    for (int64_t loop = 0; loop < rank; ++loop) {
      bool joins = loop > 0 && llvm::all_of(maps, [&](auto &entry) { return entry.second.isFunctionOfDim(loop) == entry.second.isFunctionOfDim(loop - 1); });
      if (joins)
        groups.back().last = loop;
      else
        groups.push_back({loop, loop, {}});
    }
    for (Group &group : groups) {
      int64_t stride = 1;
      for (int64_t loop = group.last; loop >= group.first; --loop) {
        group.strides.insert(group.strides.begin(), stride);
        stride *= sizes[loop];
      }
    }
    return llvm::count_if(llvm::seq(groups.back().first, groups.back().last + 1), [&](int64_t loop) { return sizes[loop] > 1; }) > 1;
  }

  bool isJoined(const Group &group) const { return group.first < group.last; }

  // How much the value grows with each element of the group; none where it is no number of elements.
  std::optional<int64_t> growth(GenericOp op, Value value, const Group &group) const {
    std::optional<int64_t> factor;
    for (int64_t loop = group.first; loop <= group.last; ++loop) {
      std::optional<int64_t> grows = growthOf(value, loop, op);
      int64_t stride = group.strides[loop - group.first];
      // A loop of one iteration adds nothing.
      if (!grows || (sizes[loop] > 1 && (*grows % stride != 0 || (factor && *factor != *grows / stride))))
        return std::nullopt;
      if (sizes[loop] > 1)
        factor = *grows / stride;
    }
    return factor;
  }

  bool isNumber(GenericOp op, Value value) const {
    Operation *made = value.getDefiningOp();
    bool nested = made && made->getBlock() != op.getBody() && op->isAncestor(made);
    return !nested && value.getType().isIntOrIndex() && llvm::all_of(groups, [&](const Group &group) { return !isJoined(group) || growth(op, value, group); });
  }

  // Whether the indices of joined loops serve for nothing but numbers of elements.
  bool numbersOnly(GenericOp op) const {
    std::function<bool(Value)> only = [&](Value value) {
      return isNumber(op, value) ||
             (!value.use_empty() && llvm::all_of(value.getUsers(), [&](Operation *user) { return user->getNumResults() == 1 && user->getNumRegions() == 0 && only(user->getResult(0)); }));
    };
    WalkResult walk = op.getBody()->walk([&](linalg::IndexOp index) {
      const Group &group = groupOf(index.getDim());
      return !isJoined(group) || (index->getBlock() == op.getBody() && only(index)) ? WalkResult::advance() : WalkResult::interrupt();
    });
    return !walk.wasInterrupted();
  }

  const Group &groupOf(int64_t loop) const {
    return *llvm::find_if(groups, [&](const Group &group) { return loop <= group.last; });
  }

  // The dimensions of an operand of that map that become one; nothing where all stay.
  SmallVector<ReassociationIndices> joinedOf(AffineMap map) const {
    SmallVector<ReassociationIndices> joined;
    for (auto [position, expr] : llvm::enumerate(map.getResults())) {
      int64_t loop = cast<AffineDimExpr>(expr).getPosition();
      if (loop == groupOf(loop).first)
        joined.emplace_back();
      joined.back().push_back(position);
    }
    return joined.size() == map.getNumResults() ? SmallVector<ReassociationIndices>() : joined;
  }

  AffineMap flat(AffineMap map) const {
    SmallVector<AffineExpr> exprs;
    for (auto [number, group] : llvm::enumerate(groups))
      if (map.isFunctionOfDim(group.first))
        exprs.push_back(getAffineDimExpr(number, map.getContext()));
    return AffineMap::get(groups.size(), 0, exprs, map.getContext());
  }
  RankedTensorType flat(RankedTensorType type, AffineMap map) const {
    SmallVector<int64_t> shape;
    for (const Group &group : groups)
      if (map.isFunctionOfDim(group.first))
        shape.push_back(sizes[group.first] * group.strides.front());
    return RankedTensorType::get(shape, type.getElementType());
  }

  void rewrite(GenericOp op) {
    replaceNumbers(op);
    Builder b(op);
    op.setIndexingMapsAttr(b.getAffineMapArrayAttr(llvm::map_to_vector(op.getIndexingMapsArray(), [&](AffineMap map) { return flat(map); })));
    SmallVector<Attribute> iterators(groups.size(), linalg::IteratorTypeAttr::get(op.getContext(), utils::IteratorType::parallel));
    op.setIteratorTypesAttr(b.getArrayAttr(iterators));
  }

  // Where numbers are made of the indices of joined loops, they become what they are at the start of these and what they grow by.
  void replaceNumbers(GenericOp op) {
    struct Number {
      Operation *made;
      SmallVector<int64_t> factors; // by group
    };
    SmallVector<Number> numbers;
    llvm::DenseSet<Operation *> joined;
    SmallVector<linalg::IndexOp> others;
    for (Operation &inner : *op.getBody()) {
      auto index = dyn_cast<linalg::IndexOp>(inner);
      if (index && isJoined(groupOf(index.getDim())))
        joined.insert(&inner);
      else if (index)
        others.push_back(index);
      bool made = inner.getNumResults() == 1 && isNumber(op, inner.getResult(0)) && (index || !llvm::all_of(inner.getOperands(), [&](Value operand) { return isNumber(op, operand); }));
      if (made && !llvm::is_contained(others, index))
        numbers.push_back({&inner, llvm::map_to_vector(groups, [&](const Group &group) { return isJoined(group) ? *growth(op, inner.getResult(0), group) : 0; })});
    }
    op.getBody()->walk([&](linalg::IndexOp index) {
      if (!joined.contains(index))
        index.setDim(&groupOf(index.getDim()) - groups.data());
    });
    // All are made of the indices as they were before any takes the place of what it stands for.
    SmallVector<Value> sums;
    for (Number &number : numbers) {
      Operation *made = number.made;
      ImplicitLocOpBuilder b(made->getLoc(), made);
      IRMapping atStart;
      Value sum = atStartOf(b, made->getResult(0), joined, atStart);
      for (auto [group, factor] : llvm::enumerate(number.factors)) {
        if (factor == 0)
          continue;
        Type type = sum.getType();
        Value index = linalg::IndexOp::create(b, group);
        if (!type.isIndex())
          index = arith::IndexCastOp::create(b, type, index);
        if (factor != 1)
          index = arith::MulIOp::create(b, index, arith::ConstantOp::create(b, b.getIntegerAttr(type, factor)));
        sum = matchPattern(sum, m_Zero()) ? index : arith::AddIOp::create(b, index, sum).getResult();
      }
      if (Attribute mark = made->getAttr(kRandomAttr))
        sum.getDefiningOp()->setAttr(kRandomAttr, mark);
      sums.push_back(sum);
    }
    for (auto [number, sum] : llvm::zip(numbers, sums))
      number.made->getResult(0).replaceAllUsesWith(sum);
    for (Operation &inner : llvm::make_early_inc_range(llvm::reverse(*op.getBody())))
      if (isOpTriviallyDead(&inner))
        inner.erase();
  }

  // The value where the indices of joined loops are 0.
  Value atStartOf(ImplicitLocOpBuilder &b, Value value, const llvm::DenseSet<Operation *> &joined, IRMapping &known) {
    Operation *op = value.getDefiningOp();
    if (known.contains(value) || !op || op->getBlock() != b.getInsertionBlock() || (op->getNumOperands() == 0 && !joined.contains(op)))
      return known.lookupOrDefault(value);
    if (joined.contains(op)) {
      known.map(value, arith::ConstantIndexOp::create(b, 0).getResult());
      return known.lookup(value);
    }
    for (Value operand : op->getOperands())
      atStartOf(b, operand, joined, known);
    Operation *copy = b.clone(*op, known);
    SmallVector<Value> folded;
    if (succeeded(b.tryFold(copy, folded)) && !folded.empty()) {
      copy->erase();
      known.map(value, folded.front());
    }
    return known.lookup(value);
  }

  func::FuncOp kernel;
  SmallVector<GenericOp> ops;
  SmallVector<int64_t> sizes;
  SmallVector<Group> groups;
  llvm::MapVector<Value, AffineMap> maps;
};
} // namespace

JoinedDimensions mlir::raf::flattenKernel(func::FuncOp kernel) { return Flattening(kernel).run(); }
