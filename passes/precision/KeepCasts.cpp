// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The 16-bit copies of parameters stay between steps: whoever makes a new parameter makes its copy too.
#include "dialects/raf/Dialect.h"
#include "dialects/raf/Ops.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/precision/Passes.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::raf {
#define GEN_PASS_DEF_KEEPCASTSPASS
#include "passes/precision/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;

namespace {
struct KeepCastsPass : raf::impl::KeepCastsPassBase<KeepCastsPass> {
  using KeepCastsPassBase::KeepCastsPassBase;
  void runOnOperation() override;
};
} // namespace

static bool isNarrow(Type type) {
  auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  return element && element.getWidth() == 16;
}

// The conversions of parameters, by parameter and type.
static llvm::MapVector<std::pair<unsigned, Type>, SmallVector<CastOp>> findCasts(func::FuncOp func) {
  llvm::MapVector<std::pair<unsigned, Type>, SmallVector<CastOp>> casts;
  for (BlockArgument argument : func.getArguments()) {
    auto role = func.getArgAttrOfType<StringAttr>(argument.getArgNumber(), "raf.role");
    if (!role || role.getValue() != "param" || !getElementTypeOrSelf(argument.getType()).isF32())
      continue;
    for (Operation *user : argument.getUsers())
      if (auto cast = dyn_cast<CastOp>(user); cast && isNarrow(cast.getType()))
        casts[{argument.getArgNumber(), cast.getType()}].push_back(cast);
  }
  return casts;
}

void KeepCastsPass::runOnOperation() {
  auto func = getOperation().lookupSymbol<func::FuncOp>("main");
  if (!func || !func.getBody().hasOneBlock()) {
    emitError(getOperation().getLoc()) << "raf-keep-casts needs a function @main of one block";
    return signalPassFailure();
  }
  auto casts = findCasts(func);
  if (casts.empty())
    return;
  Builder builder(&getContext());
  unsigned first = func.getNumArguments();
  DenseMap<int64_t, unsigned> updates; // the result that overwrites an argument
  SmallVector<DictionaryAttr> resultAttributes;
  for (unsigned index = 0; index < func.getNumResults(); ++index) {
    DictionaryAttr attributes = func.getResultAttrDict(index);
    resultAttributes.push_back(attributes ? attributes : builder.getDictionaryAttr({}));
    if (auto alias = func.getResultAttrOfType<IntegerAttr>(index, "raf.alias"))
      updates[alias.getInt()] = index;
  }
  SmallVector<Type> types;
  SmallVector<DictionaryAttr> attributes;
  SmallVector<Location> locations;
  for (auto &[key, ops] : casts) {
    auto [param, type] = key;
    auto name = func.getArgAttrOfType<StringAttr>(param, "raf.name");
    std::string copy;
    llvm::raw_string_ostream(copy) << getElementTypeOrSelf(type) << ':' << (name ? name.getValue() : StringRef("?"));
    types.push_back(type);
    locations.push_back(func.getArgument(param).getLoc());
    attributes.push_back(builder.getDictionaryAttr(
        {builder.getNamedAttr("raf.name", builder.getStringAttr(copy)), builder.getNamedAttr("raf.role", builder.getStringAttr("copy"))}));
  }
  (void)func.insertArguments(SmallVector<unsigned>(types.size(), first), types, attributes, locations);

  Operation *terminator = func.getBody().front().getTerminator();
  OpBuilder at(terminator);
  for (auto [index, entry] : llvm::enumerate(casts)) {
    auto &[key, ops] = entry;
    for (CastOp cast : ops) {
      cast.replaceAllUsesWith(func.getArgument(first + index));
      cast.erase();
    }
    ++kept;
    // A frozen parameter has no update; its copy is only read.
    auto update = updates.find(key.first);
    if (update == updates.end())
      continue;
    Value updated = terminator->getOperand(update->second);
    Value copy = CastOp::create(at, updated.getLoc(), key.second, updated);
    terminator->insertOperands(terminator->getNumOperands(), copy);
    auto name = attributes[index].getAs<StringAttr>("raf.name");
    resultAttributes.push_back(builder.getDictionaryAttr({builder.getNamedAttr("raf.alias", builder.getI64IntegerAttr(first + index)),
                                                          builder.getNamedAttr("raf.name", builder.getStringAttr("new:" + name.getValue()))}));
  }
  func.setFunctionType(builder.getFunctionType(func.getArgumentTypes(), terminator->getOperandTypes()));
  func.setAllResultAttrs(resultAttributes);
}
