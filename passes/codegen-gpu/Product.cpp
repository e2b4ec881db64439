// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/codegen-gpu/Product.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/codegen-gpu/Lanes.h"
#include "passes/codegen-gpu/Loops.h"
#include "passes/codegen/ScalarBody.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::raf;
using linalg::GenericOp;

namespace {
// A block has a tile of kTile x kTile results, a thread kOwn x kOwn of them; kDepth elements of each row and column are in shared memory at a time.
constexpr int64_t kTile = 64, kOwn = 4, kDepth = 16;
constexpr int64_t kThreads = (kTile / kOwn) * (kTile / kOwn);
// A row of the tile in shared memory: its end keeps neighbouring rows out of the same banks.
constexpr int64_t kPitch = kTile + 4;
constexpr int64_t kShare = kTile * kDepth / kThreads; // elements of a tile that a thread brings

Value constant(OpBuilder &builder, Location loc, int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }

int64_t extent(ArrayRef<Axis> axes) {
  int64_t product = 1;
  for (const Axis &axis : axes)
    product *= axis.size;
  return product;
}

// Whether the value is the input, converted or not.
bool isInput(GenericOp op, Value value, unsigned input) {
  if (auto extended = value.getDefiningOp<arith::ExtFOp>())
    value = extended.getIn();
  return value == op.getBody()->getArgument(input);
}
} // namespace

int64_t Product::blocks() const { return numBatch * llvm::divideCeil(numRows, kTile) * llvm::divideCeil(numColumns, kTile); }
int64_t Product::threads() { return kThreads; }

std::optional<Product> mlir::raf::matchProduct(const StagePlan &plan) {
  if (plan.ops.size() != 1)
    return std::nullopt;
  const OpPlan &entry = plan.ops.front();
  GenericOp op = entry.op;
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0)
    return std::nullopt;
  auto home = plan.homes.find(op.getResult(0));
  if (home == plan.homes.end() || home->second.destinations.empty() || home->second.registers)
    return std::nullopt;
  for (const Access &access : llvm::concat<const Access>(entry.inputs, entry.outputs))
    if (!access.tensor || !access.rest.empty() || cast<RankedTensorType>(access.tensor.getType()).getRank() == 0)
      return std::nullopt;
  Product product{&entry, 0, 1, fillValue(op.getDpsInits()[0]), {}, {}, {}, {}, 1, 1, 1, 1};
  std::optional<SmallVector<Operation *>> combining = combiners(op);
  if (!product.start || !combining || !isa_and_nonnull<arith::AddFOp>(combining->front()))
    return std::nullopt;
  Value sum = combining->front()->getResult(0);
  auto times = termOf(op, combining->front(), sum).getDefiningOp<arith::MulFOp>();
  if (!times || op.getBody()->walk([](Operation *inner) { return isa<linalg::IndexOp, tensor::ExtractOp>(inner) ? WalkResult::interrupt() : WalkResult::advance(); }).wasInterrupted() ||
      !((isInput(op, times.getLhs(), 0) && isInput(op, times.getRhs(), 1)) || (isInput(op, times.getLhs(), 1) && isInput(op, times.getRhs(), 0))))
    return std::nullopt;
  SmallVector<int64_t> batch, rows, columns, depth;
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (entry.sizes[loop] == 1)
      continue;
    bool inA = entry.inputs[0].strides[loop] != 0, inB = entry.inputs[1].strides[loop] != 0;
    (type == utils::IteratorType::reduction ? depth : inA && !inB ? rows : inB && !inA ? columns : batch).push_back(loop);
  }
  // Neighbouring columns of the result are neighbours in memory where one of the two can say so.
  if (llvm::any_of(rows, [&](int64_t loop) { return entry.outputs[0].strides[loop] == 1; })) {
    std::swap(rows, columns);
    std::swap(product.a, product.b);
  }
  auto axesOf = [&](ArrayRef<int64_t> loops, const Access &by) {
    SmallVector<int64_t> order(loops);
    llvm::stable_sort(order, [&](int64_t x, int64_t y) { return by.strides[x] > by.strides[y]; });
    return joinLoops(order, entry.sizes, [&](int64_t outer, int64_t inner) { return entry.canJoin(outer, inner); });
  };
  product.batch = axesOf(batch, entry.outputs[0]);
  product.rows = axesOf(rows, entry.outputs[0]);
  product.columns = axesOf(columns, entry.outputs[0]);
  product.depth = axesOf(depth, entry.inputs[0]);
  product.numBatch = extent(product.batch);
  product.numRows = extent(product.rows);
  product.numColumns = extent(product.columns);
  product.numDepth = extent(product.depth);
  bool large = product.numRows >= kTile / 2 && product.numColumns >= kTile / 2 && product.numDepth >= kDepth;
  return large ? std::optional(product) : std::nullopt;
}

