// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/import-stablehlo/Importer.h"
#include "passes/autodiff/Reverse.h"

#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::stablehlo;

// Bounds for programs that would grow without end: calls that fan out, and tensors that no machine holds.
static constexpr int64_t kMaxOps = 1 << 20;
static constexpr int64_t kMaxElements = int64_t(1) << 40;

const HandlerInfo *HandlerTable::find(StringRef name) const {
  auto it = infos.find(name);
  return it == infos.end() ? nullptr : &it->second;
}

SmallVector<Value> mlir::raf::stablehlo::flattenParts(ArrayRef<Parts> all) {
  SmallVector<Value> values;
  for (Parts parts : all) {
    values.push_back(parts.real);
    if (parts.imag)
      values.push_back(parts.imag);
  }
  return values;
}

//===-- types and values -----------------------------------------------------------------------------------------===//

bool Importer::isSupported(Type type, std::string &why) {
  auto refuse = [&](StringRef text) {
    llvm::raw_string_ostream(why) << text << ", got " << type;
    return false;
  };
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return refuse("only tensors are supported");
  if (!tensor.hasStaticShape())
    return refuse("shapes must be static");
  int64_t elements = 1;
  for (int64_t size : tensor.getShape()) {
    if (size > kMaxElements || elements * std::max<int64_t>(size, 1) > kMaxElements)
      return refuse("tensor has too many elements");
    elements *= std::max<int64_t>(size, 1);
  }
  Type element = tensor.getElementType();
  if (auto complex = dyn_cast<ComplexType>(element))
    element = complex.getElementType();
  bool known = isa<Float64Type, Float32Type, Float16Type, BFloat16Type>(element);
  if (auto integer = dyn_cast<IntegerType>(element))
    known = llvm::is_contained({8, 16, 32, 64}, integer.getWidth()) || (integer.getWidth() == 1 && integer.isSignless());
  return known || refuse("element type must be f64, f32, f16, bf16, i1, an integer of 8 to 64 bits or complex");
}

RankedTensorType Importer::storedType(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  Type element = tensor.getElementType();
  if (auto complex = dyn_cast<ComplexType>(element))
    element = complex.getElementType();
  if (auto integer = dyn_cast<IntegerType>(element))
    element = IntegerType::get(type.getContext(), integer.getWidth());
  return RankedTensorType::get(pointwiseShape ? ArrayRef<int64_t>(*pointwiseShape) : tensor.getShape(), element);
}

Parts Importer::operandParts(Operation &op, unsigned index) {
  Parts parts = values.lookup(op.getOperand(index));
  if (!pointwiseShape || pointwiseShape->empty())
    return parts;
  TensorBuilder b(builder, op.getLoc());
  auto replicate = [&](Value value) {
    if (!value || TensorBuilder::typeOf(value).getRank() != 0)
      return value;
    return b.broadcast(value, TensorBuilder::typeOf(value).clone(*pointwiseShape), {});
  };
  return {replicate(parts.real), replicate(parts.imag)};
}

SmallVector<Value> Importer::operands(Operation &op) {
  SmallVector<Value> result;
  for (unsigned i = 0; i < op.getNumOperands(); ++i)
    result.push_back(operand(op, i));
  return result;
}

void Importer::setResult(Operation &op, unsigned index, Value value) {
  Parts &parts = values[op.getResult(index)];
  (imaginary ? parts.imag : parts.real) = value;
}

//===-- ops ------------------------------------------------------------------------------------------------------===//

LogicalResult Importer::checkCounts(Operation &op, const HandlerInfo &info) {
  auto check = [&](int expected, unsigned got, StringRef what) -> LogicalResult {
    if (expected < 0 || static_cast<unsigned>(expected) == got)
      return success();
    return op.emitOpError() << "needs " << expected << " " << what << (expected == 1 ? "" : "s") << ", got " << got;
  };
  return success(succeeded(check(info.operands, op.getNumOperands(), "operand")) && succeeded(check(info.results, op.getNumResults(), "result")) &&
                 succeeded(check(info.regions, op.getNumRegions(), "region")));
}

bool Importer::checkTypes(Operation &op, const HandlerInfo &info, std::string &why) {
  SmallVector<Type> types(op.getOperandTypes());
  llvm::append_range(types, op.getResultTypes());
  bool complex = false;
  for (Type type : types) {
    if (!isSupported(type, why))
      return false;
    complex |= isComplex(type);
    if (pointwiseShape && cast<RankedTensorType>(type).getRank() != 0) {
      why = "the body of a reduction, sort, scatter or map must work on scalars";
      return false;
    }
  }
  if (pointwiseShape && !info.pointwise) {
    why = "in the body of a reduction, sort, scatter or map";
    return false;
  }
  if (complex && info.complex == Complex::refused) {
    why = "of complex numbers";
    return false;
  }
  return true;
}

