// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One product instead of several that share an operand, where that is faster by the model below.
#include "dialects/raf/Ops.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Remarks.h"
#include "passes/graph/Passes.h"
#include "passes/graph/TimeModel.h"
#include "passes/memory/Step.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::raf {
#define GEN_PASS_DEF_MERGEPRODUCTSPASS
#include "passes/graph/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

namespace {

/// Which operand the products have in common; in a sum neither, and the depth of both is joined.
enum class Shared { lhs, rhs, none };

struct Group {
  Shared shared;
  SmallVector<MatmulOp> products;
  Operation *place = nullptr; // the merged product comes before it
  AddOp sum;                  // of the products
  SmallVector<AddOp> inner;   // the other adds of the sum, each before those whose results it reads
  // Where the sum reads what it adds besides: the slots follow when what is in them is replaced, as the sum of another group is.
  SmallVector<OpOperand *> others;
};

/// The dimension along which operands are joined: the free one of their matrix, or its depth.
int64_t axisOf(bool isLhs, MatmulOp product, bool depth) {
  bool transposed = isLhs ? product.getTransposeLhs() : product.getTransposeRhs();
  return (isLhs == depth) != transposed;
}

class Merger {
public:
  Merger(Operation *root, const Machine &machine) : rewriter(root->getContext()), root(root), machine(machine) {}

  int64_t merged = 0;

  void run() {
    // Sums first: what is left of them may have other siblings.
    for (auto find : {&Merger::findSums, &Merger::findSiblings}) {
      SmallVector<Group> groups;
      (this->*find)(groups);
      // Groups that join the same operands, as the steps of a recurrence join its weights, do so once.
      llvm::MapVector<std::pair<int64_t, ArrayAttr>, SmallVector<Group *>> alike;
      for (Group &group : groups)
        alike[keyOf(group)].push_back(&group);
      for (auto &[key, members] : alike)
        decide(members);
    }
  }

private:
  double bytes(Value value) const { return getBytes(typeOf(value)); }

  double arithmeticOf(MatmulOp product) const {
    double flops = 2.0 * product.getType().getNumElements() * typeOf(product.getLhs()).getDimSize(product.getTransposeLhs() ? 0 : 1);
    return machine.getArithmeticTime(flops, typeOf(product.getLhs()).getElementType());
  }

  SmallVector<Value> operands(const Group &group, bool isLhs) const {
    SmallVector<Value> values;
    for (MatmulOp product : group.products)
      values.push_back(isLhs ? product.getLhs() : product.getRhs());
    return values;
  }

  /// Operands by rows are computed where they belong; others, and those that are there already, are copied.
  double joinBytes(ArrayRef<Value> parts, int64_t axis) const {
    double sum = 0;
    for (Value part : parts)
      if (axis != 0 || !part.getDefiningOp() || part.getDefiningOp<ConstantOp>())
        sum += 2 * bytes(part);
    return sum;
  }

  /// Rows of a result are a view. Columns are read where they lie by pointwise ops only, and a single one of those would have been a part of the product itself.
  double splitBytes(const Group &group) const {
    double sum = 0;
    if (group.shared == Shared::lhs)
      for (MatmulOp product : group.products) {
        bool pointwise = llvm::all_of(product->getUsers(), [](Operation *user) { return user->hasTrait<OpTrait::SameOperandsAndResultType>(); });
        if (!pointwise || product->hasOneUse())
          sum += 2 * bytes(product);
      }
    return sum;
  }

  /// What may be joined once for several groups: the operands that they do not compute.
  std::pair<int64_t, ArrayAttr> keyOf(const Group &group) {
    SmallVector<Attribute> parts;
    for (Value value : operands(group, /*isLhs=*/group.shared == Shared::rhs))
      parts.push_back(rewriter.getI64IntegerAttr(numbers.try_emplace(value, numbers.size()).first->second));
    MatmulOp first = group.products.front();
    return {static_cast<int64_t>(group.shared) * 4 + first.getTransposeLhs() * 2 + first.getTransposeRhs(), rewriter.getArrayAttr(parts)};
  }

