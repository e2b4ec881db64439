// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the attributes of StableHLO ops. Those of the stablehlo dialect itself are opaque text to MLIR, as the dialect is not registered.
#ifndef RAF_PASSES_IMPORT_STABLEHLO_ATTRIBUTES_H
#define RAF_PASSES_IMPORT_STABLEHLO_ATTRIBUTES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::raf::stablehlo {

using IntList = SmallVector<int64_t>;

/// An integer attribute; without a default a missing one is an error.
FailureOr<int64_t> readInt(Operation &op, StringRef name, std::optional<int64_t> missing = std::nullopt);
/// A list of integers or booleans. A missing one is `size` times the default, if there is a default. `size` -1 is any length.
FailureOr<IntList> readInts(Operation &op, StringRef name, int64_t size, std::optional<int64_t> missing = std::nullopt);
/// Padding as low and high of each dimension: a tensor of shape rank x 2, zero when missing.
struct Padding {
  IntList low, high;
};
FailureOr<Padding> readPadding(Operation &op, int64_t rank);
/// The value of an enumeration such as #stablehlo<comparison_direction LT>; empty when missing.
StringRef readEnum(Operation &op, StringRef name);
/// A symbol.
StringRef readSymbol(Operation &op, StringRef name);

/// The fields of a structured attribute such as #stablehlo.gather<offset_dims = [1], index_vector_dim = 2>. A field that is not written is empty, or 0.
class Fields {
public:
  static FailureOr<Fields> read(Operation &op, StringRef name);
  IntList list(StringRef field) const { return lists.lookup(field); }
  int64_t integer(StringRef field) const { return integers.lookup(field); }

private:
  llvm::StringMap<IntList> lists;
  llvm::StringMap<int64_t> integers;
};

/// Where a convolution has its dimensions: #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>.
struct ConvDims {
  int64_t inputBatch, inputFeature, kernelInput, kernelOutput, outputBatch, outputFeature;
  IntList inputSpatial, kernelSpatial, outputSpatial;

  static FailureOr<ConvDims> read(Operation &op, StringRef name);
};

/// Checks that dims are different and in [0, rank); with `increasing` also their order.
LogicalResult checkDimensions(Operation &op, StringRef name, ArrayRef<int64_t> dims, int64_t rank, bool increasing = false);

} // namespace mlir::raf::stablehlo

#endif // RAF_PASSES_IMPORT_STABLEHLO_ATTRIBUTES_H