LogicalResult Importer::checkResults(Operation &op) {
  for (OpResult result : op.getResults()) {
    Parts parts = values.lookup(result);
    if (!parts && refusals.empty())
      return op.emitOpError() << "has no value for result " << result.getResultNumber();
    if (!parts)
      continue;
    RankedTensorType expected = storedType(result.getType());
    if (parts.real.getType() != expected || static_cast<bool>(parts.imag) != isComplex(result.getType()) || (parts.imag && parts.imag.getType() != expected))
      return op.emitOpError() << "result " << result.getResultNumber() << " must have the shape and type that follow from operands and attributes, expected "
                              << parts.real.getType() << ", got " << result.getType();
  }
  return success();
}

LogicalResult Importer::importOp(Operation &op) {
  if (++numImported > kMaxOps)
    return op.emitOpError() << "is past the limit of " << kMaxOps << " operators with all calls expanded";
  const HandlerInfo *info = table.find(op.getName().getStringRef());
  if (!info)
    return unsupported(op);
  for (Value operand : op.getOperands()) {
    auto it = values.find(operand);
    if (it == values.end())
      return op.emitOpError() << "uses a value before it is defined";
    if (!it->second)
      return poison(op), success();
  }
  std::string why;
  if (failed(checkCounts(op, *info)))
    return failure();
  if (!checkTypes(op, *info, why))
    return unsupported(op, why);

  for (OpResult result : op.getResults())
    values[result] = Parts();
  TensorBuilder b(builder, op.getLoc());
  if (failed(info->handler(*this, op, b)))
    return failure();
  if (info->complex == Complex::eachPart && llvm::any_of(op.getResultTypes(), isComplex)) {
    imaginary = true;
    llvm::scope_exit restore([&] { imaginary = false; });
    if (failed(info->handler(*this, op, b)))
      return failure();
  }
  return checkResults(op);
}

//===-- blocks, regions, calls -----------------------------------------------------------------------------------===//

FailureOr<SmallVector<Parts>> Importer::importBlock(Block &block, ArrayRef<Parts> arguments) {
  Operation *parent = block.getParentOp();
  if (block.getNumArguments() != arguments.size())
    return parent->emitOpError() << "needs a block with " << arguments.size() << " arguments, got " << block.getNumArguments(), failure();
  if (block.empty() || block.back().getNumResults() != 0 || !block.back().getName().getStringRef().ends_with(".return"))
    return parent->emitOpError() << "needs a block that ends with a return", failure();
  for (auto [argument, parts] : llvm::zip(block.getArguments(), arguments)) {
    std::string why;
    if (!isSupported(argument.getType(), why))
      return parent->emitOpError() << "has an argument of a type that is not supported: " << why, failure();
    if (parts && (parts.real.getType() != storedType(argument.getType()) || static_cast<bool>(parts.imag) != isComplex(argument.getType())))
      return parent->emitOpError() << "has an argument of type " << argument.getType() << " for a value of type " << parts.real.getType(), failure();
    values[argument] = parts;
  }
  for (Operation &op : llvm::make_range(block.begin(), std::prev(block.end())))
    if (failed(importOp(op)))
      return failure();
  SmallVector<Parts> results;
  for (unsigned i = 0; i < block.back().getNumOperands(); ++i) {
    if (!values.contains(block.back().getOperand(i)))
      return block.back().emitOpError() << "uses a value before it is defined", failure();
    results.push_back(operandParts(block.back(), i));
  }
  return results;
}

FailureOr<SmallVector<Parts>> Importer::importRegion(Operation &op, unsigned region, ArrayRef<Parts> arguments) {
  if (!op.getRegion(region).hasOneBlock())
    return op.emitOpError() << "region " << region << " must have one block", failure();
  return importBlock(op.getRegion(region).front(), arguments);
}

FailureOr<SmallVector<Parts>> Importer::importLoopBody(Operation &op, unsigned region, ArrayRef<Parts> arguments, Value iteration, int64_t trips) {
  loops.push_back({iteration, trips});
  llvm::scope_exit restore([&] { loops.pop_back(); });
  return importRegion(op, region, arguments);
}