  void decide(ArrayRef<Group *> groups) {
    double apart = 0, together = 0;
    for (Group *group : groups) {
      MatmulOp first = group->products.front();
      double arithmetic = 0, traffic = 0;
      for (MatmulOp product : group->products) {
        apart += machine.getTime(arithmeticOf(product), bytes(product.getLhs()) + bytes(product.getRhs()) + bytes(product));
        arithmetic += arithmeticOf(product);
        traffic += (group->shared == Shared::lhs ? 0 : bytes(product.getLhs())) + (group->shared == Shared::rhs ? 0 : bytes(product.getRhs())) + bytes(product);
      }
      bool depth = group->shared == Shared::none;
      // A sum in place reads and writes what it adds to.
      if (depth) {
        apart += machine.getTrafficTime((group->products.size() - 1) * 2 * bytes(first));
        traffic -= (group->products.size() - 1) * bytes(first);
        together += joined(operands(*group, true), axisOf(true, first, true), 1);
        together += joined(operands(*group, false), axisOf(false, first, true), groups.size());
      } else {
        bool isLhs = group->shared == Shared::rhs;
        together += joined(operands(*group, isLhs), axisOf(isLhs, first, false), groups.size());
      }
      together += machine.getTime(arithmetic, traffic) + machine.getTrafficTime(splitBytes(*group));
    }
    for (Group *group : groups) {
      // The operands may have moved: what was merged since the group was found comes where the last of its products stood.
      if (!group->sum && !placeSiblings(*group))
        continue;
      Location loc = group->products.front().getLoc();
      std::string what = std::to_string(group->products.size()) + (group->sum ? " summed products" : " products that share an operand");
      auto numbers = remark::reason("{0} ns apart, {1} ns together", int64_t(apart / groups.size()), int64_t(together / groups.size()));
      if (together < apart) {
        remark::passed(loc, remark::RemarkOpts::name("Merged").category("raf-merge-products")) << (what + " are one") << numbers;
        emit(*group);
      } else {
        remark::missed(loc, remark::RemarkOpts::name("NotMerged").category("raf-merge-products")) << (what + " stay apart") << numbers;
      }
    }
  }

  double joined(ArrayRef<Value> parts, int64_t axis, size_t times) const {
    double copied = joinBytes(parts, axis);
    return copied == 0 ? 0 : machine.getTime(0, copied) / times;
  }

  static bool isPlain(MatmulOp product) { return product.getType().getRank() == 2 && product.getType().getNumElements() > 0; }

  void findSiblings(SmallVectorImpl<Group> &groups) {
    using Key = std::tuple<Block *, Value, int64_t, Type>;
    for (Shared shared : {Shared::lhs, Shared::rhs}) {
      llvm::MapVector<Key, SmallVector<MatmulOp>> siblings;
      root->walk([&](MatmulOp product) {
        int64_t form = product.getTransposeLhs() * 2 + product.getTransposeRhs();
        if (isPlain(product) && !taken.contains(product))
          siblings[Key(product->getBlock(), shared == Shared::lhs ? product.getLhs() : product.getRhs(), form, product.getType().getElementType())].push_back(product);
      });
      for (auto &[key, products] : siblings) {
        Group group{shared, {}, nullptr, {}, {}, {}};
        for (MatmulOp product : products)
          if (!taken.contains(product))
            group.products.push_back(product);
        if (group.products.size() < 2 || !placeSiblings(group))
          continue;
        for (MatmulOp product : group.products)
          taken.insert(product);
        groups.push_back(std::move(group));
      }
    }
  }

  /// Where the first one stands, if the operands of all are there; otherwise where the last one stands, with those that nobody needs before.
  bool placeSiblings(Group &group) {
    MatmulOp first = group.products.front(), last = group.products.back();
    SmallVector<MatmulOp> early;
    for (MatmulOp product : group.products) {
      Value own = group.shared == Shared::lhs ? product.getRhs() : product.getLhs();
      Operation *maker = own.getDefiningOp();
      if (!maker || maker->getBlock() != first->getBlock() || maker->isBeforeInBlock(first))
        early.push_back(product);
    }
    if (early.size() >= 2) {
      group.products = early;
      group.place = first;
      return true;
    }
    llvm::erase_if(group.products, [&](MatmulOp product) {
      return llvm::any_of(product->getUsers(), [&](Operation *user) {
        Operation *ancestor = last->getBlock()->findAncestorOpInBlock(*user);
        return !ancestor || ancestor->isBeforeInBlock(last) || ancestor == last;
      });
    });
    group.place = last;
    return group.products.size() >= 2;
  }

