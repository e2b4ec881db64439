// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/codegen-gpu/StagePlan.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::raf;
using linalg::GenericOp;

namespace {
constexpr int64_t kBlock = 256;
constexpr int64_t kMaxBlock = 1024;
constexpr int64_t kWarp = 32;
// Threads that keep the largest devices busy.
constexpr int64_t kWantedThreads = 1 << 16;
// Neighbouring columns whose sums a thread holds.
constexpr int64_t kColumns = 4;
// Elements of all operands that a thread may hold at once without running out of registers.
constexpr int64_t kHeldElements = 96;
} // namespace

int64_t OpPlan::work() const {
  int64_t product = 1;
  for (int64_t loop : llvm::concat<const int64_t>(parallel, reduction))
    product *= sizes[loop];
  return product;
}

bool OpPlan::canJoin(int64_t outer, int64_t inner) const {
  if (indexed[outer] || indexed[inner])
    return false;
  return llvm::all_of(accesses(), [&](const Access &access) { return continues(access, outer, inner, sizes[inner]); });
}

int64_t StagePlan::blocks() const {
  return llvm::divideCeil(space->extent() / width, points);
}

Value mlir::raf::fillValue(Value tensor) {
  auto op = tensor.getDefiningOp<GenericOp>();
  if (!op || op.getBody()->getOperations().size() != 1 || llvm::any_of(op.getDpsInputs(), [](Value input) { return isa<RankedTensorType>(input.getType()); }))
    return {};
  Value yielded = op.getBody()->getTerminator()->getOperand(cast<OpResult>(tensor).getResultNumber());
  auto argument = dyn_cast<BlockArgument>(yielded);
  if (!argument || argument.getOwner() != op.getBody())
    return yielded;
  return argument.getArgNumber() < op.getNumDpsInputs() ? op.getDpsInputs()[argument.getArgNumber()] : Value();
}

static bool isFill(GenericOp op) {
  return llvm::all_of(op.getResults(), [](Value result) { return fillValue(result) != Value(); });
}

bool mlir::raf::isVector(const Access &access, int64_t loop, int64_t width, ArrayRef<int64_t> moving) {
  return access.tensor && access.rest.empty() && access.strides[loop] == 1 && access.offset % width == 0 &&
         llvm::all_of(moving, [&](int64_t other) { return other == loop || access.strides[other] % width == 0; });
}

int64_t mlir::raf::vectorWidth(const OpPlan &op, int64_t loop, int64_t size, ArrayRef<int64_t> moving) {
  int64_t narrowest = 16, held = 0;
  for (const Access &access : op.accesses()) {
    if (!access.tensor || access.elements() == 1 || (access.isLinearIn(loop) && access.strides[loop] == 0))
      continue;
    ++held;
    // Masks of bytes go along with what they mask.
    if (access.strides[loop] == 1 && access.elementBytes() > 1)
      narrowest = std::min(narrowest, access.elementBytes());
  }
  if (held == 0)
    return 1;
  int64_t width = narrowest == 16 ? 8 : std::min<int64_t>(8, 16 / narrowest);
  auto usable = [&] {
    return size % width == 0 && held * width <= kHeldElements &&
           llvm::any_of(op.accesses(), [&](const Access &access) { return isVector(access, loop, width, moving); });
  };
  while (width > 1 && !usable())
    width /= 2;
  return width;
}

// The largest access of the ops, an output among equals.
static const Access *largestAccess(ArrayRef<OpPlan> ops, const OpPlan *&owner) {
  const Access *largest = nullptr;
  for (const OpPlan &op : ops)
    for (const Access &access : llvm::concat<const Access>(op.outputs, op.inputs))
      if (access.tensor && (!largest || access.elements() > largest->elements())) {
        largest = &access;
        owner = &op;
      }
  return largest;
}

static SmallVector<int64_t> byStride(ArrayRef<int64_t> loops, function_ref<int64_t(int64_t)> strideOf) {
  SmallVector<int64_t> order(loops);
  auto rank = [&](int64_t loop) {
    int64_t stride = std::abs(strideOf(loop));
    return stride == 0 ? std::numeric_limits<int64_t>::max() : stride;
  };
  llvm::stable_sort(order, [&](int64_t a, int64_t b) { return rank(a) > rank(b); });
  return order;
}

