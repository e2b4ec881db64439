// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/codegen-gpu/Product.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/codegen-gpu/Lanes.h"
#include "passes/codegen-gpu/StagedProduct.h"
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
// What a matrix instruction takes of the depth: below that, and below a tile of it either way, most of its work would be thrown away.
constexpr int64_t kMatrixSide = 16;

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

// Whether tensor cores compute exactly this up to the order of the sum; of f32, if operands may be rounded.
bool fitsTensorCores(GenericOp op, bool tf32) {
  auto element = [&](unsigned number) { return getElementTypeOrSelf(op->getOperand(number).getType()); };
  Type type = element(0);
  return type == element(1) && element(2).isF32() && (type.isBF16() || type.isF16() || (type.isF32() && tf32));
}

// Whether the op runs once for each result of the product.
bool isPointwise(const OpPlan &entry) {
  return entry.parallel.empty() && entry.reduction.empty() && llvm::none_of(entry.dims, [](int64_t dim) { return dim < 0; }) &&
         llvm::all_of(entry.accesses(), [](const Access &access) { return access.rest.empty(); });
}
} // namespace

SmallVector<int64_t> Product::movingLoops() const {
  SmallVector<int64_t> loops;
  for (const auto *axes : {&batch, &rows, &columns, &depth})
    for (const Axis &axis : *axes)
      loops.push_back(axis.carrier());
  return loops;
}

std::optional<Product> mlir::raf::matchProduct(const StagePlan &plan, const ProductFeatures &features) {
  auto isSum = [](const OpPlan &entry) { return GenericOp(entry.op).getNumReductionLoops() > 0; };
  const OpPlan *found = llvm::find_if(plan.ops, isSum);
  if (found == plan.ops.end() || llvm::count_if(plan.ops, isSum) != 1)
    return std::nullopt;
  const OpPlan &entry = *found;
  GenericOp op = entry.op;
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1)
    return std::nullopt;
  for (auto &[value, home] : plan.homes)
    if (home.sharedElements > 0)
      return std::nullopt;
  for (const Access &access : entry.inputs)
    if (!access.tensor || !access.rest.empty() || plan.homes.contains(access.tensor) || cast<RankedTensorType>(access.tensor.getType()).getRank() == 0)
      return std::nullopt;
  if (llvm::any_of(entry.outputs, [](const Access &access) { return access.tensor && (!access.rest.empty() || cast<RankedTensorType>(access.tensor.getType()).getRank() == 0); }))
    return std::nullopt;
  Product product;
  product.op = &entry;
  product.start = fillValue(op.getDpsInits()[0]);
  for (const OpPlan &other : plan.ops) {
    if (&other == &entry)
      continue;
    if (!isPointwise(other) || !entry.parallel.empty())
      return std::nullopt;
    product.epilogue.push_back(&other);
  }
  std::optional<SmallVector<Operation *>> combining = combiners(op);
  if (!product.start || !combining || !isa_and_nonnull<arith::AddFOp>(combining->front()))
    return std::nullopt;
  // Nobody reads it.
  if (!entry.outputs[0].tensor && product.epilogue.empty())
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
  // Of what is written: the product itself where somebody wants it, or else what the epilogue makes last.
  auto strideOf = [&](int64_t loop) -> int64_t {
    if (entry.outputs[0].tensor)
      return entry.outputs[0].strides[loop];
    const OpPlan &last = *product.epilogue.back();
    return last.outputs[0].tensor ? last.outputs[0].strides[llvm::find(last.dims, entry.dims[loop]) - last.dims.begin()] : 0;
  };
  // Neighbouring columns of the result are neighbours in memory where one of the two can say so.
  if (llvm::any_of(rows, [&](int64_t loop) { return strideOf(loop) == 1; })) {
    std::swap(rows, columns);
    std::swap(product.a, product.b);
  }
  auto axesOf = [&](ArrayRef<int64_t> loops, function_ref<int64_t(int64_t)> stride) {
    SmallVector<int64_t> order(loops);
    llvm::stable_sort(order, [&](int64_t x, int64_t y) { return stride(x) > stride(y); });
    return joinLoops(order, entry.sizes, [&](int64_t outer, int64_t inner) {
      return entry.canJoin(outer, inner) && llvm::all_of(product.epilogue, [&](const OpPlan *other) {
               auto loopOf = [&](int64_t loop) { return llvm::find(other->dims, entry.dims[loop]) - other->dims.begin(); };
               return entry.dims[outer] < 0 || other->canJoin(loopOf(outer), loopOf(inner));
             });
    });
  };
  product.batch = axesOf(batch, strideOf);
  product.rows = axesOf(rows, strideOf);
  product.columns = axesOf(columns, strideOf);
  product.depth = axesOf(depth, [&](int64_t loop) { return entry.inputs[0].strides[loop]; });
  product.numBatch = extent(product.batch);
  product.numRows = extent(product.rows);
  product.numColumns = extent(product.columns);
  product.numDepth = extent(product.depth);
  if (fitsTensorCores(op, features.tf32) && std::min({product.numRows, product.numColumns, product.numDepth}) >= kMatrixSide) {
    product.tensorCores = true;
    chooseTensorTile(product);
    if (features.wgmma) {
      product.warpgroups = true;
      product.dynamicShared = warpgroupBytes(product);
    }
    return product;
  }
  product.tileRows = product.tileColumns = kTile;
  product.threads = kThreads;
  bool large = product.numRows >= kTile / 2 && product.numColumns >= kTile / 2 && product.numDepth >= kDepth;
  return large ? std::optional(product) : std::nullopt;
}

