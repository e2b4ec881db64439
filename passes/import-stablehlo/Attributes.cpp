// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/import-stablehlo/Attributes.h"
#include "passes/import-stablehlo/Scanner.h"

using namespace mlir;
using namespace mlir::raf::stablehlo;

FailureOr<int64_t> mlir::raf::stablehlo::readInt(Operation &op, StringRef name, std::optional<int64_t> missing) {
  Attribute attribute = op.getAttr(name);
  if (!attribute && missing)
    return *missing;
  auto integer = dyn_cast_or_null<IntegerAttr>(attribute);
  if (!integer || integer.getValue().getBitWidth() > 64)
    return op.emitOpError() << "needs an integer attribute '" << name << "', got " << attribute, failure();
  return integer.getType().isUnsignedInteger() ? static_cast<int64_t>(integer.getValue().getZExtValue()) : integer.getValue().getSExtValue();
}

FailureOr<IntList> mlir::raf::stablehlo::readInts(Operation &op, StringRef name, int64_t size, std::optional<int64_t> missing) {
  Attribute attribute = op.getAttr(name);
  IntList list;
  bool valid = true;
  if (!attribute && missing)
    list.assign(std::max<int64_t>(size, 0), *missing);
  else if (auto array = dyn_cast_or_null<DenseI64ArrayAttr>(attribute))
    list.assign(array.asArrayRef().begin(), array.asArrayRef().end());
  else if (auto array = dyn_cast_or_null<DenseBoolArrayAttr>(attribute))
    list.assign(array.asArrayRef().begin(), array.asArrayRef().end());
  else if (auto elements = dyn_cast_or_null<DenseIntElementsAttr>(attribute); elements && elements.getNumElements() < 4096)
    for (APInt value : elements.getValues<APInt>())
      list.push_back(value.getBitWidth() == 1 ? value.getZExtValue() : value.getSExtValue());
  else
    valid = false;
  if (valid && (size < 0 || static_cast<int64_t>(list.size()) == size))
    return list;
  auto diagnostic = op.emitOpError() << "needs a list attribute '" << name << "'";
  if (size >= 0)
    diagnostic << " of " << size << " elements";
  return diagnostic << ", got " << attribute, failure();
}

FailureOr<Padding> mlir::raf::stablehlo::readPadding(Operation &op, int64_t rank) {
  Padding padding{IntList(rank, 0), IntList(rank, 0)};
  Attribute attribute = op.getAttr("padding");
  if (!attribute)
    return padding;
  auto elements = dyn_cast<DenseIntElementsAttr>(attribute);
  if (!elements || elements.getType().getShape() != ArrayRef<int64_t>{rank, 2})
    return op.emitOpError() << "needs an attribute 'padding' of shape " << rank << "x2, got " << attribute, failure();
  for (auto [index, value] : llvm::enumerate(elements.getValues<APInt>()))
    (index % 2 ? padding.high : padding.low)[index / 2] = value.getSExtValue();
  return padding;
}

// The text of #stablehlo<comparison_direction LT> is "comparison_direction LT".
StringRef mlir::raf::stablehlo::readEnum(Operation &op, StringRef name) {
  Attribute attribute = op.getAttr(name);
  if (auto text = dyn_cast_or_null<StringAttr>(attribute))
    return text.getValue();
  auto opaque = dyn_cast_or_null<OpaqueAttr>(attribute);
  if (!opaque)
    return {};
  StringRef text = opaque.getAttrData().trim();
  text.consume_back(">");
  return text.drop_front(std::min(text.size(), text.find_last_of(" <") + 1));
}

StringRef mlir::raf::stablehlo::readSymbol(Operation &op, StringRef name) {
  auto symbol = dyn_cast_or_null<FlatSymbolRefAttr>(op.getAttr(name));
  return symbol ? symbol.getValue() : StringRef();
}

//===-- structured attributes ------------------------------------------------------------------------------------===//

