// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/codegen-cpu/Contraction.h"
#include "passes/codegen-cpu/Blocks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "runtime/include/raf_runtime.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include <unistd.h>

using namespace mlir;
using namespace mlir::raf;
using linalg::GenericOp;

static int64_t cacheBytes(int name, int64_t otherwise) {
  long bytes = name < 0 ? 0 : sysconf(name);
  return bytes > 0 ? bytes : otherwise;
}

CpuModel CpuModel::host(CpuModel given) {
#ifdef _SC_LEVEL1_DCACHE_SIZE
  constexpr int kL1 = _SC_LEVEL1_DCACHE_SIZE, kL2 = _SC_LEVEL2_CACHE_SIZE;
#else
  constexpr int kL1 = -1, kL2 = -1;
#endif
  CpuModel cpu = given;
  if (!cpu.vectorBits) {
    llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
    cpu.vectorBits = features.lookup("avx512f") ? 512 : features.lookup("avx2") && features.lookup("fma") ? 256 : 128;
  }
  if (!cpu.registers)
    cpu.registers = cpu.vectorBits == 512 || llvm::Triple(llvm::sys::getProcessTriple()).isAArch64() ? 32 : 16;
  if (!cpu.l1Bytes)
    cpu.l1Bytes = cacheBytes(kL1, 32 << 10);
  if (!cpu.l2Bytes)
    cpu.l2Bytes = cacheBytes(kL2, 512 << 10);
  // Of eight second caches: what is read soon after finds more of it in the caches than is lost by fetching lines that are overwritten.
  if (!llvm::Triple(llvm::sys::getProcessTriple()).isX86())
    cpu.streamBytes = INT64_MAX; // the fence is one of x86
  else if (!cpu.streamBytes)
    cpu.streamBytes = 8 * cpu.l2Bytes;
  if (!cpu.threads)
    cpu.threads = std::max<int64_t>(1, raf_rt_get_num_threads());
  return cpu;
}

bool CpuModel::hostHasPairedDot() {
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  return features.lookup("avx512bf16") && features.lookup("avx512bw");
}

bool CpuModel::hostHasTiles() { return llvm::sys::getHostCPUFeatures().lookup("amx-bf16"); }

//===-- match ----------------------------------------------------------------------------------------------------===//

static int64_t coefficient(AffineExpr expr, int64_t loop) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dim.getPosition() == loop;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return 0;
  if (expr.getKind() == AffineExprKind::Add)
    return coefficient(binary.getLHS(), loop) + coefficient(binary.getRHS(), loop);
  auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  return factor ? factor.getValue() * coefficient(binary.getLHS(), loop) : 0;
}

bool mlir::raf::isContiguous(AffineMap map, int64_t loop) {
  return map.getNumResults() > 0 && isSliceable(map.getResults().back()) && coefficient(map.getResults().back(), loop) == 1 &&
         llvm::none_of(map.getResults().drop_back(), [&](AffineExpr expr) { return expr.isFunctionOfDim(loop); });
}

// The input, of the two, that a factor of the product is, perhaps extended.
static BlockArgument factorOf(Value value, Block *body) {
  if (auto extension = value.getDefiningOp<arith::ExtFOp>())
    value = extension.getIn();
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && argument.getOwner() == body ? argument : BlockArgument();
}

// y + a * b and nothing else: the numbers of a and b.
static std::optional<std::pair<unsigned, unsigned>> matchBody(GenericOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1)
    return std::nullopt;
  Block *body = op.getBody();
  auto sum = body->getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  if (!sum)
    return std::nullopt;
  BlockArgument y = body->getArgument(2);
  Value product = sum.getLhs() == y ? sum.getRhs() : sum.getRhs() == y ? sum.getLhs() : Value();
  auto times = product ? product.getDefiningOp<arith::MulFOp>() : nullptr;
  if (!times)
    return std::nullopt;
  BlockArgument a = factorOf(times.getLhs(), body), b = factorOf(times.getRhs(), body);
  if (!a || !b || a == b || a == y || b == y)
    return std::nullopt;
  return std::pair(a.getArgNumber(), b.getArgNumber());
}

// The scalar that a fill of the space, which only this op reads, writes.
static std::optional<Value> startOf(GenericOp op, const TileSpace &space) {
  auto fill = op.getDpsInits()[0].getDefiningOp<GenericOp>();
  if (!fill || !fill->hasOneUse() || !space.loops.contains(cast<linalg::LinalgOp>(fill.getOperation())) || fill.getBody()->getOperations().size() != 1)
    return std::nullopt;
  Value value = fill.getBody()->getTerminator()->getOperand(0);
  if (auto argument = dyn_cast<BlockArgument>(value); argument && argument.getOwner() == fill.getBody())
    value = argument.getArgNumber() < fill.getNumDpsInputs() ? fill.getDpsInputs()[argument.getArgNumber()] : Value();
  if (!value || isa<ShapedType>(value.getType()))
    return std::nullopt;
  return value;
}

