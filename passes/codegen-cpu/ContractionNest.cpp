// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/codegen-cpu/ContractionNest.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "passes/codegen-cpu/LoopNest.h"
#include "passes/codegen-cpu/Transposition.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace mlir::raf;
using linalg::GenericOp;

namespace {
// One loop of the op inside the tile: global indices are offset + local ones.
struct Extent {
  Value offset;        // null: 0
  Value length;        // of this tile
  int64_t longest = 1; // of any tile
  bool even = false;   // whether all tiles are of the longest length
};

// An operand in memory.
struct Operand {
  Value memref;
  AffineMap map;
  SmallVector<bool> local; // as in KernelBuffers::Place
};

// A packed operand: panels, each as many rows of a, or columns of b, as a block of y has. Where bf16 is summed in pairs, an element is an i32 with the lower element of the
// depth in its lower half, and the depth is counted in pairs.
struct Packed {
  Value memref;
  bool depthLast = false; // [panel][row][depth]; otherwise [panel][depth][row]
};

class Emitter {
public:
  Emitter(OpBuilder &builder, Contraction product, const ContractionPlan &plan, const TileSpace &space, ArrayRef<TileRange> ranges, const KernelBuffers &buffers)
      : b(product.op.getLoc(), builder.getContext()), product(product), plan(plan), buffers(buffers), op(product.op), sizes(op.getStaticLoopRanges()) {
    b.setInsertionPoint(builder.getInsertionBlock(), builder.getInsertionPoint());
    vectorType = VectorType::get(plan.lanes, product.accumulator);
    paired = plan.dot != PairedDot::none;
    packedType = paired ? Type(b.getI32Type()) : Type(product.accumulator);
    packedVector = VectorType::get(plan.lanes, packedType);
    vectors = plan.columns / plan.lanes;
    ArrayRef<int64_t> spaceLoops = space.loops.find(cast<linalg::LinalgOp>(op.getOperation()))->second;
    for (int64_t size : sizes)
      extents.push_back({Value(), index(size), size, true});
    cut.resize(sizes.size());
    for (const TileRange &range : ranges) {
      int64_t loop = spaceLoops[range.spaceDim];
      extents[loop] = {range.offset, range.length ? range.length : index(range.step), range.step, !range.length};
      cut.set(loop);
    }
    global.assign(sizes.size(), Value());
    local.assign(sizes.size(), Value());
    a = operand(op.getDpsInputs()[product.lhs], op.getMatchingIndexingMap(op.getDpsInputOperand(product.lhs)));
    bOperand = operand(op.getDpsInputs()[product.rhs], op.getMatchingIndexingMap(op.getDpsInputOperand(product.rhs)));
    y = operand(op.getResult(0), op.getIndexingMapMatchingResult(cast<OpResult>(op.getResult(0))));
    rowPanels = llvm::divideCeil(extents[product.m].longest, plan.rows);
    columnPanels = llvm::divideCeil(extents[product.n].longest, plan.columns);
    rowsAreWhole = extents[product.m].even && extents[product.m].longest % plan.rows == 0;
    columnsAreWhole = extents[product.n].even && extents[product.n].longest % plan.columns == 0;
  }