namespace {
class ProductEmitter {
public:
  ProductEmitter(gpu::GPUFuncOp func, func::FuncOp kernel, const StagePlan &plan, const Product &product)
      : func(func), kernel(kernel), plan(plan), product(product), op(product.op->op), builder(func.getBody()), loc(op.getLoc()) {}

  void run() {
    builder.setInsertionPointToStart(&func.getBody().front());
    for (auto [argument, buffer] : llvm::zip(kernel.getArguments(), func.getArguments()))
      if (!isa<RankedTensorType>(argument.getType()))
        scalars.map(argument, buffer);
    for (auto constantOp : kernel.getBody().front().getOps<arith::ConstantOp>())
      builder.clone(*constantOp, scalars);
    thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
    Value block = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
    int64_t across = llvm::divideCeil(product.numColumns, kTile), down = llvm::divideCeil(product.numRows, kTile);
    Value firstColumn = multiplyAdd(builder, loc, arith::RemUIOp::create(builder, loc, block, constant(builder, loc, across)), kTile, {});
    Value rest = arith::DivUIOp::create(builder, loc, block, constant(builder, loc, across));
    Value firstRow = multiplyAdd(builder, loc, arith::RemUIOp::create(builder, loc, rest, constant(builder, loc, down)), kTile, {});
    Value number = arith::DivUIOp::create(builder, loc, rest, constant(builder, loc, down));
    batch.assign(product.op->sizes.size(), Value());
    place(batch, product.batch, number);

    Side a = side(product.a, product.rows, firstRow, product.numRows), b = side(product.b, product.columns, firstColumn, product.numColumns);
    // The thread's results.
    Value line = arith::DivUIOp::create(builder, loc, thread, constant(builder, loc, kTile / kOwn)), column = arith::RemUIOp::create(builder, loc, thread, constant(builder, loc, kTile / kOwn));
    Value ownRow = multiplyAdd(builder, loc, line, kOwn, {}), ownColumn = multiplyAdd(builder, loc, column, kOwn, {});
    SmallVector<Value> sums(kOwn * kOwn, scalars.lookupOrDefault(product.start));
    sums = emitFor(product.numDepth, kDepth, sums, [&](Value from, ValueRange carried) {
      // Both tiles have been read before they are overwritten, and are there before they are read.
      gpu::BarrierOp::create(builder, loc);
      bring(a, from);
      bring(b, from);
      gpu::BarrierOp::create(builder, loc);
      return emitFor(kDepth, 1, carried, [&](Value at, ValueRange inner) {
        SmallVector<Value> as = own(a, at, ownRow), bs = own(b, at, ownColumn), next;
        for (int64_t i = 0; i < kOwn; ++i)
          for (int64_t j = 0; j < kOwn; ++j)
            next.push_back(multiply(as[i], bs[j], inner[i * kOwn + j]));
        return next;
      });
    });
    storeResults(sums, arith::AddIOp::create(builder, loc, firstRow, ownRow), arith::AddIOp::create(builder, loc, firstColumn, ownColumn));
  }

private:
  // One operand: where its tile is, and what the thread brings of it.
  struct Side {
    const Access *access;
    Value buffer, tile;
    bool alongDepth;                  // neighbouring threads bring neighbours along the depth, or else neighbouring rows
    SmallVector<Value> positions;     // of the row's start, by element that the thread brings
    SmallVector<Value> inside;        // whether there is such a row; null: always
    SmallVector<Value> row, offset;   // within the tile
  };

  void place(Indices &indices, ArrayRef<Axis> axes, Value position) {
    for (auto [axis, index] : llvm::zip(axes, positionAlong(builder, loc, axes, 1, position)))
      indices[axis.carrier()] = index;
  }