FailureOr<Fields> Fields::read(Operation &op, StringRef name) {
  auto opaque = dyn_cast_or_null<OpaqueAttr>(op.getAttr(name));
  auto fail = [&]() -> FailureOr<Fields> {
    return op.emitOpError() << "needs a structured attribute '" << name << "' with fields that are integers or lists of integers, got " << op.getAttr(name), failure();
  };
  if (!opaque)
    return fail();
  Scanner scanner{opaque.getAttrData()};
  Fields fields;
  scanner.word();
  if (!scanner.consume("<"))
    return fail();
  while (!scanner.consume(">")) {
    StringRef field = scanner.word();
    if (field.empty() || !scanner.consume("="))
      return fail();
    if (scanner.consume("[")) {
      auto list = scanner.ints();
      if (!list)
        return fail();
      fields.lists[field] = *list;
    } else if (std::optional<int64_t> value = scanner.integer()) {
      fields.integers[field] = *value;
    } else {
      return fail();
    }
    if (!scanner.consume(",") && !scanner.next(">"))
      return fail();
  }
  return fields;
}

// One side of dimension_numbers: [b, 0, 1, f] gives the positions of the two letters and of the spatial dimensions.
static bool readSide(Scanner &scanner, StringRef first, StringRef second, int64_t &firstPosition, int64_t &secondPosition, IntList &spatial) {
  SmallVector<std::pair<int64_t, int64_t>> numbered;
  firstPosition = secondPosition = -1;
  if (!scanner.consume("["))
    return false;
  for (int64_t position = 0; !scanner.consume("]"); ++position) {
    StringRef word = scanner.word();
    int64_t number;
    if (word == first && firstPosition < 0)
      firstPosition = position;
    else if (word == second && secondPosition < 0)
      secondPosition = position;
    else if (!word.getAsInteger(10, number))
      numbered.push_back({number, position});
    else
      return false;
    if (!scanner.consume(",") && !scanner.next("]"))
      return false;
  }
  llvm::sort(numbered);
  for (auto [index, entry] : llvm::enumerate(numbered)) {
    if (entry.first != static_cast<int64_t>(index))
      return false;
    spatial.push_back(entry.second);
  }
  return firstPosition >= 0 && secondPosition >= 0;
}

FailureOr<ConvDims> ConvDims::read(Operation &op, StringRef name) {
  ConvDims dims;
  auto opaque = dyn_cast_or_null<OpaqueAttr>(op.getAttr(name));
  Scanner scanner{opaque ? opaque.getAttrData() : StringRef()};
  bool valid = scanner.word() == "conv" && scanner.consume("<") && readSide(scanner, "b", "f", dims.inputBatch, dims.inputFeature, dims.inputSpatial) &&
               scanner.consume("x") && readSide(scanner, "i", "o", dims.kernelInput, dims.kernelOutput, dims.kernelSpatial) && scanner.consume("->") &&
               readSide(scanner, "b", "f", dims.outputBatch, dims.outputFeature, dims.outputSpatial) && scanner.consume(">");
  if (valid && dims.inputSpatial.size() == dims.kernelSpatial.size() && dims.inputSpatial.size() == dims.outputSpatial.size())
    return dims;
  return op.emitOpError() << "needs an attribute '" << name << "' like #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, got " << op.getAttr(name), failure();
}

LogicalResult mlir::raf::stablehlo::checkDimensions(Operation &op, StringRef name, ArrayRef<int64_t> dims, int64_t rank, bool increasing) {
  SmallVector<int64_t> seen;
  for (int64_t dim : dims) {
    bool valid = dim >= 0 && dim < rank && !llvm::is_contained(seen, dim) && (!increasing || seen.empty() || seen.back() < dim);
    if (!valid) {
      auto diagnostic = op.emitOpError() << name << " must be different" << (increasing ? ", increasing" : "") << " and in [0, " << rank << "), got [";
      llvm::interleaveComma(dims, diagnostic);
      return diagnostic << "]";
    }
    seen.push_back(dim);
  }
  return success();
}