std::optional<Contraction> mlir::raf::matchContraction(GenericOp op, const TileSpace &space) {
  auto factors = matchBody(op);
  auto type = dyn_cast<FloatType>(getElementTypeOrSelf(op.getResult(0).getType()));
  if (!factors || !type || !(type.isF32() || type.isF64()))
    return std::nullopt;
  // Values that the same tile makes are of the size of a tile: loops of their own read them.
  if (llvm::any_of(op.getDpsInputs(), [](Value input) { return !isa<BlockArgument>(input); }))
    return std::nullopt;
  AffineMap y = op.getIndexingMapMatchingResult(cast<OpResult>(op.getResult(0)));
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (!y.isProjectedPermutation() || y.getNumResults() == 0)
    return std::nullopt;
  for (unsigned input : {0u, 1u})
    if (!llvm::all_of(maps[input].getResults(), isSliceable) || isa<IndexType>(getElementTypeOrSelf(op.getDpsInputs()[input].getType())))
      return std::nullopt;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  Contraction product;
  product.op = op;
  product.accumulator = type;
  product.n = y.getDimPosition(y.getNumResults() - 1);
  std::tie(product.lhs, product.rhs) = *factors;
  if (maps[product.lhs].isFunctionOfDim(product.n))
    std::swap(product.lhs, product.rhs);
  AffineMap a = maps[product.lhs], b = maps[product.rhs];
  if (a.isFunctionOfDim(product.n) || !b.isFunctionOfDim(product.n))
    return std::nullopt;
  product.m = product.k = -1;
  for (int64_t loop = 0, end = sizes.size(); loop < end; ++loop) {
    bool inA = a.isFunctionOfDim(loop), inB = b.isFunctionOfDim(loop);
    if (iterators[loop] == utils::IteratorType::parallel && inA && !inB && (product.m < 0 || sizes[loop] >= sizes[product.m]))
      product.m = loop;
    if (iterators[loop] == utils::IteratorType::reduction && inA && inB && (product.k < 0 || sizes[loop] >= sizes[product.k]))
      product.k = loop;
  }
  if (product.m < 0 || product.k < 0)
    return std::nullopt;
  // With fewer rows a packed value is used too rarely to be worth the copy.
  constexpr int64_t kMinRows = 4, kMinColumns = 4, kMinDepth = 4;
  if (sizes[product.m] < kMinRows || sizes[product.n] < kMinColumns || sizes[product.k] < kMinDepth)
    return std::nullopt;
  product.start = startOf(op, space);
  return product;
}

//===-- plan -----------------------------------------------------------------------------------------------------===//

// Rows of a block of y of so many vectors: as many as registers allow, so that a row of b is read rarely, or somewhat fewer where that leaves less of the last block unused. The registers hold
// the sums, one row of b and two elements of a.
static int64_t rowsOfBlock(int64_t m, int64_t vectors, const CpuModel &cpu) {
  int64_t most = std::min((cpu.registers - vectors - 2) / vectors, m), best = most;
  auto cost = [&](int64_t rows) { return static_cast<double>(llvm::alignTo(m, rows)) * (1 + 0.25 / static_cast<double>(rows)); };
  for (int64_t rows = most - 1; rows > 0; --rows)
    if (cost(rows) < cost(best))
      best = rows;
  return best;
}

// Vectors of a block of y that is not told otherwise.
static int64_t vectorsOfBlock(int64_t n, int64_t lanes) { return std::min<int64_t>(2, llvm::divideCeil(n, lanes)); }

double mlir::raf::fillOfBlocks(int64_t m, int64_t n, int64_t bytes, const CpuModel &cpu) {
  int64_t lanes = cpu.vectorBits / 8 / bytes, vectors = vectorsOfBlock(n, lanes);
  return static_cast<double>(llvm::alignTo(m, rowsOfBlock(m, vectors, cpu)) * llvm::alignTo(n, lanes)) / static_cast<double>(m * n);
}

