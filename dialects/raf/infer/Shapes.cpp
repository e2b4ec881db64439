// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/infer/Shapes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::raf;

static std::string str(Ints values) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(values, os);
  return text;
}

// Attributes may hold any number, so sizes are computed with a check of overflow.
using MaybeSize = std::optional<int64_t>;
static MaybeSize add(MaybeSize a, MaybeSize b) { return a && b ? llvm::checkedAdd(*a, *b) : std::nullopt; }
static MaybeSize sub(MaybeSize a, MaybeSize b) { return a && b ? llvm::checkedSub(*a, *b) : std::nullopt; }
static std::string str(MaybeSize size) { return size ? std::to_string(*size) : "of more than 64 bits"; }

LogicalResult mlir::raf::checkDims(MaybeLoc loc, StringRef op, StringRef attribute, Ints dims, int64_t rank) {
  int64_t previous = -1;
  for (int64_t dim : dims) {
    if (dim <= previous || dim >= rank)
      return emitOptionalError(loc, "'raf.", op, "' op ", attribute, " must be increasing and in [0, ", rank, "), got [", str(dims), "]");
    previous = dim;
  }
  return success();
}

LogicalResult mlir::raf::checkAxis(MaybeLoc loc, StringRef op, int64_t axis, int64_t rank) {
  if (axis >= 0 && axis < rank)
    return success();
  return emitOptionalError(loc, "'raf.", op, "' op axis must be in [0, ", rank, "), got ", axis);
}

MaybeType mlir::raf::inferReduce(MaybeLoc loc, StringRef op, RankedTensorType x, Ints dims) {
  if (failed(checkDims(loc, op, "dims", dims, x.getRank())))
    return failure();
  SmallVector<int64_t> shape;
  for (auto [dim, size] : llvm::enumerate(x.getShape()))
    if (!llvm::is_contained(dims, static_cast<int64_t>(dim)))
      shape.push_back(size);
  return RankedTensorType::get(shape, x.getElementType());
}

MaybeType mlir::raf::inferTranspose(MaybeLoc loc, RankedTensorType x, Ints permutation) {
  SmallVector<bool> seen(x.getRank(), false);
  bool valid = static_cast<int64_t>(permutation.size()) == x.getRank();
  for (int64_t dim : permutation) {
    valid = valid && dim >= 0 && dim < x.getRank() && !seen[dim];
    if (!valid)
      break;
    seen[dim] = true;
  }
  if (!valid) {
    (void)emitOptionalError(loc, "'raf.transpose' op permutation must name each of the ", x.getRank(), " dimensions once, got [", str(permutation), "]");
    return failure();
  }
  SmallVector<int64_t> shape;
  for (int64_t dim : permutation)
    shape.push_back(x.getDimSize(dim));
  return RankedTensorType::get(shape, x.getElementType());
}

MaybeType mlir::raf::inferSlice(MaybeLoc loc, RankedTensorType x, Ints starts, Ints limits, Ints strides) {
  size_t rank = x.getRank();
  if (starts.size() != rank || limits.size() != rank || strides.size() != rank) {
    (void)emitOptionalError(loc, "'raf.slice' op starts, limits and strides must have ", rank, " elements each, got ", starts.size(), ", ", limits.size(), " and ",
                            strides.size());
    return failure();
  }
  SmallVector<int64_t> shape;
  for (size_t d = 0; d < rank; ++d) {
    int64_t size = x.getDimSize(d);
    if (starts[d] < 0 || limits[d] < starts[d] || limits[d] > size || strides[d] < 1) {
      (void)emitOptionalError(loc, "'raf.slice' op dimension ", d, " of size ", size, " needs 0 <= start <= limit <= size and stride >= 1, got start ", starts[d],
                              ", limit ", limits[d], ", stride ", strides[d]);
      return failure();
    }
    shape.push_back(limits[d] == starts[d] ? 0 : (limits[d] - starts[d] - 1) / strides[d] + 1);
  }
  return RankedTensorType::get(shape, x.getElementType());
}

MaybeType mlir::raf::inferPad(MaybeLoc loc, RankedTensorType x, Ints low, Ints high, Ints interior) {
  size_t rank = x.getRank();
  if (low.size() != rank || high.size() != rank || interior.size() != rank) {
    (void)emitOptionalError(loc, "'raf.pad' op low, high and interior must have ", rank, " elements each, got ", low.size(), ", ", high.size(), " and ",
                            interior.size());
    return failure();
  }
  SmallVector<int64_t> shape;
  for (size_t d = 0; d < rank; ++d) {
    int64_t size = x.getDimSize(d), inner = interior[d];
    MaybeSize padded = add(add(low[d], high[d]), llvm::checkedMulAdd(std::max<int64_t>(size - 1, 0), inner, size));
    if (inner < 0 || !padded || *padded < 0) {
      (void)emitOptionalError(loc, "'raf.pad' op dimension ", d, " of size ", size, " gets size ", str(padded), " from low ", low[d], ", high ", high[d], ", interior ",
                              inner, "; expected interior >= 0 and a size >= 0");
      return failure();
    }
    shape.push_back(*padded);
  }
  return RankedTensorType::get(shape, x.getElementType());
}