  void findSums(SmallVectorImpl<Group> &groups) {
    root->walk([&](AddOp root) {
      if (root.getType().getRank() != 2 || (root->hasOneUse() && isa<AddOp>(*root->user_begin())))
        return;
      Group group{Shared::none, {}, root, root, {}, {}};
      SmallVector<OpOperand *> stack{&root.getRhsMutable(), &root.getLhsMutable()};
      while (!stack.empty()) {
        OpOperand *slot = stack.pop_back_val();
        Value value = slot->get();
        auto add = value.getDefiningOp<AddOp>();
        auto product = value.getDefiningOp<MatmulOp>();
        bool fits = product && product->hasOneUse() && product->getBlock() == root->getBlock() && isPlain(product);
        if (fits && !group.products.empty()) {
          MatmulOp first = group.products.front();
          fits = typeOf(product.getLhs()).getElementType() == typeOf(first.getLhs()).getElementType() && product.getTransposeLhs() == first.getTransposeLhs() &&
                 product.getTransposeRhs() == first.getTransposeRhs();
        }
        if (fits) {
          group.products.push_back(product);
        } else if (add && add->hasOneUse() && add->getBlock() == root->getBlock()) {
          group.inner.push_back(add);
          stack.append({&add.getRhsMutable(), &add.getLhsMutable()});
        } else {
          group.others.push_back(slot);
        }
      }
      if (group.products.size() >= 2)
        groups.push_back(std::move(group));
    });
  }

  Value join(Location loc, ArrayRef<Value> parts, int64_t axis) { return ConcatOp::create(rewriter, loc, parts, axis); }

  void emit(Group &group) {
    MatmulOp first = group.products.front();
    SmallVector<Location> locations;
    for (MatmulOp product : group.products)
      locations.push_back(product.getLoc());
    Location loc = rewriter.getFusedLoc(locations);
    rewriter.setInsertionPoint(group.place);
    bool depth = group.shared == Shared::none;
    Value lhs = group.shared == Shared::lhs ? first.getLhs() : join(loc, operands(group, true), axisOf(true, first, depth));
    Value rhs = group.shared == Shared::rhs ? first.getRhs() : join(loc, operands(group, false), axisOf(false, first, depth));
    SmallVector<int64_t> shape(first.getType().getShape());
    int64_t dim = group.shared == Shared::lhs ? 1 : 0;
    if (!depth) {
      shape[dim] = 0;
      for (MatmulOp product : group.products)
        shape[dim] += product.getType().getDimSize(dim);
    }
    Value result = MatmulOp::create(rewriter, loc, first.getType().clone(shape), lhs, rhs, first.getTransposeLhs(), first.getTransposeRhs());
    merged += group.products.size() - 1;
    if (depth) {
      for (OpOperand *other : group.others)
        result = AddOp::create(rewriter, group.sum.getLoc(), result, other->get());
      rewriter.replaceOp(group.sum, result);
      // Nothing else reads what was summed; left here, it would look like siblings of products that are read.
      for (AddOp add : group.inner)
        rewriter.eraseOp(add);
      for (MatmulOp product : group.products)
        rewriter.eraseOp(product);
      return;
    }
    SmallVector<int64_t> starts(2, 0), limits(shape), strides(2, 1);
    limits[dim] = 0;
    for (MatmulOp product : group.products) {
      starts[dim] = limits[dim];
      limits[dim] += product.getType().getDimSize(dim);
      rewriter.setInsertionPoint(group.place);
      Value part = SliceOp::create(rewriter, product.getLoc(), result, starts, limits, strides);
      rewriter.replaceAllUsesWith(product, part);
    }
    for (MatmulOp product : group.products)
      rewriter.eraseOp(product);
  }

  IRRewriter rewriter;
  Operation *root;
  Machine machine;
  llvm::DenseMap<Value, int64_t> numbers;
  llvm::SmallDenseSet<Operation *> taken; // by a group of siblings
};

struct MergeProductsPass : mlir::raf::impl::MergeProductsPassBase<MergeProductsPass> {
  using MergeProductsPassBase::MergeProductsPassBase;

  void runOnOperation() override {
    Machine machine{double(launchNs), double(flopsPerNs), double(bytesPerNs)};
    if (!machine.isValid()) {
      getOperation()->emitError() << "raf-merge-products: expected a launch-ns of at least 0 and speeds of at least 1; got launch-ns=" << int64_t(launchNs)
                                  << " flops-per-ns=" << int64_t(flopsPerNs) << " bytes-per-ns=" << int64_t(bytesPerNs);
      return signalPassFailure();
    }
    Merger merger(getOperation(), machine);
    merger.run();
    merged += merger.merged;
  }
};
} // namespace