  Value addressOf(const Access &access, const Indices &indices) {
    Value sum = constant(builder, loc, access.offset);
    for (auto [index, stride] : llvm::zip(indices, access.strides))
      if (index && stride != 0)
        sum = multiplyAdd(builder, loc, index, stride, sum);
    return sum;
  }

  Value bufferOf(Value tensor) {
    int64_t number;
    if (auto argument = dyn_cast<BlockArgument>(tensor)) {
      number = argument.getArgNumber();
    } else {
      auto returned = llvm::find(kernel.getBody().front().getTerminator()->getOperands(), tensor);
      number = kernel.getNumArguments() - kernel.getNumResults() + (returned - kernel.getBody().front().getTerminator()->getOperands().begin());
    }
    return flattened(func.getArgument(number));
  }

  Value flattened(Value buffer) {
    auto type = cast<MemRefType>(buffer.getType());
    if (type.getRank() <= 1)
      return buffer;
    SmallVector<ReassociationIndices> groups(1);
    for (int64_t i = 0; i < type.getRank(); ++i)
      groups[0].push_back(i);
    return memref::CollapseShapeOp::create(builder, loc, buffer, groups);
  }

  Side side(unsigned input, ArrayRef<Axis> axes, Value first, int64_t size) {
    Side result;
    result.access = &product.op->inputs[input];
    result.buffer = bufferOf(result.access->tensor);
    Lanes lanes{func, &plan, {}, {}, {}};
    result.tile = sharedMemory(lanes, loc, kPitch * kDepth, cast<MemRefType>(result.buffer.getType()).getElementType());
    result.alongDepth = result.access->strides[product.depth.back().carrier()] == 1;
    for (int64_t i = 0; i < kShare; ++i) {
      Value element = i == 0 ? thread : arith::AddIOp::create(builder, loc, thread, constant(builder, loc, i * kThreads)).getResult();
      Value divisor = constant(builder, loc, result.alongDepth ? kDepth : kTile);
      Value slow = arith::DivUIOp::create(builder, loc, element, divisor), fast = arith::RemUIOp::create(builder, loc, element, divisor);
      result.row.push_back(result.alongDepth ? slow : fast);
      result.offset.push_back(result.alongDepth ? fast : slow);
      Value at = arith::AddIOp::create(builder, loc, first, result.row.back());
      result.inside.push_back({});
      if (size % kTile != 0) {
        result.inside.back() = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, at, constant(builder, loc, size));
        at = arith::MinUIOp::create(builder, loc, at, constant(builder, loc, size - 1));
      }
      Indices indices = batch;
      place(indices, axes, at);
      result.positions.push_back(addressOf(*result.access, indices));
    }
    return result;
  }

