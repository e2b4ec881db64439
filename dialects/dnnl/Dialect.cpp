// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/dnnl/Encode.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::dnnl;

#include "dialects/dnnl/Dialect.cpp.inc"
#include "dialects/dnnl/Enums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/dnnl/Attrs.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/dnnl/Ops.cpp.inc"

void DnnlDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/dnnl/Attrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/dnnl/Ops.cpp.inc"
      >();
}

LogicalResult ViewAttr::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> dims, ArrayRef<int64_t> strides, int64_t offset) {
  if (dims.size() != strides.size())
    return emitError() << "view must have as many strides as dimensions, got " << strides.size() << " and " << dims.size();
  for (auto [dim, stride] : llvm::zip(dims, strides))
    if (dim < 1 || stride < 1)
      return emitError() << "view must have positive dimensions and strides, got " << dim << " and " << stride;
  if (offset < 0)
    return emitError() << "view must have an offset of at least 0, got " << offset;
  return success();
}

int64_t ViewAttr::getExtent() const {
  int64_t last = getOffset();
  for (auto [dim, stride] : llvm::zip(getDims(), getStrides()))
    last += (dim - 1) * stride;
  return last + 1;
}

LogicalResult BlockedAttr::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> dims, ArrayRef<int64_t> strides, ArrayRef<int64_t> blocks,
                                  ArrayRef<int64_t> blockDims) {
  if (dims.size() != strides.size() || blocks.size() != blockDims.size())
    return emitError() << "blocked layout must have a stride for each dimension and a dimension for each block, got " << dims.size() << " dimensions, " << strides.size()
                       << " strides, " << blocks.size() << " blocks of " << blockDims.size() << " dimensions";
  if (blocks.empty())
    return emitError() << "blocked layout must have blocks";
  for (ArrayRef<int64_t> values : {dims, strides, blocks})
    if (llvm::any_of(values, [](int64_t value) { return value < 1; }))
      return emitError() << "blocked layout must have positive dimensions, strides and blocks, got [" << values << "]";
  for (int64_t dim : blockDims)
    if (dim < 0 || dim >= static_cast<int64_t>(dims.size()))
      return emitError() << "blocked layout cuts dimension " << dim << " of " << dims.size();
  return success();
}

int64_t BlockedAttr::getExtent() const {
  SmallVector<int64_t> whole(getDims());
  int64_t block = 1;
  for (auto [size, dim] : llvm::zip(getBlocks(), getBlockDims())) {
    whole[dim] = llvm::divideCeil(whole[dim], size);
    block *= size;
  }
  int64_t last = 0;
  for (auto [count, stride] : llvm::zip(whole, getStrides()))
    last += (count - 1) * stride;
  return last + block;
}
