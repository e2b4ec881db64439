// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a StableHLO program op by op and builds raf ops. Calls, unrolled loops and the bodies of reductions are read again at each use, with other values
// bound to their arguments: nothing of the source is copied.
#ifndef RAF_PASSES_IMPORT_STABLEHLO_IMPORTER_H
#define RAF_PASSES_IMPORT_STABLEHLO_IMPORTER_H

#include "dialects/raf/TensorBuilder.h"
#include "dialects/raf/infer/Shapes.h"
#include "passes/import-stablehlo/Mesh.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::raf::stablehlo {

/// What carries a tensor of the source: one raf value, or the real and the imaginary part of a complex tensor. Null when an op before could not be imported.
struct Parts {
  Value real, imag;

  explicit operator bool() const { return static_cast<bool>(real); }
};

/// A complex tensor as two values.
SmallVector<Value> flattenParts(ArrayRef<Parts> all);

class Importer;
using Handler = LogicalResult (*)(Importer &, Operation &, TensorBuilder &);

/// How a handler meets complex tensors: not at all, once for the real and once for the imaginary parts, or by itself.
enum class Complex { refused, eachPart, handled };

/// An operator that can be imported; -1 is any number of operands, results or regions.
struct HandlerInfo {
  Handler handler = nullptr;
  int operands = -1, results = 1, regions = 0;
  Complex complex = Complex::refused;
  /// Whether it may stand in a scalar function that is applied to whole tensors.
  bool pointwise = false;
};

class HandlerTable {
public:
  void add(StringRef name, HandlerInfo info) { infos[name] = info; }
  const HandlerInfo *find(StringRef name) const;

private:
  llvm::StringMap<HandlerInfo> infos;
};

class Importer {
public:
  Importer(ModuleOp module, const HandlerTable &table, OpBuilder &builder, func::FuncOp model)
      : module(module), table(table), builder(builder), model(model), devices(Devices::read(module)) {}

  //===-- operands and results -----------------------------------------------------------------------------------===//

  /// The raf value of an operand: of a complex one the part that is being imported. In a pointwise body scalars are replicated to the shape of the body.
  Value operand(Operation &op, unsigned index) { return part(operandParts(op, index)); }
  Parts operandParts(Operation &op, unsigned index);
  SmallVector<Value> operands(Operation &op);
  /// The raf type of a result: signless, of a complex one that of a part, in a pointwise body of the shape of the body.
  RankedTensorType resultType(Operation &op, unsigned index = 0) { return storedType(op.getResult(index).getType()); }
  RankedTensorType storedType(Type type);
  void setResult(Operation &op, unsigned index, Value value);
  void setResult(Operation &op, Value value) { setResult(op, 0, value); }
  void setParts(Operation &op, unsigned index, Parts parts) { values[op.getResult(index)] = parts; }
  /// All results of the op.
  void setParts(Operation &op, ArrayRef<Parts> results) {
    for (auto [index, parts] : llvm::enumerate(results))
      setParts(op, index, parts);
  }
  /// Whether the real parts are being imported (always but for the second run of an `eachPart` handler).
  bool isRealPart() const { return !imaginary; }

  //===-- regions and calls --------------------------------------------------------------------------------------===//

  /// The values that the region's one block returns for these arguments.
  FailureOr<SmallVector<Parts>> importRegion(Operation &op, unsigned region, ArrayRef<Parts> arguments);
  /// The same for a region on scalars, applied to each element of arguments of the given shape.
  FailureOr<SmallVector<Parts>> applyPointwise(Operation &op, unsigned region, ArrayRef<Parts> arguments, ArrayRef<int64_t> shape);
  /// A call is read in place, unless the function has a gradient of its own (raf.vjp): then both become functions of the model.
  FailureOr<SmallVector<Parts>> importCall(Operation &op, StringRef callee, ArrayRef<Parts> arguments);
  using Compute = function_ref<SmallVector<Value>(TensorBuilder &, ValueRange)>;
  /// `forward` of the operands as a call of a function of that name whose gradient is `backward` of the operands and the cotangents of the results, all of them
  /// floating-point. The name must say all but the types of the operands; `backward` may call the function again.
  SmallVector<Value> callWithGradient(StringRef name, TensorBuilder &b, ValueRange operands, Compute forward, Compute backward);
  /// `compute` of x as a call of a function whose gradient is the same of the cotangent.
  Value callSelfAdjoint(StringRef name, TensorBuilder &b, Value x, function_ref<Value(TensorBuilder &, Value)> compute);
  /// The seed and the step of the model, which become its last arguments when they are first asked for; nothing in a function with a gradient of its own.
  std::optional<std::pair<Value, Value>> randomState();
  bool hasRandomState() const { return static_cast<bool>(step); }
  int64_t nextRandomOp() { return numRandomOps++; }
  /// The loops around what is imported: the number of the iteration, and how many there are; a null value when that is not known.
  ArrayRef<std::pair<Value, int64_t>> getLoops() const { return loops; }
  /// The same for a region that is the body of a loop.
  FailureOr<SmallVector<Parts>> importLoopBody(Operation &op, unsigned region, ArrayRef<Parts> arguments, Value iteration, int64_t trips);
  func::FuncOp findFunction(StringRef name) { return dyn_cast_or_null<func::FuncOp>(module.lookupSymbol(name)); }
  Parts valueOf(Value source) const { return values.lookup(source); }
  std::optional<Value> findBound(Value source) const;