SmallVector<Axis> mlir::raf::orderedAxes(const OpPlan &op, ArrayRef<int64_t> loops) {
  const OpPlan *owner = nullptr;
  const Access *largest = largestAccess(op, owner);
  SmallVector<int64_t> order = byStride(loops, [&](int64_t loop) { return largest ? largest->strides[loop] : 1; });
  return joinLoops(order, op.sizes, [&](int64_t outer, int64_t inner) { return op.canJoin(outer, inner); });
}

namespace {
class Planner {
public:
  Planner(func::FuncOp kernel, const TileSpace &space) : kernel(kernel), space(space) {
    plan.space = &space;
  }

  StagePlan run() {
    SmallVector<GenericOp> ops;
    for (auto op : kernel.getBody().front().getOps<GenericOp>())
      if (space.loops.contains(cast<linalg::LinalgOp>(op.getOperation())))
        ops.push_back(op);
    for (GenericOp op : ops)
      addHomes(op);
    for (GenericOp op : ops)
      addOp(op);
    orderSpace();
    spread();
    // Fewer points share a block when all of them do not fit, with more lanes each.
    while (plan.points > 1 && bytesOfHomes() > kSharedBytes / 2) {
      plan.points /= 2;
      plan.lanes = std::max(plan.lanes, kWarp / plan.points);
    }
    // Fewer lanes leave fewer parts to combine.
    while (plan.lanes > 1 && plan.threads() > kWarp && bytesOfHomes() + bytesOfParts() > kSharedBytes)
      plan.lanes /= 2;
    plan.sharedBytes = bytesOfHomes() + bytesOfParts();
    return std::move(plan);
  }

private:
  // Every shared buffer is aligned to 16 bytes.
  static int64_t sharedBytes(int64_t elements, Type type) { return llvm::alignTo(elements * llvm::divideCeil(type.getIntOrFloatBitWidth(), 8), 16); }

  int64_t bytesOfHomes() const {
    int64_t bytes = 0;
    for (auto &[value, home] : plan.homes)
      bytes += sharedBytes(home.sharedElements * plan.points, cast<RankedTensorType>(value.getType()).getElementType());
    return bytes;
  }

  // What `combineLanes` leaves in shared memory: a part of each warp where warps shuffle, otherwise of each thread.
  int64_t bytesOfParts() const {
    int64_t bytes = 0;
    for (const OpPlan &op : plan.ops) {
      if (plan.lanes == 1 || !op.parallel.empty() || op.reduction.empty())
        continue;
      for (Type type : op.op->getResultTypes()) {
        Type element = cast<RankedTensorType>(type).getElementType();
        bool shuffles = plan.lanesFastest && element.getIntOrFloatBitWidth() == 32;
        if (!shuffles || plan.lanes > kWarp)
          bytes += plan.width * sharedBytes(shuffles ? plan.threads() / kWarp : plan.threads(), element);
      }
    }
    return bytes;
  }

  SmallVector<int64_t, 1> destinationsOf(Value value) {
    SmallVector<int64_t, 1> destinations;
    int64_t firstInit = kernel.getNumArguments() - kernel.getNumResults();
    for (OpOperand &returned : kernel.getBody().front().getTerminator()->getOpOperands())
      if (returned.get() == value)
        destinations.push_back(firstInit + returned.getOperandNumber());
    return destinations;
  }

  // The dimension of the space that each loop runs along.
  SmallVector<int64_t> dimsOf(GenericOp op) const {
    SmallVector<int64_t> dims(op.getNumLoops(), -1);
    for (auto [dim, loop] : llvm::enumerate(space.loops.find(op)->second))
      dims[loop] = dim;
    return dims;
  }

  void addHomes(GenericOp op) {
    SmallVector<int64_t> dims = dimsOf(op), sizes = op.getStaticLoopRanges();
    for (Value result : op.getResults()) {
      if (result.use_empty())
        continue;
      ValueHome home;
      home.destinations = destinationsOf(result);
      if (fillValue(result) && home.destinations.empty())
        continue;
      AffineMap map = op.getIndexingMapMatchingResult(cast<OpResult>(result));
      int64_t local = 1;
      for (auto [loop, size] : llvm::enumerate(sizes))
        if (dims[loop] < 0 && map.isFunctionOfDim(loop))
          local *= size;
      bool readHere = llvm::any_of(result.getUsers(), [&](Operation *user) { return isa<GenericOp>(user) && space.loops.contains(cast<linalg::LinalgOp>(user)); });
      home.registers = local == 1 && (readHere || home.destinations.empty());
      if (!home.registers && home.destinations.empty())
        home.sharedElements = local;
      plan.homes[result] = home;
    }
  }

