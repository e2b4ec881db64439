// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/frontend/Signature.h"

using namespace mlir;
using namespace mlir::raf;

static StringRef stringOf(Attribute attribute) {
  auto text = dyn_cast_or_null<StringAttr>(attribute);
  return text ? text.getValue() : StringRef();
}

StringRef ModelResult::getName() const { return stringOf(attributes.get("raf.name")); }

func::FuncOp mlir::raf::findMain(ModuleOp module, StringRef pass) {
  auto func = module.lookupSymbol<func::FuncOp>("main");
  if (func && func.getBody().hasOneBlock())
    return func;
  emitError(module.getLoc()) << pass << " needs a function @main of one block";
  return {};
}

StringRef mlir::raf::argumentName(func::FuncOp func, unsigned index) { return stringOf(func.getArgAttr(index, "raf.name")); }
StringRef mlir::raf::argumentRole(func::FuncOp func, unsigned index) { return stringOf(func.getArgAttr(index, "raf.role")); }

SmallVector<ModelResult> mlir::raf::getModelResults(func::FuncOp func) {
  SmallVector<ModelResult> results;
  for (OpOperand &operand : func.getBody().front().getTerminator()->getOpOperands()) {
    DictionaryAttr attributes = func.getResultAttrDict(operand.getOperandNumber());
    results.push_back({operand.get(), attributes ? attributes : DictionaryAttr::get(func.getContext())});
  }
  return results;
}

void mlir::raf::setModelResults(func::FuncOp func, ArrayRef<ModelResult> results) {
  SmallVector<Type> types;
  SmallVector<Value> values;
  SmallVector<DictionaryAttr> attributes;
  for (const ModelResult &result : results) {
    types.push_back(result.value.getType());
    values.push_back(result.value);
    attributes.push_back(result.attributes);
  }
  func.getBody().front().getTerminator()->setOperands(values);
  func.setFunctionType(FunctionType::get(func.getContext(), func.getArgumentTypes(), types));
  func.setAllResultAttrs(attributes);
}

Value mlir::raf::appendArgument(func::FuncOp func, Type type, StringRef name, StringRef role) {
  unsigned index = func.getNumArguments();
  std::string unique = name.str();
  while (llvm::any_of(llvm::seq<unsigned>(0, index), [&](unsigned k) { return argumentName(func, k) == unique; }))
    unique += "_";
  Builder builder(func.getContext());
  NamedAttribute attributes[] = {builder.getNamedAttr("raf.name", builder.getStringAttr(unique)), builder.getNamedAttr("raf.role", builder.getStringAttr(role))};
  (void)func.insertArgument(index, type, builder.getDictionaryAttr(attributes), func.getLoc());
  return func.getArgument(index);
}