namespace {
class ScalarProductEmitter : public ProductEmitter {
public:
  using ProductEmitter::ProductEmitter;

  void run() {
    placeTile();
    Side a = side(product.a, product.rows, firstRow, product.numRows), b = side(product.b, product.columns, firstColumn, product.numColumns);
    // The thread's results.
    Value line = arith::DivUIOp::create(builder, loc, thread, constant(kTile / kOwn)), column = arith::RemUIOp::create(builder, loc, thread, constant(kTile / kOwn));
    Value ownRow = multiplyAdd(builder, loc, line, kOwn, {}), ownColumn = multiplyAdd(builder, loc, column, kOwn, {});
    SmallVector<Value> sums(kOwn * kOwn, scalars.lookupOrDefault(product.start));
    sums = emitFor(constant(0), product.numDepth, kDepth, sums, [&](Value from, ValueRange carried) {
      // Both tiles have been read before they are overwritten, and are there before they are read.
      gpu::BarrierOp::create(builder, loc);
      bring(a, from);
      bring(b, from);
      gpu::BarrierOp::create(builder, loc);
      return emitFor(constant(0), kDepth, 1, carried, [&](Value at, ValueRange inner) {
        SmallVector<Value> as = own(a, at, ownRow), bs = own(b, at, ownColumn), next;
        for (int64_t i = 0; i < kOwn; ++i)
          for (int64_t j = 0; j < kOwn; ++j)
            next.push_back(multiply(as[i], bs[j], inner[i * kOwn + j]));
        return next;
      });
    });
    int64_t width = finishWidth(kOwn);
    for (int64_t i = 0; i < kOwn; ++i)
      for (int64_t j = 0; j < kOwn; j += width)
        finish(add(add(firstRow, ownRow), i), add(add(firstColumn, ownColumn), j), ArrayRef(sums).slice(i * kOwn + j, width));
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

  Side side(unsigned input, ArrayRef<Axis> axes, Value first, int64_t size) {
    Side result;
    result.access = &product.op->inputs[input];
    result.buffer = flattened(bufferOf(result.access->tensor));
    Lanes lanes{func, &plan, {}, {}, {}};
    result.tile = sharedMemory(lanes, loc, kPitch * kDepth, cast<MemRefType>(result.buffer.getType()).getElementType());
    result.alongDepth = result.access->strides[product.depth.back().carrier()] == 1;
    for (int64_t i = 0; i < kShare; ++i) {
      Value element = i == 0 ? thread : arith::AddIOp::create(builder, loc, thread, constant(i * kThreads)).getResult();
      Value divisor = constant(result.alongDepth ? kDepth : kTile);
      Value slow = arith::DivUIOp::create(builder, loc, element, divisor), fast = arith::RemUIOp::create(builder, loc, element, divisor);
      result.row.push_back(result.alongDepth ? slow : fast);
      result.offset.push_back(result.alongDepth ? fast : slow);
      Value at = arith::AddIOp::create(builder, loc, first, result.row.back());
      result.inside.push_back({});
      if (size % kTile != 0) {
        result.inside.back() = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, at, constant(size));
        at = arith::MinUIOp::create(builder, loc, at, constant(size - 1));
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
        Value within = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, depth, constant(product.numDepth));
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
};
} // namespace

void mlir::raf::emitProduct(gpu::GPUFuncOp func, func::FuncOp kernel, const StagePlan &plan, const Product &product) {
  if (product.warpgroups)
    emitWarpgroupProduct(func, kernel, plan, product);
  else if (product.tensorCores)
    emitTensorProduct(func, kernel, plan, product);
  else
    ScalarProductEmitter(func, kernel, plan, product).run();
}