MaybeType mlir::raf::inferConcat(MaybeLoc loc, ArrayRef<RankedTensorType> inputs, int64_t axis) {
  if (inputs.empty()) {
    (void)emitOptionalError(loc, "'raf.concat' op needs at least one operand");
    return failure();
  }
  RankedTensorType first = inputs.front();
  if (failed(checkAxis(loc, "concat", axis, first.getRank())))
    return failure();
  SmallVector<int64_t> shape(first.getShape());
  for (auto [index, type] : llvm::enumerate(inputs.drop_front())) {
    bool same = type.getRank() == first.getRank() && type.getElementType() == first.getElementType();
    for (int64_t d = 0; same && d < first.getRank(); ++d)
      same = d == axis || type.getDimSize(d) == first.getDimSize(d);
    if (!same) {
      (void)emitOptionalError(loc, "'raf.concat' op operand ", index + 1, " must agree with operand 0 but for dimension ", axis, ", expected like ", first, ", got ",
                              type);
      return failure();
    }
    MaybeSize sum = llvm::checkedAdd(shape[axis], type.getDimSize(axis));
    if (!sum) {
      (void)emitOptionalError(loc, "'raf.concat' op dimension ", axis, " gets size ", str(sum));
      return failure();
    }
    shape[axis] = *sum;
  }
  return RankedTensorType::get(shape, first.getElementType());
}

bool mlir::raf::isProductType(Type inferred, Type actual) {
  if (inferred == actual)
    return true;
  auto from = cast<ShapedType>(inferred), to = cast<ShapedType>(actual);
  return from.getShape() == to.getShape() && to.getElementType().isF32() && (from.getElementType().isBF16() || from.getElementType().isF16());
}

MaybeType mlir::raf::inferMatmul(MaybeLoc loc, RankedTensorType lhs, RankedTensorType rhs, bool transposeLhs, bool transposeRhs) {
  int64_t rank = lhs.getRank();
  auto fail = [&](StringRef what) -> MaybeType {
    (void)emitOptionalError(loc, "'raf.matmul' op ", what, ", got ", lhs, transposeLhs ? " (transposed)" : "", " and ", rhs, transposeRhs ? " (transposed)" : "");
    return failure();
  };
  if (rank < 2 || rhs.getRank() != rank)
    return fail("operands must have one rank of at least 2");
  if (lhs.getElementType() != rhs.getElementType())
    return fail("operands must have one element type");
  if (lhs.getShape().drop_back(2) != rhs.getShape().drop_back(2))
    return fail("operands must have the same batch dimensions");
  int64_t m = lhs.getDimSize(rank - 2), k = lhs.getDimSize(rank - 1), kRhs = rhs.getDimSize(rank - 2), n = rhs.getDimSize(rank - 1);
  if (transposeLhs)
    std::swap(m, k);
  if (transposeRhs)
    std::swap(kRhs, n);
  if (k != kRhs)
    return fail("contracted dimensions must have the same size");
  SmallVector<int64_t> shape(lhs.getShape().drop_back(2));
  shape.append({m, n});
  return RankedTensorType::get(shape, lhs.getElementType());
}

FailureOr<SmallVector<int64_t>> mlir::raf::inferWindow(MaybeLoc loc, StringRef op, Ints spatial, const Window &window) {
  size_t rank = spatial.size();
  if (window.kernel.size() != rank || window.strides.size() != rank || window.padLow.size() != rank || window.padHigh.size() != rank ||
      window.dilations.size() != rank) {
    (void)emitOptionalError(loc, "'raf.", op, "' op kernel, strides, pad_low, pad_high and dilations must have one element for each of the ", rank,
                            " spatial dimensions");
    return failure();
  }
  SmallVector<int64_t> sizes;
  for (size_t d = 0; d < rank; ++d) {
    if (window.kernel[d] < 1 || window.strides[d] < 1 || window.dilations[d] < 1) {
      (void)emitOptionalError(loc, "'raf.", op, "' op kernel, strides and dilations must be positive, got ", window.kernel[d], ", ", window.strides[d], " and ",
                              window.dilations[d], " in spatial dimension ", d);
      return failure();
    }
    MaybeSize extent = llvm::checkedMulAdd(window.kernel[d] - 1, window.dilations[d], int64_t(1));
    MaybeSize padded = add(add(window.padLow[d], window.padHigh[d]), spatial[d]);
    MaybeSize room = sub(padded, extent);
    if (!room || *room < 0) {
      (void)emitOptionalError(loc, "'raf.", op, "' op window of extent ", str(extent), " does not fit in padded spatial dimension ", d, " of size ", str(padded));
      return failure();
    }
    sizes.push_back(*room / window.strides[d] + 1);
  }
  return sizes;
}