  Access access(GenericOp op, OpOperand *operand, Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    // Scalars, what nobody reads or has written, and fills that are known where they are read have no memory.
    if (!type || value.use_empty() || value.getDefiningOp<tensor::EmptyOp>() || (value == operand->get() && fillValue(value) && !plan.homes.contains(value)))
      return {};
    SmallVector<int64_t> strides = contiguousStrides(type.getShape());
    if (auto found = plan.homes.find(value); found != plan.homes.end()) {
      const ValueHome &home = found->second;
      bool reads = value == operand->get();
      if ((home.registers && reads) || (home.destinations.empty() && home.sharedElements == 0))
        return {};
      if (home.destinations.empty()) {
        // In shared memory there is a copy for each point.
        auto producer = value.getDefiningOp<GenericOp>();
        SmallVector<int64_t> dims = dimsOf(producer), shape(type.getShape());
        AffineMap map = producer.getIndexingMapMatchingResult(cast<OpResult>(value));
        SmallVector<bool> whole(shape.size(), true);
        for (auto [position, expr] : llvm::enumerate(map.getResults()))
          if (auto dim = dyn_cast<AffineDimExpr>(expr); dim && dims[dim.getPosition()] >= 0) {
            whole[position] = false;
            shape[position] = 1;
          }
        strides = contiguousStrides(shape);
        for (auto [position, isWhole] : llvm::enumerate(whole))
          if (!isWhole)
            strides[position] = 0;
      }
    }
    return accessOf(value, op.getMatchingIndexingMap(operand), strides);
  }