ContractionPlan mlir::raf::planContraction(Contraction product, const CpuModel &cpu) {
  GenericOp op = product.op;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  int64_t m = sizes[product.m], n = sizes[product.n], k = sizes[product.k];
  int64_t bytes = product.accumulator.getWidth() / 8;
  ContractionPlan plan;
  plan.lanes = cpu.vectorBits / 8 / bytes;
  bool pairs = cpu.vectorBits == 512 && product.accumulator.isF32() &&
               llvm::all_of(op.getDpsInputs(), [](Value input) { return getElementTypeOrSelf(input.getType()).isBF16(); });
  plan.dot = pairs ? cpu.pairedDot : PairedDot::none;
  int64_t together = plan.dot == PairedDot::none ? 1 : 2, packedBytes = bytes / together;
  auto named = op->getAttrOfType<StringAttr>(kBlocksAttr);
  StringRef blocks = named ? named.getValue() : cpu.blocks;
  // Where both operands lie along the depth, the packing of b, which transposes it, is done in longer pieces, and wide rows of sums read what it writes less often: 0.92 of
  // oneDNN's speed at 1024^3 with four vectors, 0.85 with two. Where a lies along its rows, the few rows that are left would be packed badly.
  auto alongDepth = [&](unsigned input) { return isContiguous(op.getMatchingIndexingMap(op.getDpsInputOperand(input)), product.k); };
  bool wide = cpu.registers >= 32 && alongDepth(product.lhs) && alongDepth(product.rhs) && llvm::alignTo(n, 4 * plan.lanes) == llvm::alignTo(n, 2 * plan.lanes);
  int64_t vectors = blocks == "narrow" ? 1 : blocks == "wide" || wide ? std::min<int64_t>(4, llvm::divideCeil(n, plan.lanes)) : vectorsOfBlock(n, plan.lanes);
  plan.columns = vectors * plan.lanes;
  plan.rows = rowsOfBlock(m, vectors, cpu);
  // The packed parts stay in the second cache, with room for what passes through.
  constexpr int64_t kMostStack = 2 << 20, kWideTile = 768; // rows and columns of a tile whose packing costs little
  int64_t room = std::min(cpu.l2Bytes, kMostStack), packedRoom = room * 4 / 5;
  // Sums go to y and come back once for each part of the depth, which costs more than panels of b that do not stay in the first cache while the rows of a go past them.
  int64_t unit = plan.lanes * together, panel = cpu.l1Bytes * 2 / 3 / (plan.columns * packedBytes);
  int64_t deepest = std::min(2 * panel, std::max(panel, packedRoom / (kWideTile * packedBytes))) * (blocks == "deep" ? 2 : 1);
  deepest = std::max<int64_t>(unit, deepest / unit * unit);
  plan.depth = std::min<int64_t>(k, llvm::alignTo(llvm::divideCeil(k, llvm::divideCeil(k, deepest)), unit));
  int64_t others = 1;
  for (auto [loop, size] : llvm::enumerate(sizes))
    if (static_cast<int64_t>(loop) != product.m && static_cast<int64_t>(loop) != product.n && op.getIteratorTypesArray()[loop] == utils::IteratorType::parallel)
      others *= size;
  // The tile of y may be a value of the kernel, on the stack as the packed parts are. Of the tiles that fit, enough for threads to share the work evenly, those that take the
  // least time: each thread packs and multiplies its share of them.
  constexpr int64_t kLeastTile = 64, kTilesPerThread = 4, kPacking = 16; // multiplications that packing an element costs
  int64_t rowPanels = llvm::divideCeil(m, plan.rows), columnPanels = llvm::divideCeil(n, plan.columns), best = INT64_MAX;
  plan.tileRows = plan.rows;
  plan.tileColumns = plan.columns;
  auto fits = [&](int64_t rows, int64_t columns) {
    return (rows + columns) * plan.depth * packedBytes <= packedRoom && rows * columns * bytes <= room / 2;
  };
  for (int64_t high = 1; high <= rowPanels && fits(high * plan.rows, plan.columns); ++high)
    for (int64_t wide = 1; wide <= columnPanels && fits(high * plan.rows, wide * plan.columns); ++wide) {
      int64_t rows = high * plan.rows, columns = wide * plan.columns;
      int64_t tiles = others * llvm::divideCeil(rowPanels, high) * llvm::divideCeil(columnPanels, wide);
      bool shared = cpu.threads == 1 || tiles >= kTilesPerThread * cpu.threads;
      if (!shared && std::max(rows, columns) > kLeastTile)
        continue;
      // A product of few small tiles is no work to share.
      int64_t time = llvm::divideCeil(tiles, shared ? cpu.threads : 1) * (rows * columns + kPacking * (rows + columns));
      if (time < best) {
        best = time;
        plan.tileRows = rows;
        plan.tileColumns = columns;
      }
    }
  return plan;
}

TilePlan mlir::raf::planTiles(const TileSpace &space, Contraction product, const ContractionPlan &plan, const CpuModel &cpu) {
  TilePlan tiles;
  ArrayRef<int64_t> loops = space.loops.find(cast<linalg::LinalgOp>(product.op.getOperation()))->second;
  auto add = [&](int64_t t, int64_t step) {
    if (space.sizes[t] <= step)
      return;
    tiles.dims.push_back({t, space.sizes[t], step});
    tiles.tiles *= tiles.dims.back().count();
  };
  for (int64_t t = 0; t < space.rank(); ++t)
    if (loops[t] != product.m && loops[t] != product.n)
      add(t, 1);
  for (int64_t loop : {product.m, product.n})
    for (int64_t t = 0; t < space.rank(); ++t)
      if (loops[t] == loop)
        add(t, loop == product.m ? plan.tileRows : plan.tileColumns);
  constexpr int64_t kThreadWork = 1 << 18; // multiplications that outweigh waking a thread
  tiles.grain = std::max<int64_t>(1, kThreadWork / std::max<int64_t>(1, space.work() / tiles.tiles));
  return tiles;
}