MaybeType mlir::raf::inferConv(MaybeLoc loc, StringRef op, RankedTensorType x, RankedTensorType w, Ints strides, Ints padLow, Ints padHigh, Ints dilations,
                               int64_t groups, Layout layout) {
  int64_t rank = x.getRank();
  if (rank < 3 || rank > 5 || w.getRank() != rank || x.getElementType() != w.getElementType()) {
    (void)emitOptionalError(loc, "'raf.", op, "' op input and weights must have one rank from 3 to 5 and one element type, got ", x, " and ", w);
    return failure();
  }
  LayoutDims dims(layout, rank);
  int64_t in = x.getDimSize(dims.feature), out = w.getDimSize(0);
  if (llvm::checkedMul(w.getDimSize(1), groups) != MaybeSize(in) || out % groups != 0) {
    (void)emitOptionalError(loc, "'raf.", op, "' op with ", groups, " groups needs ", str(llvm::checkedMul(w.getDimSize(1), groups)), " input channels and a multiple of ", groups,
                            " output channels, got ", in, " and ", out);
    return failure();
  }
  auto sizes = inferWindow(loc, op, x.getShape().slice(dims.firstSpatial, dims.spatialRank), {w.getShape().drop_front(2), strides, padLow, padHigh, dilations});
  if (failed(sizes))
    return failure();
  SmallVector<int64_t> shape(rank);
  shape[dims.batch] = x.getDimSize(dims.batch);
  shape[dims.feature] = out;
  llvm::copy(*sizes, shape.begin() + dims.firstSpatial);
  return RankedTensorType::get(shape, x.getElementType());
}

MaybeType mlir::raf::inferPool(MaybeLoc loc, StringRef op, RankedTensorType x, const Window &window, Layout layout) {
  int64_t rank = x.getRank();
  if (rank < 3 || rank > 5) {
    (void)emitOptionalError(loc, "'raf.", op, "' op operand must have rank 3 to 5, got ", x);
    return failure();
  }
  LayoutDims dims(layout, rank);
  auto sizes = inferWindow(loc, op, x.getShape().slice(dims.firstSpatial, dims.spatialRank), window);
  if (failed(sizes))
    return failure();
  for (auto [low, high, kernel, dilation] : llvm::zip(window.padLow, window.padHigh, window.kernel, window.dilations))
    if (low < 0 || high < 0 || low > (kernel - 1) * dilation || high > (kernel - 1) * dilation) {
      (void)emitOptionalError(loc, "'raf.", op, "' op padding must be in [0, ", (kernel - 1) * dilation, "] so that each window meets an element, got ", low, " and ",
                              high);
      return failure();
    }
  SmallVector<int64_t> shape(x.getShape());
  llvm::copy(*sizes, shape.begin() + dims.firstSpatial);
  return RankedTensorType::get(shape, x.getElementType());
}

MaybeType mlir::raf::inferGather(MaybeLoc loc, StringRef op, RankedTensorType x, RankedTensorType indices, int64_t axis) {
  if (failed(checkAxis(loc, op, axis, x.getRank())))
    return failure();
  SmallVector<int64_t> shape(x.getShape().take_front(axis));
  llvm::append_range(shape, indices.getShape());
  llvm::append_range(shape, x.getShape().drop_front(axis + 1));
  return RankedTensorType::get(shape, x.getElementType());
}

MaybeType mlir::raf::inferTakeAlongAxis(MaybeLoc loc, StringRef op, RankedTensorType x, RankedTensorType indices, int64_t axis) {
  if (failed(checkAxis(loc, op, axis, x.getRank())))
    return failure();
  bool same = indices.getRank() == x.getRank();
  for (int64_t d = 0; same && d < x.getRank(); ++d)
    same = d == axis || indices.getDimSize(d) == x.getDimSize(d);
  if (!same) {
    (void)emitOptionalError(loc, "'raf.", op, "' op indices must have the shape of the operand but for dimension ", axis, ", got ", indices, " and ", x);
    return failure();
  }
  return RankedTensorType::get(indices.getShape(), x.getElementType());
}