  void emit() {
    allocate();
    SmallVector<int64_t> outer;
    for (auto kind : {utils::IteratorType::parallel, utils::IteratorType::reduction})
      for (int64_t loop = 0, end = sizes.size(); loop < end; ++loop)
        if (loop != product.m && loop != product.n && loop != product.k && op.getIteratorTypesArray()[loop] == kind)
          outer.push_back(loop);
    emitOuter(outer, Value());
  }

private:
  //===-- helpers --------------------------------------------------------------------------------------------------===//

  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, value); }
  Value add(Value x, Value y) { return arith::AddIOp::create(b, x, y); }
  Value sub(Value x, Value y) { return arith::SubIOp::create(b, x, y); }
  Value times(Value x, int64_t factor) { return arith::MulIOp::create(b, x, index(factor)); }
  Value least(Value x, Value y) { return arith::MinUIOp::create(b, x, y); }
  Value divideCeil(Value x, int64_t by) { return arith::DivUIOp::create(b, add(x, index(by - 1)), index(by)); }

  void loop(Value end, int64_t step, function_ref<void(Value)> body) {
    scf::ForOp::create(b, index(0), end, index(step), ValueRange(), [&](OpBuilder &inner, Location loc, Value iv, ValueRange) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToEnd(inner.getInsertionBlock());
      body(iv);
      scf::YieldOp::create(b);
    });
  }

  Operand operand(Value value, AffineMap map) { return {buffers[value].memref, map, SmallVector<bool>(buffers[value].local)}; }

  void at(int64_t loop, Value localIndex) {
    local[loop] = localIndex;
    global[loop] = extents[loop].offset ? add(extents[loop].offset, localIndex) : localIndex;
  }

  SmallVector<Value> indices(const Operand &from) {
    SmallVector<Value> result, dims;
    for (Value value : global)
      dims.push_back(value ? value : index(0));
    for (auto [position, expr] : llvm::enumerate(from.map.getResults()))
      result.push_back(from.local[position] ? local[cast<AffineDimExpr>(expr).getPosition()] : affine::expandAffineExpr(b, b.getLoc(), expr, dims, {}));
    return result;
  }

  Value widen(Value value) {
    Type type = product.accumulator;
    if (auto vector = dyn_cast<VectorType>(value.getType()))
      type = vector.clone(type);
    return value.getType() == type ? value : arith::ExtFOp::create(b, type, value).getResult();
  }

  Value loadScalar(const Operand &from) { return widen(memref::LoadOp::create(b, from.memref, indices(from))); }

  // A vector from the current point on; of the lanes outside of the mask, zeros.
  Value loadRaw(const Operand &from, int64_t lanes, Value mask) {
    auto type = VectorType::get(lanes, cast<MemRefType>(from.memref.getType()).getElementType());
    if (!mask)
      return vector::LoadOp::create(b, type, from.memref, indices(from));
    Value zeros = arith::ConstantOp::create(b, b.getZeroAttr(type));
    return vector::MaskedLoadOp::create(b, type, from.memref, indices(from), mask, zeros);
  }

  Value loadVector(const Operand &from, Value mask) { return widen(loadRaw(from, plan.lanes, mask)); }

  Value maskBefore(Value from, Value end) { return maskBefore(from, end, plan.lanes); }

  // Those of the lanes from `from` on that lie before `end`.
  Value maskBefore(Value from, Value end, int64_t lanes) {
    Value left = least(sub(arith::MaxUIOp::create(b, from, end), from), index(lanes));
    auto type = VectorType::get(lanes, b.getI32Type());
    Value numbers = arith::ConstantOp::create(b, DenseIntElementsAttr::get(type, llvm::to_vector(llvm::seq<int32_t>(0, lanes))));
    Value count = vector::BroadcastOp::create(b, type, arith::IndexCastOp::create(b, b.getI32Type(), left));
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, numbers, count);
  }

  //===-- loops around the product ---------------------------------------------------------------------------------===//

  void allocate() {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&b.getInsertionBlock()->getParentOp()->getParentOfType<func::FuncOp>().getBody().front());
    int64_t depth = llvm::alignTo(llvm::divideCeil(plan.depth, paired ? 2 : 1), plan.lanes);
    // Rows that lie a multiple of a page apart would compete for the same few lines of the cache.
    int64_t padding = 64 / (packedType.getIntOrFloatBitWidth() / 8);
    packedA.depthLast = isContiguous(a.map, product.k);
    SmallVector<int64_t> shape = {rowPanels, plan.rows, depth + padding};
    if (!packedA.depthLast)
      shape = {rowPanels, depth, static_cast<int64_t>(llvm::alignTo(plan.rows, plan.lanes))};
    auto make = [&](ArrayRef<int64_t> shape) {
      return memref::AllocaOp::create(b, MemRefType::get(shape, packedType), b.getI64IntegerAttr(64));
    };
    packedA.memref = make(shape);
    packedB.memref = make({columnPanels, depth, plan.columns});
  }

  // `first` is true while nothing has been added to y yet; null: it is always so.
  void emitOuter(ArrayRef<int64_t> outer, Value first) {
    if (outer.empty())
      return emitDepth(first);
    int64_t l = outer.front();
    if (extents[l].longest == 1) {
      at(l, index(0));
      return emitOuter(outer.drop_front(), first);
    }
    bool reduces = op.getIteratorTypesArray()[l] == utils::IteratorType::reduction;
    loop(extents[l].length, 1, [&](Value iv) {
      at(l, iv);
      emitOuter(outer.drop_front(), reduces ? isFirst(first, iv) : first);
    });
  }

  Value isFirst(Value first, Value iv) {
    Value here = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, iv, index(0));
    return first ? arith::AndIOp::create(b, first, here).getResult() : here;
  }

  void emitDepth(Value first) {
    int64_t size = sizes[product.k];
    if (plan.depth >= size)
      return emitPart(index(0), index(size), first);
    loop(index(size), plan.depth, [&](Value from) {
      Value length = size % plan.depth == 0 ? index(plan.depth) : least(sub(index(size), from), index(plan.depth));
      emitPart(from, length, isFirst(first, from));
    });
  }

  void emitPart(Value from, Value length, Value first) {
    pack(bOperand, packedB, product.n, plan.columns, columnsAreWhole, from, length);
    pack(a, packedA, product.m, plan.rows, false, from, length);
    auto blocksOf = [&](Value column) {
      loop(divideCeil(extents[product.m].length, plan.rows), 1, [&](Value row) { emitBlock(row, column, length, first); });
    };
    // Where the last blocks have columns of fewer vectors, they sum those alone.
    const Extent &n = extents[product.n];
    int64_t left = n.longest - (columnPanels - 1) * plan.columns, fewer = llvm::divideCeil(left, plan.lanes);
    if (!n.even || columnPanels == 1 || fewer == vectors)
      return loop(divideCeil(n.length, plan.columns), 1, blocksOf);
    {
      llvm::SaveAndRestore whole(columnsAreWhole, true);
      loop(index(columnPanels - 1), 1, blocksOf);
    }
    llvm::SaveAndRestore narrower(vectors, fewer);
    llvm::SaveAndRestore whole(columnsAreWhole, left == fewer * plan.lanes);
    blocksOf(index(columnPanels - 1));
  }

  //===-- packing --------------------------------------------------------------------------------------------------===//

  void pack(const Operand &from, const Packed &to, int64_t along, int64_t width, bool whole, Value start, Value length) {
    if (paired)
      return packPairs(from, to, along, width, whole, start, length);
    Extent &extent = extents[along];
    Value last = sub(extent.length, index(1)), panels = divideCeil(extent.length, width);
    if (!to.depthLast && isContiguous(from.map, along))
      return packContiguous(from, to, panels, along, width, whole, start, length);
    if (!to.depthLast && isContiguous(from.map, product.k) && width % plan.lanes == 0)
      return packTransposed(from, to, panels, along, width, whole, start, length);
    loop(panels, 1, [&](Value panel) {
      Value base = times(panel, width);
      if (to.depthLast)
        return packDepthLast(from, to, panel, base, last, along, width, start, length);
      loop(length, 1, [&](Value k) {
        at(product.k, add(start, k));
        loop(index(width), 1, [&](Value row) {
          at(along, least(add(base, row), last));
          memref::StoreOp::create(b, loadScalar(from), to.memref, ValueRange{panel, k, row});
        });
      });
    });
  }

  // Rows past the end repeat the last one: their sums are not stored.
  void packDepthLast(const Operand &from, const Packed &to, Value panel, Value base, Value last, int64_t along, int64_t width, Value start, Value length) {
    loop(index(width), 1, [&](Value row) {
      at(along, least(add(base, row), last));
      loop(length, 1, [&](Value k) {
        at(product.k, add(start, k));
        memref::StoreOp::create(b, loadScalar(from), to.memref, ValueRange{panel, row, k});
      });
    });
  }

  // A few rows of the source at a time, across all panels, so that it is read in long pieces.
  void packContiguous(const Operand &from, const Packed &to, Value panels, int64_t along, int64_t width, bool whole, Value start, Value length) {
    constexpr int64_t kRows = 8;
    loop(length, kRows, [&](Value block) {
      loop(panels, 1, [&](Value panel) {
        Value base = times(panel, width);
        loop(least(sub(length, block), index(kRows)), 1, [&](Value row) {
          Value k = add(block, row);
          at(product.k, add(start, k));
          for (int64_t lane = 0; lane < width; lane += plan.lanes) {
            Value position = add(base, index(lane));
            at(along, position);
            Value values = loadVector(from, whole ? Value() : maskBefore(position, extents[along].length));
            vector::StoreOp::create(b, values, to.memref, ValueRange{panel, k, index(lane)});
          }
        });
      });
    });
  }

  // Squares of as many rows as a vector has lanes. Of a whole panel the rows are a constant apart, so that one address serves all.
  void packTransposed(const Operand &from, const Packed &to, Value panels, int64_t along, int64_t width, bool whole, Value start, Value length) {
    Value last = sub(extents[along].length, index(1)), wholePanels = whole ? panels : arith::DivUIOp::create(b, extents[along].length, index(width)).getResult();
    bool wholeDepth = sizes[product.k] % plan.lanes == 0;
    auto panel = [&](Value number, Value lastRow) {
      Value base = times(number, width), next = lastRow ? Value() : times(least(add(number, index(1)), sub(wholePanels, index(1))), width);
      for (int64_t lane = 0; lane < width; lane += plan.lanes)
        loop(length, plan.lanes, [&](Value k) {
          at(product.k, add(start, k));
          Value mask = wholeDepth ? Value() : maskBefore(k, length);
          SmallVector<Value> rows;
          for (int64_t row = 0; row < plan.lanes; ++row) {
            Value here = add(base, index(lane + row));
            at(along, lastRow ? least(here, lastRow) : here);
            rows.push_back(loadVector(from, mask));
            if (!next)
              continue;
            // The rows of the next panel, which the processor does not see coming.
            at(along, add(next, index(lane + row)));
            memref::PrefetchOp::create(b, from.memref, indices(from), /*isWrite=*/false, /*localityHint=*/2, /*isDataCache=*/true);
          }
          transposeRows(b, rows);
          for (auto [row, values] : llvm::enumerate(rows))
            vector::StoreOp::create(b, values, to.memref, ValueRange{number, add(k, index(row)), index(lane)});
        });
    };
    loop(wholePanels, 1, [&](Value number) { panel(number, Value()); });
    if (!whole)
      loop(sub(panels, wholePanels), 1, [&](Value) { panel(wholePanels, last); });
  }

  //===-- packing of pairs -----------------------------------------------------------------------------------------===//

  // Of an odd depth the last element is paired with a zero, in both operands.
  void packPairs(const Operand &from, const Packed &to, int64_t along, int64_t width, bool whole, Value start, Value length) {
    Value last = sub(extents[along].length, index(1)), panels = divideCeil(extents[along].length, width), pairs = divideCeil(length, 2);
    bool rowsOfDepth = isContiguous(from.map, product.k) && (to.depthLast || width % plan.lanes == 0), columns = !to.depthLast && isContiguous(from.map, along);
    // From one depth and the next, at the current point.
    auto pairAt = [&](Value k, function_ref<Value()> load) {
      at(product.k, add(start, k));
      Value low = load(), next = add(k, index(1));
      at(product.k, add(start, least(next, sub(length, index(1)))));
      Value high = load(), zero = arith::ConstantOp::create(b, b.getZeroAttr(high.getType()));
      Value inside = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, next, length);
      return combine(low, arith::SelectOp::create(b, inside, high, zero));
    };
    if (columns) {
      constexpr int64_t kRows = 8;
      loop(pairs, kRows, [&](Value block) {
        loop(panels, 1, [&](Value panel) {
          loop(least(sub(pairs, block), index(kRows)), 1, [&](Value row) {
            Value pair = add(block, row);
            for (int64_t lane = 0; lane < width; lane += plan.lanes) {
              Value position = add(times(panel, width), index(lane));
              at(along, position);
              Value mask = whole ? Value() : maskBefore(position, extents[along].length);
              Value values = pairAt(times(pair, 2), [&] { return loadRaw(from, plan.lanes, mask); });
              vector::StoreOp::create(b, values, to.memref, ValueRange{panel, pair, index(lane)});
            }
          });
        });
      });
      return;
    }
    loop(panels, 1, [&](Value panel) {
      Value base = times(panel, width);
      if (!rowsOfDepth) {
        loop(pairs, 1, [&](Value pair) {
          loop(index(width), 1, [&](Value row) {
            at(along, least(add(base, row), last));
            Value value = pairAt(times(pair, 2), [&]() -> Value { return memref::LoadOp::create(b, from.memref, indices(from)); });
            memref::StoreOp::create(b, value, to.memref, ValueRange{panel, pair, row});
          });
        });
        return;
      }
      // What lies along the depth is in pairs already.
      auto rowOf = [&](Value row, Value mask) {
        at(along, least(add(base, row), last));
        return vector::BitCastOp::create(b, packedVector, loadRaw(from, 2 * plan.lanes, mask));
      };
      loop(length, 2 * plan.lanes, [&](Value k) {
        Value mask = sizes[product.k] % (2 * plan.lanes) == 0 ? Value() : maskBefore(k, length, 2 * plan.lanes);
        Value pair = arith::DivUIOp::create(b, k, index(2));
        at(product.k, add(start, k));
        if (to.depthLast) {
          loop(index(width), 1, [&](Value row) { vector::StoreOp::create(b, rowOf(row, mask), to.memref, ValueRange{panel, row, pair}); });
          return;
        }
        for (int64_t lane = 0; lane < width; lane += plan.lanes) {
          SmallVector<Value> rows;
          for (int64_t row = 0; row < plan.lanes; ++row)
            rows.push_back(rowOf(index(lane + row), mask));
          transposeRows(b, rows);
          for (auto [row, values] : llvm::enumerate(rows))
            vector::StoreOp::create(b, values, to.memref, ValueRange{panel, add(pair, index(row)), index(lane)});
        }
      });
    });
  }

  // Two bf16, or vectors of them, side by side.
  Value combine(Value low, Value high) {
    auto bits = [&](Value value) {
      auto like = [&](Type element) -> Type {
        auto vector = dyn_cast<VectorType>(value.getType());
        return vector ? Type(vector.clone(element)) : element;
      };
      return arith::ExtUIOp::create(b, like(b.getI32Type()), arith::BitcastOp::create(b, like(b.getI16Type()), value));
    };
    Value lower = bits(low), upper = bits(high);
    return arith::OrIOp::create(b, lower, arith::ShLIOp::create(b, upper, constantLike(upper, 16)));
  }

  Value constantLike(Value value, int64_t number) {
    TypedAttr scalar = b.getI32IntegerAttr(static_cast<int32_t>(number));
    if (auto vector = dyn_cast<VectorType>(value.getType()))
      return arith::ConstantOp::create(b, DenseElementsAttr::get(vector, Attribute(scalar)));
    return arith::ConstantOp::create(b, scalar);
  }

  // sum + x.high * y.high + x.low * y.low, in the order of the instruction.
  Value addPairs(Value x, Value y, Value sum) {
    if (plan.dot == PairedDot::native) {
      auto halves = VectorType::get(2 * plan.lanes, b.getBF16Type());
      Value left = vector::BitCastOp::create(b, halves, x), right = vector::BitCastOp::create(b, halves, y);
      return LLVM::CallIntrinsicOp::create(b, vectorType, b.getStringAttr("llvm.x86.avx512bf16.dpbf16ps.512"), ValueRange{sum, left, right}).getResult(0);
    }
    auto high = [&](Value pairs) { return arith::BitcastOp::create(b, vectorType, arith::AndIOp::create(b, pairs, constantLike(pairs, 0xffff0000))); };
    auto low = [&](Value pairs) { return arith::BitcastOp::create(b, vectorType, arith::ShLIOp::create(b, pairs, constantLike(pairs, 16))); };
    return vector::FMAOp::create(b, low(x), low(y), vector::FMAOp::create(b, high(x), high(y), sum));
  }

  //===-- one block of y -------------------------------------------------------------------------------------------===//

  void emitBlock(Value rowPanel, Value columnPanel, Value length, Value first) {
    Value row = times(rowPanel, plan.rows), column = times(columnPanel, plan.columns);
    Value rowsLeft = sub(extents[product.m].length, row), columnsLeft = sub(extents[product.n].length, column);
    Value whole;
    auto require = [&](Value left, int64_t wanted) {
      Value enough = arith::CmpIOp::create(b, arith::CmpIPredicate::uge, left, index(wanted));
      whole = whole ? arith::AndIOp::create(b, whole, enough).getResult() : enough;
    };
    if (!rowsAreWhole)
      require(rowsLeft, plan.rows);
    if (!columnsAreWhole)
      require(columnsLeft, plan.columns);

    SmallVector<Type> types(plan.rows * vectors, vectorType);
    auto load = [&] {
      return either(types, whole, [&] { return loadBlock(row, column, Value(), Value()); }, [&] { return loadBlock(row, column, rowsLeft, columnsLeft); });
    };
    auto start = [&] {
      return SmallVector<Value>(types.size(), vector::BroadcastOp::create(b, vectorType, buffers.scalars().lookupOrDefault(*product.start)));
    };
    SmallVector<Value> sums;
    if (!product.start)
      sums = load();
    else if (!first)
      sums = start();
    else
      sums = either(types, first, start, load);
    auto depth = scf::ForOp::create(b, index(0), paired ? divideCeil(length, 2) : length, index(1), sums);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(depth.getBody());
      scf::YieldOp::create(b, emitOuterProduct(rowPanel, columnPanel, depth.getInductionVar(), depth.getRegionIterArgs()));
    }
    sums.assign(depth.getResults().begin(), depth.getResults().end());
    either({}, whole, [&] { return storeBlock(sums, row, column, Value(), Value()); }, [&] { return storeBlock(sums, row, column, rowsLeft, columnsLeft); });
  }

  // A branch, or only its first side where there is no condition.
  SmallVector<Value> either(TypeRange types, Value condition, function_ref<SmallVector<Value>()> yes, function_ref<SmallVector<Value>()> no) {
    if (!condition)
      return yes();
    auto branch = scf::IfOp::create(b, types, condition, /*withElseRegion=*/true);
    for (auto [region, side] : {std::pair(&branch.getThenRegion(), yes), std::pair(&branch.getElseRegion(), no)}) {
      OpBuilder::InsertionGuard guard(b);
      Block &block = region->front();
      block.clear();
      b.setInsertionPointToEnd(&block);
      SmallVector<Value> results = side();
      scf::YieldOp::create(b, results);
    }
    return SmallVector<Value>(branch.getResults());
  }

  SmallVector<Value> emitOuterProduct(Value rowPanel, Value columnPanel, Value k, ValueRange sums) {
    SmallVector<Value> results, row;
    for (int64_t v = 0; v < vectors; ++v)
      row.push_back(vector::LoadOp::create(b, packedVector, packedB.memref, ValueRange{columnPanel, k, index(v * plan.lanes)}));
    for (int64_t r = 0; r < plan.rows; ++r) {
      SmallVector<Value> position = {rowPanel, packedA.depthLast ? index(r) : k, packedA.depthLast ? k : index(r)};
      Value element = vector::BroadcastOp::create(b, packedVector, memref::LoadOp::create(b, packedA.memref, position));
      for (int64_t v = 0; v < vectors; ++v)
        results.push_back(paired ? addPairs(element, row[v], sums[r * vectors + v]) : vector::FMAOp::create(b, element, row[v], sums[r * vectors + v]).getResult());
    }
    return results;
  }

  SmallVector<Value> loadBlock(Value row, Value column, Value rowsLeft, Value columnsLeft) {
    SmallVector<Value> sums;
    for (int64_t r = 0; r < plan.rows; ++r)
      for (int64_t v = 0; v < vectors; ++v) {
        at(product.m, add(row, rowsLeft ? least(index(r), sub(rowsLeft, index(1))) : index(r)));
        at(product.n, add(column, index(v * plan.lanes)));
        sums.push_back(loadVector(y, columnsLeft ? maskBefore(index(v * plan.lanes), columnsLeft) : Value()));
      }
    return sums;
  }

  SmallVector<Value> storeBlock(ArrayRef<Value> sums, Value row, Value column, Value rowsLeft, Value columnsLeft) {
    for (int64_t r = 0; r < plan.rows; ++r) {
      OpBuilder::InsertionGuard guard(b);
      if (rowsLeft) {
        auto inside = scf::IfOp::create(b, arith::CmpIOp::create(b, arith::CmpIPredicate::ult, index(r), rowsLeft).getResult(), /*withElseRegion=*/false);
        b.setInsertionPointToStart(&inside.getThenRegion().front());
      }
      at(product.m, add(row, index(r)));
      for (int64_t v = 0; v < vectors; ++v) {
        at(product.n, add(column, index(v * plan.lanes)));
        Value sum = sums[r * vectors + v];
        if (columnsLeft)
          vector::MaskedStoreOp::create(b, y.memref, indices(y), maskBefore(index(v * plan.lanes), columnsLeft), sum);
        else
          vector::StoreOp::create(b, sum, y.memref, indices(y));
      }
    }
    return {};
  }

  ImplicitLocOpBuilder b;
  Contraction product;
  const ContractionPlan &plan;
  const KernelBuffers &buffers;
  GenericOp op;
  SmallVector<int64_t> sizes;
  bool paired;
  Type packedType;
  VectorType vectorType, packedVector;
  int64_t vectors, rowPanels, columnPanels;
  bool rowsAreWhole, columnsAreWhole;
  SmallVector<Extent> extents;
  llvm::BitVector cut;
  SmallVector<Value> global, local; // indices of the current point, by loop
  Operand a, bOperand, y;
  Packed packedA, packedB;
};
} // namespace

void mlir::raf::emitContraction(OpBuilder &builder, Contraction product, const ContractionPlan &plan, const TileSpace &space, ArrayRef<TileRange> ranges,
                                const KernelBuffers &buffers) {
  GenericOp op = product.op;
  if (std::optional<Value> initial = product.start ? std::nullopt : buffers.initialValue(op, 0))
    emitCopy(builder, op, cast<OpResult>(op.getResult(0)), space, ranges, buffers[*initial], buffers[op.getResult(0)]);
  Emitter(builder, product, plan, space, ranges, buffers).emit();
}