  // The thread's share of the tile, 0 outside the operand.
  void bring(const Side &side, Value from) {
    Access along = *side.access;
    along.offset = 0;
    Type element = cast<MemRefType>(side.buffer.getType()).getElementType();
    for (int64_t i = 0; i < kShare; ++i) {
      Value depth = arith::AddIOp::create(builder, loc, from, side.offset[i]), inside = side.inside[i];
      if (product.numDepth % kDepth != 0) {
        Value within = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, depth, constant(builder, loc, product.numDepth));
        inside = inside ? arith::AndIOp::create(builder, loc, inside, within).getResult() : within;
      }
      auto load = [&]() -> Value {
        Indices indices(product.op->sizes.size());
        place(indices, product.depth, depth);
        Value position = arith::AddIOp::create(builder, loc, side.positions[i], addressOf(along, indices));
        return memref::LoadOp::create(builder, loc, side.buffer, position);
      };
      Value value;
      if (!inside) {
        value = load();
      } else {
        auto branch = scf::IfOp::create(builder, loc, element, inside, /*withElseRegion=*/true);
        OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPointToStart(branch.thenBlock());
        scf::YieldOp::create(builder, loc, load());
        builder.setInsertionPointToStart(branch.elseBlock());
        scf::YieldOp::create(builder, loc, arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element)).getResult());
        value = branch.getResult(0);
      }
      memref::StoreOp::create(builder, loc, value, side.tile, multiplyAdd(builder, loc, side.offset[i], kPitch, side.row[i]));
    }
  }

  // The thread's rows of the tile at one place of the depth.
  SmallVector<Value> own(const Side &side, Value at, Value first) {
    Type element = cast<MemRefType>(side.tile.getType()).getElementType();
    int64_t bytes = (element.getIntOrFloatBitWidth() + 7) / 8;
    Value loaded = vector::LoadOp::create(builder, loc, VectorType::get({kOwn}, element), side.tile, multiplyAdd(builder, loc, at, kPitch, first), /*nontemporal=*/false,
                                          llvm::MaybeAlign(std::min<int64_t>(16, kOwn * bytes)));
    SmallVector<Value> elements;
    for (int64_t i = 0; i < kOwn; ++i)
      elements.push_back(vector::ExtractOp::create(builder, loc, loaded, i));
    return elements;
  }

  Value multiply(Value a, Value b, Value sum) {
    IRMapping mapping = scalars;
    mapping.map(op.getBody()->getArgument(product.a), a);
    mapping.map(op.getBody()->getArgument(product.b), b);
    mapping.map(op.getBody()->getArgument(2), sum);
    return cloneBody(builder, op, mapping, [](int64_t) { return Value(); }, [](Value) { return Value(); }).front();
  }

  SmallVector<Value> emitFor(int64_t to, int64_t step, ValueRange initial, function_ref<SmallVector<Value>(Value, ValueRange)> body) {
    auto loop = scf::ForOp::create(builder, loc, constant(builder, loc, 0), constant(builder, loc, to), constant(builder, loc, step), initial);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    scf::YieldOp::create(builder, loc, body(loop.getInductionVar(), loop.getRegionIterArgs()));
    return SmallVector<Value>(loop.getResults());
  }

  // Runs the body where position + step is below the size.
  void within(Value position, int64_t step, int64_t size, function_ref<void(Value)> body) {
    Value at = step == 0 ? position : arith::AddIOp::create(builder, loc, position, constant(builder, loc, step)).getResult();
    if (size % kTile == 0)
      return body(at);
    Value inside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, at, constant(builder, loc, size));
    auto branch = scf::IfOp::create(builder, loc, inside, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(branch.thenYield());
    body(at);
  }

  void storeResults(ArrayRef<Value> sums, Value firstRow, Value firstColumn) {
    const Access &access = product.op->outputs[0];
    SmallVector<int64_t> moving;
    for (const Axis &axis : llvm::concat<const Axis>(product.batch, product.rows, product.columns))
      moving.push_back(axis.carrier());
    int64_t last = product.columns.back().carrier();
    bool vectors = product.columns.size() == 1 && product.numColumns % kTile == 0 && access.elementBytes() * kOwn <= 16 && isVector(access, last, kOwn, moving);
    SmallVector<Value> buffers;
    for (int64_t destination : plan.homes.find(access.tensor)->second.destinations)
      buffers.push_back(flattened(func.getArgument(destination)));
    for (int64_t i = 0; i < kOwn; ++i)
      within(firstRow, i, product.numRows, [&](Value row) {
        Indices indices = batch;
        place(indices, product.rows, row);
        if (vectors) {
          place(indices, product.columns, firstColumn);
          Value packed = vector::FromElementsOp::create(builder, loc, VectorType::get({kOwn}, sums.front().getType()), ValueRange(sums).slice(i * kOwn, kOwn));
          for (Value buffer : buffers)
            vector::StoreOp::create(builder, loc, packed, buffer, addressOf(access, indices), /*nontemporal=*/false, llvm::MaybeAlign(kOwn * access.elementBytes()));
          return;
        }
        for (int64_t j = 0; j < kOwn; ++j)
          within(firstColumn, j, product.numColumns, [&](Value column) {
            Indices both = indices;
            place(both, product.columns, column);
            for (Value buffer : buffers)
              memref::StoreOp::create(builder, loc, sums[i * kOwn + j], buffer, addressOf(access, both));
          });
      });
  }

  gpu::GPUFuncOp func;
  func::FuncOp kernel;
  const StagePlan &plan;
  const Product &product;
  GenericOp op;
  OpBuilder builder;
  Location loc;
  IRMapping scalars;
  Indices batch;
  Value thread;
};
} // namespace

void mlir::raf::emitProduct(gpu::GPUFuncOp func, func::FuncOp kernel, const StagePlan &plan, const Product &product) { ProductEmitter(func, kernel, plan, product).run(); }
