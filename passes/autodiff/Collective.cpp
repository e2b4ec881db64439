// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of the sum of the losses of all devices.
#include "dialects/raf/Collective.h"
#include "passes/autodiff/Rules.h"

using namespace mlir;
using namespace mlir::raf;

// For each device its entry in a table of numbers, 0 for a device that the table does not name.
static Value lookUp(VJP &g, ArrayRef<std::pair<int64_t, int64_t>> entries) {
  auto i64 = g.getBuilder().getI64Type();
  int64_t size = 0;
  for (auto [device, number] : entries)
    size = std::max(size, device + 1);
  SmallVector<int64_t> table(size, 0);
  for (auto [device, number] : entries)
    table[device] = number;
  auto type = RankedTensorType::get({size}, i64);
  Value device = g.create<DeviceIdOp>(RankedTensorType::get({}, i64)), constant = g.create<ConstantOp>(DenseElementsAttr::get(type, ArrayRef<int64_t>(table)));
  Value matches = g.compare(CompareKind::eq, g.iota(type, 0), g.broadcast(device, type, {}));
  return g.sum(g.select(matches, constant, g.zeros(type)), {0});
}

// The total of what the devices of a group have to say of their common result.
static Value total(VJP &g, Value dy, ArrayAttr groups) { return g.fold<AllReduceOp>(dy.getType(), ReduceKind::sum, dy, groups); }

static Value gather(VJP &g, Value piece, Type type, int64_t dim, ArrayAttr groups) { return g.create<AllGatherOp>(type, piece, dim, groups); }

// The product of what the other devices of the group have: all of it, with 1 in the place of this device.
static Value productOfOthers(VJP &g, Value x, ArrayAttr groups) {
  SmallVector<std::pair<int64_t, int64_t>> places;
  for (auto group : groups.getAsRange<DenseI64ArrayAttr>())
    for (auto [place, device] : llvm::enumerate(group.asArrayRef()))
      places.push_back({device, static_cast<int64_t>(place)});
  SmallVector<int64_t> one(TensorBuilder::typeOf(x).getShape()), shape;
  one.insert(one.begin(), 1);
  shape = one;
  shape[0] = groupSize(groups);
  Value all = gather(g, g.reshape(x, one), TensorBuilder::typeOf(x).clone(shape), 0, groups);
  auto positions = RankedTensorType::get(shape, g.getBuilder().getI64Type());
  Value own = g.compare(CompareKind::eq, g.iota(positions, 0), g.broadcast(lookUp(g, places), positions, {}));
  return g.reduce(ReduceKind::prod, g.select(own, g.splatLike(all, 1.0), all), {0});
}

// The gradient of x, of which y is the reduction over the group and dy the total cotangent of that.
static Value pullReduction(VJP &g, ReduceKind kind, Value x, function_ref<Value()> y, Value dy, ArrayAttr groups) {
  if (kind == ReduceKind::sum)
    return dy;
  dy = g.widen(dy);
  if (kind == ReduceKind::prod)
    return g.mul(dy, g.widen(productOfOthers(g, x, groups)));
  Value extremal = g.compare(CompareKind::eq, x, y());
  Value ties = total(g, g.cast(extremal, TensorBuilder::typeOf(dy).getElementType()), groups);
  return g.select(extremal, g.div(dy, ties), g.zeros(dy.getType()));
}

static void allReduce(AllReduceOp op, VJP &g) {
  g.giveLazy(0, [&] { return pullReduction(g, op.getKind(), op.getX(), [&] { return op.getY(); }, total(g, g.dy(), op.getGroups()), op.getGroups()); });
}

static void allGather(AllGatherOp op, VJP &g) { g.give(0, g.create<ReduceScatterOp>(op.getX().getType(), ReduceKind::sum, g.dy(), op.getDim(), op.getGroups())); }

static void reduceScatter(ReduceScatterOp op, VJP &g) {
  auto whole = [&](Value piece) { return gather(g, piece, op.getX().getType(), op.getDim(), op.getGroups()); };
  g.giveLazy(0, [&] { return pullReduction(g, op.getKind(), op.getX(), [&] { return whole(op.getY()); }, whole(g.dy()), op.getGroups()); });
}

static void allToAll(AllToAllOp op, VJP &g) { g.give(0, g.create<AllToAllOp>(op.getX().getType(), g.dy(), op.getConcatDim(), op.getSplitDim(), op.getGroups())); }

static void permute(CollectivePermuteOp op, VJP &g) {
  auto swapped = llvm::map_to_vector(op.getPairs().getAsRange<DenseI64ArrayAttr>(),
                                     [&](DenseI64ArrayAttr pair) -> Attribute { return g.getBuilder().getDenseI64ArrayAttr({pair[1], pair[0]}); });
  g.give(0, g.create<CollectivePermuteOp>(op.getType(), g.dy(), g.getBuilder().getArrayAttr(swapped)));
}

// The first device of a group gets the total, the others nothing.
static void broadcast(CollectiveBroadcastOp op, VJP &g) {
  if (!g.wants(0))
    return;
  SmallVector<std::pair<int64_t, int64_t>> isFirst;
  for (auto group : op.getGroups().getAsRange<DenseI64ArrayAttr>())
    isFirst.push_back({group[0], 1});
  Value dy = total(g, g.dy(), op.getGroups()), first = g.compare(CompareKind::ne, lookUp(g, isFirst), 0.0);
  g.give(0, g.select(g.broadcastLike(first, dy, {}), dy, g.zeros(dy.getType())));
}

void mlir::raf::attachCollectiveRules(MLIRContext *context) {
  attachRule<AllReduceOp, allReduce>(context);
  attachRule<AllGatherOp, allGather>(context);
  attachRule<ReduceScatterOp, reduceScatter>(context);
  attachRule<AllToAllOp, allToAll>(context);
  attachRule<CollectivePermuteOp, permute>(context);
  attachRule<CollectiveBroadcastOp, broadcast>(context);
}