std::optional<std::pair<Value, Value>> Importer::randomState() {
  Operation *parent = builder.getInsertionBlock()->getParentOp();
  if (!isa<func::FuncOp>(parent))
    parent = parent->getParentOfType<func::FuncOp>();
  if (parent != model)
    return std::nullopt;
  if (!step) {
    auto type = RankedTensorType::get({}, builder.getI64Type());
    seed = model.getBody().addArgument(type, model.getLoc());
    step = model.getBody().addArgument(type, model.getLoc());
  }
  return std::pair(seed, step);
}

FailureOr<SmallVector<Parts>> Importer::applyPointwise(Operation &op, unsigned region, ArrayRef<Parts> arguments, ArrayRef<int64_t> shape) {
  auto outer = std::exchange(pointwiseShape, SmallVector<int64_t>(shape));
  bool outerImaginary = std::exchange(imaginary, false);
  llvm::scope_exit restore([&] {
    pointwiseShape = outer;
    imaginary = outerImaginary;
  });
  return importRegion(op, region, arguments);
}

FailureOr<SmallVector<Parts>> Importer::importCall(Operation &op, StringRef callee, ArrayRef<Parts> arguments) {
  func::FuncOp func = findFunction(callee);
  if (!func || !func.getBody().hasOneBlock())
    return op.emitOpError() << "calls @" << callee << ", which is no function of one block in the module", failure();
  if (llvm::is_contained(callStack, callee))
    return op.emitOpError() << "calls @" << callee << " recursively", failure();
  // The rule is of real numbers, and of whole tensors.
  if (func->hasAttr(kGradientAttribute) && !pointwiseShape && llvm::none_of(func.getArgumentTypes(), isComplex) && llvm::none_of(func.getResultTypes(), isComplex))
    return keepCall(op, func, arguments);
  callStack.push_back(callee);
  llvm::scope_exit restore([&] { callStack.pop_back(); });
  return importBlock(func.getBody().front(), arguments);
}

FailureOr<SmallVector<Parts>> Importer::keepCall(Operation &op, func::FuncOp callee, ArrayRef<Parts> arguments) {
  auto name = dyn_cast<FlatSymbolRefAttr>(callee->getAttr(kGradientAttribute));
  func::FuncOp gradient = name ? findFunction(name.getValue()) : func::FuncOp();
  if (!gradient || !gradient.getBody().hasOneBlock() || gradient.isPublic())
    return callee.emitOpError() << "needs " << kGradientAttribute << " to name a private function of one block in the module, got " << callee->getAttr(kGradientAttribute), failure();
  if (callee.isPublic())
    return callee.emitOpError() << "has " << kGradientAttribute << " and must be private", failure();
  FailureOr<func::FuncOp> function = keepFunction(op, callee);
  if (failed(function) || failed(keepFunction(op, gradient)))
    return failure();
  (*function)->setAttr(kGradientAttribute, name);
  SmallVector<Value> operands;
  for (Parts argument : arguments)
    operands.push_back(argument.real);
  SmallVector<Parts> results(function->getNumResults());
  if (llvm::is_contained(operands, Value()))
    return results;
  if (TypeRange(ValueRange(operands)) != TypeRange(function->getArgumentTypes()))
    return op.emitOpError() << "needs operands of the types of the arguments of @" << callee.getName(), failure();
  auto call = func::CallOp::create(builder, op.getLoc(), *function, operands);
  for (auto [parts, result] : llvm::zip(results, call.getResults()))
    parts.real = result;
  return results;
}

FailureOr<func::FuncOp> Importer::keepFunction(Operation &op, func::FuncOp source) {
  // It is there before its body is: a gradient may call the function whose gradient it is.
  if (auto it = kept.find(source.getName()); it != kept.end())
    return it->second.get();
  SmallVector<Type> arguments, results;
  for (auto [from, to] : {std::pair(source.getArgumentTypes(), &arguments), std::pair(source.getResultTypes(), &results)})
    for (Type type : from) {
      std::string why;
      if (!isSupported(type, why))
        return source.emitOpError() << "has a type that is not supported: " << why, failure();
      to->push_back(storedType(type));
    }
  auto function = func::FuncOp::create(source.getLoc(), source.getName(), builder.getFunctionType(arguments, results));
  function.setPrivate();
  kept[source.getName()] = function;
  OpBuilder::InsertionGuard guard(builder);
  Block *block = function.addEntryBlock();
  builder.setInsertionPointToStart(block);
  SmallVector<Parts> values;
  for (BlockArgument argument : block->getArguments())
    values.push_back({argument, {}});
  callStack.push_back(source.getName());
  llvm::scope_exit restore([&] { callStack.pop_back(); });
  FailureOr<SmallVector<Parts>> returned = importBlock(source.getBody().front(), values);
  if (failed(returned))
    return failure();
  SmallVector<Value> flat;
  for (Parts parts : *returned)
    flat.push_back(parts.real);
  if (!llvm::is_contained(flat, Value())) {
    if (TypeRange(ValueRange(flat)) != TypeRange(results))
      return source.emitOpError() << "returns values that are not of its result types", failure();
    func::ReturnOp::create(builder, source.getLoc(), flat);
  }
  return function;
}