  //===-- the program --------------------------------------------------------------------------------------------===//

  /// Binds arguments and imports the block up to its terminator, whose operands are returned.
  FailureOr<SmallVector<Parts>> importBlock(Block &block, ArrayRef<Parts> arguments);
  /// Notes that the op cannot be imported; the import goes on to find the others.
  LogicalResult unsupported(Operation &op, const Twine &why = "");
  /// Reports everything that was noted; fails if there was something.
  LogicalResult reportUnsupported();
  /// A type that raf has; else `why` says what is wrong with it.
  static bool isSupported(Type type, std::string &why);
  int64_t getNumImported() const { return numImported; }
  /// The functions with gradients of their own that were called, and their gradients.
  SmallVector<func::FuncOp> takeFunctions() {
    SmallVector<func::FuncOp> functions;
    for (auto &[name, function] : kept)
      functions.push_back(function.release());
    return functions;
  }
  ModuleOp getModule() const { return module; }
  Devices getDevices() const { return devices; }
  const HandlerTable &getTable() const { return table; }

private:
  struct Refusal {
    int64_t count = 0;
    SmallVector<Location, 4> locations;
  };

  Value part(Parts parts) const { return imaginary && parts.imag ? parts.imag : parts.real; }
  LogicalResult importOp(Operation &op);
  FailureOr<SmallVector<Parts>> keepCall(Operation &op, func::FuncOp callee, ArrayRef<Parts> arguments);
  FailureOr<func::FuncOp> keepFunction(Operation &op, func::FuncOp source);
  LogicalResult checkCounts(Operation &op, const HandlerInfo &info);
  bool checkTypes(Operation &op, const HandlerInfo &info, std::string &why);
  LogicalResult checkResults(Operation &op);
  void refuse(StringRef what, Location loc);
  void poison(Operation &op);

  ModuleOp module;
  const HandlerTable &table;
  OpBuilder &builder;
  func::FuncOp model;
  Devices devices;
  DenseMap<Value, Parts> values;
  std::optional<SmallVector<int64_t>> pointwiseShape;
  bool imaginary = false;
  SmallVector<StringRef> callStack;
  llvm::MapVector<StringAttr, Refusal> refusals;
  llvm::SmallPtrSet<Operation *, 8> refused;
  int64_t numImported = 0, numRandomOps = 0;
  Value seed, step;
  SmallVector<std::pair<Value, int64_t>> loops;
  llvm::MapVector<StringRef, OwningOpRef<func::FuncOp>> kept;
};

inline bool isUnsigned(Type type) { return getElementTypeOrSelf(type).isUnsignedInteger(); }
inline bool isComplex(Type type) { return isa<ComplexType>(getElementTypeOrSelf(type)); }
inline bool isBool(Value value) { return getElementTypeOrSelf(value.getType()).isInteger(1); }
inline bool isFloat(Value value) { return isa<FloatType>(getElementTypeOrSelf(value.getType())); }

/// Each family adds its handlers.
#define RAF_STABLEHLO_FAMILY(name) void add##name##Handlers(HandlerTable &table);
#include "passes/import-stablehlo/Families.def"

} // namespace mlir::raf::stablehlo

#endif // RAF_PASSES_IMPORT_STABLEHLO_IMPORTER_H
