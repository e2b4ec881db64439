// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/import-stablehlo/Jacobi.h"
#include "passes/import-stablehlo/Elementwise.h"
#include "passes/import-stablehlo/LinearAlgebra.h"
#include "passes/import-stablehlo/Shape.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::stablehlo;

// Convergence is quadratic; f64 needs about seven sweeps at order 100.
static constexpr int64_t kSweeps = 12;

Parts Jacobi::upper(Parts x, int64_t dim) const {
  return mapParts(x, [&](Value part) { return sliceDim(b, part, dim, 0, half); });
}
Parts Jacobi::lower(Parts x, int64_t dim) const {
  return mapParts(x, [&](Value part) { return sliceDim(b, part, dim, half, order); });
}

std::pair<Value, Value> Jacobi::rotation(Value p, Value q, Value off) const {
  Value isDone = b.compare(CompareKind::eq, off, 0.0), divisor = b.select(isDone, b.splatLike(off, 1.0), b.mul(off, 2.0));
  Value ratio = b.div(b.sub(q, p), divisor), size = b.abs(ratio);
  Value tangent = b.div(1.0, b.add(size, b.sqrt(b.add(b.square(size), 1.0))));
  tangent = b.select(b.compare(CompareKind::lt, ratio, 0.0), b.neg(tangent), tangent);
  tangent = b.select(isDone, b.splatLike(tangent, 0.0), tangent);
  Value cosine = b.div(1.0, b.sqrt(b.add(b.square(tangent), 1.0)));
  return {cosine, b.mul(cosine, tangent)};
}

std::pair<Value, Parts> Jacobi::turn(Parts off) const {
  if (!off.imag)
    return {off.real, {}};
  // Scaled by the larger part, for squares of small numbers vanish.
  Value scale = b.maximum(b.abs(off.real), b.abs(off.imag)), isDone = b.compare(CompareKind::eq, scale, 0.0);
  Value divisor = b.select(isDone, b.splatLike(scale, 1.0), scale);
  Parts scaled = mapParts(off, [&](Value part) { return b.div(part, divisor); });
  Value size = b.sqrt(b.select(isDone, b.splatLike(scale, 1.0), squareMagnitude(b, scaled)));
  Value real = b.select(isDone, b.splatLike(scale, 1.0), b.div(scaled.real, size));
  return {b.mul(size, scale), {real, b.neg(b.div(scaled.imag, size))}};
}

Parts Jacobi::scaleLower(Parts x, int64_t dim, Parts factor) const {
  if (!factor)
    return x;
  Parts top = upper(x, dim), bottom = lower(x, dim);
  bottom = multiplyParts(b, mapParts(factor, [&](Value part) { return b.broadcast(part, bottom.real.getType(), {0, dim}); }), bottom);
  return {concatenate(b, {top.real, bottom.real}, dim), concatenate(b, {top.imag, bottom.imag}, dim)};
}

Parts Jacobi::rotate(Parts x, int64_t dim, Value cosine, Value sine) const {
  return mapParts(x, [&](Value part) -> Value {
    Value top = sliceDim(b, part, dim, 0, half), bottom = sliceDim(b, part, dim, half, order);
    auto scale = [&](Value factor, Value side) { return b.mul(b.broadcast(factor, side.getType(), {0, dim}), side); };
    Value first = b.sub(scale(cosine, top), scale(sine, bottom)), second = b.add(scale(sine, top), scale(cosine, bottom));
    if (half == 1)
      return concatenate(b, {first, second}, dim);
    SmallVector<Value> moved = {sliceDim(b, first, dim, 0, 1), sliceDim(b, second, dim, 0, 1)};
    if (half > 2)
      moved.push_back(sliceDim(b, first, dim, 1, half - 1));
    moved.append({sliceDim(b, second, dim, 1, half), sliceDim(b, first, dim, half - 1, half)});
    return concatenate(b, moved, dim);
  });
}

SmallVector<Parts> Jacobi::sweep(SmallVector<Parts> carried, llvm::function_ref<SmallVector<Parts>(ArrayRef<Parts>)> round) const {
  OpBuilder &builder = b.getBuilder();
  auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, b.getLoc(), value); };
  auto restore = [&](auto values) {
    SmallVector<Parts> all;
    unsigned next = 0;
    for (Parts parts : carried) {
      all.push_back({values[next], {}});
      if (parts.imag)
        all.back().imag = values[next + 1];
      next += parts.imag ? 2 : 1;
    }
    return all;
  };
  auto loop = b.create<scf::ForOp>(constant(0), constant(kSweeps * (order - 1)), constant(1), flattenParts(carried));
  {
    OpBuilder::InsertionGuard guard(builder);
    if (!loop.getBody()->empty())
      loop.getBody()->getTerminator()->erase();
    builder.setInsertionPointToStart(loop.getBody());
    scf::YieldOp::create(builder, b.getLoc(), flattenParts(round(restore(loop.getRegionIterArgs()))));
  }
  return restore(loop.getResults());
}