SmallVector<Value> Importer::callWithGradient(StringRef name, TensorBuilder &b, ValueRange operands, Compute forward, Compute backward) {
  if (pointwiseShape)
    return forward(b, operands);
  std::string own = ("raf." + name).str();
  llvm::raw_string_ostream os(own);
  for (Value operand : operands) {
    for (int64_t size : TensorBuilder::typeOf(operand).getShape())
      os << '.' << size;
    os << '.' << TensorBuilder::typeOf(operand).getElementType();
  }
  StringAttr symbol = builder.getStringAttr(own), gradient = builder.getStringAttr(own + ".vjp");
  auto make = [&](StringAttr title, TypeRange arguments, Compute compute) {
    auto function = func::FuncOp::create(b.getLoc(), title.getValue(), builder.getFunctionType(arguments, {}));
    function.setPrivate();
    kept[title.getValue()] = function;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(function.addEntryBlock());
    SmallVector<Value> results = compute(b, function.getArguments());
    func::ReturnOp::create(builder, b.getLoc(), results);
    function.setFunctionType(builder.getFunctionType(arguments, ValueRange(results).getTypes()));
    return function;
  };
  if (!kept.contains(symbol.getValue())) {
    func::FuncOp made = make(symbol, operands.getTypes(), forward);
    made->setAttr(kGradientAttribute, FlatSymbolRefAttr::get(gradient));
    SmallVector<Type> arguments(operands.getTypes());
    llvm::append_range(arguments, made.getResultTypes());
    make(gradient, arguments, backward);
  }
  auto call = func::CallOp::create(builder, b.getLoc(), kept[symbol.getValue()].get(), operands);
  return SmallVector<Value>(call.getResults());
}

Value Importer::callSelfAdjoint(StringRef name, TensorBuilder &b, Value x, function_ref<Value(TensorBuilder &, Value)> compute) {
  auto apply = [&](TensorBuilder &b, ValueRange values) -> SmallVector<Value> { return {compute(b, values.back())}; };
  return callWithGradient(name, b, x, apply, apply).front();
}

//===-- what cannot be imported ----------------------------------------------------------------------------------===//

void Importer::refuse(StringRef what, Location loc) {
  Refusal &refusal = refusals[builder.getStringAttr(what)];
  ++refusal.count;
  if (refusal.locations.size() < 4)
    refusal.locations.push_back(loc);
}

// Values that follow from an op that was refused have no parts. What such ops hold in regions is looked at only for ops that nobody knows.
void Importer::poison(Operation &op) {
  for (OpResult result : op.getResults())
    values[result] = Parts();
  for (Region &region : op.getRegions())
    region.walk([&](Operation *inner) {
      if (!inner->getName().getStringRef().ends_with(".return") && !table.find(inner->getName().getStringRef()))
        (void)unsupported(*inner);
    });
}

LogicalResult Importer::unsupported(Operation &op, const Twine &why) {
  // An op that is imported many times, in a function that is called often, counts once.
  if (refused.insert(&op).second) {
    std::string what = op.getName().getStringRef().str(), reason = why.str();
    if (!reason.empty())
      what += ": " + reason;
    refuse(what, op.getLoc());
  }
  poison(op);
  return success();
}

LogicalResult Importer::reportUnsupported() {
  if (refusals.empty())
    return success();
  int64_t count = 0;
  for (auto &[what, refusal] : refusals)
    count += refusal.count;
  auto diagnostic = emitError(refusals.front().second.locations.front())
                    << "import-stablehlo: " << count << (count == 1 ? " operation is" : " operations are") << " not supported: ";
  llvm::interleave(
      refusals, diagnostic, [&](auto &entry) { diagnostic << entry.first.getValue() << " (" << entry.second.count << ")"; }, "; ");
  for (auto &[what, refusal] : refusals)
    for (Location loc : refusal.locations)
      diagnostic.attachNote(loc) << what.getValue();
  return diagnostic;
}