  void addOp(GenericOp op) {
    if (isFill(op) && llvm::none_of(op.getResults(), [&](Value result) { return plan.homes.contains(result); }))
      return;
    OpPlan entry;
    entry.op = op;
    entry.sizes = op.getStaticLoopRanges();
    entry.dims = dimsOf(op);
    entry.indexed.assign(entry.sizes.size(), false);
    op.getBody()->walk([&](linalg::IndexOp index) { entry.indexed[index.getDim()] = true; });
    for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray()))
      if (entry.dims[loop] < 0 && entry.sizes[loop] != 1)
        (type == utils::IteratorType::parallel ? entry.parallel : entry.reduction).push_back(loop);
    for (OpOperand *input : op.getDpsInputOperands())
      entry.inputs.push_back(access(op, input, input->get()));
    for (OpOperand &init : op.getDpsInitsMutable())
      entry.outputs.push_back(access(op, &init, op.getTiedOpResult(&init)));
    for (OpOperand &init : op.getDpsInitsMutable()) {
      bool read = op.payloadUsesValueFromOperand(&init) && !init.get().getDefiningOp<tensor::EmptyOp>();
      entry.starts.push_back(read ? access(op, &init, init.get()) : Access());
    }
    plan.ops.push_back(std::move(entry));
  }

  int64_t loopOf(const OpPlan &op, int64_t dim) const { return space.loops.find(op.op)->second[dim]; }

  // A block finds again what it has loaded: dimensions along which a good part of the traffic repeats itself run inside the others, as the batch does of a table of positions.
  // `order` is outermost first; \p kept of its last dimensions stay where they are.
  void shareRepeated(SmallVectorImpl<int64_t> &order, int64_t kept) const {
    MutableArrayRef<int64_t> outer = MutableArrayRef<int64_t>(order).drop_back(kept);
    if (outer.size() < 2 || (kept && 2 * space.sizes[order.back()] > kBlock * kColumns))
      return;
    SmallPtrSet<Value, 8> counted;
    int64_t traffic = 0;
    SmallVector<int64_t> repeated(space.rank(), 0);
    for (const OpPlan &op : plan.ops)
      for (const Access &access : op.accesses()) {
        if (!access.tensor || !counted.insert(access.tensor).second)
          continue;
        int64_t bytes = access.elements() * access.elementBytes();
        traffic += bytes;
        auto moves = [&](int64_t dim) { return !access.isLinearIn(loopOf(op, dim)) || access.strides[loopOf(op, dim)] != 0; };
        // What is the same for all of the outer dimensions is small, or loaded by every block anyway.
        if (isa<BlockArgument>(access.tensor) && llvm::any_of(outer, moves))
          for (int64_t dim : outer)
            if (!moves(dim))
              repeated[dim] += bytes * (space.sizes[dim] - 1);
      }
    for (int64_t &bytes : repeated)
      bytes = bytes * 10 > traffic ? bytes : 0;
    llvm::stable_sort(outer, [&](int64_t a, int64_t b) { return repeated[a] < repeated[b]; });
  }

  void orderSpace() {
    const OpPlan *owner = nullptr;
    const Access *largest = largestAccess(plan.ops, owner);
    SmallVector<int64_t> dims(space.rank());
    for (int64_t dim = 0; dim < space.rank(); ++dim)
      dims[dim] = dim;
    SmallVector<int64_t> order = byStride(dims, [&](int64_t dim) { return largest ? largest->strides[loopOf(*owner, dim)] : 1; });
    bool isRow = llvm::any_of(plan.ops, [](const OpPlan &op) { return !op.parallel.empty() || !op.reduction.empty(); });
    bool isNext = largest && !order.empty() && largest->strides[loopOf(*owner, order.back())] == 1;
    if (isRow || isNext)
      shareRepeated(order, isNext);
    plan.axes = joinLoops(order, space.sizes, [&](int64_t outer, int64_t inner) {
      return llvm::all_of(plan.ops, [&](const OpPlan &op) { return op.canJoin(loopOf(op, outer), loopOf(op, inner)); });
    });
    // Whether neighbouring points are neighbours in memory.
    columns = largest && !plan.axes.empty() && largest->strides[loopOf(*owner, plan.axes.back().carrier())] == 1;
  }

  // Neighbouring points that a thread does at once.
  int64_t widthAcross() {
    int64_t width = 1;
    if (plan.axes.empty())
      return width;
    for (const OpPlan &op : plan.ops) {
      SmallVector<int64_t> moving(op.reduction);
      ArrayRef<int64_t> loops = space.loops.find(op.op)->second;
      for (const Axis &axis : plan.axes)
        moving.push_back(loops[axis.carrier()]);
      width = std::max(width, vectorWidth(op, moving.back(), plan.axes.back().size, moving));
    }
    return width;
  }

  void spread() {
    int64_t points = space.extent(), work = 1;
    for (const OpPlan &op : plan.ops)
      work = std::max(work, op.work());
    if (llvm::all_of(plan.ops, [](const OpPlan &op) { return op.parallel.empty() && op.reduction.empty(); })) {
      plan.lanesFastest = false;
      plan.width = widthAcross();
      plan.points = std::min<int64_t>(kBlock, std::max<int64_t>(kWarp, llvm::PowerOf2Ceil(points / plan.width)));
      return;
    }
    if (columns) {
      plan.lanesFastest = false;
      // Neighbouring columns are one access where there are enough of them for all blocks.
      if (llvm::all_of(plan.ops, [](const OpPlan &op) { return op.parallel.empty(); }))
        plan.width = std::min(widthAcross(), kColumns);
      // What is in shared memory is there for each point of its own.
      if (llvm::any_of(plan.homes, [](const auto &entry) { return entry.second.sharedElements > 0; }))
        plan.width = 1;
      while (plan.width > 1 && points / plan.width < kWantedThreads / kWarp)
        plan.width /= 2;
      points /= plan.width;
      plan.points = std::min<int64_t>(kWarp, llvm::PowerOf2Ceil(points));
      while (plan.threads() * 2 <= kMaxBlock && plan.lanes * 4 <= work && points * plan.lanes < kWantedThreads)
        plan.lanes *= 2;
      if (plan.lanes == 1)
        plan.points = std::min<int64_t>(kBlock / 2, llvm::PowerOf2Ceil(points));
    } else {
      int64_t most = points < kWantedThreads / kMaxBlock ? kMaxBlock : kBlock;
      plan.lanes = std::clamp<int64_t>(llvm::PowerOf2Ceil(llvm::divideCeil(work, 8)), 1, most);
      // As many points as divide all of them: then there are none past the end.
      plan.points = std::max<int64_t>(1, std::min<int64_t>(kBlock / 2 / plan.lanes, points & -points));
      plan.lanes = std::max(plan.lanes, kWarp / plan.points);
    }
    // Whole warps.
    while (plan.threads() < kWarp)
      plan.points *= 2;
  }

  func::FuncOp kernel;
  const TileSpace &space;
  StagePlan plan;
  bool columns = false;
};
} // namespace

StagePlan mlir::raf::planStage(func::FuncOp kernel, const TileSpace &space) { return Planner(kernel, space).run(); }
